"""Makes state records: the start, the empty board, or a position given in parts.

What a record holds twice (hash, counts, commanders, divisions) is worked out here from the board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from cotulenh_env.commander.board import point_name
from cotulenh_env.commander.kernels.step import fill_legal_actions
from cotulenh_env.commander.pieces import (
    AIR_FORCE,
    ARTILLERY,
    COMMANDER,
    INFANTRY,
    NAVY,
    TANK,
    stack_codes,
)
from cotulenh_env.commander.rules import BATTLES, EDITIONS, RuleSet, rules_with_switches
from cotulenh_env.commander.setup import (
    Board,
    Setup,
    check_setup,
    commander_points,
    piece_counts,
    pieces_on,
)
from cotulenh_env.commander.state import (
    ARMED_AIR,
    ARMED_COMMANDER,
    ARMED_LAND,
    ARMED_NAVY,
    BY_NO_MOVE,
    BY_QUIET,
    DRAW,
    NO_POINT,
    STATE_DTYPE,
    UNFINISHED,
    ZOBRIST,
    ZOBRIST_BLUE,
    Record,
)
from cotulenh_env.errors import PositionError


def load(setup: Setup, rules: RuleSet) -> Record:
    """The record of a position in which no turn has been completed yet.

    Whether it has a legal action is not looked at.

    Args:
        setup: the position.
        rules: the rules to play by.

    Raises:
        PositionError: no game by these rules can have come to this position.
    """
    check_setup(setup, rules)
    state = np.zeros(1, STATE_DTYPE)[0]
    write_rules(state, rules)
    state["board"] = setup.board
    state["player"] = setup.player
    state["quiet_turns"] = setup.quiet_turns
    state["move_number"] = setup.move_number
    state["winner"] = UNFINISHED
    state["origin"] = NO_POINT
    state["key"] = board_key(setup.board)
    state["counts"] = piece_counts(setup.board)
    state["commander"] = commander_points(setup.board)
    if setup.placing:
        state["placing"] = 1
        state["num_placed"] = int(state["counts"].sum())
        return state
    state["armed"] = armed_divisions(state["counts"])
    if setup.origin is None:
        # R10.5: the loaded position is the first occurrence.
        state["history"][0] = state["key"] ^ (ZOBRIST_BLUE if setup.player else 0)
        state["history_length"] = 1
    else:
        state["origin"] = setup.origin
        state["unacted"] = slots_of(int(setup.board[setup.origin]), setup.unacted)
        state["num_sub_moves"] = 1
    return state


def write_rules(state: Record, rules: RuleSet) -> None:
    """Writes the resolved rules into a record."""
    state["edition"] = EDITIONS.index(rules.edition)
    state["switches"] = rules.switches
    state["battle"] = BATTLES.index(rules.battle)
    state["placement"] = rules.placement
    state["enforce_check"] = rules.enforce_check
    state["allow_shoot_down"] = rules.allow_shoot_down
    state["repetition"] = rules.repetition
    state["quiet_limit"] = rules.quiet_limit
    state["turn_limit"] = rules.turn_limit


def rules_of(state: Record) -> RuleSet:
    """The rules that a record carries."""
    return rules_with_switches(
        int(state["switches"]),
        EDITIONS[state["edition"]],
        battle=BATTLES[state["battle"]],
        placement=bool(state["placement"]),
        enforce_check=bool(state["enforce_check"]),
        allow_shoot_down=bool(state["allow_shoot_down"]),
        repetition=int(state["repetition"]),
        quiet_limit=int(state["quiet_limit"]),
        turn_limit=int(state["turn_limit"]),
    )


def settle(state: Record) -> None:
    """Ends a game that is over as it is loaded, and refuses a deployment that cannot go on.

    Args:
        state: a record fresh from `load`.

    Raises:
        PositionError: an unfinished deployment has no legal action (R7.10).
    """
    in_deployment = state["origin"] != NO_POINT
    if not in_deployment and not state["placing"] and state["quiet_turns"] >= state["quiet_limit"]:
        state["winner"], state["reason"] = DRAW, BY_QUIET
    elif not has_legal_action(state):
        if in_deployment:
            raise PositionError(
                f"the deployment at {point_name(int(state['origin']))} cannot be completed legally"
            )
        state["winner"], state["reason"] = 1 - state["player"], BY_NO_MOVE  # R10.4


def has_legal_action(state: Record) -> bool:
    """Whether the player to move has a legal action."""
    actions = np.empty((1, 1), np.int32)  # one is enough
    counts = np.empty(1, np.int32)
    fill_legal_actions(np.array([state], STATE_DTYPE), actions, counts)
    return bool(counts[0])


# --- what follows from the board ----------------------------------------------------------------


def board_key(board: Board) -> np.int64:
    """The hash of a board: pieces and marks, without side to move or deployment."""
    key = np.int64(0)
    for point, side, slot, code in pieces_on(board):
        key ^= ZOBRIST[side, code, point] >> slot
    return key


def armed_divisions(counts: npt.NDArray[np.int16]) -> npt.NDArray[np.uint8]:
    """uint8 [2]: the divisions of which each side has a piece (R10.2), as bits ARMED_*.

    Args:
        counts: [2, 12] by side and kind.
    """
    divisions = (
        (ARMED_COMMANDER, (COMMANDER,)),
        (ARMED_AIR, (AIR_FORCE,)),
        (ARMED_LAND, (INFANTRY, TANK, ARTILLERY)),
        (ARMED_NAVY, (NAVY,)),
    )
    armed = np.zeros(2, np.uint8)
    for bit, kinds in divisions:
        armed |= np.where(counts[:, kinds].any(axis=1), bit, 0).astype(np.uint8)
    return armed


def slots_of(stack: int, codes: Sequence[int]) -> int:
    """The bit mask of the slots that hold these pieces; of equal pieces the lower slots.

    Args:
        stack: the uint16 of a point.
        codes: some of its pieces.
    """
    wanted = Counter(codes)
    mask = 0
    for slot, code in enumerate(stack_codes(stack)):
        if wanted[code]:
            wanted[code] -= 1
            mask |= 1 << slot
    return mask
