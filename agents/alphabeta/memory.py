"""What frames put into the transposition table and take from it.

Here is decided what the value of a position depends on, and so when an entry may be used: see
table.py.
"""

from __future__ import annotations

from typing import Any

from agents.alphabeta.evaluation import LIMIT_NEAR
from agents.alphabeta.table import AT_LEAST, AT_MOST, EXACT, add, mix, store
from agents.alphabeta.values import NOTHING, from_root
from agents.alphabeta.workspace import Workspace
from cotulenh_env.commander.state import NO_POINT, ZOBRIST_BLUE, ZOBRIST_DEPLOYMENT
from cotulenh_env.kernel import inner_kernel

QUIESCENCE_TURNS = 8
"""Turns of captures that follow depth 0, at most."""

_REPEAT_TURNS = 4
"""A position cannot come back in fewer turns: each side moves there and back (R10.5)."""


@inner_kernel
def set_keys(work: Workspace, level: int) -> None:
    """The position's key, and the path: all else that its value at this depth depends on."""
    state = work.states[level]
    frame = work.frames[level]
    depth = int(frame["depth"])
    key = int(state["key"])
    if state["player"]:
        key ^= ZOBRIST_BLUE
    if state["origin"] != NO_POINT:
        key ^= int(
            ZOBRIST_DEPLOYMENT[int(state["unacted"]), int(state["selected"]), int(state["origin"])]
        )
        flags = int(state["num_sub_moves"]) << 2 | int(state["turn_loss"]) << 1
        key ^= mix(flags | int(frame["captures_only"]))
    frame["key"] = key
    path = 0
    if depth > 0 and state["turn_loss"] == 0:
        # So often a position would have to have stood already, for its next time to be a draw.
        occurrences = int(state["repetition"]) - 1 - (depth - 1) // _REPEAT_TURNS
        path = int(frame["repeated"]) if occurrences > 1 else int(frame["past"])
        if int(state["quiet_turns"]) + depth >= state["quiet_limit"]:
            path = add(path, mix(1 << 40 | int(state["quiet_turns"])))
    turns_left = int(state["turn_limit"]) - int(state["turns"])
    if turns_left <= LIMIT_NEAR + QUIESCENCE_TURNS + max(depth, 0):
        lead = int(state["points"][0]) - int(state["points"][1])
        path = add(path, mix(turns_left << 20 ^ lead))
    frame["path"] = path


@inner_kernel
def add_position(work: Workspace, level: int, index: int) -> None:
    """Adds a position of the state's history to the frame's sums."""
    history = work.states[level]["history"]
    frame = work.frames[level]
    key = int(history[index])
    occurrences = 1
    for earlier in range(index):
        if history[earlier] == key:
            occurrences += 1
    mixed = mix(key)
    frame["past"] = add(int(frame["past"]), mixed)
    if occurrences > 1:
        frame["repeated"] = add(int(frame["repeated"]), mixed)


@inner_kernel
def settles(entry: Any, frame: Any, turns: int) -> bool:
    """Takes the value of a table's entry if it is all that the frame's window asks for."""
    value = from_root(int(entry["value"]), turns)
    bound = int(entry["bound"])
    if (
        bound == EXACT
        or (bound == AT_LEAST and value >= frame["beta"])
        or (bound == AT_MOST and value <= frame["alpha"])
    ):
        frame["best"] = value
        return True
    return False


@inner_kernel
def remember(work: Workspace, level: int) -> None:
    """Stores the frame's value in the table."""
    frame = work.frames[level]
    value = int(frame["best"])
    if value == NOTHING:
        return
    bound = EXACT
    if value >= frame["beta"]:
        bound = AT_LEAST
    elif value <= frame["first_alpha"]:
        bound = AT_MOST
    turns = int(work.states[level]["turns"]) - int(work.control[0]["root_turns"])
    store(
        work.table, int(frame["key"]), int(frame["path"]), int(work.control[0]["search"]),
        int(frame["depth"]), from_root(value, -turns), bound, int(frame["best_action"]),
    )  # fmt: skip
