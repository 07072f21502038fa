"""What can be wrong with a position: names for it, and how grave it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ProblemKind(StrEnum):
    """What is wrong.

    With the first eleven, MALFORMED to STUCK_DEPLOYMENT, a position is unplayable: no loader
    accepts it. With the others it can be played, but hardly any game comes to it.

    Attributes:
        MALFORMED: the text is no FEN.
        IMPOSSIBLE_HERO: a commander or headquarters has a heroic mark, which they never get (R9.1).
        ILLEGAL_STACK: the pieces on a point may not stand together (R7.1).
        NAVY_ON_LAND: a navy, alone or as carrier, stands on a land point (R1.2).
        AT_SEA: a land piece or an aircraft stands on the sea, carried by no navy (R1.2).
        TOO_MANY_PIECES: a side has more than 19 pieces.
        TWO_COMMANDERS: a side has more than one commander.
        CLOCKS: quiet turns or move number are outside of what is counted.
        PLACEMENT: `place` does not fit the rules, the clocks, or the pieces on the board (R10.7).
        DEPLOYMENT: the unfinished deployment does not fit the pieces on its point (R7.7).
        STUCK_DEPLOYMENT: the unfinished deployment cannot be brought to an end (R7.10).
        TOO_MANY_OF_A_KIND: a side has more of a kind than in the beginning.
        LOST_BATTLE: a side lacks a division that its battle is about; the division does not count,
            and the game goes on (R10.2).
        UNTENABLE_CLOCKS: more turns were quiet than were played, or than a game may have (R10.5).
        ENGINEER_OFF_BANK: an engineer carries a piece away from the bank (R7.6).
        HEADQUARTERS_MOVED: headquarters stand where none can have begun the game.
        UNMARKED_HERO: a piece that attacks the commander, or a last defender, is not heroic (R9).
        FACE_TO_FACE: the commanders stand face to face (R6.4).
        OPEN_COMMANDER: the last turn left its own commander open, with `enforce_check` (R10.8).
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
    LOST_BATTLE = "division missing from the start"
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
