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
    SIGNS,
    UNFINISHED_MARK,
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

    def error(self, text: str, position: Position) -> NotationError:
        _, offset, reason = self._best
        return _error(reason, offset, text, position)


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
        turn = parse_form(text)
    except NotationError as error:
        raise _error(str(error), error.offset or 0, text, position) from None
    if position.winner is not None:
        raise _error("the game is over", 0, text, position)
    misfits = _Misfits()
    for is_lenient in (False, True):
        paths = _Search(position, turn, is_lenient, misfits).paths()
        if len(paths) > 1:
            raise _error(f"{len(paths)} legal turns fit", 0, text, position)
        if paths:
            return TurnReading(paths[0].actions, turn.remark, paths[0].position)
    raise misfits.error(text, position)


def _error(reason: str, offset: int, text: str, position: Position) -> NotationError:
    return NotationError(
        f"{reason}, at character {offset + 1} of {shown(text, 80)}, in {position.fen()}", offset
    )


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
        if not (self._turn.is_unfinished and is_last):
            return self._misfit(text.offset, "the sub-move has no target")
        found = self._selections(path, record, origin, text)
        if found:
            return found
        return self._misfit(
            text.offset, f"{text.letters} at {point_symbol(origin)} cannot be selected"
        )

    def _act(self, path: _Path, record: Record, origin: int, text: SubMoveText) -> list[_Path]:
        if text.is_strike and text.sign != "@":
            return self._misfit(text.offset, "a strike, with a leading @, captures by @")
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
            if other in route.position.legal_actions():
                return (
                    f"to {there} there is a capture that is no strike, without a leading @"
                    if text.is_strike
                    else f"to {there} there is only a strike, with a leading @"
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
                text.offset, f"{text.letters} {_WORDS[word]}, which is written {SIGNS[word]}"
            )
        if text.is_kamikaze and word != "kamikaze":
            return self._misfit(text.offset, f"{text.letters} does not perish with its target (><)")
        if text.target_letters:
            codes = target_codes(record, move)
            if not self._is_meant(text.target_letters, codes):
                found = pieces_symbol(codes) if codes else "nothing"
                return self._misfit(
                    text.offset,
                    f"the target at {point_symbol(text.target)} is {found}, "
                    f"not {text.target_letters}",
                )
        return [path.then(action)]

    def _end(self, path: _Path) -> list[_Path]:
        """The turn with its end, if its marks are true."""
        turn = self._turn
        last = turn.sub_moves[-1].offset if turn.sub_moves else 0
        is_over = self._is_over(path.position)
        if turn.is_unfinished:
            if is_over or not path.actions:
                reason = "the turn is over" if is_over else "nothing has been done"
                return self._misfit(last, f"{reason}, and cannot be left off by {UNFINISHED_MARK}")
        elif not is_over:
            if END not in path.position.legal_actions():
                return self._misfit(last, "the turn cannot end here")
            path = path.then(END)
        is_win = path.position.winner == self._mover
        if turn.is_win and not is_win:
            return self._misfit(last, "the turn does not win, as ^ says")
        if turn.is_check and not is_win and not self._is_check(path.position):
            return self._misfit(last, "the turn gives no check, as > says")
        return [path]

    def _is_check(self, position: Position) -> bool:
        return position.turn != self._mover and position.is_check()
