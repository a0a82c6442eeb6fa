"""Shugendo for the tests: its texts written from the reference rules alone, its adapter."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import henro
from tests.families.adapter import Pool, SmallCase
from tests.families.plies import ply_kind
from tests.reference.shugendo import CELLS, SEALED, Cards, Seat, Shugendo, State, Step
from tests.reference.shugendo_tables import CHOICES, DEFAULT, TRACKS

SETUP = ("first", "rewards", "boards", "milestones", "display")
"""The reference's phases of the setup."""
STEPS = {
    "iron_farms": "farms",
    "iron_village": "village",
    "iron_boost": "boost",
    "guest_card": "guest",
}
"""Steps that the texts call otherwise."""
TURNS = ("reveal", "action_turn", "recruit_turn")
"""Steps that a turn begins with."""
FIRST_CARD = next(iter(DEFAULT.cards))
LETTERS = {"farm": "f", "village": "v", "city": "c"}
SKIPS = {"": "-", "action": "recruit", "recruit": "action"}
"""SG9: the phase played after Mischief -> the one that is skipped."""

KINDS = frozenset(
    {
        "first",
        "reward",
        "refill",
        "reveal",
        "draw",
        "mischief",
        "gain",
        "done",
        "boost",
        "replace",
        "end",
    }
)
FLOWER_KINDS = frozenset({"board", "milestone", "noswap", "farm", "village", "recruit"})
"""Kinds of ply that only the option flower has."""
MOST_MOVES = 18
"""A move for each of 16 land cells, `develop` and `done`."""


def load(players: int, flower: int = 0) -> henro.Game:
    return henro.load_game("shugendo", players=players, flower=str(flower))


# -- texts ---------------------------------------------------------------------------------------


def parts_of(text: str) -> dict[str, str]:
    """The parts of a position or view."""
    return dict(part.split("=", 1) for part in text.split()[1:])


def position(players: int = 2, flower: int = 0, **parts: Any) -> henro.State:
    """A position by hand, its parts as `setup` of the reference takes them."""
    reference = Shugendo(players, flower).setup(**parts)
    game = load(players, flower)
    return game.deserialize_state(position_text(reference, game.components_id))


def position_text(state: State, components: str, bought: Sequence[str] = ()) -> str:
    """The full position of a reference state, as `henro.State.serialize` writes it.

    `bought` are the cards that the buying seat has not put in the place of others yet, which the
    reference does not tell from the others that it has recruited in the round. Owners of tokens of
    the same Age and VP are in the order of the seats, see `comparable`.
    """
    parts = {
        **_moment(state, components),
        **_supplies(state, Counter(bought)),
        **_realms(state),
        **_cards(state, Counter(bought)),
        **_turn(state),
    }
    return " ".join(["shugendo", *(f"{key}={value}" for key, value in parts.items())])


def comparable(text: str, game: Shugendo) -> dict[str, str]:
    """The parts of a text; owners of tokens of the same Age and VP by seats."""
    parts = parts_of(text)
    piles = zip(parts["development"].split("/"), game.development.values(), strict=True)
    parts["development"] = "/".join(
        "".join(
            owner
            for _, _, owner in sorted(
                (-vp, owner == "-", owner) for vp, owner in zip(vps, owners, strict=True)
            )
        )
        for owners, vps in piles
    )
    return parts


def bought_after(bought: Sequence[str], state: State, text: str) -> Sequence[str]:
    """Cards bought and not put in the place of others yet, after this ply."""
    verb, _, card = text.partition(":")
    if state.phase == "recruit" and verb == "recruit":
        return [*bought, card]
    return bought[1:] if state.phase == "recruit" and verb == "replace" else bought


def _listed(entries: Iterable[str], separator: str = ",") -> str:
    return separator.join(entries) or "-"


def _since(now: Iterable[str], then: Iterable[str], separator: str = ",") -> str:
    """By seats: what has changed since a sealed phase began."""
    pairs = zip(now, then, strict=True)
    return separator.join(new if new == old else f"{new}<{old}" for new, old in pairs)


def _moment(state: State, components: str) -> dict[str, str]:
    in_setup = state.phase in SETUP
    level_1, level_2 = [*state.rewards, "-", "-"][:2]
    return {
        "players": str(state.game.players),
        "components": components,
        "flower": str(state.game.flower),
        "round": "0" if in_setup else str(state.round),
        "first": "-" if state.first is None else str(state.first),
        "phase": "setup" if in_setup else "recruit" if state.phase == "over" else state.phase,
        "step": _step_name(state),
        "turn": str(_turns_done(state)),
        "rewards": f"{level_1},{level_2}",
        "boards": ",".join(seat.board or "-" for seat in state.seats),
        "milestones": ",".join(seat.milestone or "-" for seat in state.seats),
    }


def _step_name(state: State) -> str:
    if state.phase == "over":
        return "end"
    name = state.agenda[0].name
    if name == "replace" and state.phase == "action":
        return "guest_replace"
    return STEPS.get(name, name)


def _turns_done(state: State) -> int:
    """Seats that have had their turn of the phase; in the setup events done of the step."""
    if state.phase == "rewards":
        return len(state.rewards)
    if state.phase in ("boards", "milestones"):
        return state.game.players - len(state.agenda)
    if state.phase not in (*SEALED, "recruit"):
        return 0
    waiting = {step.seat for step in state.agenda if step.name in TURNS} - {state.turn()}
    return state.game.players - 1 - len(waiting)


def _supplies(state: State, bought: Cards) -> dict[str, str]:
    shared, sort, seats = state.start or state, state.game.sort_cards, range(state.game.players)
    taken = sum((_guest(state, seat) for seat in seats), bought)
    exchanged = sum((_exchanged(state, seat) for seat in seats), Counter[str]())
    removed = {card: n for card, n in state.removed().items() if DEFAULT.cards[card].age > 0}
    display = sort(state.display + taken)
    return {
        "display": "/".join(
            _listed(card for card in display if DEFAULT.cards[card].age == age) for age in (1, 2, 3)
        ),
        "taken": _listed(sort(taken)),
        "removed": _listed(sort(Counter(removed) - exchanged)),
        "development": "/".join(
            _owners(vps, [[seat.development.get(age)] for seat in shared.seats])
            for age, vps in state.game.development.items()
        ),
        "prefectures": "/".join(
            _owners(
                vps, [[vp for at, vp in s.prefecture_tokens if at == pile] for s in shared.seats]
            )
            for pile, vps in state.game.prefectures.items()
        ),
        "five": "-" if shared.five_vp is None else str(shared.five_vp),
    }


def _owners(vps: Sequence[int], tokens: Sequence[Sequence[int | None]]) -> str:
    """Who has the tokens of a pile, the highest first, from the VP that each seat has of it."""
    left = {vp: iter([str(p) for p, own in enumerate(tokens) if vp in own]) for vp in vps}
    return "".join(next(left[vp], "-") for vp in vps)


def _guest(state: State, seat: int) -> Cards:
    """In the Action phase the card that came by ir_guest, if any (SG26)."""
    return state.seats[seat].recruited if state.phase == "action" else Counter()


def _exchanged(state: State, seat: int) -> Cards:
    """The card that this guest replaces when the phase ends."""
    if state.start is None or state.phase != "action":
        return Counter()
    return state.start.seats[seat].revealed - state.seats[seat].revealed


def _realms(state: State) -> dict[str, str]:
    start = state.start or state

    def changing(text: Callable[[Seat], str], separator: str = ",") -> str:
        return _since(map(text, state.seats), map(text, start.seats), separator)

    return {
        "maps": changing(_map, "/"),
        "tracks": changing(lambda seat: ".".join(map(str, seat.tracks.values()))),
        "silver": changing(lambda seat: str(seat.silver)),
        "pilgrims": changing(lambda seat: str(seat.pilgrims)),
        "score": changing(lambda seat: str(seat.score)),
        "age": changing(lambda seat: str(seat.age)),
    }


def _map(seat: Seat) -> str:
    return _listed(
        cell + LETTERS.get(seat.tokens.get(cell, ""), "") + "*" * (cell in seat.marks)
        for cell in CELLS
        if cell in seat.covered
    )


def _cards(state: State, bought: Cards) -> dict[str, str]:
    seats = list(enumerate(state.seats))
    buyer = state.agenda[0].seat if bought else None

    def hands(cards: Iterable[Cards]) -> list[str]:
        return [_listed(state.game.sort_cards(hand)) for hand in cards]

    before = state.start if state.phase == "reveal" else None
    recruited = [
        seat.recruited - _guest(state, p) - (bought if p == buyer else Counter())
        for p, seat in seats
    ]
    return {
        "deck": "/".join(hands(seat.deck for seat in state.seats)),
        "discard": _since(
            hands(seat.discard for seat in state.seats),
            hands(seat.discard for seat in (before or state).seats),
            "/",
        ),
        "revealed": "/".join(hands(seat.revealed + _exchanged(state, p) for p, seat in seats)),
        "recruited": "/".join(hands(recruited)),
        "calmed": ",".join(str(seat.pilgrim) for seat in state.seats),
        "bust": ",".join(str(int(seat.busted)) for seat in state.seats),
        "skips": ",".join(SKIPS[seat.choice] for seat in state.seats),
    }


def _turn(state: State) -> dict[str, str]:
    steps = {step.name: step for step in reversed(state.agenda)}  # the next one of a name
    icons = {step.ids: step.number for step in state.agenda if step.name == "gain"}
    numbers = ".".join(str(icons.get(tracks, 0)) for tracks in CHOICES.values())
    main, farms = steps.get("main", Step("")), steps.get("iron_farms", Step(""))
    replaced = steps.get("replace", Step("")).last
    return {
        "guests": ",".join(
            _listed([*_guest(state, seat), *_exchanged(state, seat)], ">")
            for seat in range(state.game.players)
        ),
        "choices": numbers if icons else "-",
        "track": (steps["gain"].last or TRACKS[0]) if icons else "-",
        "main": main.ids[0] if main.ids else "-",
        "last": _last(main, farms),
        "farms": str(farms.number),
        "swap": str(int("swap" in steps)),
        "gold": str(state.gold),
        "replaced": replaced if replaced not in ("", FIRST_CARD) else "-",
    }


def _last(main: Step, farms: Step) -> str:
    """The step of the main action, or of ir_farms, that restricts the next one (SG13, SG22)."""
    if farms.last:
        return f"farm:{farms.last}"
    return f"{main.ids[-1]}:{main.last}" if main.last else "-"


# -- small cases ---------------------------------------------------------------------------------


def small_cases(game: henro.Game) -> list[SmallCase]:
    """Action turns of few cards, for seats that have theirs later, now, or had it before."""
    flower = game.options.get("flower") == "1"
    state = Shugendo(game.players, int(flower)).setup(
        phase="action",
        revealed=["scout" if flower else "porter", "porter" if flower else "hermit"],
        **(FEW_WAYS if flower else {}),
    )
    _end_turn(state)
    cases = [_case(game, state, 1)]
    state.apply(state.legal()[0])
    cases.append(_case(game, state, 1))
    if game.players > 2:
        _end_turn(state)
        cases.append(_case(game, state, 0))
    return cases


FEW_WAYS = {
    "boards": ["board_fox", "board_crane"],
    "milestones": ["ms_b", "ms_a"],
    "covered": ["c3 b2"],
    "tracks": [(0, 0, 0), (0, 0, 0)],
}
"""With few steps on their tracks two seats do not get far."""


def _end_turn(state: State) -> None:
    seat = state.turn()
    while state.turn() == seat:
        state.apply(state.legal()[-1])


def _case(game: henro.Game, state: State, seat: int) -> SmallCase:
    worlds: defaultdict[str, Fraction] = defaultdict(Fraction)
    for world, probability in state.worlds(seat):
        worlds[position_text(world, game.components_id)] += probability
    return SmallCase(position_text(state, game.components_id), seat, worlds)


# -- adapter -------------------------------------------------------------------------------------


def _acting(parts: Mapping[str, str]) -> int:
    return (int(parts["first"]) + int(parts["turn"])) % int(parts["players"])


class ShugendoAdapter:
    max_state_bytes = 256
    open_end = True
    forgotten = frozenset[str]()

    def __init__(self, flower: int) -> None:
        self.flower = flower
        self.kinds = KINDS | FLOWER_KINDS if flower else KINDS

    def shows_more(self, state: henro.State) -> bool:
        """What was sealed is shown when a phase ends; before that, only that a turn has ended."""
        return parts_of(state.serialize())["phase"] in SEALED

    def max_legal(self, players: int) -> int:
        return MOST_MOVES

    def kind(self, state: henro.State) -> str:
        return ply_kind(state)

    def pools(self, state: henro.State, seat: int) -> list[Pool]:
        return []  # whatever is hidden comes of the choices of others (SG46)

    def hides_choices(self, state: henro.State, seat: int) -> bool:
        now, history = parts_of(state.serialize()), state.history()
        while history and now["phase"] in SEALED:
            history.pop()
            before = state.game.new_initial_state()
            for action in history:
                before.apply_action(action)
            then = parts_of(before.serialize())
            if (then["round"], then["phase"]) != (now["round"], now["phase"]):
                break
            hidden = then["turn"] != now["turn"] and _acting(then) != seat
            if hidden and len(before.legal_actions()) > 1:
                return True
        return False

    def small_cases(self, game: henro.Game) -> list[SmallCase]:
        return small_cases(game)


ADAPTER = ShugendoAdapter(flower=0)
VARIANTS = {"flower=1": ShugendoAdapter(flower=1)}
