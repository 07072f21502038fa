"""Damaged, truncated and foreign files of records, of both kinds.

What is read is refused in one sentence, or holds games that are legal.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cotulenh_env.commander import (
    load_records,
    read_records,
    save_records,
    write_records,
)
from cotulenh_env.commander.rules_text import parse_rules
from cotulenh_env.errors import CotulenhError, RecordError, RulesError
from tests.commander.notation_games import (
    FULL,
    WIN,
    record_of,
)

NUM_DAMAGES = 150

SMALL = record_of(FULL, max_actions=12)
SMALL_TEXT = write_records([SMALL])


@settings(max_examples=NUM_DAMAGES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_damaged_text(data: st.DataObject) -> None:
    """Text with a part changed or cut: one sentence with its place, or legal games."""
    start = data.draw(st.integers(0, len(SMALL_TEXT)))
    stop = data.draw(st.integers(start, min(len(SMALL_TEXT), start + 20)))
    middle = data.draw(st.text(st.sampled_from('Tt3,5_@"/>^<&+-.{}[]()* \nAfN1é…'), max_size=8))
    tail = data.draw(st.sampled_from([SMALL_TEXT[stop:], ""]))
    try:
        games = read_records(SMALL_TEXT[:start] + middle + tail)
    except RecordError as caught:
        error = caught
    else:
        for game in games:
            game.validate()
        assert read_records(write_records(games)) == games
        return
    assert error.line is not None
    assert "\n" not in str(error)


@pytest.fixture(scope="module")
def npz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.npz"
    save_records(path, [SMALL, WIN])
    return path


@settings(max_examples=NUM_DAMAGES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_damaged_npz(npz: Path, data: st.DataObject) -> None:
    """An .npz file with bytes changed or cut: one sentence, or legal games."""
    whole = bytearray(npz.read_bytes())
    for _ in range(data.draw(st.integers(0, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path = npz.with_name("damaged.npz")
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    assert_refused_or_legal(path)


def assert_refused_or_legal(path: Path) -> None:
    try:
        games = load_records(path)
    except RecordError as caught:
        message = str(caught)
    else:
        for game in games:
            game.validate()
        return
    assert "\n" not in message


def changed_file(npz: Path, **changes: Any) -> Path:
    """The file with some arrays exchanged; None leaves one out."""
    with np.load(npz, allow_pickle=False) as file:
        arrays: dict[str, Any] = {name: file[name] for name in file.files}
    arrays |= changes
    path = npz.with_name("changed.npz")
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    return path


def header_of(**changes: Any) -> Any:
    """A header with some values changed."""
    header = {
        "format": 2,
        "game": "commander",
        "rules": [{"battle": "full"}],
        "starts": [None],
        "reasons": [""],
    }
    return np.frombuffer(json.dumps(header | changes).encode(), np.uint8)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"actions": None}, "lacks actions"),
        ({"more": np.zeros(3)}, "holds 10 arrays, not 9"),
        ({"actions": np.zeros(3)}, "actions is int32 [n], got float64 [3]"),
        ({"actions": np.zeros((3, 1), np.int32)}, "actions is int32 [n], got int32 [3, 1]"),
        ({"actions": np.full(13, -1, np.int32)}, "an action is outside 0 to 14652"),
        ({"actions": np.full(13, 14653, np.int32)}, "an action is outside 0 to 14652"),
        ({"actions": np.zeros(13, np.int32)}, "game 1 of"),
        ({"actions": np.array([{}], object)}, "actions is int32 [n], got object"),
        ({"offsets": np.array([0, 12, 2**62])}, "offsets do not go"),
        ({"offsets": np.array([0, 14, 13])}, "offsets do not go"),
        ({"offsets": np.array([-1, 12, 13])}, "offsets do not go"),
        ({"offsets": np.zeros(0, np.int64)}, "offsets has 0 rows"),
        ({"results": np.array([0, 3], np.int8)}, "a result is none of a game"),
        ({"results": np.zeros(3, np.int8)}, "rules has 2 games, not 3"),
        ({"results": np.array([-2, 1], np.int8)}, "game 2 of"),
        ({"points": np.zeros((1, 2), np.int32)}, "points has 1 games"),
        ({"points": np.full((2, 2), 7, np.int32)}, "the points are"),
        ({"points": np.full((2, 2), -7, np.int32)}, "points are 0 to"),
        ({"rules": np.array([0, 9], np.int32)}, "rules has an index outside"),
        ({"starts": np.array([0, -1], np.int32)}, "starts has an index outside"),
        ({"is_turn_start": np.zeros(13, np.uint8)}, "a game does not begin with a turn"),
        ({"is_turn_start": np.full(13, 2, np.uint8)}, "neither 0 nor 1"),
        ({"is_turn_start": np.ones(12, np.uint8)}, "does not fit the actions"),
        ({"header": np.frombuffer(b"[" * 9999, np.uint8)}, "more objects and lists than 2 games"),
        ({"header": np.frombuffer(b"\xff{}", np.uint8)}, "is no JSON text"),
        ({"header": np.frombuffer(b"{}", np.uint8)}, "does not have format, rules"),
        ({"header": header_of(format=3)}, "is 3, only 1 and 2 can be read"),
        ({"header": header_of(format=True)}, "is True, only 1 and 2 can be read"),
        ({"header": header_of(format=1)}, "of format 1, has 'game'"),
        ({"header": header_of(speed=1)}, "of format 2, has 'speed'"),
        ({"header": header_of(game="banqi")}, "holds games of 'banqi', which"),
        ({"header": header_of(game=["commander"])}, "names a game by text, got ['commander']"),
        ({"header": header_of(rules=3)}, "has no list of rules"),
        ({"header": header_of(starts=[3])}, "has no list of starts"),
        ({"header": header_of(rules=[{"battle": []}])}, "impossible rules"),
        ({"header": header_of(rules=[{"speed": 1}])}, "impossible rules"),
        ({"header": header_of(rules=[{"self": 1}])}, "impossible rules"),
        ({"header": header_of(starts=["x"], reasons=["a\nb"])}, "has an index outside"),
    ],
)
def test_hostile_npz(npz: Path, changes: dict[str, Any], words: str) -> None:
    """Wrong types, shapes, sizes and values."""
    path = changed_file(npz, **changes)
    with pytest.raises(RecordError) as caught:
        load_records(path)
    assert words in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_are_none(npz: Path, tmp_path: Path) -> None:
    """No zip, compressed arrays (so no bombs), too large, no file."""
    path = tmp_path / "x.npz"
    for content in (b"", b"PK\x03\x04", b"x" * 1000):
        path.write_bytes(content)
        with pytest.raises(RecordError, match="is damaged or no"):
            load_records(path)
    with zipfile.ZipFile(npz) as whole, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bomb:
        for name in whole.namelist():
            bomb.writestr(name, whole.read(name) + bytes(1 << 20))
    with pytest.raises(RecordError, match="holds compressed arrays"):
        load_records(path)
    with pytest.raises(RecordError, match="bytes, at most 10"):
        load_records(npz, max_bytes=10)
    for read in (load_records, read_records):
        with pytest.raises(RecordError, match="cannot be read"):
            read(tmp_path / "missing")
        with pytest.raises(RecordError, match="no regular file"):
            read(tmp_path)
    path.write_bytes(b'[Format "1"]\xff')
    with pytest.raises(RecordError, match="is no UTF-8 text: byte 12"):
        read_records(path)


def test_not_validated(npz: Path) -> None:
    """`validate=False` looks at the form only."""
    path = changed_file(npz, actions=np.zeros(13, np.int32))
    assert load_records(path, validate=False)[0].actions == [0] * 12
    with pytest.raises(RecordError, match=r"game 1 of .* not legal"):
        load_records(path)


def test_errors_are_the_packages_own() -> None:
    """Callers may catch one class for all."""
    assert issubclass(RecordError, CotulenhError)
    with pytest.raises(RulesError, match="is not written name=value"):
        parse_rules("full")
    with pytest.raises(RecordError, match="records are read from text"):
        read_records(io.BytesIO(b"x"))  # type: ignore[arg-type]
