"""What a drawing shows of a state of Commander Chess besides its pieces."""

from __future__ import annotations

from cotulenh_env.commander.drawing import SIDE_NAMES, Marks
from cotulenh_env.commander.kernels.placement import PLACEMENT_ORDER
from cotulenh_env.commander.pieces import KIND_LETTERS
from cotulenh_env.commander.state import DRAW, NO_POINT, REASONS, UNFINISHED, Record


def marks_of(state: Record) -> Marks:
    """What a drawing shows of a record besides the pieces."""
    player = int(state["player"])
    winner = int(state["winner"])
    if winner != UNFINISHED:
        result = "Draw" if winner == DRAW else f"{SIDE_NAMES[winner]} wins"
        return Marks(player, caption=f"{result}: {REASONS[state['reason']]}")
    if state["placing"]:
        kind = int(PLACEMENT_ORDER[int(state["num_placed"]) // 2])
        return Marks(player, caption=f"{SIDE_NAMES[player]} to place {KIND_LETTERS[kind]}")
    if state["origin"] == NO_POINT:
        return Marks(player)
    return Marks(player, int(state["origin"]), int(state["unacted"]), int(state["selected"]))
