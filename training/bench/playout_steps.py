"""Every game's rules as `playout_kernel.play_out` takes them: one step of one row.

A step plays an action, unless it is NOTHING, and lists what is legal then; it returns how many
actions these are, none when the game is over. It leaves the state as `Game.step_into` does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.banqi.kernels.apply import apply_action as play_banqi
from cotulenh_env.banqi.kernels.legal import list_legal_actions as list_banqi
from cotulenh_env.commander.kernels.apply import apply_action as play_commander
from cotulenh_env.commander.kernels.legal import list_legal_actions as list_commander
from cotulenh_env.commander.kernels.outcome import settle_no_move
from cotulenh_env.commander.kernels.workspace import WORKSPACE_DTYPE as COMMANDER_WORKSPACE
from cotulenh_env.commander.state import UNFINISHED as COMMANDER_UNFINISHED
from cotulenh_env.cwda.kernels.apply import apply_action as play_cwda
from cotulenh_env.cwda.kernels.legal import list_legal_actions as list_cwda
from cotulenh_env.cwda.kernels.outcome import settle as settle_cwda
from cotulenh_env.cwda.kernels.workspace import WORKSPACE_DTYPE as CWDA_WORKSPACE
from cotulenh_env.cwda.state import UNFINISHED as CWDA_UNFINISHED
from cotulenh_env.kernel import kernel
from cotulenh_env.kernel_argument import kernel_argument
from cotulenh_env.luzhanqi.kernels.flip import play_flip_action
from cotulenh_env.luzhanqi.kernels.flip_step import list_and_settle as list_flip
from cotulenh_env.luzhanqi.kernels.referee import play_referee_action
from cotulenh_env.luzhanqi.kernels.referee_step import announce
from cotulenh_env.luzhanqi.kernels.referee_step import list_and_settle as list_referee
from cotulenh_env.luzhanqi.kernels.workspace import WORKSPACE_DTYPE as LUZHANQI_WORKSPACE
from training.bench.playout_kernel import NOTHING, Records, Step

Integers = npt.NDArray[np.int32]


@kernel
def commander_step(
    states: Records, row: int, works: Records, action: int, draw: float, wanted: Integers
) -> int:
    """Of Commander Chess."""
    state, work = states[row], works[0]
    if action != NOTHING:
        play_commander(state, work, action)
    count = list_commander(state, work, wanted)
    if count == 0 and state["winner"] == COMMANDER_UNFINISHED:
        settle_no_move(state)
    return count


@kernel
def banqi_step(
    states: Records, row: int, works: Integers, action: int, draw: float, wanted: Integers
) -> int:
    """Of Banqi."""
    state = states[row]
    if action != NOTHING:
        play_banqi(state, action, draw)
    return list_banqi(state, wanted)


@kernel
def cwda_step(
    states: Records, row: int, works: Records, action: int, draw: float, wanted: Integers
) -> int:
    """Of Chess with Different Armies."""
    state, work = states[row], works[0]
    if action != NOTHING:
        play_cwda(state, work, action)
    count = list_cwda(state, work, wanted)
    if state["winner"] == CWDA_UNFINISHED:
        settle_cwda(state, count, work["num_checkers"] > 0)
    return count if state["winner"] == CWDA_UNFINISHED else 0


@kernel
def luzhanqi_flip_step(
    states: Records, row: int, works: Records, action: int, draw: float, wanted: Integers
) -> int:
    """Of Luzhanqi's flip mode."""
    state = states[row]
    if action != NOTHING:
        play_flip_action(state, action, draw)
    return list_flip(state, works[0], wanted, action != NOTHING)


@kernel
def luzhanqi_referee_step(
    states: Records, row: int, works: Records, action: int, draw: float, wanted: Integers
) -> int:
    """Of Luzhanqi's referee mode."""
    state, event = states[row], 0
    if action != NOTHING:
        event = play_referee_action(state, action)
    count = list_referee(state, works[0], wanted, action != NOTHING)
    if action != NOTHING:
        announce(state, action, event)
    return count


@dataclass(frozen=True)
class PlayoutRules:
    """A game's step, and the scratch memory that it wants.

    Attributes:
        step: a kernel (see the module).
        workspace: dtype of the scratch memory.
    """

    step: Callable[..., int]
    workspace: np.dtype[Any]

    def new_works(self) -> npt.NDArray[Any]:
        """Scratch memory, [1]."""
        return np.zeros(1, self.workspace)

    def argument(self, states: Records, works: npt.NDArray[Any], legal_actions: Integers) -> Step:
        """The step to be passed to `play_out` with these arrays."""
        found: Step = kernel_argument(self.step, states, 0, works, 0, 0.0, legal_actions)
        return found


PLAYOUT_RULES = {
    "commander": PlayoutRules(commander_step, COMMANDER_WORKSPACE),
    "banqi": PlayoutRules(banqi_step, np.dtype(np.int32)),  # it wants none
    "cwda": PlayoutRules(cwda_step, CWDA_WORKSPACE),
    "luzhanqi_flip": PlayoutRules(luzhanqi_flip_step, LUZHANQI_WORKSPACE),
    "luzhanqi_referee": PlayoutRules(luzhanqi_referee_step, LUZHANQI_WORKSPACE),
}
"""By the game's name in the registry."""
