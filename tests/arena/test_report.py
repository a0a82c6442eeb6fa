"""What a user sees of a standing and of the news, however wide the terminal is."""

import io
import math

import msgspec
import pytest
from rich.console import Console

from henro.arena.report import LineReport, LiveReport, print_standing
from henro.arena.run import Update
from henro.arena.standing import BotStanding, Estimate, PairStanding, SprtStanding, Standing
from henro.protocol import Complaint, Fault, GameRecord

NAME = "a bot with a long name"


def estimate(mean, margin):
    return Estimate(mean, mean - margin, mean + margin, 10)


def bot(name, faults=None, complaints=0):
    return BotStanding(
        name=name,
        games=20,
        seats=40,
        win_share=estimate(0.5, 0.1),
        score=estimate(30.0, 1.5),
        rank=estimate(1.45, 0.08),
        faults=faults or {},
        complaints=complaints,
        moves=100,
        move_ms=12.3,
    )


def standing(*bots):
    return Standing(
        game="shikoku",
        players=4,
        options={},
        components="shikoku/default@1",
        rounds=10,
        rounds_done=10,
        games=20,
        games_done=20,
        even_share=0.287,
        bots=list(bots),
        pairs=[PairStanding(NAME, "other", 20, estimate(0.0, 0.2), "open")],
    )


def printed(columns, *bots, terminal=True):
    file = io.StringIO()
    target = Console(file=file, width=columns, force_terminal=terminal, color_system=None)
    print_standing(target, standing(*bots))
    return file.getvalue().splitlines()


@pytest.mark.parametrize(
    ("columns", "titles", "name"),
    [
        (78, "bot games win share score rank ms/move", NAME),
        (77, "bot games win share score rank", NAME),
        (68, "bot games win share score", NAME),
        (55, "bot games win share", NAME),
        (43, "bot win share", NAME),
        (30, "bot win share", "a bot with a l…"),
        (21, "bot win share", "a bot…"),
    ],
)
def test_a_narrow_terminal_loses_columns_before_letters_of_names(columns, titles, name):
    lines = printed(columns, bot(NAME), bot("other"))
    table = next(n for n, line in enumerate(lines) if line.startswith("bot "))
    assert " ".join(lines[table].split()) == titles
    assert lines[table + 1].startswith(f"{name}  ")
    assert "0.500 ± 0.100" in lines[table + 1]
    assert lines[table + 2].startswith("other  ")
    assert all(len(line) <= columns for line in lines)


@pytest.mark.parametrize("columns", [1000, 60, 30])
def test_no_line_ends_with_spaces(columns):
    for terminal in (True, False):
        lines = printed(columns, bot(NAME, {"crash": 1}), terminal=terminal)
        assert lines == [line.rstrip() for line in lines]


def test_what_the_figures_mean_and_who_failed_is_told_below_the_table():
    bad = bot("bad", {"crash": 2, "illegal": 1})
    *_, meaning, faults, errors, _, titles, pair = printed(1000, bad, bot("[sad]", complaints=12))
    assert meaning == "± 95 % interval over rounds; an even win share is 0.287"
    assert faults == "faults of bad: 2 crash, 1 illegal"
    assert errors == "error lines of [sad]: 12"
    assert titles.split() == ["bot", "against", "games", "difference", "verdict"]
    assert pair.split()[-1] == "open"
    assert "faults: none" in printed(1000, bot("fine"))


def update(game, done, games, complete=False, open_ended=False):
    return Update(
        record=game,
        games_done=done,
        games=games,
        faults=0,
        complete=complete,
        open_ended=open_ended,
        standing=lambda: standing(bot("good")),
    )


def record(faults=(), complaints=()):
    return GameRecord(
        game="shikoku",
        players=2,
        components="",
        bots=["good", "bad"],
        round=3,
        moves=[],
        scores=[],
        ranks=[],
        utilities=[],
        faults=list(faults),
        complaints=list(complaints),
        times_ms=[],
        started="",
    )


@pytest.mark.parametrize("kind", [LineReport, LiveReport])
def test_of_each_bot_the_first_fault_of_a_kind_and_the_first_error_line_are_news(kind):
    file = io.StringIO()
    target = Console(file=file, width=1000, force_terminal=kind is LiveReport, color_system=None)
    games = [
        record([Fault(1, 5, "crash", "gone")], [Complaint(1, 4, "view [red] what")]),
        record([Fault(1, 7, "crash", "gone again")], [Complaint(1, 2, "view again")]),
        record([Fault(1, 7, "stall", "asleep")], [Complaint(0, 2, "move why")]),
    ]
    with kind(target, "folder") as report:
        report(update(None, 0, 9))
        for done, game in enumerate(games, start=1):
            report(update(game, done, 9))
    lines = [line.rpartition("\x1b[2K")[2] for line in file.getvalue().splitlines()]
    assert any(line.endswith("playing 9 games in folder") for line in lines)
    assert [line for line in lines if line.startswith(("fault:", "error:"))] == [
        "fault: round 3 rotation 0 ply 5: bad (seat 1) crash: gone",
        "error: round 3 rotation 0 ply 4: bad (seat 1) says: view [red] what",
        "fault: round 3 rotation 0 ply 7: bad (seat 1) stall: asleep",
        "error: round 3 rotation 0 ply 2: good (seat 0) says: move why",
    ]


def test_how_a_run_stands_is_told_once_a_second_at_most():
    file = io.StringIO()
    with LineReport(Console(file=file, width=1000), "folder") as report:
        for done in range(500):
            report(update(record(), done, 500))
    assert len(file.getvalue().splitlines()) <= 2


def with_test(**fields):
    usual = {
        "bot": "good",
        "opponent": "[bad]",
        "elo0": 0.0,
        "elo1": 20.0,
        "alpha": 0.05,
        "beta": 0.1,
        "lower": -2.25,
        "upper": 2.89,
        "llr": 1.0,
        "rounds": 10,
        "elo": Estimate(12.3, -5.1, 30.2, 10),
        "verdict": "undecided",
    }
    test = SprtStanding(**usual | fields)
    return msgspec.structs.replace(standing(bot("good"), bot("[bad]")), sprt=test)


def test_a_test_is_told_below_the_tables():
    file = io.StringIO()
    print_standing(Console(file=file, width=1000), with_test(llr=2.9, verdict="H1"))
    head, *_, what, result = file.getvalue().splitlines()
    assert head.endswith("20 of at most 20 games, 10 of at most 10 rounds complete")
    assert what == "SPRT of good against [bad], elo0=0 elo1=20 alpha=0.05 beta=0.1: H1 accepted"
    assert result == "LLR 2.90 (-2.25, 2.89)  elo +12 [-5, +30] after 10 rounds"


@pytest.mark.parametrize(
    ("elo", "shown"),
    [
        (Estimate(12.3, -5.1, 30.2, 10), "  elo +12 [-5, +30]"),
        (Estimate(math.inf, 191.0, None, 10), "  elo +inf [+191, +inf]"),
        (Estimate(0.0, None, None, 1), "  elo +0 [-inf, +inf]"),
        (None, ""),
    ],
)
@pytest.mark.parametrize("kind", [LineReport, LiveReport])
def test_progress_of_a_test_is_its_ratio_and_elo_without_an_end_in_sight(kind, elo, shown):
    file = io.StringIO()
    target = Console(file=file, width=1000, force_terminal=kind is LiveReport, color_system=None)
    told = update(record(), 20, 5000, complete=True, open_ended=True)
    with kind(target, "folder") as report:
        report(msgspec.structs.replace(told, standing=lambda: with_test(elo=elo)))
    assert f"LLR 1.00 (-2.25, 2.89){shown}" in file.getvalue()
    assert "5000" not in file.getvalue()


@pytest.mark.parametrize(
    ("done", "complete", "opening"),
    [
        (0, False, "playing at most 9 games in folder"),
        (4, False, "going on in folder: 4 of at most 9 games have been played"),
        (4, True, "the test in folder was decided after 4 games"),
        (9, True, "all 9 games in folder have been played"),
    ],
)
def test_a_run_with_a_test_opens_with_what_is_known_of_its_length(done, complete, opening):
    file = io.StringIO()
    with LineReport(Console(file=file, width=1000), "folder") as report:
        report(update(None, done, 9, complete=complete, open_ended=True))
    assert file.getvalue().splitlines() == [opening]
