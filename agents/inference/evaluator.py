"""`BackendEvaluator`: a network seen as an `Evaluator`, whatever computes its numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from agents.errors import EvaluationError
from agents.evaluator import Logits, Values
from agents.inference.backend import Backend
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
        logits: Logits = np.empty((n, int(counts.max())), np.float32)
        values: Values = np.empty(n, np.float32)
        # The padding's -1 would index from the end; any legal index does, nobody reads it.
        actions = np.maximum(legal_actions[:, : logits.shape[1]], 0).astype(np.int64)
        num_rows = n if self.backend.device.type != "cpu" else _CPU_ROWS
        for start in range(0, n, num_rows):
            part = slice(start, start + num_rows)
            logits[part], values[part] = self._outputs(states[part], players[part], actions[part])
        for outputs in (logits, values):
            finite = np.isfinite(outputs)
            if not finite.all():
                raise EvaluationError(
                    f"the network's outputs are not finite ({outputs[~finite][0]} is one of them)"
                )
        return logits, values

    def _outputs(
        self, states: States, players: Players, actions: npt.NDArray[np.int64]
    ) -> tuple[Logits, Values]:
        """Logits of the given actions, float32 [n, width], and values, float32 [n]."""
        planes = self._room_for(len(states))
        notes = None if self._notes is None else self._notes[: len(states)]
        self.game.observe_again(states, players, planes.numpy(), notes)
        with torch.inference_mode():
            policy_logits, value_logits = self.backend.run(planes)
            index = self._policy_index[torch.from_numpy(actions).to(self.backend.device)]
            prior_logits = policy_logits.float().gather(1, index)
            outcome = value_logits.float().softmax(dim=1)
            return prior_logits.cpu().numpy(), (outcome[:, WIN] - outcome[:, LOSS]).cpu().numpy()

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
