"""What a run reports to TensorBoard: every tag and its meaning; a writer that never stops a run."""

from __future__ import annotations

import contextlib
import logging
import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from training.event_file import EventFile

logger = logging.getLogger(__name__)

SCALARS: dict[str, str] = {
    "loss/total": "policy loss + `learner.value_weight` × value loss, as minimised",
    "loss/policy": "cross-entropy of network's and search's policy over legal actions, in nats",
    "loss/value": "cross-entropy of win, draw, loss and their targets, in nats",
    "loss/policy_entropy": "entropy of the network's policy over legal actions, in nats",
    "loss/target_entropy": "entropy of the search's policy: a floor under the policy loss",
    "loss/value_accuracy": "share of positions where the likeliest of win, draw, loss is right",
    "loss/gradient_norm": "length of the gradient before it is shortened",
    "loss/learning_rate": "the learning rate of the last step",
    "self_play/game_turns": "mean length of the iteration's finished games, in turns of both sides",
    "self_play/game_actions": "the same in actions: a deployment is one turn of several actions",
    "self_play/first_player_wins": "share of finished games won by the first player (Red)",
    "self_play/second_player_wins": "share of finished games won by the second player (Blue)",
    "self_play/draws": "share of finished games drawn",
    "self_play/branching": "mean number of legal actions in the positions played",
    "self_play/root_value": "mean size of the value at the root: 0 all is even, 1 all is decided",
    "self_play/resigned": "share of finished games that a player has resigned",
    "self_play/resign_false_positives": (
        "of the recent games played on in which somebody would have resigned, share in which that "
        "player did not lose; by the threshold in force, or `self_play.resign_threshold`"
    ),
    "self_play/resign_threshold": "the threshold in force, mean of the threads; -1: suspended",
    "evaluation/elo": "rating of network and search on the anchors' scale ([ratings](ratings.md))",
    "evaluation/elo_low": "lower end of its 95 % interval",
    "evaluation/elo_high": "upper end of its 95 % interval",
    "speed/games_per_second": "games finished per second of self-play",
    "speed/positions_per_second": "positions played per second of self-play",
    "speed/simulations_per_second": "tree search simulations per second of self-play",
    "time/network": "share of time in the network during self-play, observations included",
    "time/search": "share of time in the rest of self-play: search, rules, bookkeeping",
    "time/learner": "share of time in learning",
    "inference/batch_occupancy": "share of the network's batches that is filled: a place per game",
    "inference/policy_divergence": "mean divergence of policies from `torch-float32`'s, in nats",
    "inference/value_difference": "mean distance of values from `torch-float32`'s",
    "replay/positions": "positions in the replay buffer",
    "replay/window": "the newest of them, which batches come from",
    "replay/ratio": "positions learned from per position added, since the start",
    "progress/games": "games finished since the start",
    "progress/positions": "positions added to the replay buffer since the start",
    "progress/learner_steps": "batches learned from since the start",
}
"""Tag → meaning. All are plotted over iterations."""

SCALAR_FAMILIES: dict[str, str] = {
    "self_play/reason/<reason>": (
        "share of finished games that ended for this reason of the rules, or by `resignation`"
    ),
    "evaluation/score_<anchor>": "score of network and search against one of `evaluation.anchors`",
}
"""The same for tags with an ending of their own: a word of the game's rules, an agent."""

IMAGES: dict[str, str] = {
    "sample/position": "a position from self-play with its likeliest actions: prior → policy",
}
"""Tags that hold pictures."""


def is_in_family(tag: str) -> bool:
    """Whether the tag is one of `SCALAR_FAMILIES`."""
    return tag.startswith(tuple(family.partition("<")[0] for family in SCALAR_FAMILIES))


class MetricsWriter:
    """Writes the tags declared above; warns once and goes quiet if it cannot write."""

    def __init__(self, folder: Path, first_iteration: int) -> None:
        """Opens a new event file.

        Args:
            folder: where TensorBoard looks.
            first_iteration: the first that will be written; the values of older files from here
                on are superseded.
        """
        self._folder = folder
        self._file: EventFile | None = None
        try:
            self._file = EventFile(folder, first_iteration)
        except OSError as error:
            self._give_up(error)

    def write(
        self,
        iteration: int,
        scalars: Mapping[str, float],
        images: Mapping[str, npt.NDArray[np.uint8]] | None = None,
    ) -> None:
        """Writes one iteration's values; values that are not finite are left out.

        Args:
            iteration: the step on TensorBoard's axis.
            scalars: values by tag.
            images: uint8 [height, width, 3] by tag.
        """
        images = images or {}
        for tag in scalars:
            if tag not in SCALARS and not is_in_family(tag):
                raise KeyError(f"tag {tag!r} is not declared in metrics.py")
        for tag in images:
            if tag not in IMAGES:
                raise KeyError(f"tag {tag!r} is not declared in metrics.py")
        if self._file is None:
            return
        try:
            for tag, value in scalars.items():
                if math.isfinite(value):
                    self._file.scalar(tag, value, iteration)
            for tag, picture in images.items():
                self._file.image(tag, picture, iteration)
            self._file.flush()
        except OSError as error:
            self._give_up(error)

    def close(self) -> None:
        """Closes the file."""
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError as error:
                self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()
        logger.warning(
            "TensorBoard files in %s cannot be written (%s): training goes on without them",
            self._folder,
            error.strerror or error,
        )
