"""`Position`: the checked, readable view of one state of Commander Chess.

>>> from cotulenh_env.commander import Position, RuleSet
>>> position = Position(RuleSet(battle="full"))
>>> position.push(position.parse_move("T f4-f6 move"))
>>> position.fen()
'6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/5T5/2IE2M2EI/2N1G2TG2/3A2S2A1/1N2FH1HF2/6C4 b - - 1 1'
"""

from __future__ import annotations

from cotulenh_env.commander.problems import Problem
from cotulenh_env.commander.rules import RuleSet
from cotulenh_env.commander.status import fen_status
from cotulenh_env.commander.view import View
from cotulenh_env.kernel_position import LegalMove

__all__ = ["LegalMove", "Position"]


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
    >>> for action, text in position.legal_moves():
    ...     if text.startswith("T f4"):
    ...         text
    'T f4-f5 move'
    'T f4-f6 move'
    'T f4-g4 move'
    'T f4-f3 move'
    >>> position.push(position.parse_move("T f4-f6 move"))
    >>> Position.from_state(position.state) == position
    True
    >>> action = position.pop()
    >>> position.move_text(action)
    'T f4-f6 move'

    One call of `pop` takes back one action; a turn may have had several.
    """

    __slots__ = ()

    def __init__(self, rules: RuleSet = RuleSet()) -> None:  # noqa: B008 - a frozen value
        self._begin(rules)

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
        return cls._from_text(fen, rules)

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
        return fen_status(fen, Position._checked_rules(rules))
