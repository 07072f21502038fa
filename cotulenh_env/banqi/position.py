"""`Position`: the checked, readable view of one state of Banqi.

>>> from cotulenh_env.banqi import Position
>>> position = Position()
>>> position.push(position.parse_move("flip c3"), "H")
>>> position.fen()
'????????/??H?????/????????/???????? b r GAAEERRHCCSSSSSgaaeerrhhccsssss 0'
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cotulenh_env.banqi.actions import FIRST_STEP, MAX_LEGAL_ACTIONS, NUM_ACTIONS
from cotulenh_env.banqi.board import parse_cell
from cotulenh_env.banqi.drawing import draw_text, marks_of
from cotulenh_env.banqi.fen import fen_of, state_from_fen
from cotulenh_env.banqi.kernels.step import apply_actions, fill_legal_actions
from cotulenh_env.banqi.loading import new_state, rules_of
from cotulenh_env.banqi.notation import move_text, parse_move, parse_piece
from cotulenh_env.banqi.outcomes import draw_of, outcomes_of
from cotulenh_env.banqi.pieces import CODE_LETTERS, NUM_PIECES
from cotulenh_env.banqi.rules import RuleSet
from cotulenh_env.banqi.state import (
    NO_COLOUR,
    REASONS,
    STATE_DTYPE,
    UNFINISHED,
    Record,
    Records,
    colour_of,
    keys_of,
)
from cotulenh_env.banqi.state_checks import checked_state
from cotulenh_env.errors import IllegalActionError, PositionError, RulesError, shown


class LegalMove(NamedTuple):
    """A legal action with its words."""

    action: int
    text: str


class Outcome(NamedTuple):
    """What a flip may turn up: the piece's letter, and how likely it is."""

    piece: str
    probability: float


class Position:
    """One position of a game, with all that its rules need to know of what came before.

    Two positions are equal when board, clocks, history and rules are; what `pop` could take back
    does not count. Cells are given as `"c3"`, players are 0 and 1, colours 0 red and 1 black.

    Args:
        rules: the rules to play by.

    Raises:
        RulesError: `rules` is no RuleSet.

    >>> from cotulenh_env.banqi import Position, RuleSet
    >>> position = Position.from_fen("4g3/8/2S5/8 r b - 17", RuleSet(preset="taiwanese"))
    >>> position.turn, position.winner, [text for _, text in position.legal_moves()]
    (1, None, ['c2-c3', 'c2-c1', 'c2-b2', 'c2-d2'])
    """

    __slots__ = ("_legal", "_past", "_states")

    _states: npt.NDArray[np.uint8]  # [1, state_size]: copied faster than a record

    def __init__(self, rules: RuleSet = RuleSet()) -> None:  # noqa: B008 - a frozen value
        self._take(new_state(_checked_rules(rules)))

    @classmethod
    def from_fen(cls, fen: str, rules: RuleSet = RuleSet()) -> Position:  # noqa: B008
        """The position of a FEN (fen.py). Turns and earlier positions are counted from here.

        Args:
            fen: board, colour to move, colour of player 0, pieces face down, quiet turns.
            rules: the rules to play by.

        Raises:
            PositionError: the text is malformed, or no game can have come to the position.
            RulesError: `rules` is no RuleSet.

        >>> from cotulenh_env.banqi import Position
        >>> Position.from_fen("8/8/2S5/8 r b GG 0")
        Traceback (most recent call last):
            ...
        cotulenh_env.errors.PositionError: 2 G face up and face down, there are 1, \
in FEN '8/8/2S5/8 r b GG 0'
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
        self._past: tuple[Position, int] | None = None

    # --- the game -------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """Who is to move: player 0 or 1; in a finished game who would be."""
        return int(self._record["player"])

    @property
    def winner(self) -> int | None:
        """0 or 1, -1 for a draw, None while the game goes on."""
        winner = int(self._record["winner"])
        return None if winner == UNFINISHED else winner

    @property
    def reason(self) -> str:
        """Why the game ended, such as `all captured` (rule 5); empty while it goes on."""
        return REASONS[self._record["reason"]]

    def is_game_over(self) -> bool:
        """Whether the game is won or drawn; then no action is legal."""
        return self.winner is not None

    @property
    def colours(self) -> tuple[int, int] | None:
        """The colours of players 0 and 1, 0 red and 1 black; None before the first flip."""
        colour = colour_of(self._record, 0)
        return None if colour == NO_COLOUR else (colour, 1 - colour)

    @property
    def quiet_turns(self) -> int:
        """Turns since the last flip or capture."""
        return int(self._record["quiet"])

    @property
    def turns(self) -> int:
        """Turns completed by both players together since the start or the loaded position."""
        return int(self._record["turns"])

    @property
    def rules(self) -> RuleSet:
        """The rules of this game."""
        return rules_of(self._record)

    def piece_at(self, cell: str) -> str:
        """What stands on a cell: a letter as in a FEN, `?` face down, or empty.

        Raises:
            PositionError: there is no such cell.

        >>> from cotulenh_env.banqi import Position
        >>> position = Position.from_fen("4g3/8/2S5/8 r b - 17")
        >>> position.piece_at("c2"), position.piece_at("c3")
        ('S', '')
        """
        if not isinstance(cell, str):
            raise PositionError(f"{shown(cell)} is no cell: cells are a1 to h4")
        letter = CODE_LETTERS[self._record["board"][parse_cell(cell)]]
        return "" if letter == "." else letter

    @property
    def hidden(self) -> dict[str, int]:
        """The pieces still face down, by letter: how many."""
        hidden = self._record["hidden"].tolist()
        return {CODE_LETTERS[piece]: hidden[piece] for piece in range(NUM_PIECES) if hidden[piece]}

    # --- moves ----------------------------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """The actions that can be pushed, ascending; none in a finished game."""
        return list(self._legal_actions())

    def legal_moves(self) -> list[LegalMove]:
        """The legal actions with their words, in the order of `legal_actions`."""
        record = self._record
        return [LegalMove(action, move_text(record, action)) for action in self._legal_actions()]

    def move_text(self, action: int) -> str:
        """A legal action in words, for example `c3xc4`.

        Raises:
            IllegalActionError: the action is not legal here.
        """
        return move_text(self._record, self._checked_action(action))

    def parse_move(self, text: str) -> int:
        """The legal action that `move_text` writes as `text`.

        Raises:
            MoveTextError: no legal action has that text.
        """
        return parse_move(self._record, self._legal_actions(), text)

    def outcomes(self, action: int) -> list[Outcome]:
        """What a flip may turn up; empty for an action that leaves nothing to chance.

        Raises:
            IllegalActionError: the action is not legal here.

        >>> from cotulenh_env.banqi import Position
        >>> position = Position.from_fen("4g3/8/2S5/7? r b S 17")
        >>> position.outcomes(position.parse_move("flip h1"))
        [Outcome(piece='S', probability=1.0)]
        """
        checked = self._checked_action(action)
        if checked >= FIRST_STEP:
            return []
        pieces, probabilities = outcomes_of(self._record, checked)
        return [
            Outcome(CODE_LETTERS[piece], probability)
            for piece, probability in zip(pieces.tolist(), probabilities.tolist(), strict=True)
        ]

    # --- changing -------------------------------------------------------------------------------

    def push(
        self, action: int, piece: str | None = None, *, rng: np.random.Generator | None = None
    ) -> None:
        """Plays one legal action; `pop` takes it back.

        Args:
            action: an int or NumPy integer from `legal_actions()`.
            piece: the letter of what a flip turns up, one of `outcomes`; only for flips.
            rng: draws it instead.

        Raises:
            IllegalActionError: the action is not legal, or `piece` and `rng` do not say what it
                turns up; the position stays as it is.
            MoveTextError: `piece` is no piece.
        """
        checked = self._checked_action(action)
        draw = self._draw(checked, piece, rng)
        before = self.copy()
        events = np.empty(1, np.int32)
        apply_actions(self._records, np.array([checked], np.int32), np.array([draw]), events)
        self._legal, self._past = None, (before, checked)

    def pop(self) -> int:
        """Takes the last action back: everything is as it was before, clocks and history included.

        Returns:
            The action.

        Raises:
            IllegalActionError: no action has been pushed since the position was made or loaded.
        """
        if self._past is None:
            raise IllegalActionError(f"there is no action to take back in {self.fen()}")
        before, action = self._past
        self._states, self._legal, self._past = before._states, before._legal, before._past
        return action

    def copy(self) -> Position:
        """An independent position, equal to this one; `pop` takes back in it what it can here."""
        twin = Position.__new__(Position)
        twin._states = self._states.copy()
        twin._legal, twin._past = self._legal, self._past
        return twin

    # --- saving ---------------------------------------------------------------------------------

    def fen(self) -> str:
        """The position as text."""
        return fen_of(self._record)

    @property
    def state(self) -> npt.NDArray[np.uint8]:
        """uint8 [state_size]: a copy of the state, complete with clocks, history and rules."""
        state: npt.NDArray[np.uint8] = self._states[0].copy()
        return state

    @property
    def key(self) -> int:
        """A 64-bit hash of board, pieces face down, colours and side to move, without clocks."""
        return int(keys_of(self._records)[0])

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
        return Position.from_state, (self._states.tobytes(),)  # without what `pop` takes back

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

    def _draw(self, action: int, piece: str | None, rng: np.random.Generator | None) -> float:
        """The draw that turns up what the caller wants."""
        if action >= FIRST_STEP:
            if piece is not None:
                raise IllegalActionError(f"{self.move_text(action)} turns nothing up")
            return 0.0
        if (piece is None) == (rng is None):
            raise IllegalActionError(
                f"{self.move_text(action)} needs the piece that it turns up, or else a generator"
            )
        if rng is not None:
            return float(rng.random())
        number = parse_piece(piece)
        if not self._record["hidden"][number]:
            raise IllegalActionError(f"no {piece} is face down in {self.fen()}")
        return draw_of(self._record, number)


def _checked_rules(rules: object) -> RuleSet:
    if not isinstance(rules, RuleSet):
        raise RulesError(f"rules are a RuleSet, got {shown(rules)}")
    return rules
