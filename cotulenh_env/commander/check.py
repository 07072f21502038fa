"""Whether the commander of the player to move stands in check, in the sense of R10.8."""

from __future__ import annotations

import numpy as np

from cotulenh_env.commander.actions import (
    MAX_STRIKE,
    MIRRORED_DIRECTION,
    MIRRORED_POINT,
    ActionKind,
    Move,
    encode,
)
from cotulenh_env.commander.board import NEXT_POINT, NUM_DIRECTIONS
from cotulenh_env.commander.bounds import MAX_DISTANCE, MAX_LEGAL_ACTIONS
from cotulenh_env.commander.kernels.step import apply_actions, fill_legal_actions
from cotulenh_env.commander.pieces import COMMANDER, SIDE_BIT, make_stack, stack_codes
from cotulenh_env.commander.position import Position
from cotulenh_env.commander.state import NO_POINT, STATE_DTYPE, UNFINISHED, Records

_NEXT_POINT: list[list[int]] = NEXT_POINT.tolist()


def is_commander_in_check(position: Position) -> bool:
    """Whether an enemy piece or group could capture the commander of the player to move.

    It is asked of the board as it stands, of the first sub-move of a turn, whether or not the turn
    could be completed, and in battles that losing the commander does not end, too (R10.8).

    Args:
        position: between turns, or finished.
    """
    record = position.state.view(STATE_DTYPE)[0]
    side = int(record["player"])
    target = int(record["commander"][side])
    if target == NO_POINT:
        return False
    # The enemy to move, free of what the turn before binds it to.
    record["player"] = 1 - side
    record["winner"] = UNFINISHED
    record["enforce_check"] = 0
    record["allow_shoot_down"] = 0
    records, captures = [], []
    for origin, direction, distance in _enemies_in_line(record["board"].tolist(), target, side):
        moves = [
            encode(
                Move(
                    kind,
                    int(MIRRORED_POINT[1 - side, origin]),
                    int(MIRRORED_DIRECTION[1 - side, direction]),
                    distance,
                )
            )
            for kind in (ActionKind.MOVE, ActionKind.STRIKE)
            if kind == ActionKind.MOVE or distance <= MAX_STRIKE
        ]
        # A group captures what its carrier alone could, so single pieces suffice.
        codes = stack_codes(int(record["board"][origin]))
        for code in codes:
            if code >> 1 == COMMANDER and len(codes) > 1 and distance > 1:
                continue  # carried, it is not face to face (R6.4)
            alone = record.copy()
            alone["board"][origin] = make_stack([code], 1 - side)
            records.append(alone)
            captures.append(moves)
    if not records:
        return False
    states = np.array(records, STATE_DTYPE)
    legal = np.empty((len(states), MAX_LEGAL_ACTIONS), np.int32)
    counts = np.empty(len(states), np.int32)
    fill_legal_actions(states, legal, counts)
    return any(
        _takes_commander(states[row : row + 1], action, side)
        for row, moves in enumerate(captures)
        for action in moves
        if action in legal[row, : counts[row]]
    )


def _enemies_in_line(board: list[int], target: int, side: int) -> list[tuple[int, int, int]]:
    """(origin, direction towards the target, distance) of enemy stacks that may reach it."""
    found = []
    for outward in range(NUM_DIRECTIONS):
        point, distance = _NEXT_POINT[outward][target], 1
        while point >= 0:
            stack = board[point]
            if stack and stack // SIDE_BIT != side:
                alone = stack_codes(stack)
                # Farther away only the other commander captures, face to face (R6.4).
                if distance <= MAX_DISTANCE or [code >> 1 for code in alone] == [COMMANDER]:
                    found.append((point, (outward + 4) % NUM_DIRECTIONS, distance))
            point = _NEXT_POINT[outward][point]
            distance += 1
    return [
        (origin, direction, distance)
        for origin, direction, distance in found
        if distance <= MAX_DISTANCE or direction % 2 == 0
    ]


def _takes_commander(states: Records, action: int, side: int) -> bool:
    """Whether the capture takes the commander, and not its headquarters alone (R12.2)."""
    apply_actions(states, np.array([action], np.int32))
    return bool(states[0]["commander"][side] == NO_POINT)
