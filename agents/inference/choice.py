"""Backends by name, or the fastest of them that is exact enough, by a short measurement."""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from agents.errors import AgentError, EvaluationError
from agents.inference.agreement import Agreement, agreement, outputs_of
from agents.inference.backend import Backend
from agents.inference.evaluator import BackendEvaluator
from agents.inference.onnx_graph import missing_package
from agents.inference.positions import typical_states
from agents.inference.torch_backend import TorchBackend
from agents.inference_names import INFERENCE_NAMES, InferenceName
from agents.network import PolicyValueNetwork
from cotulenh_env.errors import shown
from cotulenh_env.game import Game, States

logger = logging.getLogger(__name__)

INSTALL_COMMAND = "pip install 'cotulenh-env[onnx]'"

_EXACT: InferenceName = "torch-float32"
_CALIBRATION_STREAM, _CHECK_STREAM = 1, 2
_CALIBRATE_EVERY, _CHECK_EVERY = 2, 4
_NUM_ROUNDS, _MIN_SECONDS = 3, 0.3
_WORTHWHILE = 0.9
"""A less exact backend must take at most this part of the time: near ties go the same way."""


@dataclass(frozen=True)
class Measurement:
    """How a backend did.

    Attributes:
        name: the backend's.
        backend: ready for use; None if it cannot be made.
        microseconds: per position, the quickest of several batches; NaN if it cannot be made.
        agreement: with `torch-float32`; None if it cannot be made or its numbers are not finite.
        problem: why it cannot be used, empty if it can.
    """

    name: InferenceName
    backend: Backend | None
    microseconds: float
    agreement: Agreement | None
    problem: str

    def __str__(self) -> str:
        if self.backend is None:
            return f"{self.name} {self.problem}"
        return f"{self.name} {self.microseconds:.0f} µs" + (self.problem and f" {self.problem}")


def make_backend(
    name: str,
    game: Game,
    network: PolicyValueNetwork,
    device: torch.device,
    rules: Any = None,
) -> Backend:
    """A backend by name.

    Args:
        name: one of `INFERENCE_NAMES`.
        game: the game that the network plays.
        network: put into evaluation mode and moved to `device`.
        device: where it runs; ONNX backends run on a CPU only.
        rules: those of the positions for 8-bit calibration; None for the game's default.

    Raises:
        AgentError: the name is unknown, a package is missing, or the backend does not run there.
        EvaluationError: a weight is not finite.
    """
    if name not in INFERENCE_NAMES:
        raise AgentError(
            f"inference is auto or one of {', '.join(INFERENCE_NAMES)}, got {shown(name)}"
        )
    if name in ("torch-float32", "torch-bfloat16"):
        return TorchBackend(network, device, is_exact=name == _EXACT)
    if device.type != "cpu":
        raise AgentError(f"inference {name} runs on the CPU only, the device is {str(device)!r}")
    missing = missing_package()
    if missing is not None:
        raise AgentError(
            f"inference {name} needs {missing}, which is not installed: {INSTALL_COMMAND}"
        )
    from agents.inference.onnx_backend import OnnxBackend

    shape = game.spec.observation_shape
    if name == "onnx-float32":
        return OnnxBackend(network.to(device), shape)
    states = typical_states(game, rules, np.random.default_rng(_CALIBRATION_STREAM))
    states = states[::_CALIBRATE_EVERY].copy()
    planes = game.observe(states, game.current_player(states))
    return OnnxBackend(network.to(device), shape, planes)


def choose_backend(
    name: str,
    game: Game,
    network: PolicyValueNetwork,
    device: torch.device,
    batch_size: int,
    rules: Any = None,
    *,
    clock: Callable[[], float] | None = None,
) -> Backend:
    """A backend by name; `auto` measures and logs what was found in a sentence.

    Args:
        name: "auto" or one of `INFERENCE_NAMES`.
        game: the game that the network plays.
        network: put into evaluation mode and moved to `device`.
        device: where it runs.
        batch_size: rows of the batches that will be evaluated.
        rules: the RuleSet that will be played by; None for the game's default.
        clock: seconds; None takes the thread's CPU time where all work is done in this thread, so
            that what else the machine does counts less, otherwise the time that passes.

    Raises:
        AgentError: as `make_backend`.
        EvaluationError: a weight is not finite.
    """
    if name != "auto":
        return make_backend(name, game, network, device, rules)
    found = measure(game, network, device, batch_size, rules, clock=clock)
    chosen = fastest(found)
    assert chosen.backend is not None
    others = "; ".join(str(one) for one in found if one is not chosen)
    hint = ""
    if device.type == "cpu" and missing_package() is not None:
        hint = f". More speed may come from {INSTALL_COMMAND}"
    logger.info(
        "inference by %s: %.0f µs a position in batches of %s, %s (%s)%s",
        chosen.name,
        chosen.microseconds,
        batch_size,
        chosen.agreement,
        others,
        hint,
    )
    return chosen.backend


def measure(
    game: Game,
    network: PolicyValueNetwork,
    device: torch.device,
    batch_size: int,
    rules: Any = None,
    names: Sequence[InferenceName] = INFERENCE_NAMES,
    *,
    clock: Callable[[], float] | None = None,
) -> list[Measurement]:
    """Compares and times backends on positions of random games.

    All take turns with batches, until each has had three and 0.3 seconds are over, and the quickest
    counts.

    Args:
        game: the game that the network plays.
        network: put into evaluation mode and moved to `device`.
        device: where it runs.
        batch_size: rows of a batch.
        rules: the RuleSet to play by; None for the game's default.
        names: of backends; those whose packages are missing are left out.
        clock: seconds; None takes the thread's CPU time where all work is done in this thread, so
            that what else the machine does counts less, otherwise the time that passes.

    Returns:
        One measurement per backend, in the order of `names`.

    Raises:
        EvaluationError: a weight, or an output of the exact backend, is not finite.
    """
    states = typical_states(game, rules, np.random.default_rng(_CHECK_STREAM))
    checked = states[::_CHECK_EVERY].copy()
    exact = outputs_of(game, TorchBackend(network, device), checked)
    found = []
    for name in names:
        if name.startswith("onnx") and (device.type != "cpu" or missing_package() is not None):
            continue
        try:
            backend = make_backend(name, game, network, device, rules)
            agreed = agreement(exact, outputs_of(game, backend, checked))
        except (AgentError, EvaluationError) as error:
            found.append(Measurement(name, None, float("nan"), None, f"failed ({error})"))
            continue
        problem = "" if agreed.is_acceptable else f"too inexact ({agreed})"
        found.append(Measurement(name, backend, float("nan"), agreed, problem))
    if clock is None:
        is_alone = device.type == "cpu" and torch.get_num_threads() == 1
        clock = time.thread_time if is_alone else time.perf_counter
    batch = states[np.linspace(0, len(states) - 1, batch_size).astype(np.int64)]
    backends = [one.backend for one in found if one.backend is not None]
    seconds = iter(_quickest(game, backends, batch, clock))
    return [
        one
        if one.backend is None
        else dataclasses.replace(one, microseconds=next(seconds) / batch_size * 1e6)
        for one in found
    ]


def fastest(found: Sequence[Measurement]) -> Measurement:
    """The fastest that is exact enough; a less exact one must be faster by a tenth.

    Args:
        found: the most exact first; at least one can be used.
    """
    usable = [one for one in found if not one.problem]
    chosen = usable[0]
    for one in usable[1:]:
        if one.microseconds <= _WORTHWHILE * chosen.microseconds:
            chosen = one
    return chosen


def _quickest(
    game: Game, backends: Sequence[Backend], states: States, clock: Callable[[], float]
) -> list[float]:
    """Seconds of every backend's quickest evaluation of all rows."""
    legal_actions, counts = game.legal_actions(states)
    arguments = (states, game.current_player(states), legal_actions, counts)
    evaluators = [BackendEvaluator(game, backend) for backend in backends]
    for evaluator in evaluators:
        evaluator.evaluate(*arguments)
    seconds = [float("inf")] * len(evaluators)
    begin, num_rounds = clock(), 0
    while num_rounds < _NUM_ROUNDS or clock() - begin < _MIN_SECONDS:
        for index, evaluator in enumerate(evaluators):
            start = clock()
            evaluator.evaluate(*arguments)
            seconds[index] = min(seconds[index], clock() - start)
        num_rounds += 1
    return seconds
