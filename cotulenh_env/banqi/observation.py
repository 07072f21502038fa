"""What a player sees: the observation planes by name, in order.

An observation is float32 [35, 4, 8], all values in [0, 1]. *Own* pieces are the observing player's;
the board has no sides, so both players see every cell in the same place. Before the first flip
nobody has a colour: the planes of pieces are empty then, and those of counts are 1.

The planes are Markov up to older repetition history. They tell nothing of the rules: a network is
for the rules it was trained by.
"""

from __future__ import annotations

from typing import NamedTuple

from cotulenh_env.banqi.pieces import TYPE_NAMES


class Plane(NamedTuple):
    """One observation plane.

    Attributes:
        name: unique, as in `GameSpec.plane_names`.
        meaning: what its values say.
        rule: the rule that makes it matter.
    """

    name: str
    meaning: str
    rule: str


PLANES: tuple[Plane, ...] = (
    *(Plane(f"own_{kind}", f"1 where an own {kind} stands face up", "3") for kind in TYPE_NAMES),
    *(
        Plane(f"enemy_{kind}", f"1 where an enemy {kind} stands face up", "3")
        for kind in TYPE_NAMES
    ),
    Plane("face_down", "1 where a piece lies face down", "3.1"),
    Plane("empty", "1 where nothing stands", "3.2"),
    *(
        Plane(f"own_hidden_{kind}", f"all: share of the own {kind}s still face down", "2.3")
        for kind in TYPE_NAMES
    ),
    *(
        Plane(f"enemy_hidden_{kind}", f"all: share of the enemy {kind}s still face down", "2.3")
        for kind in TYPE_NAMES
    ),
    Plane("quiet", "all: turns since the last flip or capture ÷ the limit", "5.4"),
    Plane("seen_once", "all 1 if the position has stood at least once before", "5.3"),
    Plane("seen_twice", "all 1 if the position has stood at least twice before", "5.3"),
    Plane("colours_known", "all 1 once the first flip has given the players colours", "2.4"),
    Plane("ones", "all 1", "1"),
)

PLANE_NAMES = tuple(plane.name for plane in PLANES)
NUM_PLANES = len(PLANES)

OWN_PIECES = PLANE_NAMES.index("own_general")
ENEMY_PIECES = PLANE_NAMES.index("enemy_general")
FACE_DOWN_CELLS = PLANE_NAMES.index("face_down")
EMPTY_CELLS = PLANE_NAMES.index("empty")
OWN_HIDDEN = PLANE_NAMES.index("own_hidden_general")
ENEMY_HIDDEN = PLANE_NAMES.index("enemy_hidden_general")
QUIET = PLANE_NAMES.index("quiet")
SEEN_ONCE = PLANE_NAMES.index("seen_once")
COLOURS_KNOWN = PLANE_NAMES.index("colours_known")
ONES = PLANE_NAMES.index("ones")
