"""The graph of `tests/cases/luzhanqi_board.json`, and how far pieces get on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

_FILE = Path(__file__).parents[2] / "cases" / "luzhanqi_board.json"
BOARD = json.loads(_FILE.read_text(encoding="utf-8"))

CAMPS = set(BOARD["camps"])
HEADQUARTERS = set(BOARD["hq"])
DEALT = list(BOARD["deal_nodes"])


def _both_ways(edges: list[list[int]]) -> set[tuple[int, int]]:
    return {(a, b) for a, b in edges} | {(b, a) for a, b in edges}


RAIL = _both_ways(BOARD["rail_edges"])
ROAD = _both_ways(BOARD["road_edges"])

ENGINEER, CHIEF, BOMB, MINE, FLAG = 1, 9, 10, 11, 12
COUNTS = {9: 1, 8: 1, 7: 2, 6: 2, 5: 2, 4: 2, 3: 3, 2: 3, 1: 3, 10: 2, 11: 3, 12: 1}


def reachable(start: int, kind: int, is_empty: Callable[[int], bool]) -> set[int]:
    """Places that a piece may end its move on, as far as others stand in its way."""
    found = {b for a, b in ROAD if a == start}
    if kind == ENGINEER:
        seen, border = {start}, {start}
        while border:
            reached = {b for a, b in RAIL if a in border} - seen
            seen |= reached
            border = {place for place in reached if is_empty(place)}
        return found | (seen - {start})
    for step in (1, -1, 5, -5):
        here = start
        while (here, here + step) in RAIL:
            here += step
            found.add(here)
            if not is_empty(here):
                break
    return found


def fight(attacker: int, defender: int) -> str:
    """Who is left: `attacker`, `defender`, `nobody`, or that the `flag` is captured."""
    if defender == FLAG:
        return "flag"
    if attacker == BOMB or defender == BOMB:
        return "nobody"
    if defender == MINE:
        return "attacker" if attacker == ENGINEER else "defender"
    if attacker == defender:
        return "nobody"
    return "attacker" if attacker > defender else "defender"
