"""`View`: what can be read from a state of Commander Chess besides what every game has."""

from __future__ import annotations

from cotulenh_env.commander.game import CommanderChess
from cotulenh_env.commander.problems import Problem
from cotulenh_env.commander.queries import (
    Deployment,
    Material,
    Piece,
    attackers_of,
    checked_side,
    checkers_of,
    deployment_of,
    material_of,
    pieces_of,
    point_index,
    stack_at,
    zones_of,
)
from cotulenh_env.commander.rules import RuleSet
from cotulenh_env.commander.status import state_status
from cotulenh_env.kernel_position import KernelPosition


class View(KernelPosition[RuleSet]):
    """The readable side of a `Position`.

    Points are given as `"f4"`, in the official way `"3,5"` (vertical, horizontal; R1.1), or as
    index 0–131, and come back as `"f4"`. Sides are 0 Red and 1 Blue.
    """

    __slots__ = ()

    _game = CommanderChess()

    # --- the game -------------------------------------------------------------------------------

    @property
    def points(self) -> tuple[int, int]:
        """Official points of Red and Blue (R10.6)."""
        red, blue = self._record["points"]
        return int(red), int(blue)

    @property
    def deployment(self) -> Deployment | None:
        """The turn under way, once a group has been selected or has acted; else None.

        >>> from cotulenh_env.commander import Position
        >>> fen = "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/3C7 r - - 5 9"
        >>> position = Position.from_fen(fen)
        >>> position.push(position.parse_move("SELECT c5 T"))
        >>> position.deployment
        Deployment(point='c5', unacted='NFT', selected='T')
        >>> position.push(position.parse_move("T c5-e5 move"))
        >>> position.deployment
        Deployment(point='c5', unacted='NF', selected='')
        """
        return deployment_of(self._record)

    # --- saving ---------------------------------------------------------------------------------

    @property
    def key(self) -> int:
        """A 64-bit hash of board, heroic marks, side to move and unfinished deployment.

        Clocks, points and rules do not count: the key is the same whenever the same position
        stands on the board, also in other games and on other machines.

        >>> from cotulenh_env.commander import Position, RuleSet
        >>> Position().key == Position(RuleSet(battle="sea")).key
        True
        """
        return super().key

    # --- the board ------------------------------------------------------------------------------

    def stack_at(self, point: str | int) -> tuple[Piece, ...]:
        """The pieces on a point in canonical order (R7.5), the carrier first; empty if none.

        Args:
            point: `"f4"`, `"3,5"` (vertical, horizontal) or its index, 0–131.

        Raises:
            PositionError: there is no such point.

        >>> from cotulenh_env.commander import Position
        >>> Position().stack_at("f4")
        (Piece(point='f4', text='T', side=0),)
        >>> Position().stack_at("3,5") == Position().stack_at(38) == Position().stack_at("f4")
        True
        >>> Position().stack_at("f6")
        ()
        """
        return stack_at(self._record, point_index(point))

    def pieces(self, side: int) -> tuple[Piece, ...]:
        """A side's pieces, passengers included, from a1 to k12.

        Args:
            side: 0 Red, 1 Blue.

        Raises:
            PositionError: there is no such side.

        >>> from cotulenh_env.commander import Position
        >>> [piece.point for piece in Position().pieces(0) if piece.text == "N"]
        ['b2', 'c4']
        """
        return pieces_of(self._record, checked_side(side))

    def material(self, side: int) -> Material:
        """How many pieces of each kind a side has on the board, and their official points.

        Args:
            side: 0 Red, 1 Blue.

        Raises:
            PositionError: there is no such side.

        >>> from cotulenh_env.commander import Position
        >>> material = Position().material(0)
        >>> material.counts["T"], material.points
        (2, 550)
        """
        return material_of(self._record, checked_side(side))

    # --- attack and defence -----------------------------------------------------------------------

    def attackers(self, point: str | int) -> tuple[Piece, ...]:
        """The enemy pieces that could capture the stack on a point, from a1 to k12.

        Each piece is taken on its own, carrier or passenger, as if its side were to begin a turn
        with it on the board as it is: by a move, strike or kamikaze (R9.1); a commander also face
        to face (R6.4). Whether that turn could be completed (R7.10) and whether it would leave the
        attacker's own commander open (R10.8) is not looked at; nor does it count to strike a
        headquarters alone and leave its commander (R12.2). Nothing attacks an empty point: what
        could be captured there depends on what would stand there.

        Args:
            point: `"f4"`, `"3,5"` (vertical, horizontal) or its index, 0–131.

        Raises:
            PositionError: there is no such point.

        >>> from cotulenh_env.commander import Position
        >>> position = Position.from_fen("6c4/11/11/11/5a5/4t6/5T5/11/11/11/11/3C7 r - - 5 9")
        >>> position.attackers("f6")
        (Piece(point='f8', text='A', side=1),)
        """
        return attackers_of(self._records, point_index(point))

    def checkers(self, side: int | None = None) -> tuple[Piece, ...]:
        """The enemy pieces that could capture a side's commander, as `attackers` says.

        Args:
            side: whose commander, 0 Red or 1 Blue; by default that of the side to move.

        Raises:
            PositionError: there is no such side.

        >>> from cotulenh_env.commander import Position
        >>> position = Position.from_fen("3c7/11/11/3t7/11/11/11/11/11/11/11/3C7 b - - 5 9")
        >>> position.checkers(), position.checkers(0)
        ((), ())
        >>> position.push(position.parse_move("T d9-e9 move"))
        >>> position.checkers()
        (Piece(point='d12', text='C', side=1),)
        """
        return checkers_of(self._records, self.turn if side is None else checked_side(side))

    def is_check(self, side: int | None = None) -> bool:
        """Whether a side's commander is open to capture (R10.8), in whatever battle.

        Args:
            side: whose commander, 0 Red or 1 Blue; by default that of the side to move.

        Raises:
            PositionError: there is no such side.

        >>> from cotulenh_env.commander import Position
        >>> position = Position.from_fen("3c7/11/11/11/11/11/11/11/11/3t7/11/3C7 r - - 5 9")
        >>> position.is_check(), position.is_check(1)
        (True, False)
        """
        return bool(self.checkers(side))

    def zones(self, side: int) -> dict[str, tuple[Piece, ...]]:
        """The points that a side's air defence covers, from a1 to k12, each with who covers it.

        Args:
            side: 0 Red, 1 Blue.

        Raises:
            PositionError: there is no such side.

        >>> from cotulenh_env.commander import Position
        >>> zones = Position.from_fen("6c4/11/11/11/11/11/11/11/5G5/6+G4/11/3C7 r - - 0 9").zones(0)
        >>> "f4" in zones, "d4" in zones
        (True, False)
        >>> [piece.text for piece in zones["f4"]]
        ['+G', 'G']
        """
        return zones_of(self._record, checked_side(side))

    # --- soundness --------------------------------------------------------------------------------

    def status(self) -> list[Problem]:
        """What no game is likely to come to, though it can be played; empty if all is well.

        What cannot be played never becomes a position: `Position.fen_status` names it.

        >>> from cotulenh_env.commander import Position
        >>> Position().status()
        []
        >>> position = Position.from_fen("3c7/11/11/11/11/11/5TTT3/11/11/11/11/3C7 r - - 0 9")
        >>> for problem in position.status():
        ...     problem.kind.name
        'TOO_MANY_OF_A_KIND'
        'LOST_BATTLE'
        'LOST_BATTLE'
        'LOST_BATTLE'
        'LOST_BATTLE'
        'LOST_BATTLE'
        'FACE_TO_FACE'
        """
        return state_status(self._records)
