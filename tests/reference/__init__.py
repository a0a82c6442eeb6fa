"""Slow, plain rule sets written from the rulebooks alone, to check the fast engine against."""
