"""Component sets of Shogun."""
