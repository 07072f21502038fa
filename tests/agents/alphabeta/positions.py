"""Small positions for the tests of alpha-beta search, and what they share."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotulenh_env.commander import RuleSet
from cotulenh_env.commander.state import STATE_DTYPE
from cotulenh_env.game import States
from cotulenh_env.registry import load_game

COMMANDER = load_game("commander")

SMALL = [
    ("11/11/11/4c6/11/4t6/5I5/11/3T7/11/5C5/11 r - - 0 1", RuleSet()),
    ("11/4c6/11/11/2(nf)8/11/11/2N8/11/11/4A6/5C5 b - - 3 9", RuleSet(battle="full")),
    ("11/4c6/11/11/3(tm)7/11/4T6/11/11/11/5C5/11 b - - 0 1", RuleSet(battle="full")),
    ("11/5hc4/11/11/11/2g8/11/2(NT)8/11/11/7(HC)3/11 r - - 0 1", RuleSet()),
    ("11/4c6/11/3t7/11/11/3(FM)7/11/11/11/5C5/11 r - - 0 1", RuleSet(battle="air")),
    ("11/4c6/11/1n9/11/2N8/11/11/11/11/5C5/11 r - - 0 1", RuleSet("russian", "sea")),
    ("4c6/11/11/4s6/11/4m6/4E6/11/3+I7/11/11/3C7 b - - 0 1", RuleSet(edition="bga")),
    ("11/2e1c6/11/11/3s7/11/3A7/11/11/11/5C5/11 r - - 0 1", RuleSet(enforce_check=True)),
    ("11/2c8/11/11/6g4/5F5/11/11/11/11/4C6/11 r - - 0 1", RuleSet(allow_shoot_down=False)),
    ("5c5/11/2(nt)8/11/11/4I6/11/11/11/11/4C6/4h6 b - - 7 1 c10:T", RuleSet(battle="full")),
]
"""(FEN, rules): a few pieces, among them stacks, strikes, heroes, zones and a begun deployment."""

SMALL_STATES = [COMMANDER.from_text(fen, rules) for fen, rules in SMALL]


def mirrored_fen(fen: str) -> str:
    """The same position with colours swapped: ranks turned round, and the other side to move."""
    board, player, *rest = fen.split()
    ranks = board.swapcase().split("/")[::-1]
    if len(rest) > 4:
        origin, _, unacted = rest[4].partition(":")
        rest[4] = f"{origin[0]}{13 - int(origin[1:])}:{unacted}"
    return " ".join(["/".join(ranks), "b" if player == "r" else "r", *rest])


def changed(state: States, **fields: Any) -> States:
    """The state with some fields of its record changed."""
    copy = state.copy()
    for name, value in fields.items():
        copy.view(STATE_DTYPE)[0][name] = value
    return copy


def played(state: States, action: int) -> States:
    """The state after an action."""
    following, _ = COMMANDER.apply(state[None], np.array([action], np.int32))
    row: States = following[0]
    return row


def legal(state: States) -> list[int]:
    """The legal actions of one state."""
    actions, counts = COMMANDER.legal_actions(state[None])
    found: list[int] = actions[0, : counts[0]].tolist()
    return found


def winner(state: States) -> int | None:
    """0, 1, -1 for a draw, None while the game goes on."""
    found = int(state.view(STATE_DTYPE)[0]["winner"])
    return None if found == -2 else found


def to_move(state: States) -> int:
    """The player to move."""
    return int(COMMANDER.current_player_of(state))


def after_turns(state: States, player: int) -> list[States]:
    """All positions in which the player's turn, begun or not, can end."""
    ends: list[States] = []
    pending, seen = [state], set()
    while pending:
        current = pending.pop()
        for action in legal(current):
            following = played(current, action)
            if following.tobytes() in seen:
                continue
            seen.add(following.tobytes())
            is_over = winner(following) is not None
            (ends if is_over or to_move(following) != player else pending).append(following)
    return ends
