"""Observation planes of the referee mode (observation.py says what they mean).

Nothing here looks at the kinds of the enemy's tokens, but at that of a flag that is shown.
"""

from __future__ import annotations

from cotulenh_env.kernel import inner_kernel
from cotulenh_env.luzhanqi.board import DEAL_PLACES, IS_HEADQUARTERS, NUM_PLACES
from cotulenh_env.luzhanqi.kernels.flip_planes import PlaneRows, fill
from cotulenh_env.luzhanqi.kernels.referee import is_placing
from cotulenh_env.luzhanqi.observation import (
    ENEMY,
    ENEMY_BEAT,
    ENEMY_FLAG,
    ENEMY_IN_HEADQUARTERS,
    ENEMY_LOST,
    ENEMY_MOVED,
    ENEMY_WITHSTOOD,
    LAST_FROM,
    LAST_OUTCOME,
    LAST_TO,
    NUM_REFEREE_PLANES,
    OWN_FLAG_SHOWN,
    OWN_KIND,
    OWN_LOST,
    OWN_MOVED,
    OWN_WON,
    PLIES_SCALE,
    RANK_SCALE,
    REFEREE_ONES,
    REFEREE_PLIES,
    REFEREE_QUIET,
    REFEREE_TERRAIN,
    TERRAIN,
)
from cotulenh_env.luzhanqi.pieces import (
    ATTACKER_SURVIVES,
    BOTH_REMOVED,
    CHIEF,
    COUNT,
    DEFENDER_SURVIVES,
    FLAG,
    NUM_KINDS,
    NUM_PIECES,
)
from cotulenh_env.luzhanqi.state import Record


@inner_kernel
def observe_referee(state: Record, player: int, planes: PlaneRows) -> None:
    """Fills the planes as the player sees the state."""
    for plane in range(NUM_REFEREE_PLANES):
        fill(planes, plane, 0.0)
    for place in range(NUM_PLACES):
        for index in range(len(TERRAIN)):
            planes[REFEREE_TERRAIN + index, place] = TERRAIN[index, place]
    quiet = int(state["quiet_plies"]) / int(state["quiet_limit"])
    fill(planes, REFEREE_QUIET, min(1.0, quiet))
    fill(planes, REFEREE_PLIES, min(1.0, int(state["plies"]) / PLIES_SCALE))
    fill(planes, REFEREE_ONES, 1.0)
    if is_placing(state):
        for token in range(NUM_PIECES):
            kind = int(state["kinds"][player, token])
            if kind:
                planes[OWN_KIND + kind - 1, int(DEAL_PLACES[token])] = 1
        return
    _show_last(state, player, planes)
    _show_tokens(state, player, planes)
    _show_losses(state, player, planes)


@inner_kernel
def _show_last(state: Record, player: int, planes: PlaneRows) -> None:
    start, end = int(state["last"][0]), int(state["last"][1])
    if start >= 0:
        planes[LAST_FROM, NUM_PLACES - 1 - start if player else start] = 1
        planes[LAST_TO, NUM_PLACES - 1 - end if player else end] = 1
    outcome = int(state["last"][2])
    if ATTACKER_SURVIVES <= outcome <= BOTH_REMOVED:
        fill(planes, LAST_OUTCOME + outcome - 1, 1.0)


@inner_kernel
def _show_tokens(state: Record, player: int, planes: PlaneRows) -> None:
    enemy = 1 - player
    for place in range(NUM_PLACES):
        seen = NUM_PLACES - 1 - place if player else place
        code = int(state["board"][seen])
        token = code - 1
        if token < 0:
            continue
        owner = 1 if token >= NUM_PIECES else 0
        token -= owner * NUM_PIECES
        has_moved = state["moved"][owner, token] != 0
        if owner == player:
            kind = int(state["kinds"][player, token])
            planes[OWN_KIND + kind - 1, place] = 1
            planes[OWN_MOVED, place] = 1 if has_moved else 0
            planes[OWN_WON, place] = 1 if _has_won(state, code) else 0
            if kind == FLAG and state["shown"][player]:
                planes[OWN_FLAG_SHOWN, place] = 1
            continue
        planes[ENEMY, place] = 1
        planes[ENEMY_MOVED, place] = 1 if has_moved else 0
        planes[ENEMY_BEAT, place] = _highest_beaten(state, code, player) / RANK_SCALE
        if not has_moved:
            planes[ENEMY_WITHSTOOD, place] = 1 if _has_won(state, code) else 0
            planes[ENEMY_IN_HEADQUARTERS, place] = 1 if IS_HEADQUARTERS[seen] else 0
        if state["shown"][enemy] and state["kinds"][enemy, token] == FLAG:
            planes[ENEMY_FLAG, place] = 1


@inner_kernel
def _has_won(state: Record, code: int) -> bool:
    """Whether a token on the board has survived a fight; one that never moved, as defender."""
    for number in range(int(state["num_fights"])):
        outcome = int(state["fights"][number, 2])
        if state["fights"][number, 0] == code and outcome == ATTACKER_SURVIVES:
            return True
        if state["fights"][number, 1] == code and outcome == DEFENDER_SURVIVES:
            return True
    return False


@inner_kernel
def _highest_beaten(state: Record, code: int, player: int) -> int:
    """The highest rank of the player's pieces that an enemy token has beaten, 0 for none."""
    highest = 0
    for number in range(int(state["num_fights"])):
        outcome = int(state["fights"][number, 2])
        loser = 0
        if state["fights"][number, 0] == code and outcome == ATTACKER_SURVIVES:
            loser = int(state["fights"][number, 1])
        elif state["fights"][number, 1] == code and outcome == DEFENDER_SURVIVES:
            loser = int(state["fights"][number, 0])
        if loser:
            kind = int(state["kinds"][player, loser - 1 - player * NUM_PIECES])
            if highest < kind <= CHIEF:
                highest = kind
    return highest


@inner_kernel
def _show_losses(state: Record, player: int, planes: PlaneRows) -> None:
    num_enemies = 0
    for place in range(NUM_PLACES):
        token = int(state["board"][place]) - 1
        if token < 0:
            continue
        owner = 1 if token >= NUM_PIECES else 0
        if owner == player:
            # The first place of the plane counts those that are left.
            planes[OWN_LOST + int(state["kinds"][player, token - owner * NUM_PIECES]) - 1, 0] += 1
        else:
            num_enemies += 1
    for kind in range(1, NUM_KINDS + 1):
        initial = int(COUNT[kind])
        lost = initial - int(planes[OWN_LOST + kind - 1, 0])
        fill(planes, OWN_LOST + kind - 1, lost / initial)
    fill(planes, ENEMY_LOST, (NUM_PIECES - num_enemies) / NUM_PIECES)
