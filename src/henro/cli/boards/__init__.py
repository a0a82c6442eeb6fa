"""How each game's board looks in a terminal; `henro.cli.board` is the way in."""
