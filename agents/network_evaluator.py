"""`NetworkEvaluator`: a policy-value network seen as an `Evaluator`."""

from __future__ import annotations

import numpy as np
import torch

from agents.devices import checked_device
from agents.errors import EvaluationError
from agents.evaluator import Logits, Values
from agents.network import LOSS, WIN, PolicyValueNetwork
from cotulenh_env.game import Actions, Counts, Game, Planes, Players, States


class NetworkEvaluator:
    """Observes states, runs the network, and picks out the logits of the legal actions.

    The network is used as it is at each call: a learner may go on training it. On a CPU the
    results of a row depend on the size of the batch in the last bits, as torch's kernels do.

    Args:
        game: the game to observe.
        network: put into evaluation mode and moved to `device`.
        device: where it runs, for example "cpu" or "cuda".
        precision: torch's dtype for the convolutions; bfloat16 doubles the speed where the
            hardware has it. Softmax and gathering stay in float32.

    Raises:
        AgentError: there is no such device here.
    """

    def __init__(
        self,
        game: Game,
        network: PolicyValueNetwork,
        device: str | torch.device = "cpu",
        *,
        precision: torch.dtype = torch.float32,
    ) -> None:
        self.game = game
        self.device = checked_device(device)
        self.network = network.to(self.device).eval()
        self.precision = precision
        self._policy_index = torch.from_numpy(game.spec.policy_index.astype(np.int64)).to(
            self.device
        )
        self._planes: Planes = np.empty((0, *game.spec.observation_shape), np.float32)

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
        if len(self._planes) < n:
            self._planes = np.empty((n, *self.game.spec.observation_shape), np.float32)
        planes = self.game.observe(states, players, self._planes[:n])
        # The padding's -1 would index from the end; any legal index does, nobody reads it.
        actions = np.maximum(legal_actions[:, : int(counts.max())], 0).astype(np.int64)
        self.network.eval()
        with torch.inference_mode():
            on_device = torch.from_numpy(planes).to(self.device)
            with torch.autocast(
                self.device.type,
                dtype=self.precision if self.precision != torch.float32 else None,
                enabled=self.precision != torch.float32,
            ):
                policy_logits, value_logits = self.network(on_device)
            index = self._policy_index[torch.from_numpy(actions).to(self.device)]
            prior_logits = policy_logits.float().gather(1, index)
            outcome = value_logits.float().softmax(dim=1)
            values = outcome[:, WIN] - outcome[:, LOSS]
        logits: Logits = prior_logits.cpu().numpy()
        found: Values = values.cpu().numpy()
        for outputs in (logits, found):
            finite = np.isfinite(outputs)
            if not finite.all():
                raise EvaluationError(
                    f"the network's outputs are not finite ({outputs[~finite][0]} is one of them)"
                )
        return logits, found
