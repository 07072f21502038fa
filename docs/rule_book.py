"""The examples of the book of rules: read from `rules/examples.yaml`, drawn as its diagrams.

An example is a position with claims about it. `tests/test_rule_book.py` checks every claim; the
diagrams show what `Position` finds legal, not what is claimed. A new example needs its record
there, `make pictures`, and an `<img>` with its `text` in `rules.md`;
the test tells what is missing.

    name      also the name of its picture: `name.svg`, or `name-1.svg`, `name-2.svg` …
    rules     the rules it shows
    text      what is to be seen, also the picture's alternative text
    pieces    `f4 T, b5 N+FT, f6 i`: upper case Red, lower case Blue, `+` heroic
    turn      red (default) or blue
    deploying the seventh field of a FEN: `c5:FT`
    options   of the `RuleSet`; `battle: full` unless they say otherwise
    point, can, groups, cannot
              the point whose pieces are asked about; by word (move, capture, …) all points they may
              go to, with `end: END` if the turn may be ended; all groups that may be selected;
              points that they cannot go to, drawn as crosses
    play      moves in words, each legal
    then      what holds after them: pieces, turn, winner, reason, points, point, can …
    unlike    other options and what holds under them: can, groups, cannot, play, then
    switch    the switch of the `RuleSet` that makes this difference between the editions
    stands    by kind all points where such a piece can stand, drawn like moves
    zone      by side all points that its air defence covers
    view      `c2-h8`: the part of the board that is drawn; all of it by default
    frames    after how many actions of `play` there is a picture; `0` by default, empty for none
    zones, sight
              sides whose air-defence zones, whose commanders' lines of sight are drawn
    arrows, labels
              `f4-f6 …`, `{f4: word}`
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from cotulenh_env.commander import Position, RuleSet
from cotulenh_env.commander.board import (
    DIRECTION_STEPS,
    NUM_FILES,
    NUM_POINTS,
    NUM_RANKS,
    parse_point,
)
from cotulenh_env.commander.drawing import Board, Marks, draw_svg
from cotulenh_env.commander.fen import board_text
from cotulenh_env.commander.landscape import View
from cotulenh_env.commander.marks import marks_of
from cotulenh_env.commander.pieces import (
    COMMANDER,
    KIND_LETTERS,
    SIDE_BIT,
    make_stack,
    piece_code,
    stack_codes,
)
from cotulenh_env.commander.state import STATE_DTYPE
from cotulenh_env.commander.targets import WORDS

FOLDER = Path(__file__).parent / "rules"
EXAMPLES = FOLDER / "examples.yaml"

_SIDES = ("red", "blue")


@dataclass(frozen=True)
class Claims:
    """What is said to hold in a position, or after the moves that lead on from it."""

    point: str | None = None
    can: Mapping[str, tuple[str, ...]] | None = None
    groups: tuple[str, ...] | None = None
    cannot: tuple[str, ...] = ()
    play: tuple[str, ...] = ()
    then: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Example:
    """One example; see the head of this file."""

    name: str
    rules: tuple[str, ...]
    text: str
    pieces: str
    claims: Claims
    unlike: Claims | None = None
    turn: str = "red"
    deploying: str = ""
    switch: Mapping[str, Any] = field(default_factory=dict)
    stands: Mapping[str, str] = field(default_factory=dict)
    zone: Mapping[str, str] = field(default_factory=dict)
    view: str = ""
    frames: tuple[int, ...] = (0,)
    zones: str = ""
    sight: str = ""
    arrows: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def fen(self) -> str:
        """The position."""
        fen = f"{board_text(read_pieces(self.pieces))} {self.turn[0]} - - 0 1"
        return f"{fen} {self.deploying}".rstrip()

    @property
    def pictures(self) -> tuple[str, ...]:
        """The names of its pictures, one a frame."""
        if len(self.frames) == 1:
            return (f"{self.name}.svg",)
        return tuple(f"{self.name}-{index}.svg" for index in range(1, len(self.frames) + 1))


# --- reading ------------------------------------------------------------------------------------


def read_examples() -> tuple[Example, ...]:
    """All examples, in the order of the book."""
    records = yaml.safe_load(EXAMPLES.read_text(encoding="utf-8"))
    return tuple(_example(record) for record in records)


def _example(record: dict[str, Any]) -> Example:
    rest = dict(record)
    claims = _claims({key: rest.pop(key) for key in _CLAIM_KEYS if key in rest})
    if "unlike" in rest:
        rest["unlike"] = _claims({"point": claims.point, **rest["unlike"]})
    rest["rules"] = tuple(rest["rules"].split())
    if "frames" in rest:
        frames = rest["frames"]
        rest["frames"] = tuple(map(int, str(frames).split())) if frames is not None else ()
    return Example(claims=claims, **rest)


_CLAIM_KEYS = tuple(item.name for item in fields(Claims))


def _claims(record: dict[str, Any]) -> Claims:
    rest = dict(record)
    if "can" in rest:
        rest["can"] = {word: tuple(points.split()) for word, points in rest["can"].items()}
    for key in ("groups", "cannot"):
        if key in rest:
            rest[key] = tuple(rest[key].split())
    rest["options"] = {"battle": "full", **rest.get("options", {})}
    return Claims(**{**rest, "play": tuple(rest.get("play", ()))})


def claims_after(claims: Claims) -> Claims:
    """What `then` says about the moves of the position after `play`."""
    keys = ("point", "can", "groups", "cannot")
    return _claims({key: claims.then[key] for key in keys if key in claims.then})


def read_pieces(text: str) -> Board:
    """The board of pieces as `f4 T, b5 N+FT`."""
    board = np.zeros(NUM_POINTS, np.uint16)
    for entry in filter(None, text.split(", ")):
        name, letters = entry.split()
        codes, heroic = [], False
        for letter in letters:
            if letter != "+":
                codes.append(piece_code(KIND_LETTERS.index(letter.upper()), heroic))
            heroic = letter == "+"
        board[parse_point(name)] = make_stack(codes, int(letters.islower()))
    return board


def read_points(text: str) -> tuple[int, ...]:
    """Points and rectangles of points: `c1-c12 d6`."""
    points = []
    for entry in text.split():
        first, _, last = entry.partition("-")
        low, high = (divmod(parse_point(name), NUM_FILES) for name in (first, last or first))
        points += [
            rank * NUM_FILES + file
            for rank in range(low[0], high[0] + 1)
            for file in range(low[1], high[1] + 1)
        ]
    return tuple(points)


# --- drawing ------------------------------------------------------------------------------------


def draw_example(example: Example) -> Iterator[tuple[str, str]]:
    """The pictures of an example: (name, SVG document)."""
    first, last = example.view.split("-") if example.view else ("a1", "k12")
    view = View(parse_point(first), parse_point(last), has_caption=False)
    for name, frame in zip(example.pictures, example.frames, strict=False):
        board, shown = _frame(example, frame)
        marks = Marks(
            origin=shown.origin,
            unacted=shown.unacted,
            selected=shown.selected,
            last_move=shown.last_move,
            targets=shown.targets + tuple((point, "move") for point in _standing(example)),
            zones=tuple(_SIDES.index(side) for side in example.zones.split()),
            sights=shown.sights,
            arrows=() if frame else tuple(map(_read_arrow, example.arrows.split())),
            labels=tuple((parse_point(key), text) for key, text in example.labels.items()),
        )
        yield name, draw_svg(board, marks, view)


def _standing(example: Example) -> list[int]:
    return sorted({point for text in example.stands.values() for point in read_points(text)})


def _read_arrow(text: str) -> tuple[int, int]:
    start, _, end = text.partition("-")
    return parse_point(start), parse_point(end)


def _frame(example: Example, num_actions: int) -> tuple[Board, Marks]:
    """The board after so many actions, and what those and the claims have to be marked."""
    claims = example.claims
    asked = claims if num_actions == 0 else claims_after(claims)
    if num_actions not in (0, len(claims.play)):
        asked = Claims()
    barred = tuple((parse_point(name), "barred") for name in asked.cannot)
    if not example.pieces:
        return read_pieces(""), Marks()
    position = Position.from_fen(example.fen, RuleSet(**claims.options))
    last_move = None
    for text in claims.play[:num_actions]:
        position.push(position.parse_move(text))
        last_move = move_points(text) or last_move
    record = position.state.view(STATE_DTYPE)[0]
    board: Board = record["board"]
    marks = marks_of(record)
    mover = position.turn if position.winner is None else None
    found: dict[str, tuple[str, ...]] = {}
    if asked.can is not None and asked.point is not None:
        texts = [position.move_text(action) for action in position.legal_actions()]
        found = sort_moves(texts, asked.point)
    return board, Marks(
        origin=marks.origin,
        unacted=marks.unacted,
        selected=marks.selected,
        last_move=last_move,
        targets=barred + _targets(found),
        sights=tuple(lines_of_sight(board, example.sight.split(), mover)),
    )


def _targets(found: Mapping[str, tuple[str, ...]]) -> tuple[tuple[int, str], ...]:
    """Marks of what `sort_moves` found, in a fixed order."""
    return tuple(
        (parse_point(name), word) for word in WORDS for name in sorted(found.get(word, ()))
    )


def move_points(text: str) -> tuple[int, int] | None:
    """From and to of a move in words, or None if it has none."""
    words = text.split()
    if len(words) != 3 or words[0] in ("SELECT", "PLACE"):
        return None
    start, _, end = words[1].replace("*", "-").partition("-")
    return parse_point(start), parse_point(end)


def sort_moves(texts: list[str], point: str) -> dict[str, tuple[str, ...]]:
    """What the pieces at a point may do, as in `can`, and `groups` by the word `select`.

    Args:
        texts: all legal moves in words.
        point: where to look.
    """
    found: dict[str, list[str]] = {}
    for text in texts:
        words = text.split()
        if text == "END":
            found["end"] = ["END"]
        elif words[0] == "SELECT" and words[1] == point:
            found.setdefault("select", []).append(words[2])
        elif words[0] not in ("SELECT", "PLACE"):
            start, _, end = words[1].replace("*", "-").partition("-")
            if start == point:
                found.setdefault(words[2], []).append(end)
    return {word: tuple(sorted(names)) for word, names in found.items()}


def lines_of_sight(board: Board, sides: list[str], mover: int | None) -> Iterator[tuple[int, int]]:
    """Lines of sight (R6.2) of uncarried commanders, while there is another commander to see.

    Args:
        board: uint16 [132].
        sides: whose lines.
        mover: who is to move, None after the end: alone, this side's commander hides nothing.
    """
    commanders = {
        int(board[point]) // SIDE_BIT: point
        for point in range(NUM_POINTS)
        if COMMANDER in [code >> 1 for code in stack_codes(int(board[point]))]
    }
    if len(commanders) < 2:
        return
    alone = {
        side: point
        for side, point in commanders.items()
        if len(stack_codes(int(board[point]))) == 1
    }
    for side in map(_SIDES.index, sides):
        if side not in alone:
            continue
        transparent = alone.get(1 - side) if mover == 1 - side else None
        for step in DIRECTION_STEPS[::2]:
            end = _end_of_sight(board, alone[side], step, transparent)
            if end != alone[side]:
                yield alone[side], end


def _end_of_sight(board: Board, point: int, step: tuple[int, int], transparent: int | None) -> int:
    """The first occupied point in a direction but for `transparent`, or the last of the board."""
    rank, file = point // NUM_FILES + step[0], point % NUM_FILES + step[1]
    while 0 <= rank < NUM_RANKS and 0 <= file < NUM_FILES:
        point = rank * NUM_FILES + file
        if board[point] and point != transparent:
            break
        rank, file = rank + step[0], file + step[1]
    return point
