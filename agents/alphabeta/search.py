"""Principal variation search over turns, as one loop: Numba cannot cache recursion.

Values are for the player to move, in tenths of an official point. A value changes sign where the
player does, not with every action: a turn may hold several. Depth counts turns. What is searched:

* At depth 1 and more: every action; but in a deployment that has begun only captures, or ending it,
  unless its one sub-move so far captured or lost something. So a turn has one quiet sub-move at
  most, and stacks do not multiply. Where the turn may not be ended yet, whatever is legal is tried.
* At depth 0 and below, quiescence: the side to move may stand pat, that is take the static
  evaluation, or capture, with a stack or a group of it; then the turn is ended, if it may be.
  QUIESCENCE_TURNS turns below depth 0 nothing is searched any more.

The value found is exactly that of a plain minimax over these, whatever the table holds and in
whatever order actions are tried.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from agents.alphabeta.actions import (
    CAPTURES,
    ENDS,
    MAX_HISTORY,
    QUIET,
    effect_of,
    order_score,
)
from agents.alphabeta.evaluation import static_value
from agents.alphabeta.memory import (
    QUIESCENCE_TURNS,
    add_position,
    remember,
    set_keys,
    settles,
)
from agents.alphabeta.table import find
from agents.alphabeta.values import NOTHING, WIN
from agents.alphabeta.workspace import Workspace
from cotulenh_env.commander.state import DRAW, NO_POINT, UNFINISHED
from cotulenh_env.kernel import inner_kernel, kernel

_NUM_SORTED = 24
"""Actions that are tried in the order of their scores; those behind keep the order they have."""

_DECIDED, _OPEN, _AGAIN = range(3)
"""What becomes of a frame: its value stands, it goes on, or the frame above is entered again."""


@kernel
def run(step: Any, work: Workspace, weights: npt.NDArray[np.void]) -> bool:
    """Searches on until all is done, or until the control's node limit.

    Args:
        step: the game's entry point (`kernels/step.py`), as a function type.
        work: the memory, with the root set up or as the last call left it.
        weights: one record [1] of WEIGHTS_DTYPE.

    Returns:
        Whether all is done: the root's frame then has the value, and `best_actions` all best ones.
        Otherwise they have the best of the actions searched so far.
    """
    control = work.control[0]
    level = int(control["level"])
    is_entering = control["is_entering"] != 0
    while level >= 0:
        if is_entering:
            if control["num_nodes"] >= control["node_limit"]:
                control["level"] = level
                control["is_entering"] = 1
                return False
            control["num_nodes"] += 1
            outcome = _enter(step, work, weights, level)
        else:
            outcome = _take(work, level)
            if outcome == _DECIDED:
                remember(work, level)
        if outcome == _OPEN and not _try_next(step, work, level):
            remember(work, level)
            outcome = _DECIDED
        is_entering = outcome != _DECIDED
        level += 1 if is_entering else -1
    control["level"] = -1
    return True


@inner_kernel
def _enter(step: Any, work: Workspace, weights: npt.NDArray[np.void], level: int) -> int:
    """Looks at a new position: decides its value at once, or lists what to try."""
    state = work.states[level]
    frame = work.frames[level]
    turns = int(state["turns"]) - int(work.control[0]["root_turns"])
    if state["winner"] != UNFINISHED:
        if state["winner"] == DRAW:
            frame["best"] = 0
        else:
            frame["best"] = WIN - turns if state["winner"] == state["player"] else turns - WIN
        return _DECIDED
    depth = int(frame["depth"])
    is_turn_start = state["origin"] == NO_POINT
    frame["best"] = NOTHING
    frame["best_action"] = -1
    frame["next"] = 0
    frame["first_alpha"] = frame["alpha"]
    if depth <= 0 and is_turn_start:
        value = static_value(state, weights[0])
        frame["best"] = value
        if value >= frame["beta"] or depth <= -QUIESCENCE_TURNS or state["placing"]:
            return _DECIDED
        frame["alpha"] = max(int(frame["alpha"]), value)
    if state["selected"] == 0:
        frame["captures_only"] = 1 if depth <= 0 else 0
        if not is_turn_start and (state["num_sub_moves"] > 1 or state["turn_loss"] == 0):
            frame["captures_only"] = 1
    set_keys(work, level)
    remembered = -1
    place = find(work.table, int(frame["key"]), int(work.control[0]["search"]))
    if place >= 0:
        entry = work.table[place]
        remembered = int(entry["action"])
        is_same = entry["depth"] == depth and entry["path"] == frame["path"]
        if is_same and level > 0 and settles(entry, frame, turns):
            return _DECIDED
    _list_actions(step, work, level, remembered)
    return _OPEN


@inner_kernel
def _list_actions(step: Any, work: Workspace, level: int, remembered: int) -> None:
    """Lists the actions to try, and scores them."""
    state = work.states[level]
    frame = work.frames[level]
    work.notes[0]["num_listed"] = 0  # the list needs no padding
    step(
        work.states[level : level + 1], work.integers, work.actions[level : level + 1],
        work.counts, work.mask, work.planes, work.integers, work.notes,
    )  # fmt: skip
    actions = work.actions[level]
    scores = work.scores[level]
    killers = work.killers[level]
    history = work.history[int(state["player"])]
    num_listed = int(work.counts[0])
    if state["origin"] != NO_POINT and state["selected"] == 0:
        last = int(actions[num_listed - 1])
        if effect_of(state, last) != ENDS:
            frame["captures_only"] = 0
        elif frame["depth"] <= 0:
            actions[0], scores[0] = last, 0
            frame["num_actions"] = 1
            return
    count = 0
    for index in range(num_listed):
        action = int(actions[index])
        effect = effect_of(state, action)
        if effect == QUIET and frame["captures_only"]:
            continue
        actions[count] = action
        scores[count] = order_score(state, action, effect, remembered, killers, history)
        count += 1
    frame["num_actions"] = count


@inner_kernel
def _try_next(step: Any, work: Workspace, level: int) -> bool:
    """Plays the frame's next action into the frame above; false when there is none left."""
    frame = work.frames[level]
    index = int(frame["next"])
    count = int(frame["num_actions"])
    if index == count:
        return False
    actions, scores = work.actions[level], work.scores[level]
    if index < _NUM_SORTED:
        chosen = index
        for other in range(index + 1, count):
            if scores[other] > scores[chosen]:
                chosen = other
        action, score = int(actions[chosen]), int(scores[chosen])
        actions[chosen], scores[chosen] = actions[index], scores[index]
        actions[index], scores[index] = action, score
    frame["next"] = index + 1
    work.action[0] = actions[index]
    work.states[level + 1] = work.states[level]
    step(
        work.states[level + 1 : level + 2], work.action, work.lists,
        work.counts, work.mask, work.planes, work.integers, work.no_notes,
    )  # fmt: skip
    _prepare(work, level)
    alpha, beta = int(frame["alpha"]), int(frame["beta"])
    is_probe = frame["best_action"] >= 0 and beta - alpha > 1
    work.frames[level + 1]["is_probe"] = is_probe
    _open_window(work, level, alpha, alpha + 1 if is_probe else beta)
    return True


@inner_kernel
def _prepare(work: Workspace, level: int) -> None:
    """Sets up the frame above: depth, and which positions may come back."""
    before, state = work.states[level], work.states[level + 1]
    frame, above = work.frames[level], work.frames[level + 1]
    above["depth"] = frame["depth"]
    above["captures_only"] = frame["captures_only"]
    above["repeated"] = frame["repeated"]
    above["past"] = frame["past"]
    if state["player"] == before["player"]:
        return
    depth = int(frame["depth"]) - 1
    above["depth"] = depth
    if depth <= 0:
        return  # captures bring back nothing
    length = int(state["history_length"])
    if length <= 1:
        above["repeated"] = above["past"] = 0
    if length > 0:
        add_position(work, level + 1, length - 1)


@inner_kernel
def _open_window(work: Workspace, level: int, alpha: int, beta: int) -> None:
    """Gives the frame above its window, seen by its own player."""
    above = work.frames[level + 1]
    if work.states[level]["player"] == work.states[level + 1]["player"]:
        above["alpha"], above["beta"] = alpha, beta
    else:
        above["alpha"], above["beta"] = -beta, -alpha


@inner_kernel
def _take(work: Workspace, level: int) -> int:
    """Takes the value that the frame above has returned."""
    frame, above = work.frames[level], work.frames[level + 1]
    value = int(above["best"])
    if value == NOTHING:
        return _OPEN  # a group was selected that captures nothing
    if work.states[level]["player"] != work.states[level + 1]["player"]:
        value = -value
    alpha, beta = int(frame["alpha"]), int(frame["beta"])
    if above["is_probe"] and alpha < value < beta:
        above["is_probe"] = 0
        _open_window(work, level, alpha, beta)
        return _AGAIN
    action = int(work.actions[level, int(frame["next"]) - 1])
    if level == 0:
        _take_at_root(work, value, action)
        return _OPEN
    if value > frame["best"]:
        frame["best"] = value
        frame["best_action"] = action
        frame["alpha"] = max(alpha, value)
        if value >= beta:
            _reward(work, level, action)
            return _DECIDED
    return _OPEN


@inner_kernel
def _take_at_root(work: Workspace, value: int, action: int) -> None:
    """Keeps all best actions: the window stays open for values as good as the best."""
    frame = work.frames[0]
    control = work.control[0]
    if value > frame["best"]:
        frame["best"] = value
        frame["best_action"] = action
        frame["alpha"] = value - 1
        control["num_best"] = 0
    if value == frame["best"]:
        work.best_actions[int(control["num_best"])] = action
        control["num_best"] += 1


@inner_kernel
def _reward(work: Workspace, level: int, action: int) -> None:
    """Lets a quiet action that was too good be tried earlier elsewhere."""
    state = work.states[level]
    effect = effect_of(state, action)
    if effect in (CAPTURES, ENDS):
        return
    killers = work.killers[level]
    if killers[0] != action:
        killers[1] = killers[0]
        killers[0] = action
    depth = max(1, int(work.frames[level]["depth"]))
    player = int(state["player"])
    gained = int(work.history[player, action]) + depth * depth
    work.history[player, action] = min(gained, MAX_HISTORY)


@kernel
def set_root(work: Workspace, depth: int) -> None:
    """Sets up the root's frame for the position in `states[0]`, to be searched to a depth."""
    frame = work.frames[0]
    control = work.control[0]
    control["level"] = 0
    control["is_entering"] = 1
    control["num_best"] = 0
    control["root_turns"] = work.states[0]["turns"]
    frame["depth"] = depth
    frame["captures_only"] = 0
    frame["is_probe"] = 0
    frame["alpha"] = NOTHING
    frame["beta"] = -NOTHING
    frame["repeated"] = 0
    frame["past"] = 0
    for index in range(int(work.states[0]["history_length"])):
        add_position(work, 0, index)
