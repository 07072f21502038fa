"""`Position`: the checked, readable view of one state of Commander Chess.

>>> from cotulenh_env.commander import Position, RuleSet
>>> position = Position(RuleSet(battle="full"))
>>> position.push(position.parse_move("T f4-f6 move"))
>>> position.fen()
'6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/5T5/2IE2M2EI/2N1G2TG2/3A2S2A1/1N2FH1HF2/6C4 b - - 1 1'
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.actions import NUM_ACTIONS
from cotulenh_env.commander.bounds import MAX_LEGAL_ACTIONS
from cotulenh_env.commander.drawing import SIDE_NAMES, Marks, draw_text
from cotulenh_env.commander.fen import fen_of, new_state, state_from_fen
from cotulenh_env.commander.kernels.placement import PLACEMENT_ORDER
from cotulenh_env.commander.kernels.step import apply_actions, fill_legal_actions
from cotulenh_env.commander.loading import rules_of
from cotulenh_env.commander.pieces import KIND_LETTERS
from cotulenh_env.commander.rules import RuleSet
from cotulenh_env.commander.state import (
    DRAW,
    NO_POINT,
    REASONS,
    STATE_DTYPE,
    UNFINISHED,
    Record,
    Records,
)
from cotulenh_env.commander.state_checks import checked_state
from cotulenh_env.commander.words import move_text
from cotulenh_env.errors import IllegalActionError, MoveTextError, RulesError, shown


class Position:
    """One position of a game, with all that its rules need to know of what came before.

    Args:
        rules: the rules to play by; the start is theirs: the starting position, or the empty board
            when the players place their pieces.

    Raises:
        RulesError: `rules` is no RuleSet.
    """

    __slots__ = ("_legal", "_states")

    def __init__(self, rules: RuleSet = RuleSet()) -> None:  # noqa: B008 - a frozen value
        self._take(new_state(_checked_rules(rules)))

    @classmethod
    def from_fen(cls, fen: str, rules: RuleSet = RuleSet()) -> Position:  # noqa: B008
        """The position of a FEN: any kinds, at most 19 pieces a side.

        Turns, points and earlier positions are counted from here.

        Args:
            fen: board, side to move, `-`, `-`, quiet turns, move number, and perhaps an unfinished
                deployment or `place`.
            rules: the rules to play by.

        Raises:
            PositionError: the text is malformed, or no game can have come to the position.
            RulesError: `rules` is no RuleSet.
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
        # uint8 [1, state_size]: copied faster than a record.
        self._states = np.frombuffer(record.tobytes(), np.uint8).reshape(1, -1).copy()
        self._legal: tuple[int, ...] | None = None

    # --- looking --------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """Who is to move: 0 Red, 1 Blue; in a finished game who would be."""
        return int(self._record["player"])

    @property
    def winner(self) -> int | None:
        """0 Red, 1 Blue, -1 draw, None while the game goes on."""
        winner = int(self._record["winner"])
        return None if winner == UNFINISHED else winner

    @property
    def reason(self) -> str:
        """Why the game ended, in the words of R10.9, such as `battle`; empty while it goes on."""
        return REASONS[self._record["reason"]]

    @property
    def points(self) -> tuple[int, int]:
        """Official points of Red and Blue (R10.6)."""
        red, blue = self._record["points"]
        return int(red), int(blue)

    @property
    def turns(self) -> int:
        """Turns completed by both sides together since the start or the loaded position."""
        return int(self._record["turns"])

    @property
    def rules(self) -> RuleSet:
        """The rules of this game."""
        return rules_of(self._record)

    @property
    def state(self) -> npt.NDArray[np.uint8]:
        """uint8 [state_size]: a copy of the state, complete with clocks, history and rules."""
        state: npt.NDArray[np.uint8] = self._states[0].copy()
        return state

    def fen(self) -> str:
        """The position as text; a group that is selected but has not moved is not recorded."""
        return fen_of(self._record)

    def legal_actions(self) -> list[int]:
        """The actions that can be pushed, ascending; none in a finished game."""
        return list(self._legal_actions())

    def move_text(self, action: int) -> str:
        """A legal action in words, for example `T f4-f6 move`.

        Raises:
            IllegalActionError: the action is not legal here.
        """
        return move_text(self._record, self._checked_action(action))

    def parse_move(self, text: str) -> int:
        """The legal action that `move_text` writes as `text`.

        Raises:
            MoveTextError: no legal action has that text.
        """
        for action in self._legal_actions():
            if move_text(self._record, action) == text:
                return action
        raise MoveTextError(f"{shown(text)} is no legal move in {self.fen()}")

    # --- changing -------------------------------------------------------------------------------

    def push(self, action: int) -> None:
        """Plays one legal action.

        Args:
            action: an int or NumPy integer from `legal_actions()`.

        Raises:
            IllegalActionError: the action is no whole number, out of range or not legal; the
                position stays as it is.
        """
        checked = self._checked_action(action)
        self._legal = None
        apply_actions(self._records, np.array([checked], np.int32))

    def copy(self) -> Position:
        """An independent position, equal to this one."""
        twin = Position.__new__(Position)
        twin._states = self._states.copy()
        twin._legal = self._legal
        return twin

    # --- Python ---------------------------------------------------------------------------------

    def __str__(self) -> str:
        return draw_text(self._record["board"], marks_of(self._record))

    def __repr__(self) -> str:
        return f"Position.from_fen({self.fen()!r}, {self.rules!r})"

    def __eq__(self, other: object) -> bool:
        """Whether everything is equal, clocks, history and rules included."""
        if not isinstance(other, Position):
            return NotImplemented
        return self._states.tobytes() == other._states.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a position changes

    def __copy__(self) -> Position:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Position:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return Position.from_state, (self._states.tobytes(),)

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


def marks_of(state: Record) -> Marks:
    """What a drawing shows of a record besides the pieces."""
    player = int(state["player"])
    winner = int(state["winner"])
    if winner != UNFINISHED:
        result = "Draw" if winner == DRAW else f"{SIDE_NAMES[winner]} wins"
        return Marks(player, caption=f"{result}: {REASONS[state['reason']]}")
    if state["placing"]:
        kind = int(PLACEMENT_ORDER[int(state["num_placed"]) // 2])
        return Marks(player, caption=f"{SIDE_NAMES[player]} to place {KIND_LETTERS[kind]}")
    if state["origin"] == NO_POINT:
        return Marks(player)
    return Marks(player, int(state["origin"]), int(state["unacted"]), int(state["selected"]))


def _checked_rules(rules: object) -> RuleSet:
    if not isinstance(rules, RuleSet):
        raise RulesError(f"rules are a RuleSet, got {shown(rules)}")
    return rules
