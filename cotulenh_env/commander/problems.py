"""What can be wrong with a position: names for it, and how grave it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ProblemKind(StrEnum):
    """What is wrong.

    The first eleven make a position unplayable: no loader accepts it. With the others it can be
    played, but hardly any game comes to it.
    """

    MALFORMED = "malformed text"
    IMPOSSIBLE_HERO = "heroic commander or headquarters"
    ILLEGAL_STACK = "illegal stack"
    NAVY_ON_LAND = "navy on land"
    AT_SEA = "land piece or aircraft at sea"
    TOO_MANY_PIECES = "too many pieces"
    TWO_COMMANDERS = "two commanders"
    CLOCKS = "clocks out of range"
    PLACEMENT = "impossible placement"
    DEPLOYMENT = "impossible deployment"
    STUCK_DEPLOYMENT = "deployment that cannot be completed"

    TOO_MANY_OF_A_KIND = "too many of a kind"
    LOST_BATTLE = "battle already lost"
    UNTENABLE_CLOCKS = "clocks that contradict each other"
    ENGINEER_OFF_BANK = "engineer carrying off the bank"
    HEADQUARTERS_MOVED = "headquarters moved"
    UNMARKED_HERO = "unmarked hero"
    FACE_TO_FACE = "commanders face to face"
    OPEN_COMMANDER = "commander left open"


_PLAYABLE = frozenset(
    {
        ProblemKind.TOO_MANY_OF_A_KIND,
        ProblemKind.LOST_BATTLE,
        ProblemKind.UNTENABLE_CLOCKS,
        ProblemKind.ENGINEER_OFF_BANK,
        ProblemKind.HEADQUARTERS_MOVED,
        ProblemKind.UNMARKED_HERO,
        ProblemKind.FACE_TO_FACE,
        ProblemKind.OPEN_COMMANDER,
    }
)


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a position.

    Attributes:
        kind: what.
        text: the whole in words, with the piece, the value and the place.
        point: where, such as `"f4"`; None when it has no place.
        side: whose piece, 0 Red or 1 Blue; None when it is nobody's.
    """

    kind: ProblemKind
    text: str
    point: str | None = None
    side: int | None = None

    @property
    def is_playable(self) -> bool:
        """Whether the position can be played all the same."""
        return self.kind in _PLAYABLE

    def __str__(self) -> str:
        return self.text
