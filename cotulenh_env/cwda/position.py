"""`Position`: the checked, readable view of one state of Chess with Different Armies.

>>> from cotulenh_env.cwda import Position, RuleSet
>>> position = Position(RuleSet(white_army="FF", black_army="CC"))
>>> position.push(position.parse_move("e2e4"))
>>> position.fen()
'dwfakfwd/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cotulenh_env.cwda.actions import NUM_ACTIONS
from cotulenh_env.cwda.board import NUM_SQUARES, parse_square
from cotulenh_env.cwda.bounds import MAX_LEGAL_ACTIONS
from cotulenh_env.cwda.drawing import Marks, draw_text
from cotulenh_env.cwda.fen import fen_of, state_from_fen
from cotulenh_env.cwda.kernels.step import apply_actions, fill_legal_actions
from cotulenh_env.cwda.loading import SIDE_NAMES, new_state, rules_of
from cotulenh_env.cwda.notation import move_text, parse_move
from cotulenh_env.cwda.pieces import piece_letter
from cotulenh_env.cwda.rules import RuleSet, draw_armies
from cotulenh_env.cwda.state import (
    DRAW,
    REASONS,
    STATE_DTYPE,
    UNFINISHED,
    Record,
    Records,
    keys_of,
)
from cotulenh_env.cwda.state_checks import checked_state
from cotulenh_env.errors import (
    IllegalActionError,
    MoveTextError,
    PositionError,
    RulesError,
    shown,
)


class LegalMove(NamedTuple):
    """A legal action with its text."""

    action: int
    text: str


class _Past(NamedTuple):
    """The position before an action: a chain, so that copies share it and cost nothing more."""

    states: npt.NDArray[np.uint8]
    legal: tuple[int, ...] | None
    action: int
    before: _Past | None


class Position:
    """One position of a game, with all that its rules need to know of what came before.

    It can be read, changed by `push` and `pop`, copied, saved and compared. Two positions are equal
    when board, clocks, history and armies are; what `pop` could take back does not count.

    Args:
        rules: the armies.
        rng: draws the armies that the rules leave to chance; without it they are FF.

    Raises:
        RulesError: `rules` is no RuleSet.

    >>> from cotulenh_env.cwda import Position, RuleSet
    >>> position = Position(RuleSet(white_army="CC", black_army="NN"))
    >>> position.turn, position.winner, len(position.legal_actions())
    (0, None, 28)
    """

    __slots__ = ("_legal", "_past", "_states")

    def __init__(
        self,
        rules: RuleSet = RuleSet(),  # noqa: B008 - a frozen value
        rng: np.random.Generator | None = None,
    ) -> None:
        self._take(new_state(draw_armies(_checked_rules(rules), rng)))

    @classmethod
    def from_fen(cls, fen: str, rules: RuleSet = RuleSet()) -> Position:  # noqa: B008
        """The position of a FEN. Turns and earlier positions are counted from here.

        Args:
            fen: board, side to move, castling rights, e.p. square, quiet plies, move number, and
                perhaps the armies, such as `FF-CC`.
            rules: the armies; those left to chance are read from the FEN or guessed from the pieces
                on the board.

        Raises:
            PositionError: the text is malformed, or the position cannot be.
            RulesError: `rules` is no RuleSet.

        >>> from cotulenh_env.cwda import Position
        >>> fen = "1r2k3/8/8/8/8/8/8/D3K3 w Q - 0 1"
        >>> position = Position.from_fen(fen)
        >>> position.fen() == fen, position.rules
        (True, RuleSet(white_army='CC', black_army='FF'))
        """
        return cls._of(state_from_fen(fen, _checked_rules(rules)))

    @classmethod
    def from_state(cls, state: bytes | npt.NDArray[np.uint8]) -> Position:
        """The position of a saved state, as `state` gives it.

        Args:
            state: bytes, or uint8 [state_size].

        Raises:
            StateError: it is no state that a game can be in.
        """
        return cls._of(checked_state(state))

    @classmethod
    def _of(cls, record: Record) -> Position:
        position = cls.__new__(cls)
        position._take(record)
        return position

    def _take(self, record: Record) -> None:
        self._states = np.frombuffer(record.tobytes(), np.uint8).reshape(1, -1).copy()
        self._legal: tuple[int, ...] | None = None
        self._past: _Past | None = None

    # --- the game -------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """Who is to move: 0 White, 1 Black; in a finished game who would be."""
        return int(self._record["player"])

    @property
    def winner(self) -> int | None:
        """0 White, 1 Black, -1 draw, None while the game goes on."""
        winner = int(self._record["winner"])
        return None if winner == UNFINISHED else winner

    @property
    def reason(self) -> str:
        """Why the game ended, such as `checkmate`; empty while it goes on."""
        return REASONS[self._record["reason"]]

    def is_game_over(self) -> bool:
        """Whether the game is won or drawn; then no action is legal."""
        return self.winner is not None

    def is_check(self) -> bool:
        """Whether the player to move is in check."""
        return bool(self._record["in_check"])

    @property
    def turns(self) -> int:
        """Moves of both sides together since the start or the loaded position."""
        return int(self._record["turns"])

    @property
    def rules(self) -> RuleSet:
        """The rules of this game: its armies."""
        return rules_of(self._record)

    @property
    def key(self) -> int:
        """A 64-bit hash of board, side to move, castling rights, possible e.p. capture and armies.

        Clocks do not count: the key is the same in other games and on other machines.
        """
        return int(keys_of(self._records)[0])

    def piece_at(self, square: str | int) -> str | None:
        """The letter of the piece on a square, upper case for White; None if it is empty.

        Args:
            square: `"e4"` or its index, 0–63.

        Raises:
            PositionError: there is no such square.

        >>> from cotulenh_env.cwda import Position, RuleSet
        >>> position = Position(RuleSet(white_army="FF", black_army="CC"))
        >>> position.piece_at("a1"), position.piece_at("a8"), position.piece_at("a4")
        ('R', 'd', None)
        """
        code = int(self._record["board"][_square_index(square)])
        return piece_letter(code) if code else None

    # --- saving ---------------------------------------------------------------------------------

    def fen(self) -> str:
        """The position as a FEN of six fields; `rules` says which armies play."""
        return fen_of(self._record)

    @property
    def state(self) -> npt.NDArray[np.uint8]:
        """uint8 [state_size]: a copy of the state, complete with clocks, history and armies."""
        state: npt.NDArray[np.uint8] = self._states[0].copy()
        return state

    # --- moves ----------------------------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """The actions that can be pushed, ascending; none in a finished game."""
        return list(self._legal_actions())

    def legal_moves(self) -> list[LegalMove]:
        """The legal actions with their text, in the order of `legal_actions`.

        >>> from cotulenh_env.cwda import Position, RuleSet
        >>> position = Position(RuleSet(white_army="CC", black_army="FF"))
        >>> [text for action, text in position.legal_moves()][:4]
        ['a1a3', 'b1d3', 'c1c3', 'c1e3']
        """
        record = self._record
        return [LegalMove(action, move_text(record, action)) for action in self._legal_actions()]

    def move_text(self, action: int) -> str:
        """A legal action as text, for example `e2e4` or `e7e8q`.

        Raises:
            IllegalActionError: the action is not legal here.
        """
        return move_text(self._record, self._checked_action(action))

    def parse_move(self, text: str) -> int:
        """The legal action that `move_text` writes as `text`.

        Raises:
            MoveTextError: no legal action has that text.
        """
        action = parse_move(self._record, text)
        if action not in self._legal_actions():
            raise MoveTextError(f"{shown(text)} is no legal move in {self.fen()}")
        return action

    # --- changing -------------------------------------------------------------------------------

    def push(self, action: int) -> None:
        """Plays one legal action; `pop` takes it back.

        Args:
            action: an int or NumPy integer from `legal_actions()`.

        Raises:
            IllegalActionError: the action is no whole number, out of range or not legal; the
                position stays as it is.
        """
        checked = self._checked_action(action)
        past = _Past(self._states, self._legal, checked, self._past)
        states = self._states.copy()
        apply_actions(states.view(STATE_DTYPE)[:, 0], np.array([checked], np.int32))
        self._states, self._legal, self._past = states, None, past

    def pop(self) -> int:
        """Takes the last action back: everything is as it was before, clocks and history included.

        Returns:
            The action.

        Raises:
            IllegalActionError: no action has been pushed since the position was made or loaded.

        >>> from cotulenh_env.cwda import Position
        >>> position = Position()
        >>> position.push(position.parse_move("e2e4"))
        >>> action = position.pop()
        >>> position == Position(), position.move_text(action)
        (True, 'e2e4')
        """
        if self._past is None:
            raise IllegalActionError(f"there is no action to take back in {self.fen()}")
        self._states, self._legal, action, self._past = self._past
        return action

    @property
    def actions_played(self) -> list[int]:
        """The actions that `pop` can take back, the first one first."""
        actions = []
        past = self._past
        while past is not None:
            actions.append(past.action)
            past = past.before
        return actions[::-1]

    def copy(self, *, past: bool = True) -> Position:
        """An independent position, equal to this one.

        Args:
            past: whether `pop` can take back in the copy what it can here. The past is shared, so
                that copying it costs nothing; a copy without it does not keep it in memory.
        """
        twin = Position.__new__(Position)
        twin._states = self._states.copy()
        twin._legal = self._legal
        twin._past = self._past if past else None
        return twin

    # --- Python ---------------------------------------------------------------------------------

    def __str__(self) -> str:
        return draw_text(self._record["board"], marks_of(self._record))

    def __repr__(self) -> str:
        return f"Position.from_fen({self.fen()!r}, {self.rules!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._states.tobytes() == other._states.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a position changes

    def __copy__(self) -> Position:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Position:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        first = self._past
        while first is not None and first.before is not None:
            first = first.before
        states = self._states if first is None else first.states
        return _replayed, (states.tobytes(), self.actions_played)

    # --- inside ---------------------------------------------------------------------------------

    @property
    def _records(self) -> Records:
        return self._states.view(STATE_DTYPE)[:, 0]

    @property
    def _record(self) -> Record:
        return self._records[0]

    def _legal_actions(self) -> tuple[int, ...]:
        if self._legal is None:
            actions = np.empty((1, MAX_LEGAL_ACTIONS), np.int32)
            counts = np.empty(1, np.int32)
            fill_legal_actions(self._records, actions, counts)
            self._legal = tuple(actions[0, : counts[0]].tolist())
        return self._legal

    def _checked_action(self, action: object) -> int:
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
            raise IllegalActionError(
                f"an action is a whole number, got {shown(action)} in {self.fen()}"
            )
        if not 0 <= action < NUM_ACTIONS:
            raise IllegalActionError(
                f"actions are 0 to {NUM_ACTIONS - 1}, got {shown(int(action))} in {self.fen()}"
            )
        if action not in self._legal_actions():
            over = " (the game is over)" if self.winner is not None else ""
            raise IllegalActionError(f"action {action} is not legal in {self.fen()}{over}")
        return int(action)


def _square_index(square: object) -> int:
    if isinstance(square, str):
        return parse_square(square)
    if isinstance(square, (int, np.integer)) and 0 <= square < NUM_SQUARES:
        return int(square)
    raise PositionError(f"{shown(square)} is no square: squares are a1 to h8, or 0 to 63")


def _replayed(state: bytes, actions: list[int]) -> Position:
    """A position as it is pickled: its first state, and the actions since."""
    position = Position.from_state(state)
    for action in actions:
        position.push(action)
    return position


def marks_of(state: Record) -> Marks:
    """What a drawing shows of a record besides the pieces."""
    player, winner = int(state["player"]), int(state["winner"])
    armies = int(state["armies"][0]), int(state["armies"][1])
    caption = None
    if winner != UNFINISHED:
        result = "Draw" if winner == DRAW else f"{SIDE_NAMES[winner]} wins"
        caption = f"{result}: {REASONS[state['reason']]}"
    return Marks(player, armies, is_check=bool(state["in_check"]), caption=caption)


def _checked_rules(rules: object) -> RuleSet:
    if not isinstance(rules, RuleSet):
        raise RulesError(f"rules are a RuleSet, got {shown(rules)}")
    return rules
