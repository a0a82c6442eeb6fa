"""A run plays the schedule, keeps what is done, and lets no bot spoil it."""

import sys
from collections import Counter
from threading import Timer
from time import monotonic

import msgspec
import pytest

import henro
from henro import components
from henro.arena import Arena, load, parse_bot, replay
from henro.arena.schedule import Pairing, bot_seed, deal_seed, schedule
from henro.errors import HenroError, OptionError, ProtocolError


def games_of(folder):
    """The records by (round, rotation), without what differs between two runs."""
    return {
        (record.round, record.rotation): (record.bots, record.moves, record.utilities)
        for record in load(folder).records()
    }


def test_every_game_of_the_schedule_is_played_once_and_replays(config):
    standing = Arena(config()).run()
    assert standing.complete
    assert (standing.games, standing.rounds_done) == (6, 2)
    results = load(config().out)
    records = list(results.records())
    for record in records:
        *_, (final, _) = replay(record)
        assert list(final.returns()) == record.utilities
    seats = {(r.round, r.rotation): tuple("abc".index(name) for name in r.bots) for r in records}
    assert seats == {pairing.key: pairing.bots for pairing in schedule(3, 3, 2, 3, "7")}
    assert results.standing() == standing


def test_the_games_of_a_round_have_the_same_deal_and_rounds_have_different_ones(config):
    Arena(config()).run()
    deals = Counter(
        (record.round, tuple(record.moves[:12])) for record in load(config().out).records()
    )
    assert sorted(deals.values()) == [3, 3]


def test_concurrent_tables_play_the_same_games(config, tmp_path):
    Arena(config(rounds=3)).run()
    Arena(config(rounds=3, concurrency=3, out=tmp_path / "other")).run()
    assert games_of(tmp_path / "other") == games_of(config().out)


def test_without_a_seed_each_run_has_its_own_and_keeps_it(config, tmp_path):
    for name in ("x", "y"):
        Arena(config(seed=None, rounds=1, out=tmp_path / name)).run()
    seeds = [load(tmp_path / name).config.seed for name in ("x", "y")]
    assert len({*seeds}) == 2
    assert all(int(seed) > 2**64 for seed in seeds)
    Arena(config(seed=None, rounds=2, out=tmp_path / "x")).run()
    assert load(tmp_path / "x").config.seed == seeds[0]


def test_no_bot_and_no_record_gets_the_seed(config, mock_bot, tmp_path):
    secret = "98765432109876543210"
    bots = [mock_bot("recorder", "spy", str(tmp_path / "heard")), mock_bot("base")]
    Arena(config(bots=bots, players=4, seed=secret, games=2)).run()
    assert "newgame" in (tmp_path / "heard").read_text()
    assert secret not in (tmp_path / "heard").read_text()
    assert secret not in (config().out / "games.jsonl").read_text()


def test_a_bot_with_two_seats_is_two_processes_that_stay_for_the_run(config, mock_bot, tmp_path):
    bots = [mock_bot("base"), mock_bot("recorder", "spy", str(tmp_path / "heard"))]
    Arena(config(bots=bots, players=4, rounds=3)).run()
    heard = (tmp_path / "heard").read_text()
    assert heard.count("newgame") >= 6


def test_one_bot_may_play_all_seats(config, mock_bot):
    standing = Arena(config(bots=[mock_bot("base")], rounds=3)).run()
    assert (standing.games_done, standing.bots[0].seats, standing.pairs) == (3, 9, [])


def test_presets_play_and_repeat_whatever_the_concurrency_and_the_stops(config, tmp_path):
    apart = {"strong": ",option.tree=separate"}  # threads that share a tree do not repeat
    texts = [f"preset={preset}{apart.get(preset, '')}" for preset in henro.PRESETS]
    bots = [parse_bot(text, {"nodes": "20"}, None) for text in texts]
    run = config(bots=bots, players=len(bots), rounds=1)
    standing = Arena(run).run()
    assert standing.complete
    assert {bot.name: bot.faults for bot in standing.bots} == {name: {} for name in henro.PRESETS}
    whole = games_of(run.out)
    again = msgspec.structs.replace(run, out=tmp_path / "again")
    Arena(again).run()
    assert games_of(again.out) == whole
    stopped = msgspec.structs.replace(run, concurrency=2, out=tmp_path / "stopped")
    arena = Arena(stopped)
    arena.run(lambda update: arena.stop() if update.games_done == 1 else None)
    Arena(msgspec.structs.replace(stopped, concurrency=1)).run()
    assert games_of(stopped.out) == whole


def test_no_two_seats_of_a_preset_draw_the_same_lots(config):
    Arena(config(bots=[parse_bot("preset=random", {})], rounds=1)).run()
    (record,) = load(config().out).records()
    drawn = {seat: [] for seat in range(3)}
    for state, text in replay(record):
        if text is not None and not state.is_chance_node() and len(state.legal_actions()) == 3:
            place = [state.action_to_string(action) for action in state.legal_actions()].index(text)
            drawn[state.current_player()].append(place)
    shortest = min(map(len, drawn.values()))
    assert shortest > 5
    assert len({tuple(places[:shortest]) for places in drawn.values()}) == 3


def test_the_seeds_of_bots_differ_by_game_and_seat_and_from_those_of_deals():
    pairings = [Pairing(number, rotation, (0,)) for number in (1, 2) for rotation in (0, 1)]
    seeds = [bot_seed("7", pairing, seat) for pairing in pairings for seat in range(8)]
    assert len(set(seeds)) == 32
    assert all(0 <= seed < 10**18 for seed in seeds)
    assert seeds == [bot_seed("7", pairing, seat) for pairing in pairings for seat in range(8)]
    deals = [deal_seed("7", number) for number in (1, 2)]
    assert not any(seed.to_bytes(7, "little") in deal for seed in seeds for deal in deals)


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        ("illegal", "illegal"),
        ("crash", "crash"),
        ("bad_bytes", "protocol"),
        ("flood_lines", "protocol"),
        ("twice", "protocol"),
    ],
)
def test_a_faulty_bot_is_data_and_spoils_nothing(config, mock_bot, script, kind):
    bots = [mock_bot("base", "good"), mock_bot(script, "bad"), mock_bot("base", "fine")]
    standing = Arena(config(bots=bots)).run()
    assert standing.complete
    assert {bot.name: bot.faults for bot in standing.bots} == {
        "good": {},
        "bad": {kind: 6},
        "fine": {},
    }
    for record in load(config().out).records():
        assert [record.bots[fault.seat] for fault in record.faults] == ["bad"]
        assert record.termination == "faults"


def test_a_silent_bot_stalls_and_a_late_one_is_timed_out(config, mock_bot):
    limits = {"movetime_ms": 50, "timemargin_ms": 50, "grace_ms": 800}
    bots = [mock_bot("hang", **limits), mock_bot("late", **limits), mock_bot("base")]
    standing = Arena(config(bots=bots, rounds=1)).run()
    faults = {bot.name: bot.faults for bot in standing.bots}
    assert faults["hang"] == {"stall": 3}
    assert faults["late"]["timeout"] >= 1
    assert faults["base"] == {}


def test_a_forfeit_takes_the_win_from_the_offender_only(config, mock_bot):
    bots = [mock_bot("base", "good"), mock_bot("illegal", "bad"), mock_bot("base", "fine")]
    Arena(config(bots=bots, rounds=4, on_fault="forfeit")).run()
    for record in load(config().out).records():
        seat = record.bots.index("bad")
        assert (record.ranks[seat], record.utilities[seat]) == (3, 0.0)
        *_, (final, _) = replay(record)
        others = [other for other in range(3) if other != seat]
        assert [record.ranks[other] for other in others] == [
            final.ranks()[other] for other in others
        ]


def test_a_bot_that_cannot_be_started_fails_the_run_before_any_game(config, mock_bot):
    bots = [mock_bot("base"), mock_bot("crash_at_start", "broken")]
    updates = []
    with pytest.raises(ProtocolError, match="bot broken"):
        Arena(config(bots=bots)).run(updates.append)
    assert updates == []
    assert not config().out.exists()


@pytest.mark.parametrize(
    ("script", "args", "words"),
    [
        ("objects", ["isready"], "bot sad says at its start: error view I do not like isready"),
        ("objects", ["setoption"], "bot sad says at its start: error view I do not like setoption"),
        ("objects", ["newgame"], "bot sad says about the game: error view I do not like newgame"),
        ("early", [], "bot sad: a bestmove that nobody asked for"),
    ],
)
def test_a_bot_that_complains_while_it_gets_ready_fails_the_run_before_any_game(
    config, mock_bot, script, args, words
):
    sad = msgspec.structs.replace(mock_bot(script, "sad", *args), options={"Depth": "2"})
    with pytest.raises(ProtocolError) as error:
        Arena(config(bots=[mock_bot("base"), sad])).run()
    assert str(error.value) == words
    assert not config().out.exists()


def test_a_bot_without_the_component_set_is_told_how_to_get_it(config, tmp_path):
    text = components.load("shikoku").path.read_text()
    own = tmp_path / "own.toml"
    own.write_text(text.replace('name = "default"', 'name = "own"'))
    henro_bot = f"cmd={sys.executable} -m henro bot --preset greedy,nodes=1"
    run = config(bots=[parse_bot(f"name=lost,{henro_bot}", {})], components=str(own), rounds=1)
    with pytest.raises(ProtocolError) as error:
        Arena(run).run()
    assert "bot lost says about the game: error components no component set" in str(error.value)
    assert str(error.value).endswith("by option.Components=FILE in its --bot")
    found = parse_bot(f"name=found,{henro_bot},option.Components={own}", {})
    standing = Arena(msgspec.structs.replace(run, bots=[found])).run()
    assert (standing.bots[0].faults, standing.bots[0].complaints) == ({}, 0)


def test_a_bot_without_the_option_or_the_players_is_refused(config, mock_bot):
    bots = [msgspec.structs.replace(mock_bot("base"), options={"Speed": "1"})]
    with pytest.raises(OptionError, match="Speed"):
        Arena(config(bots=bots)).run()
    bots = [msgspec.structs.replace(mock_bot("base"), options={"Depth": "10"})]
    with pytest.raises(OptionError, match="bot base: option Depth is a number from 1 to 9"):
        Arena(config(bots=bots)).run()
    with pytest.raises(HenroError, match="players"):
        Arena(config(players=9))
    bots = [parse_bot("preset=clever", {"nodes": "1"}, None)]
    with pytest.raises(OptionError, match="no preset clever"):
        Arena(config(bots=bots))


def test_a_stopped_run_keeps_its_games_and_goes_on_to_the_same_end(config, tmp_path):
    def stop_after_four(update):
        if update.games_done == 4:
            arena.stop()

    arena = Arena(config(rounds=4, concurrency=2))
    standing = arena.run(stop_after_four)
    assert not standing.complete
    assert 4 <= standing.games_done < 12
    assert Arena(config(rounds=4)).run().complete
    Arena(config(rounds=4, out=tmp_path / "whole")).run()
    assert games_of(config().out) == games_of(tmp_path / "whole")


def test_a_stop_does_not_wait_for_a_bot_that_thinks(config, mock_bot):
    arena = Arena(config(bots=[mock_bot("hang", movetime_ms=60_000)], rounds=5))
    Timer(0.5, arena.stop).start()
    started = monotonic()
    standing = arena.run()
    assert monotonic() - started < 10
    assert (standing.games_done, standing.bots[0].faults) == (0, {})


def test_a_stop_does_not_wait_for_a_bot_that_starts(config, mock_bot):
    arena = Arena(config(bots=[mock_bot("never_ready")]))
    Timer(0.5, arena.stop).start()
    started = monotonic()
    assert arena.run().games_done == 0
    assert monotonic() - started < 5


def test_a_finished_run_is_not_played_again(config):
    first = Arena(config()).run()
    updates = []
    assert Arena(config()).run(updates.append) == first
    assert [(update.record, update.games_done) for update in updates] == [(None, 6)]


def test_updates_come_before_the_first_and_after_each_game(config):
    seen = []
    Arena(config(rounds=1)).run(lambda u: seen.append((u.games_done, u.standing().games_done)))
    assert seen == [(0, 0), (1, 1), (2, 2), (3, 3)]


def test_an_error_in_on_update_ends_the_run_and_loses_no_game(config):
    def fail(update):
        if update.games_done == 2:
            raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        Arena(config()).run(fail)
    assert len(load(config().out).games) == 2
