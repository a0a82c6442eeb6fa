"""Options of a bot: how an `option` line declares one, and which values it takes."""

import re
from dataclasses import dataclass
from typing import Self

from henro.errors import OptionError

_DECLARATION = re.compile(r"name (.+?) type (check|spin|combo|string|button)(?: (.*))?")
_WHOLE = re.compile(r"-?[0-9]{1,30}")


@dataclass(frozen=True)
class Option:
    """An option in UCI's terms; values are kept as text.

    kind         check, spin, combo, string or button
    least, most  bounds of a spin
    choices      the values of a combo
    """

    name: str
    kind: str
    default: str = ""
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """The option of a line `option <text>`; raises ValueError when it declares none."""
        match = _DECLARATION.fullmatch(" ".join(text.split()))
        if match is None:
            raise ValueError("a name and a type are needed")
        name, kind, rest = match[1], match[2], match[3] or ""
        if kind == "spin":
            default, least, most = _spin(rest)
            return cls(name, kind, default, int(least), int(most))
        if kind == "combo":
            default, *choices = f" {rest}".split(" var ")
            if not choices:
                raise ValueError("a combo needs a var for each value")
            return cls(name, kind, _default(default), choices=tuple(choices))
        return cls(name, kind, _default(rest))

    def declaration(self) -> str:
        """The line that declares the option to a referee."""
        parts = [f"option name {self.name} type {self.kind}"]
        if self.kind != "button":
            parts.append(f"default {self.default}".rstrip())
        if self.kind == "spin":
            parts.append(f"min {self.least} max {self.most}")
        parts += [f"var {choice}" for choice in self.choices]
        return " ".join(parts)

    def check(self, value: str) -> str:
        """The value in its canonical form; raises OptionError when the option refuses it."""
        if self.kind == "spin":
            return self._whole(value)
        if self.kind == "button" and value:
            raise OptionError(f"{self.name} is a button and takes no value")
        if self.kind in ("button", "string"):
            return self._line(value)
        choices = ("true", "false") if self.kind == "check" else self.choices
        for choice in choices:
            if choice.lower() == value.lower():
                return choice
        raise OptionError(f"{self.name} is one of {', '.join(choices)}, not {_shown(value)}")

    def _whole(self, value: str) -> str:
        if not _WHOLE.fullmatch(value) or not self.least <= int(value) <= self.most:
            raise OptionError(
                f"{self.name} is a number from {self.least} to {self.most}, not {_shown(value)}"
            )
        return str(int(value))

    def _line(self, value: str) -> str:
        if any(char < " " and char != "\t" for char in value):
            raise OptionError(f"{self.name} takes one line without control characters")
        return value


def _spin(text: str) -> list[str]:
    """Default, min and max of a spin, in whichever order they come."""
    words = text.split()
    facts = dict(zip(words[::2], words[1::2], strict=False))
    numbers = [facts.get(key, "") for key in ("default", "min", "max")]
    if not all(map(_WHOLE.fullmatch, numbers)):
        raise ValueError("a spin needs default, min and max")
    return numbers


def _default(text: str) -> str:
    return text.strip().removeprefix("default").strip()


def _shown(value: str) -> str:
    return value[:100] or "empty"
