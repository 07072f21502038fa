"""Reads a turn in official notation: which actions of a position it tells (R11.2).

Text is read twice if need be: first as it is written, then taking upper and lower case as the same
and heroic marks as left out. What remains is decided by what is legal; two legal turns are refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from cotulenh_env.commander.actions import (
    END,
    FIRST_SELECT_PLANE,
    MAX_DIAGONAL,
    MAX_STRIKE,
    MIRRORED_DIRECTION,
    MIRRORED_POINT,
    NUM_PLANES,
    PLACE_PLANE,
    ActionKind,
    Move,
    encode,
)
from cotulenh_env.commander.board import DIRECTION_STEPS, NUM_FILES
from cotulenh_env.commander.notation_symbols import (
    CHECK_MARK,
    SIGNS,
    UNFINISHED_MARK,
    WIN_MARK,
    is_meant,
    piece_readings,
    pieces_symbol,
    point_symbol,
)
from cotulenh_env.commander.notation_syntax import SubMoveText, TurnText, parse_form
from cotulenh_env.commander.pieces import SIDE_BIT, stack_codes
from cotulenh_env.commander.position import Position
from cotulenh_env.commander.state import NO_POINT, STATE_DTYPE, Record
from cotulenh_env.commander.words import board_move, move_word, target_codes
from cotulenh_env.errors import NotationError, shown

_SIDE_NAMES = ("Red", "Blue")
_SELECT_PLANES = range(FIRST_SELECT_PLANE, PLACE_PLANE)
_WORDS = {
    "move": "moves there", "join": "joins there", "capture": "captures there",
    "kamikaze": "captures there", "strike": "strikes there", "shot": "is shot down on the way",
}  # fmt: skip
_NO_STRIKES = {
    "move": "a plain move", "join": "a join", "capture": "a capture", "kamikaze": "a kamikaze",
    "shot": "a flight that is shot down on the way",
}  # fmt: skip


@dataclass(frozen=True)
class TurnReading:
    """A turn that was read.

    Attributes:
        actions: what the player does, in order.
        remark: the player's remark, one of `notation_symbols.REMARKS`, or empty.
        position: after the turn.
    """

    actions: tuple[int, ...]
    remark: str
    position: Position


@dataclass(frozen=True)
class _Path:
    """Actions played so far, and where they lead."""

    actions: tuple[int, ...]
    position: Position

    def then(self, action: int) -> _Path:
        position = self.position.copy()
        position.push(action)
        return _Path((*self.actions, action), position)

    @property
    def record(self) -> Record:
        return self.position.state.view(STATE_DTYPE)[0]


class _Misfits:
    """Why the text fits nothing: the reason found farthest on in the turn counts."""

    def __init__(self) -> None:
        self._best: tuple[int, int, str] = (-1, 0, "")

    def add(self, stage: int, offset: int, reason: str) -> None:
        if stage >= self._best[0]:
            self._best = stage, offset, reason

    def error(self) -> NotationError:
        _, offset, reason = self._best
        return NotationError(reason, offset)


def read_turn(position: Position, text: str) -> TurnReading:
    """The one turn of the player to move that a text tells.

    Args:
        position: where the turn begins; left as it is.
        text: one turn in official notation, in either alphabet and either kind of coordinates;
            spaces, heroic marks, what stands on the target, and the marks `> ^ ><` may be missing,
            but a mark that is there has to be true.

    Raises:
        NotationError: the text is malformed, or tells no legal turn, or more than one; with the
            reason, where in the text, and the position.
    """
    try:
        return find_turn(position, text)
    except NotationError as error:
        if error.offset is None:
            raise
        place = f"at character {error.offset + 1} of {shown(text[:100], 80)}, in {position.fen()}"
        raise NotationError(f"{error}, {place}", error.offset) from None


def find_turn(position: Position, text: str) -> TurnReading:
    """The same as `read_turn`; for callers that say in their own words where a text goes wrong.

    Raises:
        NotationError: as in `read_turn`, but the message is the bare reason; the offset tells where
            in the text, and is None if position or text is none at all.
    """
    checked_position(position)
    turn = parse_form(text)
    if position.winner is not None:
        raise NotationError("the game is over", 0)
    if turn.resumed_offset is not None and not is_under_way(position):
        raise NotationError("no turn is under way, though a leading / says so", turn.resumed_offset)
    misfits = _Misfits()
    for is_lenient in (False, True):
        paths = _Search(position, turn, is_lenient, misfits).paths()
        if len(paths) > 1:
            raise NotationError(f"{len(paths)} legal turns fit", 0)
        if paths:
            return TurnReading(paths[0].actions, turn.remark, paths[0].position)
    raise misfits.error()


def checked_position(position: object) -> Position:
    """A position that a caller gave.

    Raises:
        NotationError: it is none.
    """
    if not isinstance(position, Position):
        raise NotationError(f"a turn begins in a Position, got {shown(position)}")
    return position


def is_under_way(position: Position) -> bool:
    """Whether the turn of the player to move has begun, which a leading `/` says."""
    return int(position.state.view(STATE_DTYPE)[0]["origin"]) != NO_POINT


def end_mark(start: Position, end: Position) -> str:
    """What stands behind a turn or placement: `^` a win, `>` a check, or nothing.

    Args:
        start: before it.
        end: after it; the same player may still be to move.
    """
    if end.winner == start.turn:
        return WIN_MARK
    if end.winner is not None or end.turn == start.turn:
        return ""
    if start.state.view(STATE_DTYPE)[0]["placing"]:
        return ""  # R10.7: placements are no turns, and give no check
    return CHECK_MARK if end.is_check() else ""


class _Search:
    """Plays what is written, sub-move by sub-move, in every way that it can be meant."""

    def __init__(
        self, position: Position, turn: TurnText, is_lenient: bool, misfits: _Misfits
    ) -> None:
        self._start = position
        self._mover = position.turn
        self._turn = turn
        self._is_lenient = is_lenient
        self._misfits = misfits
        self._stage = 0

    def paths(self) -> list[_Path]:
        """Every turn that fits, each once."""
        paths = [_Path((), self._start)]
        for stage, sub_move in enumerate(self._turn.sub_moves):
            self._stage = stage
            paths = [then for path in paths for then in self._play(path, sub_move)]
        self._stage = len(self._turn.sub_moves)
        ended = [then for path in paths for then in self._end(path)]
        return list({path.actions: path for path in ended}.values())

    def _misfit(self, offset: int, reason: str) -> list[_Path]:
        self._misfits.add(self._stage, offset, reason)
        return []

    def _is_over(self, position: Position) -> bool:
        return position.winner is not None or position.turn != self._mover

    def _play(self, path: _Path, text: SubMoveText) -> list[_Path]:
        if self._is_over(path.position):
            return self._misfit(text.offset, "the turn is over before this sub-move")
        record = path.record
        if record["placing"]:
            return self._place(path, record, text)
        origin = text.origin
        if origin is None:
            origin = int(record["origin"])
            if origin == NO_POINT:
                return self._misfit(text.offset, "the point of the pieces is missing")
        stack = int(record["board"][origin])
        if not stack or stack // SIDE_BIT != self._mover:
            side = _SIDE_NAMES[self._mover]
            return self._misfit(text.offset, f"{side} has no piece at {point_symbol(origin)}")
        if not piece_readings(text.letters, True):
            return self._misfit(text.offset, f"{text.letters!r} are no one to three pieces")
        if text.target < 0:
            return self._select(path, record, origin, text)
        return self._act(path, record, origin, text)

    def _is_meant(self, letters: str, codes: tuple[int, ...]) -> bool:
        return any(
            is_meant(reading, codes, self._is_lenient)
            for reading in piece_readings(letters, self._is_lenient)
        )

    def _place(self, path: _Path, record: Record, text: SubMoveText) -> list[_Path]:
        if text.origin is None or text.target >= 0:
            return self._misfit(text.offset, "a placement is a piece and its point, such as HQ0,4")
        action = int(MIRRORED_POINT[self._mover, text.origin]) * NUM_PLANES + PLACE_PLANE
        codes = board_move(record, action).codes
        if not self._is_meant(text.letters, codes):
            return self._misfit(
                text.offset, f"the next piece to place is {pieces_symbol(codes)}, not this one"
            )
        if action not in path.position.legal_actions():
            return self._misfit(
                text.offset,
                f"{pieces_symbol(codes)} cannot be placed at {point_symbol(text.origin)}",
            )
        return [path.then(action)]

    def _selections(
        self, path: _Path, record: Record, origin: int, text: SubMoveText
    ) -> list[_Path]:
        """The groups with these letters that can be selected."""
        legal = path.position.legal_actions()
        base = int(MIRRORED_POINT[self._mover, origin]) * NUM_PLANES
        return [
            path.then(base + plane)
            for plane in _SELECT_PLANES
            if base + plane in legal
            and self._is_meant(text.letters, board_move(record, base + plane).codes)
        ]

    def _select(self, path: _Path, record: Record, origin: int, text: SubMoveText) -> list[_Path]:
        is_last = text is self._turn.sub_moves[-1]
        if not is_last or self._turn.unfinished_offset is None:
            return self._misfit(text.offset, "the sub-move has no target")
        found = self._selections(path, record, origin, text)
        if found:
            return found
        return self._misfit(
            text.offset, f"{text.letters} at {point_symbol(origin)} cannot be selected"
        )

    def _act(self, path: _Path, record: Record, origin: int, text: SubMoveText) -> list[_Path]:
        if text.is_strike and text.sign != "@":
            return self._misfit(text.sign_offset, "a strike, with a leading @, captures by @")
        action = self._action_number(origin, text.target, text.is_strike)
        if action is None:
            return self._misfit(
                text.offset,
                f"nothing goes from {point_symbol(origin)} to {point_symbol(text.target)}",
            )
        routes = self._selections(path, record, origin, text)
        if action in path.position.legal_actions() and self._is_meant(
            text.letters, board_move(record, action).codes
        ):
            routes.append(path)
        legal = [route for route in routes if action in route.position.legal_actions()]
        if not legal:
            return self._misfit(text.offset, self._why_not(path, routes, record, origin, text))
        return [then for route in legal for then in self._check_target(route, action, text)]

    def _action_number(self, origin: int, target: int, is_strike: bool) -> int | None:
        """The MOVE or STRIKE from point to point; None when there is no such action."""
        rank_step = target // NUM_FILES - origin // NUM_FILES
        file_step = target % NUM_FILES - origin % NUM_FILES
        distance = max(abs(rank_step), abs(file_step))
        if distance == 0 or (rank_step and file_step and abs(rank_step) != abs(file_step)):
            return None
        if distance > MAX_STRIKE and is_strike:
            return None
        if distance > MAX_DIAGONAL and rank_step and file_step:
            return None
        direction = DIRECTION_STEPS.index((rank_step // distance, file_step // distance))
        kind = ActionKind.STRIKE if is_strike else ActionKind.MOVE
        seen = int(MIRRORED_POINT[self._mover, origin])
        return encode(Move(kind, seen, int(MIRRORED_DIRECTION[self._mover, direction]), distance))

    def _why_not(
        self,
        path: _Path,
        routes: list[_Path],
        record: Record,
        origin: int,
        text: SubMoveText,
    ) -> str:
        there = point_symbol(text.target)
        other = self._action_number(origin, text.target, not text.is_strike)
        for route in [*routes, path]:
            if other is None or other not in route.position.legal_actions():
                continue
            if not text.is_strike:
                return f"to {there} there is only a strike, with a leading @"
            word = move_word(route.record, other, board_move(route.record, other))
            return (
                f"to {there} there is {_NO_STRIKES[word]}, which is no strike, without a leading @"
            )
        codes = tuple(stack_codes(int(record["board"][origin])))
        if not routes and not self._is_meant(text.letters, codes):
            return (
                f"at {point_symbol(origin)} stands {pieces_symbol(codes)}, of which "
                f"{text.letters} is no group that can act"
            )
        verb = "strike" if text.is_strike else "go"
        return f"{text.letters} at {point_symbol(origin)} cannot {verb} to {there}"

    def _check_target(self, path: _Path, action: int, text: SubMoveText) -> list[_Path]:
        """Plays the action if sign, mark and target letters say what it does."""
        record = path.record
        move = board_move(record, action)
        word = "strike" if text.is_strike else move_word(record, action, move)
        if text.sign != SIGNS[word]:
            return self._misfit(
                text.sign_offset, f"{text.letters} {_WORDS[word]}, which is written {SIGNS[word]}"
            )
        if text.is_kamikaze and word != "kamikaze":
            return self._misfit(
                text.kamikaze_offset, f"{text.letters} does not perish with its target (><)"
            )
        if text.target_letters:
            codes = target_codes(record, move)
            if not self._is_meant(text.target_letters, codes):
                found = pieces_symbol(codes) if codes else "nothing"
                return self._misfit(
                    text.target_offset,
                    f"the target at {point_symbol(text.target)} is {found}, "
                    f"not {text.target_letters}",
                )
        return [path.then(action)]

    def _end(self, path: _Path) -> list[_Path]:
        """The turn with its end, if its marks are true."""
        turn = self._turn
        last = turn.sub_moves[-1].offset if turn.sub_moves else 0
        is_over = self._is_over(path.position)
        if turn.unfinished_offset is not None:
            if is_over or not path.actions:
                reason = "the turn is over" if is_over else "nothing has been done"
                return self._misfit(
                    turn.unfinished_offset, f"{reason}, and cannot be left off by {UNFINISHED_MARK}"
                )
        elif not is_over:
            if END not in path.position.legal_actions():
                return self._misfit(last, "the turn cannot end here")
            path = path.then(END)
        if turn.win_offset is None and turn.check_offset is None:
            return [path]
        mark = end_mark(self._start, path.position)
        if turn.win_offset is not None and mark != WIN_MARK:
            return self._misfit(turn.win_offset, "the turn does not win, though ^ says so")
        if turn.check_offset is not None and mark != CHECK_MARK:
            won = "the turn wins, and has no > then"
            reason = won if mark == WIN_MARK else "the turn gives no check, though > says so"
            return self._misfit(turn.check_offset, reason)
        return [path]
