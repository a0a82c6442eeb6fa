"""Component sets of Jinja."""
