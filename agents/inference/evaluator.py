"""`BackendEvaluator`: a network seen as an `Evaluator`, whatever computes its numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from agents.errors import EvaluationError
from agents.evaluator import Logits, Values
from agents.inference.backend import Backend
from agents.inference.gather import gather_outputs
from agents.network import LOSS, WIN
from cotulenh_env.game import Actions, Counts, Game, Players, States

_CPU_ROWS = 64
"""Larger batches are cut up on a CPU: outputs stay in its caches, and take less memory."""


class BackendEvaluator:
    """Observes states, runs the network, and picks out the logits of the legal actions.

    Softmax and gathering are done here, in float32. An object keeps its buffers from call to call,
    so two threads need two; the backend inside may be shared. The results of a row depend on the
    size of the batch in the last bits, as the backends' kernels do.

    Args:
        game: the game to observe.
        backend: computes the network; new weights are seen as it says (`Backend`).
    """

    def __init__(self, game: Game, backend: Backend) -> None:
        self.game = game
        self.backend = backend
        self._policy_index = torch.from_numpy(game.spec.policy_index.astype(np.int64)).to(
            backend.device
        )
        self._planes = torch.zeros((0, *game.spec.observation_shape), dtype=torch.float32)
        self._notes = game.new_notes(0)

    def evaluate(
        self, states: States, players: Players, legal_actions: Actions, counts: Counts
    ) -> tuple[Logits, Values]:
        """The network's logits of the legal actions, and P(win) − P(loss): see `Evaluator`.

        Raises:
            EvaluationError: an output is not finite: the weights are too large, or training has
                diverged.
        """
        n = len(states)
        if n == 0:
            return np.zeros((0, 1), np.float32), np.zeros(0, np.float32)
        logits: Logits = np.zeros((n, int(counts.max())), np.float32)
        values: Values = np.empty(n, np.float32)
        is_cpu = self.backend.device.type == "cpu"
        fill = self._fill_on_cpu if is_cpu else self._fill_from_device
        num_rows = _CPU_ROWS if is_cpu else n
        for start in range(0, n, num_rows):
            part = slice(start, start + num_rows)
            planes = self._observe(states[part], players[part])
            fill(planes, legal_actions[part], counts[part], logits[part], values[part])
        return logits, values

    def _observe(self, states: States, players: Players) -> Tensor:
        planes = self._room_for(len(states))
        notes = None if self._notes is None else self._notes[: len(states)]
        self.game.observe_again(states, players, planes.numpy(), notes)
        return planes

    def _fill_on_cpu(
        self, planes: Tensor, legal_actions: Actions, counts: Counts, logits: Logits, values: Values
    ) -> None:
        """Writes the logits of the legal actions, and the values."""
        policy_logits, value_logits = (
            output.float().contiguous().numpy() for output in self.backend.run(planes)
        )
        refused = gather_outputs(
            policy_logits,
            value_logits,
            self.game.spec.policy_index,
            np.ascontiguousarray(legal_actions),
            counts,
            logits,
            values,
        )
        if refused >= 0:
            raise _refusal(logits[refused, : counts[refused]], values[refused])

    def _fill_from_device(
        self, planes: Tensor, legal_actions: Actions, counts: Counts, logits: Logits, values: Values
    ) -> None:
        """The same by torch, so that only what is wanted is carried over."""
        # The padding's -1 would index from the end; any legal index does, nobody reads it.
        actions = np.maximum(legal_actions[:, : logits.shape[1]], 0).astype(np.int64)
        with torch.inference_mode():
            policy_logits, value_logits = self.backend.run(planes)
            index = self._policy_index[torch.from_numpy(actions).to(self.backend.device)]
            logits[:] = policy_logits.float().gather(1, index).cpu().numpy()
            outcome = value_logits.float().softmax(dim=1)
            values[:] = (outcome[:, WIN] - outcome[:, LOSS]).cpu().numpy()
        for outputs in (logits, values):
            if not np.isfinite(outputs).all():
                raise _refusal(outputs)

    def _room_for(self, n: int) -> Tensor:
        """Planes float32 [n, …] to be filled, in memory that a GPU can read by itself."""
        if len(self._planes) < n:
            self._notes = self.game.new_notes(n)
            self._planes = torch.zeros(
                (n, *self._planes.shape[1:]),
                dtype=torch.float32,
                pin_memory=self.backend.device.type == "cuda",
            )
        return self._planes[:n]


def _refusal(*outputs: npt.ArrayLike) -> EvaluationError:
    found = np.concatenate([np.ravel(each) for each in outputs])
    example = found[~np.isfinite(found)][0]
    return EvaluationError(f"the network's outputs are not finite ({example} is one of them)")
