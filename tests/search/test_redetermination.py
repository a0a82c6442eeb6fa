"""With re-determination others do not answer what they cannot know of the searching seat."""

import pytest

import henro
from henro.search.options import SearchOptions
from tests.games import shikoku
from tests.search.exact import after, move_values

NODES = 3000
OBSERVERS = ("one", "many")

every_observer = pytest.mark.parametrize("observers", OBSERVERS)


def worlds() -> tuple[henro.State, henro.State]:
    """Seat 0 takes a card, then seat 1 opens the last round. Of 2 and 21 seat 0 holds one and seat
    2 the other, which is all that is hidden from anybody: seats 0 and 2 know it, seat 1 does not.
    """
    one, two = (
        shikoku.position(
            3,
            "phase=take turn=1 order=1,0,2 steps=27,32,32 previous=23,28 row=32,18,8 "
            "removed=1,3,5,6,7,9,11,14,15,16,17,19,22,24,25,26,29,30,31,33 "
            f"hands={own}+27/+4,10,20/{other}+12,13 deck=0",
        )
        for own, other in ((2, 21), (21, 2))
    )
    return one, two


def wins_of_the_opener(way: SearchOptions) -> float:
    """What the search thinks that seat 1 gets, in the mean over both worlds."""
    options: SearchOptions = {"playouts": "uniform", "priors": 0, **way}
    results = [
        henro.Engine(state.game, seed=3, **options).search(state, nodes=NODES) for state in worlds()
    ]
    return sum(result.value[1] for result in results) / len(results)


def test_to_one_who_knows_the_hidden_card_it_decides() -> None:
    """Each play of seat 1 wins in one world at most, so it wins half if it cannot tell them apart,
    and always if it can."""
    for take in ("take:23", "take:28"):
        replies = [move_values(after(state, take)) for state in worlds()]
        assert [max(values.values()) for values in replies] == [1, 1]
        assert max(replies[0][move] + replies[1][move] for move in replies[0]) == 1


@every_observer
def test_without_it_the_opener_seems_to_know_the_hidden_card(observers: str) -> None:
    assert wins_of_the_opener({"observers": observers}) > 0.9


@every_observer
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_with_it_the_opener_does_not_know_the_hidden_card(observers: str, share: float) -> None:
    assert wins_of_the_opener({"observers": observers, "redetermine": share}) < 0.65


@every_observer
def test_the_own_choices_are_still_those_of_one_who_knows_its_hand(observers: str) -> None:
    """Once seat 1 has played 4 the plays of seat 0 are worth what they are in its own world."""
    for state in worlds():
        known = after(state, "take:28", "play:4")
        exact = move_values(known)
        engine = henro.Engine(known.game, seed=3, observers=observers, redetermine=0.5)
        result = engine.search(known, nodes=NODES)
        assert exact[result.best_text] == max(exact.values())
