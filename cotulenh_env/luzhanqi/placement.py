"""Where the pieces stand in the beginning of a referee game, and dealing them by chance.

    row of the own half          what may stand there, camps aside
    6   front row                anything but flag, mine and bomb
    3 – 5                        anything but flag and mine
    1 – 2  back rows             anything but the flag, which stands in a headquarters

7.096e17 layouts a side: 2 × C(9,3) × C(16,2) × 19! / (2!^4 3!^3).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.luzhanqi.board import DEAL_PLACES, HEADQUARTERS, NUM_COLUMNS
from cotulenh_env.luzhanqi.pieces import (
    BOMB,
    CHIEF,
    COUNT,
    ENGINEER,
    FLAG,
    MINE,
    NUM_PIECES,
)

_FRONT_ROW = 5
_LAST_BACK_ROW = 1

Layouts = npt.NDArray[np.int8]
"""int8 [n, 25]: the kind of each token, which stands on DEAL_PLACES[token] of the own half."""

PLACEMENT_ORDER = np.repeat(
    np.array([FLAG, MINE, BOMB, *range(CHIEF, ENGINEER - 1, -1)], np.int8),
    COUNT[[FLAG, MINE, BOMB, *range(CHIEF, ENGINEER - 1, -1)]],
)
"""int8 [25]: the kinds in the order in which players place them; no placement leads into a trap."""

TOKEN_OF_PLACE = np.full(NUM_PIECES + 5, -1, np.int8)
"""int8 [30]: the token that begins at a place of the own half, -1 at camps."""
TOKEN_OF_PLACE[DEAL_PLACES[:NUM_PIECES]] = np.arange(NUM_PIECES)


def _start_kinds(place: int) -> int:
    """Bits 1 << kind of what may begin at a place of the own half."""
    row = place // NUM_COLUMNS
    kinds = [*range(ENGINEER, CHIEF + 1)]
    kinds += [BOMB] if row != _FRONT_ROW else []
    kinds += [MINE] if row <= _LAST_BACK_ROW else []
    kinds += [FLAG] if place in HEADQUARTERS else []
    return sum(1 << kind for kind in kinds)


START_KINDS = np.array([_start_kinds(int(place)) for place in DEAL_PLACES[:NUM_PIECES]], np.int16)
"""int16 [25]: bits 1 << kind of what each token can be by where it began."""


def deal_layouts(n: int, rng: np.random.Generator) -> Layouts:
    """Layouts drawn from all legal ones with equal probability.

    Every step has the same number of choices whatever the steps before it were, so each layout has
    the same probability.

    Args:
        n: how many.
        rng: draws them.

    Returns:
        int8 [n, 25].
    """
    layouts: Layouts = np.zeros((n, NUM_PIECES), np.int8)
    rows = np.arange(n)[:, None]
    for kind in (FLAG, MINE, BOMB):
        may_stand = START_KINDS >> kind & 1 > 0
        keys = np.where(may_stand & (layouts == 0), rng.random((n, NUM_PIECES)), np.inf)
        chosen = np.argsort(keys, axis=1)[:, : COUNT[kind]]
        layouts[rows, chosen] = kind
    others = PLACEMENT_ORDER[PLACEMENT_ORDER <= CHIEF]
    keys = np.where(layouts == 0, rng.random((n, NUM_PIECES)), np.inf)
    layouts[rows, np.argsort(keys, axis=1)[:, : len(others)]] = others
    return layouts
