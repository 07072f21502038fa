"""`Position`: the checked, readable view of one state of Chess with Different Armies.

>>> from cotulenh_env.cwda import Position, RuleSet
>>> position = Position(RuleSet(white_army="FF", black_army="CC"))
>>> position.push(position.parse_move("e2e4"))
>>> position.fen()
'dwfakfwd/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'
"""

from __future__ import annotations

import numpy as np

from cotulenh_env.cwda.board import NUM_SQUARES, parse_square
from cotulenh_env.cwda.fen import fen_of
from cotulenh_env.cwda.game import DifferentArmies
from cotulenh_env.cwda.notation import parse_move
from cotulenh_env.cwda.pieces import piece_letter
from cotulenh_env.cwda.rules import RuleSet
from cotulenh_env.errors import MoveTextError, PositionError, shown
from cotulenh_env.kernel_position import KernelPosition, LegalMove

__all__ = ["LegalMove", "Position"]


class Position(KernelPosition[RuleSet]):
    """One position of a game, with all that its rules need to know of what came before.

    It can be read, changed by `push` and `pop`, copied, saved and compared. Two positions are equal
    when board, clocks, history and armies are; what `pop` could take back does not count.

    Args:
        rules: the armies.
        rng: draws the armies that the rules leave to chance; without it they are FF.

    Raises:
        RulesError: `rules` is no RuleSet.
        CotulenhError: `rng` is no generator.

    >>> from cotulenh_env.cwda import Position, RuleSet
    >>> position = Position(RuleSet(white_army="CC", black_army="NN"))
    >>> position.turn, position.winner, len(position.legal_actions())
    (0, None, 28)
    """

    __slots__ = ()

    _game = DifferentArmies()

    def __init__(
        self,
        rules: RuleSet = RuleSet(),  # noqa: B008 - a frozen value
        rng: np.random.Generator | None = None,
    ) -> None:
        self._begin(rules, rng)

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
        return cls._from_text(fen, rules)

    def is_check(self) -> bool:
        """Whether the player to move is in check."""
        return bool(self._record["in_check"])

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

    # --- moves ----------------------------------------------------------------------------------

    def parse_move(self, text: str) -> int:
        """The legal action that `move_text` writes as `text`.

        Raises:
            MoveTextError: no legal action has that text.
        """
        action = parse_move(self._record, text)
        if action not in self._legal_actions():
            raise MoveTextError(f"{shown(text)} is no legal move in {self.fen()}")
        return action


def _square_index(square: object) -> int:
    if isinstance(square, str):
        return parse_square(square)
    if isinstance(square, (int, np.integer)) and 0 <= square < NUM_SQUARES:
        return int(square)
    raise PositionError(f"{shown(square)} is no square: squares are a1 to h8, or 0 to 63")
