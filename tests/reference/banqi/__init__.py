"""Banqi read slowly from its rules (docs/banqi.md): dictionaries, letters and pairs of numbers.

A cell is (row, column) from the upper left. A piece is a letter of `GAERHCS`, upper case for red,
lower case for black; `?` lies face down; what is not in the dictionary is empty. An action is a
pair of cells: (cell, cell) flips.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

START = Counter("GAAEERRHHCCSSSSSgaaeerrhhccsssss")

STANDARD = {
    "G": "GAERHC", "A": "AERHCS", "E": "ERHCS", "R": "RHCS", "H": "CS", "C": "GAERCS", "S": "G",
}  # fmt: skip
TAIWANESE = {**STANDARD, "H": "HCS", "C": "GAERHCS", "S": "GS"}

Cell = tuple[int, int]
Action = tuple[Cell, Cell]


@dataclass(frozen=True)
class Rules:
    """Who captures whom, and what ends a game; `repetition` 0 is never."""

    captures: dict[str, str] = field(default_factory=lambda: STANDARD)
    quiet_limit: int = 50
    repetition: int = 3
    elimination: bool = True
    adjudicate: bool = False


class Reference:
    """One game, from the start or from a position that is not over."""

    def __init__(
        self,
        rules: Rules,
        board: dict[Cell, str] | None = None,
        hidden: str = "",
        red_player: int | None = None,
        player: int = 0,
    ) -> None:
        cells = [(row, column) for row in range(4) for column in range(8)]
        self.rules = rules
        self.board = dict.fromkeys(cells, "?") if board is None else board
        self.hidden = Counter(START) if board is None else Counter(hidden)
        self.red_player = red_player
        self.player = player
        self.quiet = 0
        self.seen = [self._position()]
        self.result: tuple[int, str] | None = None

    def _position(self) -> tuple[frozenset[tuple[Cell, str]], int]:
        return frozenset(self.board.items()), self.player

    def _is_own(self, piece: str) -> bool:
        if piece == "?" or self.red_player is None:
            return False
        return piece.isupper() == (self.player == self.red_player)

    def _is_victim(self, piece: str, other: str) -> bool:
        is_enemy = other != "?" and piece.isupper() != other.isupper()
        return is_enemy and other.upper() in self.rules.captures[piece.upper()]

    def legal(self) -> set[Action]:
        """All legal actions."""
        return set() if self.result else self._possible()

    def _possible(self) -> set[Action]:
        found = {(cell, cell) for cell, piece in self.board.items() if piece == "?"}
        for cell, piece in self.board.items():
            if not self._is_own(piece):
                continue
            for way in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                line = [(cell[0] + n * way[0], cell[1] + n * way[1]) for n in range(1, 8)]
                line = [(row, column) for row, column in line if row in range(4)]
                line = [(row, column) for row, column in line if column in range(8)]
                if not line:
                    continue
                other = self.board.get(line[0])
                may_step = other is None or (piece.upper() != "C" and self._is_victim(piece, other))
                if may_step:
                    found.add((cell, line[0]))
                standing = [there for there in line if there in self.board]
                has_screen = piece.upper() == "C" and len(standing) >= 2
                if has_screen and self._is_victim(piece, self.board[standing[1]]):
                    found.add((cell, standing[1]))
        return found

    def play(self, action: Action, turned_up: str = "") -> None:
        """Plays a legal action; a flip says what it turns up."""
        start, target = action
        changes = True
        if start == target:
            self.board[start] = turned_up
            self.hidden -= Counter(turned_up)
            if self.red_player is None:
                self.red_player = 0 if turned_up.isupper() else 1
        else:
            changes = target in self.board
            self.board[target] = self.board.pop(start)
        self.player = 1 - self.player
        self.quiet = 0 if changes else self.quiet + 1
        self.seen = [*([] if changes else self.seen), self._position()]
        self.result = self._result()

    def _result(self) -> tuple[int, str] | None:
        left = [*self.board.values(), *self.hidden.elements()]
        for player in range(2):
            has_red = player == self.red_player
            mine = [p for p in left if p != "?" and p.isupper() == has_red]
            if self.rules.elimination and not mine:
                return 1 - player, "all captured"
        if not self._possible():
            return 1 - self.player, "no move"
        pairs = [(one, other) for one in left for other in left if "?" not in (one, other)]
        is_dead = "?" not in left and not any(self._is_victim(*pair) for pair in pairs)
        if self.rules.adjudicate and is_dead:
            return -1, "dead material"
        if self.rules.repetition and self.seen.count(self.seen[-1]) >= self.rules.repetition:
            return -1, "repetition"
        return (-1, "quiet") if self.quiet >= self.rules.quiet_limit else None
