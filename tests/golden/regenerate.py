"""Writes the recorded games anew: `python -m tests.golden.regenerate`, from the project's root.

The moves of a recorded game stay as they are as far as the rules allow, so that `git diff` shows
what a change of the rules or texts means.
"""

from tests.golden.playthrough import RECORDED, moves_for, path, recorded_moves, render


def main() -> None:
    for case in RECORDED:
        file = path(case)
        old = file.read_text(encoding="ascii") if file.exists() else ""
        new = render(case, moves_for(case, recorded_moves(old)))
        file.write_text(new, encoding="ascii")
        print(f"{file.name}: {'as it was' if new == old else 'changed'}")


if __name__ == "__main__":
    main()
