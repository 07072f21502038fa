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

from cotulenh_env.banqi.actions import FIRST_STEP
from cotulenh_env.banqi.board import parse_cell
from cotulenh_env.banqi.game import Banqi
from cotulenh_env.banqi.notation import parse_move, parse_piece
from cotulenh_env.banqi.outcomes import draw_of, outcomes_of
from cotulenh_env.banqi.pieces import CODE_LETTERS, NUM_PIECES
from cotulenh_env.banqi.rules import RuleSet
from cotulenh_env.banqi.state import NO_COLOUR, colour_of
from cotulenh_env.errors import IllegalActionError, PositionError, shown
from cotulenh_env.kernel_game import check_generator
from cotulenh_env.kernel_position import KernelPosition, LegalMove

__all__ = ["LegalMove", "Outcome", "Position"]


class Outcome(NamedTuple):
    """What a flip may turn up: the piece's letter, and how likely it is."""

    piece: str
    probability: float


class Position(KernelPosition[RuleSet]):
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

    __slots__ = ()

    _game = Banqi()

    def __init__(self, rules: RuleSet = RuleSet()) -> None:  # noqa: B008 - a frozen value
        self._begin(rules)

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
        return cls._from_text(fen, rules)

    @property
    def colours(self) -> tuple[int, int] | None:
        """The colours of players 0 and 1, 0 red and 1 black; None before the first flip."""
        colour = colour_of(self._record, 0)
        return None if colour == NO_COLOUR else (colour, 1 - colour)

    @property
    def quiet_turns(self) -> int:
        """Turns since the last flip or capture."""
        return int(self._record["quiet"])

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
            CotulenhError: `rng` is no generator.
        """
        checked = self._checked_action(action)
        self._play(checked, self._draw(checked, piece, rng))

    def _draw(self, action: int, piece: str | None, rng: np.random.Generator | None) -> float:
        """The draw that turns up what the caller wants."""
        if rng is not None:
            check_generator(rng)
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
