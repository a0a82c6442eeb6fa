"""`python -m henro` is the command `henro`."""

from henro.cli import main

main()
