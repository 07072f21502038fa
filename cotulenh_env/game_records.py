"""Records of games that have no richer form of their own, as text; every game is replayed.

    [Format "1"]                             first in every game: the version
    [Game "banqi"]                           its name in the registry
    [Event "Club evening"]                   free tags
    [Rules "preset=standard quiet_limit=50 adjudicate_dead_material=false"]
    [Start "…"]                              the game's own text, when it is not the usual start
    [Result "1-0"]
    [Reason "all captured"]

    1. flip c3 (H); flip d3 (s)
    2. c3xd3
    1-0

Turns are in the words of `Game.action_text`, those of players 0 and 1 of one number on one line,
with a semicolon between them; the actions of one turn have commas between them. What chance or an
announcement added (`Game.event_text`) stands behind the action in brackets. A game that player 1
begins has `1...` first. docs/records.md describes the format.

>>> from cotulenh_env.registry import load_game
>>> game = load_game("tictactoe")
>>> record = GameRecord.from_game(game, [0, 3, 1, 4, 2], tags=[("Event", "Example")])
>>> print(write_records([record]))
[Format "1"]
[Game "tictactoe"]
[Event "Example"]
[Result "1-0"]
[Reason "line"]
<BLANKLINE>
1. a3; a2
2. b3; b2
3. c3
1-0
<BLANKLINE>
>>> read_records(write_records([record])) == [record]
True
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

import numpy as np

from cotulenh_env.errors import CotulenhError, MoveTextError, RecordError, shown
from cotulenh_env.game import Game, States
from cotulenh_env.played_game import PlayedGame
from cotulenh_env.record_fields import (
    FORMAT_VERSION,
    RESULTS,
    TAG,
    check_line,
    check_tag,
    listed,
    tag_text,
    tag_value,
)
from cotulenh_env.record_replay import (
    DERIVED_TAGS,
    GameRecord,
    PlayedAction,
    Replay,
    draw_of_event,
    event_between,
    in_brackets,
    outcomes_of,
    rules_from_options,
    start_text,
)
from cotulenh_env.record_source import is_arrays_file, load_text
from cotulenh_env.records_npz import (
    GameArrays,
    game_of_file,
    load_game_arrays,
    load_records,
    save_records,
)
from cotulenh_env.registry import load_game
from cotulenh_env.rules_text import parse_options, rules_text
from cotulenh_env.whole_file import write_whole_text

__all__ = [
    "GameArrays",
    "GameRecord",
    "PlayedAction",
    "draw_of_event",
    "event_between",
    "first_tags",
    "game_of_file",
    "load_game_arrays",
    "load_records",
    "read_records",
    "save_played_games",
    "save_records",
    "write_records",
]

_NUMBER = re.compile(r"([0-9]{1,7})(\.\.\.|\.)[ \t]*")
_BETWEEN_TURNS, _BETWEEN_ACTIONS = ";", ","


# --- writing ------------------------------------------------------------------------------------


def write_records(records: Iterable[GameRecord]) -> str:
    """The text of games; reading it gives equal records.

    Raises:
        RecordError: a game is not legal, ended otherwise than recorded, or is no GameRecord.
    """
    texts = []
    for record in listed("games are GameRecords in a list", records):
        if not isinstance(record, GameRecord):
            raise RecordError(f"games are GameRecords in a list, got {shown(record)}")
        texts.append(_record_text(record))
    return "\n".join(texts)


def _record_text(record: GameRecord) -> str:
    replay = Replay(load_game(record.game), record.rules, record.start)
    lines: list[str] = []
    number, before = 1, None
    for action, event in record.played:
        player, state = replay.player, replay.state
        replay.play(action, event)
        words = _action_words(replay.game, state, action, event)
        if player == before:
            lines[-1] += f"{_BETWEEN_ACTIONS} {words}"
        elif player == 0 or before is None:
            lines.append(f"{number}.{'' if player == 0 else '..'} {words}")
        else:
            lines[-1] += f"{_BETWEEN_TURNS} {words}"
        number += player == 1 and replay.player == 0
        before = player
    told = replay.record(record.result, record.reason, record.tags)
    if told != record:
        end = f"{told.result} {in_brackets(told.reason)}"
        raise RecordError(f"the game ends {end}, not {record.result}")
    tags = [("Format", FORMAT_VERSION), ("Game", record.game), *record.tags]
    if text := rules_text(record.rules):
        tags.append(("Rules", text))
    if record.start is not None:
        tags.append(("Start", record.start))
    tags.append(("Result", record.result))
    if record.reason:
        tags.append(("Reason", record.reason))
    heads = [tag_text(name, value) for name, value in tags]
    return "\n".join([*heads, "", *lines, record.result]) + "\n"


def _action_words(game: Game, state: States, action: int, event: int) -> str:
    words, added = game.action_text(state, action), game.event_text(state, action, event)
    text = f"{words} ({added})" if added else words
    if _BETWEEN_TURNS in text or _BETWEEN_ACTIONS in text or _NUMBER.match(text):
        raise RecordError(f"the action {shown(text)} cannot be told from several")
    return text


def save_played_games(game: Game, path: Path, games: Sequence[PlayedGame]) -> None:
    """Writes games of any kind as records: as arrays when the name ends in .npz, otherwise as text.

    Args:
        game: whose rules are played.
        path: of the file. One that is there is replaced once the new one is whole.
        games: legal ones.

    Raises:
        RecordError: a game cannot be recorded, or the path names no regular file.
        OSError: the file cannot be written.
    """
    records = [_record_of(game, played) for played in games]
    if is_arrays_file(path):
        save_records(path, records, game=game.spec.name)
    else:
        write_whole_text(path, write_records(records), RecordError)


def _record_of(game: Game, played: PlayedGame) -> GameRecord:
    rules = game.rules_of(played.start)
    return GameRecord.from_game(
        game,
        played.actions,
        played.events,
        rules=rules,
        start=start_text(game, played.start, rules),
        tags=played.tags,
    )


# --- reading ------------------------------------------------------------------------------------


def read_records(source: str | os.PathLike[str] | TextIO) -> list[GameRecord]:
    """The games of a text or a file, each replayed and compared with its recorded end.

    Args:
        source: the text itself; or a `Path`, or an open text file. The name of a file is no text:
            give `Path("games.txt")`.

    Raises:
        RecordError: a game is malformed, not legal, or ended otherwise than recorded; with the
            reason and the line. Or the file cannot be read, is no UTF-8, or is too large.
    """
    reader = _Reader(load_text(source).split("\n"))
    games = []
    while not reader.is_at_end():
        games.append(reader.game())
    return games


def first_tags(source: str | os.PathLike[str] | TextIO) -> dict[str, str]:
    """The tags of the first game, as they stand there: of records of any game and any form.

    Args:
        source: see `read_records`.

    Returns:
        Values by name, up to the first line that is no tag. Records with the tag `Game` have the
        form of this module.

    Raises:
        RecordError: the file cannot be read, is no UTF-8, or is too large.
    """
    tags: dict[str, str] = {}
    for line in filter(None, map(str.strip, load_text(source).split("\n"))):
        match = TAG.fullmatch(line)
        if not match:
            break
        tags.setdefault(match[1], tag_value(match[2]))
    return tags


class _Reader:
    """Reads games from lines, one after another."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._index = 0

    def is_at_end(self) -> bool:
        """Whether nothing but empty lines is left, which are passed over."""
        while self._index < len(self._lines) and not self._lines[self._index].strip():
            self._index += 1
        return self._index == len(self._lines)

    def game(self) -> GameRecord:
        """One game."""
        try:
            return self._game()
        except CotulenhError as error:
            line = min(self._index, len(self._lines) - 1) + 1
            raise RecordError(f"{error}, at line {line}", line) from None

    def _game(self) -> GameRecord:
        tags = self._tags()
        if "Game" not in tags:
            raise RecordError("the tag Game, with the game's name, is missing")
        game = load_game(tags["Game"])
        rules = rules_from_options(game, parse_options(tags.get("Rules", "")))
        replay = Replay(game, rules, tags.get("Start"))
        number, before = 1, None
        while not self.is_at_end() and self._lines[self._index].strip() not in RESULTS.values():
            line = _without_number(self._lines[self._index].strip(), number, replay.player)
            for turn in line.split(_BETWEEN_TURNS):
                mover = replay.player
                if mover == before:
                    raise RecordError(f"the turn before {shown(turn.strip())} is not over")
                _play_turn(replay, turn.split(_BETWEEN_ACTIONS))
                number += mover == 1
                before = mover
            self._index += 1
        if self.is_at_end():
            raise RecordError(f"the game does not end with its result, one of {_RESULTS}")
        result = self._lines[self._index].strip()
        if tags.get("Result", result) != result:
            raise RecordError(
                f"the game ends with {result}, but its tag Result is {shown(tags['Result'])}"
            )
        free = [tag for tag in tags.items() if tag[0] not in DERIVED_TAGS]
        record = replay.record(result, tags.get("Reason", ""), free)
        record.check_result(result)
        self._index += 1
        return record

    def _tags(self) -> dict[str, str]:
        tags: dict[str, str] = {}
        while not self.is_at_end() and self._lines[self._index].lstrip().startswith("["):
            match = TAG.fullmatch(self._lines[self._index].strip())
            if not match:
                raise RecordError('a tag is written [Name "value"] on one line')
            name, value = match[1], tag_value(match[2])
            if name in tags:
                raise RecordError(f"the tag {shown(name)} is there twice")
            if (name == "Format") != (not tags):
                raise RecordError(f'the first tag of a game is [Format "{FORMAT_VERSION}"]')
            if name in DERIVED_TAGS:
                check_line(f"tag {name}", value)
            else:
                check_tag(name, value, DERIVED_TAGS)
            tags[name] = value
            self._index += 1
        if tags.get("Format") != FORMAT_VERSION:
            raise RecordError(f'a game begins with the tag [Format "{FORMAT_VERSION}"]')
        return tags


_RESULTS = ", ".join(RESULTS.values())


def _without_number(line: str, number: int, player: int) -> str:
    """A line of turns without the number before it, which has to be true."""
    match = _NUMBER.match(line)
    if not match:
        return line
    if (int(match[1]), match[2]) != (number, "." if player == 0 else "..."):
        right = f"{number}." if player == 0 else f"{number}..."
        raise RecordError(f"the next turn has the number {right}, not {match[1]}{match[2]}")
    return line[match.end() :]


def _play_turn(replay: Replay, actions: list[str]) -> None:
    mover = replay.player
    for text in actions:
        if replay.is_over or replay.player != mover:
            what = "game" if replay.is_over else "turn"
            raise RecordError(f"the {what} is over before {shown(text.strip())}")
        replay.play(*_parse_action(replay, text.strip()))


def _parse_action(replay: Replay, text: str) -> tuple[int, int | None]:
    """Action and event of a text; the event is None if there is nothing to choose."""
    game, state = replay.game, replay.state
    try:
        action, added = game.parse_action(state, text), ""
    except MoveTextError:
        words, bracket, rest = text.rpartition(" (")
        if not bracket or not rest.endswith(")"):
            raise
        action, added = game.parse_action(state, words), rest[:-1]
    events = outcomes_of(game, state, action)[0].tolist()
    if len(events) == 1:
        # Certain, or an announcement that only playing it tells.
        after = game.apply(state[None], np.array([action], np.int32), np.array([0.5]))
        events = after[1].tolist()
    fitting = [event for event in events if game.event_text(state, action, event) == added]
    if len(fitting) != 1:
        known = ", ".join(game.event_text(state, action, event) or "nothing" for event in events)
        raise RecordError(
            f"behind {game.action_text(state, action)!r} stands one of "
            f"{shown(known)} in brackets, got {shown(added)}"
        )
    return action, fitting[0]
