"""Silhouettes of pieces: one for each place in an army, with the kind's letter.

A rook's counterpart looks like a rook; which one it is, the letter tells.
"""

from __future__ import annotations

from cotulenh_env.cwda.armies import ARMIES
from cotulenh_env.cwda.pieces import KIND_LETTERS, KIND_MASK, KING, PAWN, SIDE_SHIFT
from cotulenh_env.render.canvas import Canvas, Color, Point

_ROOK, _KNIGHT, _BISHOP, _QUEEN = range(4)
_BASE = ((0.52, 0.52), (0.66, 0.68), (0.66, 0.86), (-0.66, 0.86), (-0.66, 0.68), (-0.52, 0.52))

_OUTLINES: dict[int, tuple[Point, ...]] = {
    _ROOK: (
        (-0.6, -0.72), (-0.36, -0.72), (-0.36, -0.54), (-0.13, -0.54), (-0.13, -0.72),
        (0.13, -0.72), (0.13, -0.54), (0.36, -0.54), (0.36, -0.72), (0.6, -0.72), (0.6, -0.34),
        (0.42, -0.2), (0.48, 0.52), *_BASE, (-0.48, 0.52), (-0.42, -0.2), (-0.6, -0.34),
    ),
    _KNIGHT: (
        (-0.18, -0.84), (0.0, -0.68), (0.34, -0.56), (0.56, -0.2), (0.6, 0.2), (0.54, 0.52), *_BASE,
        (-0.5, 0.52), (-0.4, 0.28), (-0.06, 0.02), (-0.1, -0.1), (-0.42, 0.1), (-0.66, 0.02),
        (-0.62, -0.2), (-0.34, -0.5), (-0.3, -0.66),
    ),
    _BISHOP: (
        (0.0, -0.76), (0.3, -0.44), (0.42, -0.12), (0.3, 0.16), (0.4, 0.52), *_BASE, (-0.4, 0.52),
        (-0.3, 0.16), (-0.42, -0.12), (-0.3, -0.44),
    ),
    _QUEEN: (
        (-0.8, -0.5), (-0.46, 0.0), (-0.42, -0.68), (-0.14, -0.06), (0.0, -0.78), (0.14, -0.06),
        (0.42, -0.68), (0.46, 0.0), (0.8, -0.5), (0.54, 0.52), *_BASE, (-0.54, 0.52),
    ),
}  # fmt: skip
"""Corners by slot, in halves of the piece's size, from its middle; y downwards."""

_KING: tuple[Point, ...] = (
    (0.0, -0.42), (0.24, -0.3), (0.6, -0.36), (0.76, -0.1), (0.54, 0.52), *_BASE, (-0.54, 0.52),
    (-0.76, -0.1), (-0.6, -0.36), (-0.24, -0.3),
)  # fmt: skip
_CROSS = ((0.0, -0.9), (0.0, -0.4)), ((-0.18, -0.72), (0.18, -0.72))
_PAWN: tuple[Point, ...] = (
    (0.3, -0.02), (0.16, 0.06), (0.4, 0.52), *_BASE, (-0.4, 0.52), (-0.16, 0.06), (-0.3, -0.02),
)  # fmt: skip
_PAWN_HEAD = (0.0, -0.26, 0.28)

_SLOT_OF = {kind: slot for army in ARMIES for slot, kind in enumerate(army.kinds)}

_FILL: tuple[Color, Color] = ((252, 247, 234), (58, 54, 58))
_EDGE: tuple[Color, Color] = ((48, 42, 38), (226, 216, 196))


def draw_piece(canvas: Canvas, code: int, x: float, y: float, half: float) -> None:
    """Draws a piece of size 2 × `half` around (x, y).

    Args:
        canvas: where.
        code: which (pieces.py).
        x: of its middle.
        y: of its middle.
        half: of its size, in pixels.
    """
    kind, side = code & KIND_MASK, code >> SIDE_SHIFT
    fill, edge = _FILL[side], _EDGE[side]
    width = 0.055 * half

    def scaled(points: tuple[Point, ...]) -> list[Point]:
        return [(x + half * a, y + half * b) for a, b in points]

    if kind == KING:
        for color, thickness in ((edge, 4 * width), (fill, 1.6 * width)):
            for line in _CROSS:
                canvas.line(scaled(line), color, thickness)
        canvas.polygon(scaled(_KING), fill, edge, width)
    elif kind == PAWN:
        a, b, radius = _PAWN_HEAD
        canvas.polygon(scaled(_PAWN), fill, edge, width)
        canvas.circle(x + half * a, y + half * b, half * radius, fill, edge, width)
        return
    else:
        slot = _SLOT_OF[kind]
        canvas.polygon(scaled(_OUTLINES[slot]), fill, edge, width)
        if slot == _BISHOP:
            canvas.circle(x, y - 0.8 * half, 0.11 * half, fill, edge, width)
        elif slot == _KNIGHT:
            canvas.circle(x - 0.16 * half, y - 0.36 * half, 0.06 * half, edge)
    letter = KIND_LETTERS[kind].upper()
    canvas.text(x, y + 0.34 * half, letter, 0.56 * half, edge, bold=True)
