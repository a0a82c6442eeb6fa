"""The results folder survives a kill at any moment and never mixes two runs."""

import shutil
import sqlite3

import msgspec
import pytest

from henro import components
from henro.arena import Arena, BusyError, load
from henro.arena.store import Store
from henro.errors import OptionError, RecordError


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished run of six games."""
    return tmp_path_factory.mktemp("finished") / "run"


@pytest.fixture
def run(config, finished):
    """The config of a finished run in a folder of this test's own."""
    if not finished.exists():
        Arena(config(out=finished)).run()
    shutil.copytree(finished, config().out)
    return config()


def lines(run):
    return (run.out / "games.jsonl").read_bytes().splitlines(keepends=True)


def write(run, *parts):
    (run.out / "games.jsonl").write_bytes(b"".join(parts))


def sql(run, statement):
    with sqlite3.connect(run.out / "results.sqlite") as db:
        return db.execute(statement).fetchall()


def keys(run):
    """What has been played, by the file and by the database, each in order of the file."""
    records = [(record.round, record.rotation) for record in load(run.out).records()]
    return records, [game.key for game in load(run.out).games]


def agreed(run):
    """Open the folder as a run does; the games that file and database then both have."""
    arena = Arena(run)
    with Store(arena.config, arena.game, "0", "test"):
        pass
    by_file, by_database = keys(run)
    assert by_file == by_database
    return by_file


@pytest.mark.parametrize("left", [1, 2, 50, 200])
def test_a_line_torn_at_the_end_is_cut_off_and_played_again(run, left):
    *whole, last = lines(run)
    write(run, *whole, last[:left])
    assert len(agreed(run)) == 5
    assert lines(run) == whole
    assert Arena(run).run().complete
    assert sorted(keys(run)[0]) == sorted(set(keys(run)[1]))


def test_a_tail_of_zeros_is_cut_off(run):
    whole = lines(run)
    write(run, *whole, b"\0" * 300)
    assert len(agreed(run)) == 6
    assert lines(run) == whole


def test_a_whole_last_line_only_gets_its_end(run):
    whole = lines(run)
    write(run, b"".join(whole)[:-1])
    assert len(agreed(run)) == 6
    assert lines(run) == whole


def test_a_line_without_a_row_is_entered_again(run):
    before = load(run.out).standing()
    sql(run, "DELETE FROM seats WHERE game >= 5")
    sql(run, "DELETE FROM games WHERE game >= 5")
    assert len(agreed(run)) == 6
    assert load(run.out).standing() == before


def test_a_row_without_a_line_is_deleted_and_the_game_played_again(run):
    write(run, *lines(run)[:3])
    assert len(agreed(run)) == 3
    assert sql(run, "SELECT count(*) FROM seats") == [(9,)]
    assert Arena(run).run().complete


def test_rows_follow_when_lines_have_moved(run):
    write(run, *lines(run)[1:])
    assert len(agreed(run)) == 5


def test_a_line_damaged_in_the_middle_is_named(run):
    whole = lines(run)
    write(run, *whole[:2], b"{torn\n", *whole[3:])
    with pytest.raises(RecordError, match=r"games\.jsonl:3: "):
        Arena(run).run()


def test_a_game_twice_is_named(run):
    write(run, *lines(run), lines(run)[1])
    with pytest.raises(RecordError, match=r"games\.jsonl:7: .* is already in line 2"):
        Arena(run).run()


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"round": 3}, "round 3, rotation"), ({"bots": ["a", "b", "z"]}, "z is not in this run")],
)
def test_a_game_of_another_run_is_named(run, changes, words):
    record = msgspec.json.decode(lines(run)[0])
    write(run, *lines(run)[:5], msgspec.json.encode(record | changes) + b"\n")
    with pytest.raises(RecordError, match=words):
        Arena(run).run()


def test_records_without_a_run_are_not_touched(run):
    (run.out / "results.sqlite").unlink()
    before = lines(run)
    with pytest.raises(RecordError, match=r"has games\.jsonl but no run"):
        Arena(run).run()
    assert lines(run) == before


def test_a_kill_before_the_first_game_leaves_nothing_behind_that_hinders(config):
    config().out.mkdir()
    (config().out / "games.jsonl").touch()
    (config().out / "results.sqlite").touch()
    assert Arena(config()).run().complete


def test_a_run_without_any_game_is_replaced(run, config):
    write(run, lines(run)[0][:20])
    standing = Arena(config(players=4, seed="8")).run()
    assert (standing.complete, standing.players) == (True, 4)
    assert load(run.out).config.seed == "8"
    assert sql(run, "SELECT count(*) FROM run") == [(1,)]


def test_a_new_folder_is_made_when_the_run_begins_and_not_before(config):
    arena = Arena(config())
    with Store(arena.config, arena.game, "0", "test") as store:
        assert not config().out.exists()
        store.begin([("a program", "its author")] * 3)
        assert load(config().out).games == []
    assert sql(config(), "SELECT DISTINCT id_name FROM bots") == [("a program",)]


def test_two_runs_that_begin_in_one_folder_do_not_join(config):
    arena = Arena(config())
    stores = [Store(arena.config, arena.game, "0", "test") for _ in range(2)]
    with stores[0], stores[1]:
        stores[0].begin([])
        with pytest.raises(BusyError, match="another"):
            stores[1].begin([])


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("players", {"players": 4}),
        ("games", {"games": 6}),
        ("on-fault", {"on_fault": "forfeit"}),
        ("seed", {"seed": "8"}),
        ("rounds", {"rounds": 1}),
    ],
)
def test_another_configuration_is_refused_by_the_name_of_the_field(run, config, field, change):
    before = lines(run)
    with pytest.raises(OptionError, match=rf"holds another run: {field} is \S+ there and"):
        Arena(config(**change)).run()
    assert lines(run) == before


def test_other_bots_are_refused_by_name_and_field(run, config, mock_bot):
    def refused(*bots):
        with pytest.raises(OptionError) as error:
            Arena(config(bots=list(bots))).run()
        return str(error.value)

    a, b, c = run.bots
    assert "bots is ['a', 'b', 'c'] there and ['b', 'a', 'c'] here" in refused(b, a, c)
    limited = mock_bot("base", "b", movetime_ms=2001)
    assert "bot.b.movetime is 2000ms there and 2001ms here" in refused(a, limited, c)
    with_option = msgspec.structs.replace(c, options={"Depth": "2"})
    assert "bot.c.option.Depth is not set there and 2 here" in refused(a, b, with_option)


def test_another_component_set_is_refused(run, config, tmp_path):
    text = components.load("shikoku").path.read_text()
    (tmp_path / "own.toml").write_text(
        text.replace("number =  1, icons = 3", "number = 1, icons = 4")
    )
    with pytest.raises(OptionError, match=r"components is shikoku/default@f\S+ there and shikoku/"):
        Arena(config(components=str(tmp_path / "own.toml"))).run()


def test_rounds_and_concurrency_may_change(run, config):
    standing = Arena(config(rounds=3, concurrency=2)).run()
    assert (standing.games_done, standing.rounds_done) == (9, 3)
    assert load(run.out).config.rounds == 3


def test_one_process_at_a_time_plays_in_a_folder(run):
    arena = Arena(run)
    with Store(arena.config, arena.game, "0", "test"), pytest.raises(BusyError, match="another"):
        Arena(run).run()
    assert Arena(run).run().complete


def test_a_database_of_another_version_is_refused(run):
    sql(run, "PRAGMA user_version = 99")
    for use in (lambda: load(run.out), lambda: Arena(run).run()):
        with pytest.raises(RecordError, match="schema version 99"):
            use()


def test_what_is_no_results_folder_is_named(config, tmp_path):
    with pytest.raises(RecordError, match=r"nothing: no results\.sqlite"):
        load(tmp_path / "nothing")
    (tmp_path / "run").write_text("a file")
    with pytest.raises(RecordError, match="run: File exists"):
        Arena(config()).run()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "results.sqlite").write_text("not a database, but long enough" * 99)
    with pytest.raises(RecordError, match="file is not a database"):
        load(tmp_path / "broken")


def test_the_database_has_what_the_records_say(run):
    rows = sql(
        run,
        "SELECT round, rotation, seat, name, score, rank, utility "
        "FROM seats JOIN games USING (game) JOIN bots USING (bot) ORDER BY game, seat",
    )
    assert rows == [
        (r.round, r.rotation, seat, r.bots[seat], r.scores[seat], r.ranks[seat], r.utilities[seat])
        for r in load(run.out).records()
        for seat in range(3)
    ]
    assert sql(run, "SELECT DISTINCT id_name, id_author FROM bots") == [("mock", "the tests")]
    assert sql(run, "SELECT count(*), count(DISTINCT started) >= 1 FROM run") == [(1, 1)]


def test_complaints_are_in_the_record_the_database_and_the_standing(config, mock_bot):
    bots = [mock_bot("objects", "sad", "go"), mock_bot("base")]
    standing = Arena(config(bots=bots)).run()
    kept = [(c.seat, c.ply, c.words) for r in load(config().out).records() for c in r.complaints]
    assert sql(config(), "SELECT seat, ply, words FROM complaints ORDER BY rowid") == kept
    assert {words for _, _, words in kept} == {"view I do not like go"}
    assert {bot.name: bot.complaints for bot in standing.bots} == {"sad": len(kept), "base": 0}
    assert load(config().out).standing() == standing


def test_times_are_counted_for_the_seat_that_was_asked(run):
    timed = sum(t is not None for r in load(run.out).records() for t in r.times_ms)
    assert sql(run, "SELECT sum(moves) FROM seats") == [(timed,)]
