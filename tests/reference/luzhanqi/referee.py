"""The referee mode, from two layouts on."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.reference.luzhanqi.graph import (
    BOMB,
    CAMPS,
    CHIEF,
    FLAG,
    HEADQUARTERS,
    MINE,
    fight,
    reachable,
)

Piece = tuple[int, int]
"""(player, kind)."""


@dataclass(frozen=True)
class RefereeOptions:
    hq_lock: str = "all"
    quiet_limit: int = 70
    reveal_flag: bool = True


@dataclass
class RefereeGame:
    board: dict[int, Piece]
    options: RefereeOptions = field(default_factory=RefereeOptions)
    player: int = 0
    quiet: int = 0
    winner: int | None = None
    reason: str = ""
    said: str = ""
    """Of the last move: who is left, and where a flag is shown."""

    def __post_init__(self) -> None:
        self.has_moved: set[int] = set()  # places of pieces that have moved

    def is_locked(self, place: int) -> bool:
        if place not in HEADQUARTERS:
            return False
        lock = self.options.hq_lock
        return lock == "all" or (lock == "entered" and place in self.has_moved)

    def moves_of(self, player: int) -> list[tuple[int, int]]:
        found = []
        for start, (owner, kind) in self.board.items():
            if owner != player or kind in (MINE, FLAG) or self.is_locked(start):
                continue
            for end in reachable(start, kind, lambda place: place not in self.board):
                is_enemy = end in self.board and self.board[end][0] != player
                if end not in self.board or (is_enemy and end not in CAMPS):
                    found.append((start, end))
        return sorted(found)

    def legal(self) -> list[tuple[int, int]]:
        return [] if self.winner is not None else self.moves_of(self.player)

    def play(self, start: int, end: int) -> None:
        piece = self.board.pop(start)
        self.has_moved.discard(start)
        other = self.board.get(end)
        self.quiet += 1
        words = []
        if other is None:
            self._put(end, piece)
        else:
            self.quiet = 0
            left = fight(piece[1], other[1])
            words.append(left)
            if left == "flag":
                self.winner, self.reason = self.player, "flag"
                left = "nobody" if piece[1] == BOMB else "attacker"
            if left != "defender":
                del self.board[end]
                self.has_moved.discard(end)
            if left == "attacker":
                self._put(end, piece)
            lost = {"attacker": [other], "defender": [piece], "nobody": [piece, other]}[left]
            if self.winner is None and self.options.reveal_flag:
                words += sorted(
                    f"flag of {owner} at {self._flag_of(owner)}"
                    for owner, kind in lost
                    if kind == CHIEF
                )
        self.said = ", ".join(words)
        self.player = 1 - self.player
        if self.winner is None:
            self._settle()

    def _put(self, place: int, piece: Piece) -> None:
        self.board[place] = piece
        self.has_moved.add(place)

    def _flag_of(self, player: int) -> int:
        return next(place for place, piece in self.board.items() if piece == (player, FLAG))

    def _settle(self) -> None:
        if not self.moves_of(self.player):
            if self.moves_of(1 - self.player):
                self.winner, self.reason = 1 - self.player, "no move"
            else:
                self.winner, self.reason = -1, "both immobile"
        elif self.quiet >= self.options.quiet_limit:
            self.winner, self.reason = -1, "quiet"
