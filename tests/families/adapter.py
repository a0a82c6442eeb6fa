"""What a game tells the families of tests about itself: `tests/games/<name>.py`, as ADAPTER."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import henro

Item = Hashable
Places = Mapping[str, tuple[Item, ...]]


@dataclass(frozen=True)
class Pool:
    """Things a seat cannot place, and where they lie in one world: place -> its things.

    From what the seat knows they are spread uniformly over the places, each place holding as many
    as it does here. Equal things (tokens of a kind, say) are equal items.

    `shares` has the mean number of things in each place where worlds differ in it; then all things
    are different, and any of them may be alone in a place or not there.
    """

    places: Places
    shares: Mapping[str, Fraction] | None = None

    def items(self) -> list[Item]:
        return sorted((item for things in self.places.values() for item in things), key=repr)

    def sizes(self) -> dict[str, int]:
        return {place: len(things) for place, things in self.places.items() if things}

    def means(self) -> Mapping[str, int | Fraction]:
        """How many things each place that may hold any holds in the mean over all worlds."""
        if self.shares is None:
            return self.sizes()
        return {place: share for place, share in self.shares.items() if share > 0}

    def is_open(self) -> bool:
        """Nothing to guess: one place, or things of one kind that fill all places."""
        one_kind = self.shares is None and len(set(self.items())) < 2
        return len(self.means()) < 2 or one_kind


@dataclass(frozen=True)
class SmallCase:
    """A position with few worlds for a seat, every one listed: position text -> probability.

    Where too much is hidden for that, `keys` names the parts of the text that the list is about:
    then the worlds have these parts alone, in the text's order, without what else is hidden.
    """

    position: str
    seat: int
    worlds: Mapping[str, Fraction]
    keys: frozenset[str] = frozenset()

    def listed(self, position: str) -> str:
        """What the list says of a position."""
        if not self.keys:
            return position
        return " ".join(part for part in position.split() if part.split("=")[0] in self.keys)


class Adapter(Protocol):
    """What the families need to know of a game beyond what its API says."""

    @property
    def kinds(self) -> frozenset[str]:
        """Every kind of ply (see `kind`) that random games meet."""

    @property
    def max_state_bytes(self) -> int:
        """The bound that the architecture sets at the largest player count."""

    @property
    def open_end(self) -> bool:
        """Whether everybody knows all that counts when the game is over."""

    @property
    def forgotten(self) -> frozenset[str]:
        """Kinds of open actions (`die`, ...) of which two may lead to the same position."""

    def kind(self, state: henro.State) -> str:
        """What is due in the game's own terms, or `end`: positions of each kind are tested."""

    def shows_more(self, state: henro.State) -> bool:
        """Whether the next ply may show a seat something that no event tells it, a view only."""

    def max_legal(self, players: int) -> int:
        """The largest number of moves a seat can have."""

    def pools(self, state: henro.State, seat: int) -> list[Pool]:
        """What is hidden from the seat in this position, unless a policy chose it."""

    def hides_choices(self, state: henro.State, seat: int) -> bool:
        """Whether others have made choices in turns that are over but still sealed for the seat."""

    def small_cases(self, game: henro.Game) -> list[SmallCase]:
        """Positions whose worlds can be listed, for different kinds of ply and seats."""
