"""Game records as text, in the spirit of PGN: any number of games, one after another.

    [Format "1"]                                     first in every game: the version
    [Event "Club evening"]                           free tags
    [Rules "edition=official battle=full …"]
    [Start "…"]                                      a FEN, when it is not the rules' own start
    [Result "1-0"]
    [Reason "battle"]
    [Points "180 20"]

    {on the game}
    1. T3,5_5,5 ++ {[%clk 0:14:58] on the turn} In7,2_6,2
    2. T5,5@T6,5^
    1-0

Turns are in official notation (notation.py), Red's and Blue's of one number on one line; the first
of a game that Blue begins has the number `7...`, placements have the number 0. docs/records.md
describes the format.

>>> from cotulenh_env.commander import Position
>>> position = Position()
>>> for turn in ("T f4-f6 move", "T f9-f7 move"):
...     position.push(position.parse_move(turn))
>>> record = GameRecord.from_game(Position(), position.actions_played, tags=[("Red", "An")])
>>> print(write_records([record]))
[Format "1"]
[Red "An"]
[Rules "edition=official battle=standard placement=false enforce_check=false \
allow_shoot_down=true repetition=3 quiet_limit=100 turn_limit=400"]
[Result "*"]
[Points "0 0"]
<BLANKLINE>
1. T3,5_5,5 T8,5_6,5
*
<BLANKLINE>
>>> read_records(write_records([record])) == [record]
True
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TextIO

from cotulenh_env.commander.notation import play_turn
from cotulenh_env.commander.notation_symbols import OFFICIAL_STYLE, NotationStyle, check_style
from cotulenh_env.commander.records import GameRecord, RecordedTurn, each_record
from cotulenh_env.commander.records_fields import CLOCK_TEXT
from cotulenh_env.commander.records_reader import RecordReader, turn_number
from cotulenh_env.commander.rules_text import rules_text
from cotulenh_env.errors import RecordError
from cotulenh_env.record_fields import FORMAT_VERSION, tag_text
from cotulenh_env.record_source import load_text

# --- writing ------------------------------------------------------------------------------------


def write_records(records: Iterable[GameRecord], style: NotationStyle = OFFICIAL_STYLE) -> str:
    """The text of games; reading it gives equal records.

    Args:
        records: the games.
        style: alphabet and coordinates of the turns.

    Raises:
        RecordError: a game is not legal, or ended otherwise than recorded, or is no GameRecord.
        NotationError: the style is none.
    """
    check_style(style)
    return "\n".join(_record_text(record, style) for record in each_record(records))


def _record_text(record: GameRecord, style: NotationStyle) -> str:
    tags = [("Format", FORMAT_VERSION), *record.tags, ("Rules", rules_text(record.rules))]
    if record.start is not None:
        tags.append(("Start", record.start))
    tags.append(("Result", record.result))
    if record.reason:
        tags.append(("Reason", record.reason))
    if record.points is not None:
        tags.append(("Points", f"{record.points[0]} {record.points[1]}"))
    lines = [tag_text(name, value) for name, value in tags]
    lines.append("")
    if record.comment:
        lines.append(f"{{{record.comment}}}")
    lines += _turn_lines(record, style)
    lines.append(record.result)
    return "\n".join(lines) + "\n"


def _turn_lines(record: GameRecord, style: NotationStyle) -> list[str]:
    record.validate()
    position = record.start_position()
    lines: list[str] = []
    for turn in record.turns:
        number = turn_number(position)
        is_red = position.turn == 0
        text = play_turn(position, turn.actions, style)
        words = [text, *([turn.remark] if turn.remark else []), *_comment_words(turn)]
        if is_red or not lines:
            lines.append(" ".join([number, *words]))
        else:
            lines[-1] = " ".join([lines[-1], *words])
    return lines


def _comment_words(turn: RecordedTurn) -> list[str]:
    words = [] if turn.clock is None else [f"{CLOCK_TEXT} {_clock_text(turn.clock)}]"]
    words += [turn.comment] if turn.comment else []
    return [f"{{{' '.join(words)}}}"] if words else []


def _clock_text(clock: float) -> str:
    seconds, milliseconds = divmod(round(clock * 1000), 1000)
    minutes, seconds = divmod(seconds, 60)
    fraction = f".{milliseconds:03}".rstrip("0") if milliseconds else ""
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}{fraction}"


# --- reading ------------------------------------------------------------------------------------


def read_records(source: str | os.PathLike[str] | TextIO) -> list[GameRecord]:
    """The games of a text or a file, each replayed and compared with its recorded end.

    Args:
        source: the text itself; or a `Path`, or an open text file. The name of a file is no text:
            give `Path("games.txt")`.

    Raises:
        RecordError: a game is malformed, not legal, or ended otherwise than recorded; with the
            reason, line and column. Or the file cannot be read, is no UTF-8, or is too large; or
            `source` is the name of a file.
    """
    return list(RecordReader(load_text(source)).games())


def validate_records(source: str | os.PathLike[str] | TextIO) -> list[RecordError]:
    """What is wrong with the games of a text or a file: the first error of every game.

    Args:
        source: the text itself; or a `Path`, or an open text file. The name of a file is no text:
            give `Path("games.txt")`.

    Returns:
        The errors in order; empty when all games are right.

    Raises:
        RecordError: the file cannot be read, is no UTF-8, or is too large; or
            `source` is the name of a file.
    """
    reader = RecordReader(load_text(source))
    errors = []
    while not reader.is_at_end():
        try:
            reader.game()
        except RecordError as error:
            errors.append(error)
            reader.skip_to_next_game()
    return errors
