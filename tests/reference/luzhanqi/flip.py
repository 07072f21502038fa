"""The flip mode."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.reference.luzhanqi.graph import (
    BOMB,
    CAMPS,
    COUNTS,
    DEALT,
    FLAG,
    HEADQUARTERS,
    MINE,
    fight,
    reachable,
)

Piece = tuple[int, int]
"""(colour, kind)."""
Action = tuple[str, int, int]
"""("f", place, place) or ("m", from, to), in the board's own places."""


@dataclass(frozen=True)
class FlipOptions:
    hq_lock: str = "all"
    quiet_limit: int = 70
    repetition: int = 0
    flip_resets: bool = False
    suicide: bool = False
    flag_mines: bool = True
    flag_all_flipped: bool = True
    flag_carriers: tuple[int, ...] | None = None
    bomb_flag: bool = True


@dataclass
class FlipGame:
    options: FlipOptions = field(default_factory=FlipOptions)
    board: dict[int, Piece | None] = field(default_factory=lambda: dict.fromkeys(DEALT))
    hidden: Counter[Piece] = field(
        default_factory=lambda: Counter({(c, k): n for c in (0, 1) for k, n in COUNTS.items()})
    )
    walked_in: set[int] = field(default_factory=set)
    colours: tuple[int, int] | None = None
    player: int = 0
    quiet: int = 0
    winner: int | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        self.seen = [self.snapshot()]

    def snapshot(self) -> object:
        return (
            tuple(sorted(self.board.items(), key=str)),
            tuple(sorted(self.hidden.items())),
            frozenset(self.walked_in),
            self.player,
        )

    def num_left(self, piece: Piece) -> int:
        return self.hidden[piece] + sum(other == piece for other in self.board.values())

    def may_attack(self, own: Piece, other: Piece) -> bool:
        if other[1] == FLAG:
            if self.options.flag_all_flipped and None in self.board.values():
                return False
            if self.options.flag_mines and self.num_left((other[0], MINE)):
                return False
            if own[1] == BOMB and not self.options.bomb_flag:
                return False
            carriers = self.options.flag_carriers
            return carriers is None or own[1] in carriers
        return self.options.suicide or fight(own[1], other[1]) != "defender"

    def is_locked(self, place: int) -> bool:
        if place not in HEADQUARTERS:
            return False
        return {"all": True, "entered": place in self.walked_in, "none": False}[
            self.options.hq_lock
        ]

    def actions_of(self, player: int) -> list[Action]:
        found: list[Action] = [
            ("f", place, place) for place, piece in self.board.items() if piece is None
        ]
        for start, piece in self.board.items():
            if self.colours is None or piece is None or piece[0] != self.colours[player]:
                continue
            if piece[1] in (MINE, FLAG) or self.is_locked(start):
                continue
            for end in reachable(start, piece[1], lambda place: place not in self.board):
                other = self.board.get(end, "empty")
                if other == "empty" or (
                    isinstance(other, tuple)
                    and other[0] != piece[0]
                    and end not in CAMPS
                    and self.may_attack(piece, other)
                ):
                    found.append(("m", start, end))
        return sorted(found)

    def legal(self) -> list[Action]:
        return [] if self.winner is not None else self.actions_of(self.player)

    def play(self, action: Action, turned_up: Piece | None = None) -> None:
        word, start, end = action
        self.quiet += 1
        changed = False
        if word == "f":
            assert turned_up is not None
            self.board[start] = turned_up
            self.hidden[turned_up] -= 1
            changed = True
            if self.colours is None:
                first = turned_up[0] if self.player == 0 else 1 - turned_up[0]
                self.colours = (first, 1 - first)
            if self.options.flip_resets:
                self.quiet = 0
        else:
            changed = self._move(start, end)
        self.player = 1 - self.player
        self.hidden = Counter({piece: n for piece, n in self.hidden.items() if n})
        if self.winner is None:
            self._settle(changed)

    def _move(self, start: int, end: int) -> bool:
        piece = self.board.pop(start)
        other = self.board.get(end)
        self.walked_in.discard(start)
        if other is None:
            self.board[end] = piece
            self._note_walk(end)
            return False
        assert piece is not None
        self.quiet = 0
        left = fight(piece[1], other[1])
        if left == "flag":
            self.winner, self.reason = self.player, "flag"
            left = "nobody" if piece[1] == BOMB else "attacker"
        if left != "defender":
            del self.board[end]
            self.walked_in.discard(end)
        if left == "attacker":
            self.board[end] = piece
            self._note_walk(end)
        return True

    def _note_walk(self, place: int) -> None:
        if self.options.hq_lock == "entered" and place in HEADQUARTERS:
            self.walked_in.add(place)

    def _settle(self, changed: bool) -> None:
        if not self.actions_of(self.player):
            if self.actions_of(1 - self.player):
                self.winner, self.reason = 1 - self.player, "no move"
            else:
                self.winner, self.reason = -1, "both immobile"
            return
        now = self.snapshot()
        self.seen = [now] if changed else [*self.seen, now]
        if self.options.repetition and self.seen.count(now) >= self.options.repetition:
            self.winner, self.reason = -1, "repetition"
        elif self.quiet >= self.options.quiet_limit:
            self.winner, self.reason = -1, "quiet"
