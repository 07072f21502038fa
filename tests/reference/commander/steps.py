"""One sub-move of a group and what it does to the board (R4.1, R4.2, R8.4, R8.5)."""

from dataclasses import dataclass

from .board import Point, name_of
from .pieces import Board, Stack, letters, place, without

# The attacker stays where it is.
STRIKES = frozenset(("strike", "hqonly"))
# The target stack is captured whole. (A headquarters struck alone is another matter.)
CAPTURES = frozenset(("capture", "strike", "kamikaze"))


@dataclass(frozen=True, slots=True)
class Step:
    """A move or strike: move, join, capture, shot, kamikaze; strike, hqonly."""

    origin: Point
    target: Point
    word: str

    @property
    def is_strike(self) -> bool:
        return self.word in STRIKES

    def text(self, group: Stack) -> str:
        sign = "*" if self.is_strike else "-"
        return f"{letters(group)} {name_of(self.origin)}{sign}{name_of(self.target)} {self.word}"


def apply_step(board: Board, group: Stack, step: Step) -> tuple[Board, Stack]:
    """The board after a sub-move, and the pieces lost by it, of both sides."""
    after = dict(board)
    target = board.get(step.target, ())
    if step.word == "strike":
        place(after, step.target, ())
        return after, target
    if step.word == "hqonly":  # R12.2: the commander stays where its headquarters stood
        place(after, step.target, target[1:])
        return after, target[:1]
    place(after, step.origin, without(board[step.origin], group))
    if step.word in ("move", "join"):
        place(after, step.target, target + group)
        return after, ()
    if step.word == "capture":
        place(after, step.target, group)
        return after, target
    if step.word == "kamikaze":  # R8.4
        place(after, step.target, ())
        return after, target + group
    if step.word == "shot":  # R8.5
        return after, group
    raise ValueError(f"unknown word {step.word!r}")
