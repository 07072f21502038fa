"""`Position`: the checked, readable view of one state of Commander Chess.

>>> from cotulenh_env.commander import Position, RuleSet
>>> position = Position(RuleSet(battle="full"))
>>> position.push(position.parse_move("T f4-f6 move"))
>>> position.fen()
'6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/5T5/2IE2M2EI/2N1G2TG2/3A2S2A1/1N2FH1HF2/6C4 b - - 1 1'
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.actions import NUM_ACTIONS
from cotulenh_env.commander.bounds import MAX_LEGAL_ACTIONS
from cotulenh_env.commander.drawing import SIDE_NAMES, Marks, draw_text
from cotulenh_env.commander.fen import new_state, state_from_fen
from cotulenh_env.commander.kernels.placement import PLACEMENT_ORDER
from cotulenh_env.commander.kernels.step import apply_actions, fill_legal_actions
from cotulenh_env.commander.pieces import KIND_LETTERS
from cotulenh_env.commander.problems import Problem
from cotulenh_env.commander.rules import RuleSet
from cotulenh_env.commander.state import (
    DRAW,
    NO_POINT,
    REASONS,
    STATE_DTYPE,
    UNFINISHED,
    Record,
)
from cotulenh_env.commander.state_checks import checked_state
from cotulenh_env.commander.status import fen_status
from cotulenh_env.commander.view import View
from cotulenh_env.commander.words import move_text
from cotulenh_env.errors import IllegalActionError, MoveTextError, RulesError, shown


class LegalMove(NamedTuple):
    """A legal action with its words."""

    action: int
    text: str


class _Past(NamedTuple):
    """The position before an action: a chain, so that copies share it and cost nothing more."""

    states: npt.NDArray[np.uint8]
    legal: tuple[int, ...] | None
    action: int
    before: _Past | None


class Position(View):
    """One position of a game, with all that its rules need to know of what came before.

    It can be read (everything that `View` offers), changed by `push` and `pop`, copied, saved and
    compared. Two positions are equal when board, clocks, history and rules are; what `pop` could
    take back does not count.

    Args:
        rules: the rules to play by; the start is theirs: the starting position, or the empty board
            when the players place their pieces.

    Raises:
        RulesError: `rules` is no RuleSet.

    >>> from cotulenh_env.commander import Position, RuleSet
    >>> position = Position(RuleSet(battle="full", turn_limit=200))
    >>> position.turn, position.winner, len(position.legal_actions())
    (0, None, 114)
    """

    __slots__ = ("_legal", "_past")

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
            PositionError: the text is malformed, or the position cannot be played; `fen_status`
                names all reasons.
            RulesError: `rules` is no RuleSet.

        >>> from cotulenh_env.commander import Position
        >>> fen = "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/3C7 r - - 5 9"
        >>> Position.from_fen(fen).fen() == fen
        True
        >>> Position.from_fen("6c4/3C7 r - - 5 9")
        Traceback (most recent call last):
            ...
        cotulenh_env.errors.PositionError: a board has 12 ranks, not 2, in FEN '6c4/3C7 r - - 5 9'
        """
        return cls._of(state_from_fen(fen, _checked_rules(rules)))

    @staticmethod
    def fen_status(fen: str, rules: RuleSet = RuleSet()) -> list[Problem]:  # noqa: B008
        """Everything wrong with the position of a FEN, without raising any of it.

        `from_fen` refuses a position if some problem is not playable. What can be played, but
        hardly any game comes to, it accepts; a loader may look at these and decide. Text that
        cannot be read is one problem.

        Args:
            fen: any text.
            rules: the rules to play by.

        Raises:
            RulesError: `rules` is no RuleSet.

        >>> from cotulenh_env.commander import Position, RuleSet
        >>> fen = "6c4/11/11/11/11/11/11/2C8/11/11/3N1IIII2/3C7 r - - 5 9"
        >>> for problem in Position.fen_status(fen, RuleSet(battle="full")):
        ...     problem.is_playable, str(problem)
        (False, 'N cannot stand at d2')
        (False, 'Red has 2 commanders')
        (True, 'Red has 4 I, more than 2 in the beginning')
        """
        return fen_status(fen, _checked_rules(rules))

    @classmethod
    def from_state(cls, state: bytes | npt.NDArray[np.uint8]) -> Position:
        """The position of a saved state, as `state` gives it.

        Args:
            state: bytes, or uint8 [state_size].

        Raises:
            StateError: it is no state that a game can be in.

        >>> from cotulenh_env.commander import Position
        >>> Position.from_state(Position().state) == Position()
        True
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

    # --- moves ----------------------------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """The actions that can be pushed, ascending; none in a finished game."""
        return list(self._legal_actions())

    def legal_moves(self) -> list[LegalMove]:
        """The legal actions with their words, in the order of `legal_actions`.

        >>> from cotulenh_env.commander import Position
        >>> for action, text in Position().legal_moves():
        ...     if text.startswith("T f4"):
        ...         text
        'T f4-f5 move'
        'T f4-f6 move'
        'T f4-g4 move'
        'T f4-f3 move'
        """
        record = self._record
        return [LegalMove(action, move_text(record, action)) for action in self._legal_actions()]

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

        >>> from cotulenh_env.commander import Position
        >>> position = Position()
        >>> position.move_text(position.parse_move("T f4-f6 move"))
        'T f4-f6 move'
        """
        for action in self._legal_actions():
            if move_text(self._record, action) == text:
                return action
        raise MoveTextError(f"{shown(text)} is no legal move in {self.fen()}")

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

        One call takes back one action; a turn may have had several.

        Returns:
            The action.

        Raises:
            IllegalActionError: no action has been pushed since the position was made or loaded.

        >>> from cotulenh_env.commander import Position
        >>> position = Position()
        >>> position.push(position.parse_move("T f4-f6 move"))
        >>> action = position.pop()
        >>> position == Position(), position.move_text(action)
        (True, 'T f4-f6 move')
        """
        if self._past is None:
            raise IllegalActionError(f"there is no action to take back in {self.fen()}")
        self._states, self._legal, action, self._past = self._past
        return action

    @property
    def actions_played(self) -> list[int]:
        """The actions that `pop` can take back, the first one first.

        >>> from cotulenh_env.commander import Position
        >>> position = Position()
        >>> position.push(position.legal_actions()[0])
        >>> position.actions_played == Position().legal_actions()[:1]
        True
        """
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
        first = self._past
        while first is not None and first.before is not None:
            first = first.before
        states = self._states if first is None else first.states
        return _replayed, (states.tobytes(), self.actions_played)

    # --- inside ---------------------------------------------------------------------------------

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


def _replayed(state: bytes, actions: list[int]) -> Position:
    """A position as it is pickled: its first state, and the actions since."""
    position = Position.from_state(state)
    for action in actions:
        position.push(action)
    return position


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
