"""Records of any game but Commander Chess as arrays in .npz files.

- random games of every kind are written and read back equal, but for their tags; rules, starts and
  events are kept, and NumPy alone reads the file
- damaged, truncated, foreign and untrue files are refused in one sentence, or hold legal games
- what is not an array in a file takes no more memory than the file can mean
- what is no list of legal games of one kind is not written, and leaves the file that was there
"""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cotulenh_env import commander, game_records, record_arrays
from cotulenh_env.errors import RecordError, UnknownGameError
from cotulenh_env.game_records import (
    GameRecord,
    PlayedAction,
    game_of_file,
    load_game_arrays,
    load_records,
    read_records,
    save_played_games,
    save_records,
)
from cotulenh_env.played_game import PlayedGame
from cotulenh_env.registry import game_names, load_game

NUM_DAMAGES = 100
OTHER_GAMES = [name for name in game_names() if name != "commander"]

BANQI = """\
[Format "1"]
[Game "banqi"]
[Rules "preset=taiwanese quiet_limit=7 adjudicate_dead_material=false"]
[Start "4g3/8/2S5/6?? r b Hs 3"]
[Result "1-0"]
[Reason "resignation"]

1... flip h1 (H)
2. e4-e3; h1-h2
3. flip g1 (s)
1-0
"""


def played_game(name: str, seed: int, **options: Any) -> PlayedGame:
    """A random game of at most 60 actions, its start dealt where the rules deal it."""
    game, rng = load_game(name), np.random.default_rng(seed)
    start = game.new_states(1, rng, game.make_rules(**options))
    states, actions, events = start, list[int](), list[int]()
    while len(actions) < 60 and not game.is_terminal(states)[0]:
        legal, counts = game.legal_actions(states)
        chosen = legal[:, rng.integers(counts[0])].copy()
        states, event = game.apply(states, chosen, rng.random(1))
        actions.append(int(chosen[0]))
        events.append(int(event[0]))
    return PlayedGame(start[0], actions, events, [("Red", "An")])


@pytest.mark.parametrize("name", OTHER_GAMES)
def test_games_of_every_kind(name: str, tmp_path: Path) -> None:
    """What is played is what the text of the same games says, without tags."""
    options: list[dict[str, Any]] = [{}, {}, {}]
    if "quiet_limit" in vars(load_game(name).make_rules()):
        options[1] = {"quiet_limit": 9}
    games = [played_game(name, seed, **option) for seed, option in enumerate(options)]
    text, arrays = tmp_path / "games.txt", tmp_path / "games.npz"
    for path in (text, arrays):
        save_played_games(load_game(name), path, games)
    records = [replace(record, tags=()) for record in read_records(text)]
    assert load_records(arrays) == records
    assert [record.actions for record in records] == [list(game.actions) for game in games]
    assert [record.events for record in records] == [list(game.events) for game in games]
    assert game_of_file(arrays) == name
    loaded = load_game_arrays(arrays)
    assert (len(loaded), loaded.game) == (3, name)
    assert loaded.record(2) == records[2]
    for index in (-1, 3, 0.0):
        with pytest.raises(RecordError, match="there are 3 games, counted from 0"):
            loaded.record(index)  # type: ignore[arg-type]


def test_numpy_reads_the_arrays(tmp_path: Path) -> None:
    """The example of docs/records.md; BANQI.md: flips are actions 0 to 31, h1 the last of them."""
    path = tmp_path / "games.npz"
    save_records(path, read_records(BANQI))
    with np.load(path, allow_pickle=False) as file:
        header = json.loads(file["header"].tobytes())
        assert file["actions"][[0, 3]].tolist() == [31, 30]
        assert file["events"].tolist() == [4, 0, 0, 13]
        assert file["offsets"].tolist() == [0, 4]
        assert file["results"].tolist() == [0]
    assert (header["format"], header["game"]) == (2, "banqi")
    assert header["rules"][0]["preset"] == "taiwanese"
    assert header["rules"][0]["quiet_limit"] == 7
    assert header["starts"] == ["4g3/8/2S5/6?? r b Hs 3"]
    assert header["reasons"] == ["resignation"]


# --- files from anywhere ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def npz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four actions from a start of its own, then none from the rules' start."""
    path = tmp_path_factory.mktemp("records") / "games.npz"
    save_records(path, [*read_records(BANQI), GameRecord.from_game(load_game("banqi"), [])])
    return path


@settings(max_examples=NUM_DAMAGES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_damaged(npz: Path, data: st.DataObject) -> None:
    """Bytes changed or cut: one sentence, or legal games."""
    whole = bytearray(npz.read_bytes())
    for _ in range(data.draw(st.integers(0, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path = npz.with_name("damaged.npz")
    path.write_bytes(whole[: data.draw(st.integers(len(whole) // 2, len(whole)))])
    try:
        games = load_records(path)
    except RecordError as caught:
        message = str(caught)
    else:
        for game in games:
            game.validate()
        return
    assert "\n" not in message


def header_of(**changes: Any) -> Any:
    """A header with some values changed; None leaves one out."""
    header = {
        "format": 2,
        "game": "banqi",
        "rules": [{"quiet_limit": 7}, {}],
        "starts": ["4g3/8/2S5/6?? r b Hs 3", None],
        "reasons": ["resignation", ""],
    }
    kept = {name: value for name, value in (header | changes).items() if value is not None}
    return np.frombuffer(json.dumps(kept).encode(), np.uint8)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"events": None}, "lacks events"),
        ({"more": np.zeros(3)}, "holds 9 arrays, not 8"),
        ({"events": np.zeros(4, np.int64)}, "events is int32 [n], got int64 [4]"),
        ({"events": np.zeros(3, np.int32)}, "events do not fit the actions"),
        ({"events": np.full(4, -1, np.int32)}, "an event is negative"),
        ({"events": np.full(4, 99, np.int32)}, "event 99 cannot follow 'flip h1'"),
        ({"events": np.array([4, 1, 0, 13], np.int32)}, "event 1 cannot follow 'e4-e3'"),
        ({"actions": np.full(4, 31, np.int32)}, "action 2, 31, is illegal"),
        ({"actions": np.full(4, 9999, np.int32)}, "an action is outside 0 to"),
        ({"results": np.array([1, 3], np.int8)}, "a result is none of a game"),
        ({"starts": np.array([1, 1], np.int32)}, "game 1 of"),
        ({"starts": np.array([0, 2], np.int32)}, "starts has an index outside 0 to 1"),
        ({"offsets": np.array([0, 2**62, 4])}, "offsets do not go"),
        ({"offsets": np.array([0, 4])}, "offsets has 2 rows, not 3"),
        ({"header": np.frombuffer(b"[[[[", np.uint8)}, "is no JSON text"),
        ({"header": np.frombuffer(b"[" * 9999, np.uint8)}, "more objects and lists than 2 games"),
        ({"header": header_of(rules=[{}, {}, {}])}, "more objects and lists than 2 games need"),
        ({"header": header_of(starts=[None] * 3)}, "has 3 starts, more than its 2 games"),
        ({"header": header_of(reasons=[""] * 3)}, "has 3 reasons, more than its 2 games"),
        ({"header": np.zeros((32 << 20) + 1, np.uint8)}, "header is uint8 [n ≤ 33554432], got"),
        ({"header": header_of(game=None)}, "of format 2, lacks 'game'"),
        ({"header": header_of(format=1, game=None)}, "arrays of their own"),
        ({"header": header_of(game="commander")}, "arrays of their own"),
        ({"header": header_of(game="go\n")}, "names an unknown game 'go\\n'"),
        ({"header": header_of(game="cwda")}, "impossible rules"),
        ({"header": header_of(rules=[{"self": 1}, {}])}, "unknown rule option 'self'"),
        ({"header": header_of(rules=[{"a" * 9999: 1}, {}])}, "impossible rules"),
        ({"header": header_of(rules=[{"quiet_limit": [7]}])}, "impossible rules"),
        ({"header": header_of(starts=["nowhere", None])}, "the start is no position"),
        ({"header": header_of(starts=["a\nb", None])}, "a start is one line"),
        ({"header": header_of(reasons=["\ud800", ""])}, "a reason is one line"),
        ({"header": header_of(reasons=[3, ""])}, "has no list of reasons"),
    ],
)
def test_hostile(npz: Path, changes: dict[str, Any], words: str) -> None:
    """Wrong types, sizes and values, and games that are not legal."""
    with np.load(npz, allow_pickle=False) as file:
        arrays: dict[str, Any] = {name: file[name] for name in file.files} | changes
    path = npz.with_name("changed.npz")
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    with pytest.raises(RecordError) as caught:
        load_records(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("game", ["banqi", "commander"])
def test_a_header_of_empty_objects(game: str, tmp_path: Path) -> None:
    """Regression: 6 MB of them became 612 MB in half a minute, and then were of no game."""
    path = tmp_path / "games.npz"
    many = ",".join(["{}"] * 300_000)
    text = f'{{"format":2,"game":"{game}","starts":[],"reasons":[],"rules":[{many}]}}'
    no_games = {name: np.zeros(0, np.int32) for name in ("rules", "starts", "reasons", "actions")}
    no_games |= {"offsets": np.zeros(1, np.int64), "results": np.zeros(0, np.int8)}
    np.savez(path, header=np.frombuffer(text.encode(), np.uint8), **no_games)  # type: ignore[arg-type]
    tracemalloc.start()
    try:
        with pytest.raises(RecordError, match="more objects and lists than 0 games need"):
            (commander if game == "commander" else game_records).load_game_arrays(path)
        assert tracemalloc.get_traced_memory()[1] < 4 * len(text)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("is_large", [False, True])
def test_many_members(
    npz: Path, is_large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list of 3,000 arrays is refused unread, in the form of the zip format for large files too.

    In that form, games are read all the same.
    """
    if is_large:
        monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 100)
    path = tmp_path / "games.npz"
    save_records(path, load_records(npz))
    assert (b"PK\6\7" in path.read_bytes()) == is_large
    assert len(load_records(path)) == 2
    with zipfile.ZipFile(path, "a") as archive:
        for number in range(3000):
            archive.writestr(f"{number}.npy", b"")
    with pytest.raises(RecordError, match=r"its directory has [0-9]+ bytes"):
        load_records(path)
    path.write_bytes(npz.read_bytes() + b"PK\5\6")
    with pytest.raises(RecordError, match="does not end as a zip file"):
        load_records(path)


def test_an_end_that_was_not_is_refused(tmp_path: Path) -> None:
    """A line of three wins; a header may keep the reason to itself, but not invent one."""
    path = tmp_path / "games.npz"
    save_records(path, [GameRecord.from_game(load_game("tictactoe"), [0, 3, 1, 4, 2])])
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    np.savez(path, **(arrays | {"results": np.array([1], np.int8)}))
    with pytest.raises(RecordError, match=r"game 1 of .*the game ends 1-0 \(line\), not 0-1"):
        load_records(path)
    np.savez(path, **(arrays | {"results": np.array([-2], np.int8)}))
    with pytest.raises(RecordError, match=r"the game ends 1-0 \(line\), not \*"):
        load_records(path)


def test_files_of_commander_are_told(tmp_path: Path) -> None:
    """They have a form of their own; the first format does not name the game."""
    old = Path(__file__).parent / "commander" / "games_format_1.npz"
    new = tmp_path / "games.npz"
    commander.save_records(new, commander.load_records(old))
    for path in (old, new):
        assert game_of_file(path) == "commander"
        with pytest.raises(RecordError, match=r"use load_records and .* of cotulenh_env.commander"):
            load_records(path)


# --- writing ------------------------------------------------------------------------------------

TICTACTOE = GameRecord.from_game(load_game("tictactoe"), [0, 3, 1, 4, 2])


@pytest.mark.parametrize(
    ("records", "words"),
    [
        (None, "games are GameRecords in a list, got None"),
        (["1-0"], "games are GameRecords in a list, got '1-0'"),
        ([], "name it"),
        ([TICTACTOE, *read_records(BANQI)], "game 2 is one of 'banqi', not of tictactoe"),
        ([replace(TICTACTOE, result="0-1", reason="")], "the game ends 1-0"),
        ([replace(TICTACTOE, reason="")], "the reason is 'line', not ''"),
        ([replace(TICTACTOE, played=(PlayedAction(0, 0),) * 2)], "action 2, 0, is illegal"),
        ([GameRecord.from_game(load_game("commander"), [])], "arrays of their own"),
    ],
)
def test_refused_games_keep_the_file(records: Any, words: str, tmp_path: Path) -> None:
    path = tmp_path / "games.npz"
    path.write_bytes(b"before")
    with pytest.raises(RecordError, match=words):
        save_records(path, records)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_brackets_in_texts_are_no_lists(tmp_path: Path) -> None:
    path, reason = tmp_path / "games.npz", '[[[{{{"[\\" [[[[[['
    games = [GameRecord.from_game(load_game("tictactoe"), [], reason=reason)]
    save_records(path, games)
    assert load_records(path) == games


def test_what_no_header_has_room_for_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_arrays, "MAX_HEADER_BYTES", 200)
    game = GameRecord.from_game(load_game("tictactoe"), [], reason="r" * 200)
    with pytest.raises(RecordError, match="write several files"):
        save_records(tmp_path / "games.npz", [game])
    assert not list(tmp_path.iterdir())


def test_no_games_are_of_a_game_that_is_named(tmp_path: Path) -> None:
    """As a match that is stopped before its first game ends."""
    path = tmp_path / "games.npz"
    save_played_games(load_game("cwda"), path, [])
    assert load_records(path) == []
    assert game_records.game_of_file(path) == "cwda"
    with pytest.raises(UnknownGameError, match="unknown game 'go'"):
        save_records(path, [], game="go")
