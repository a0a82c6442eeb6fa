"""Component sets of Shugendo."""
