"""Component sets of Shikoku."""
