"""How a bot is written on the command line."""

import sys

import pytest

from henro import LEVELS, PRESETS
from henro.arena import ArenaConfig, Bot, parse_bot
from henro.arena.config import first_difference, parse_clock, parse_options, parse_time
from henro.errors import OptionError
from henro.protocol.types import Limits


def bot(text, budget=None, margin=None):
    return parse_bot(text, budget or {"nodes": "100"}, margin)


def test_a_bot_has_a_name_a_command_options_and_limits():
    found = bot("name=mine,cmd=\"./mybot --x 'a, b'\",option.Seed=3,tc=10+0.1")
    assert found.name == "mine"
    assert found.cmd == ["./mybot", "--x", "a, b"]
    assert found.options == {"Seed": "3"}
    assert found.limits == Limits(clock_ms=10_000, inc_ms=100)


def test_the_quotes_around_a_command_may_be_lost_to_the_shell():
    assert bot("cmd=./my/bot --x -y,name=mine").cmd == ["./my/bot", "--x", "-y"]


def test_the_name_is_the_presets_or_the_programs_if_there_is_none():
    assert bot("preset=greedy").name == "greedy"
    assert bot("cmd=./my/bot --x").name == "bot"


def test_a_preset_is_this_engine_with_the_components_of_the_run():
    spec = bot("name=g,preset=greedy,option.Threads=2").spec("/set.toml")
    assert spec.cmd == [sys.executable, "-m", "henro", "bot", "--preset", "greedy"]
    assert spec.options == {"Components": "/set.toml", "Threads": "2"}
    assert bot("cmd=x").spec("/set.toml").options == {}


def test_limits_of_a_bot_replace_those_of_the_run():
    budget = {"nodes": "1000", "tc": "60"}
    assert bot("preset=greedy", budget).limits == Limits(nodes=1000, clock_ms=60_000, inc_ms=0)
    assert bot("preset=greedy,nodes=5", budget).limits == Limits(nodes=5)
    assert bot("preset=greedy,timemargin=7", budget, 50).limits.timemargin_ms == 7
    assert bot("preset=greedy", budget, 50).limits.timemargin_ms == 50


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("preset=greedy,cmd=x", "either cmd= or preset="),
        ("name=x", "either cmd= or preset="),
        ("preset=greedy,speed=3", "speed is not one of"),
        ("preset=greedy,name", "name is not key=value"),
        ("preset=greedy,preset=flat", "preset is given twice"),
        ('cmd="./x', "quote is not closed"),
        ("preset=greedy,,nodes=1", "nothing stands between commas"),
        ("preset=greedy,nodes=many", "bot greedy: nodes many"),
        ("preset=greedy,nodes=0", "nodes must be at least 1"),
        ("preset=greedy,movetime=1m", "movetime 1m"),
        ("preset=greedy,movetime=0", "movetime in ms must be at least 1"),
        ("preset=greedy,tc=0+1", "the time of tc in ms must be at least 1"),
        ("preset=greedy,tc=5/3", "tc 5/3"),
        ("preset=greedy,name=" + "x" * 41, "1 to 40 printable characters"),
        ("preset=greedy,name=", "1 to 40 printable characters"),
    ],
)
def test_a_wrong_text_is_refused_with_the_place(text, words):
    with pytest.raises(OptionError) as error:
        bot(text)
    assert words in str(error.value)


def test_what_ends_a_move_of_itself_needs_no_limit():
    for name in ("greedy", "random"):
        assert parse_bot(f"preset={name}", {}).move_limits()
    assert parse_bot("preset=fast", {}).move_limits() == Limits(nodes=PRESETS["fast"].nodes)
    assert parse_bot("preset=strong", {}).move_limits() == Limits(movetime_ms=2000)
    assert bot("preset=fast,nodes=7").move_limits() == Limits(nodes=7)
    level = parse_bot("preset=default,option.Level=10", {}).move_limits()
    assert level.nodes >= max(levels[-1].nodes for levels in LEVELS.values())


def test_any_other_bot_needs_some_limit():
    for text in ("preset=flat", "cmd=flat", "name=flat,preset=default,option.Level=0"):
        found = parse_bot(text, {})
        with pytest.raises(OptionError, match=r"bot flat: no limit .*--nodes, --movetime or --tc"):
            found.move_limits()


def test_a_preset_gets_its_seed_from_the_run_unless_it_has_its_own():
    assert bot("preset=flat,option.Hash=8").seeded
    assert not bot("preset=flat,option.Seed=1").seeded
    assert not bot("cmd=henro bot").seeded


def test_the_identity_of_a_run_has_the_names_and_texts_of_the_command_line(tmp_path):
    bots = [
        bot("name=a,preset=flat,tc=2:30+0.5,movetime=1s,timemargin=7,option.Seed=3"),
        Bot(name="b", preset="greedy"),
    ]
    identity = ArenaConfig(game="shikoku", bots=bots, rounds=1, out=tmp_path).identity()
    assert identity["on-fault"] == "random"
    assert identity["bots"] == ["a", "b"]
    a = identity["bot"]["a"]
    assert (a["tc"], a["movetime"], a["timemargin"]) == ("150+0.5", "1000ms", 7)
    assert a["option"] == {"Seed": "3"}
    assert not any("_" in name for name in [*identity, *a, *identity["bot"]["b"]])


@pytest.mark.parametrize(
    ("text", "ms"), [("100ms", 100), ("1.5s", 1500), ("2s", 2000), ("250", 250)]
)
def test_times(text, ms):
    assert parse_time(text) == ms


@pytest.mark.parametrize(
    ("text", "clock"),
    [("60+0.5", (60_000, 500)), ("10", (10_000, 0)), ("2:30+1", (150_000, 1000))],
)
def test_clocks(text, clock):
    assert parse_clock(text) == clock


def test_game_options():
    assert parse_options(["board=sun", "setup=draft"]) == {"board": "sun", "setup": "draft"}
    for wrong in (["board"], ["=x"], ["a=1", "a=2"], ["players=4"]):
        with pytest.raises(OptionError, match="--option"):
            parse_options(wrong)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rounds": 0}, "rounds must be at least 1"),
        ({"concurrency": 0}, "concurrency must be at least 1"),
        ({"bots": []}, "at least one"),
        ({"bots": [bot("preset=flat")] * 2}, "flat is given twice"),
        ({"games": 3}, "games must be a multiple of the number of bots"),
        ({"on_fault": "nothing"}, "random or forfeit"),
    ],
)
def test_a_run_that_cannot_be_played_is_refused(tmp_path, changes, words):
    fields = {
        "game": "shikoku",
        "bots": [bot("preset=flat"), bot("preset=greedy")],
        "rounds": 1,
        "out": tmp_path,
    }
    with pytest.raises(OptionError, match=words):
        ArenaConfig(**fields | changes)


def test_the_first_difference_is_named_by_its_path():
    stored = {"a": 1, "bot": {"x": {"nodes": 5}}}
    assert first_difference(stored, {"bot": {"x": {"nodes": 5}}, "a": 1}) is None
    assert first_difference(stored, {"a": 1, "bot": {"x": {}}}) == ("bot.x.nodes", 5, None)
    assert first_difference({"a": {}}, {"a": {"b": 2}}) == ("a.b", None, 2)
