"""Further heads that only help the trunk to learn: they are trained beside it and never play.

    lead          the final lead in points of the player to move (`Positions.leads`)
    turns_left    turns to the end of the game
    soft_policy   the search's policy, flattened: it also ranks the actions that were not tried much

They are in the manner of KataGo (arXiv:1902.10565 and its page "Other methods"; turns left as in
Leela Chess Zero). A head is there only if its loss has a weight.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from agents.network import PolicyHead, ValueHead
from cotulenh_env.game import GameSpec
from training.learning_settings import LearnerSettings

_SOFTNESS = 0.25
"""The power of the search's probabilities that the soft policy is taught."""

_NUM_HIDDEN_CHANNELS = 16


class AuxiliaryHeads(nn.Module):
    """The heads that the settings ask for.

    Initial weights come from torch's global generator, as the network's do.

    Args:
        spec: of the game.
        num_channels: of the trunk.
        settings: their weights; 0 leaves a head out.
    """

    def __init__(self, spec: GameSpec, num_channels: int, settings: LearnerSettings) -> None:
        super().__init__()
        self.score_scale = spec.score_scale
        self.weights: dict[str, float] = {}
        if settings.lead_weight > 0:
            self.weights["lead"] = settings.lead_weight
            self.lead = ValueHead(num_channels, _NUM_HIDDEN_CHANNELS, 1)
        if settings.turns_left_weight > 0:
            self.weights["turns_left"] = settings.turns_left_weight
            self.turns_left = ValueHead(num_channels, _NUM_HIDDEN_CHANNELS, 1)
        if settings.soft_policy_weight > 0:
            self.weights["soft_policy"] = settings.soft_policy_weight
            self.soft_policy = PolicyHead(spec, num_channels)
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def losses(
        self,
        trunk: Tensor,
        places: Tensor,
        is_legal: Tensor,
        policy: Tensor,
        leads: Tensor,
        turns_left: Tensor,
    ) -> dict[str, Tensor]:
        """Mean losses by name, without their weights.

        Args:
            trunk: of the network.
            places: int64 [n, width]: where the legal actions' logits lie.
            is_legal: bool [n, width]: what is no padding.
            policy: float32 [n, width]: the search's.
            leads: float32 [n], in points; the loss counts in units of the game's `score_scale`.
            turns_left: float32 [n].
        """
        losses: dict[str, Tensor] = {}
        if "lead" in self.weights:
            losses["lead"] = _huber_loss(self.lead(trunk), leads / self.score_scale)
        if "turns_left" in self.weights:
            losses["turns_left"] = _huber_loss(self.turns_left(trunk), turns_left.log1p())
        if "soft_policy" in self.weights:
            logits = self.soft_policy.at(trunk, places).float().masked_fill(~is_legal, -torch.inf)
            log_policy = functional.log_softmax(logits, dim=1).masked_fill(~is_legal, 0)
            soft = policy**_SOFTNESS
            soft = soft / soft.sum(dim=1, keepdim=True)
            losses["soft_policy"] = -(soft * log_policy).sum(dim=1).mean()
        return losses


def _huber_loss(outputs: Tensor, targets: Tensor) -> Tensor:
    return functional.huber_loss(outputs.float()[:, 0], targets)
