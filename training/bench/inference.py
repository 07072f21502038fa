"""`python -m training.bench.inference`: how fast and how exact every way of inference is here.

Times are CPU time of one thread, observations included, the quickest of several batches in which
all ways take turns. Without a run the networks are new, and their exactness says little: name the
folder of a run or checkpoint to look at a trained one.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path

import torch

from agents.inference import Measurement, measure
from agents.network import NetworkSettings, PolicyValueNetwork
from agents.registry import weights_folder
from agents.weights import load_weights
from cotulenh_env.game import Game
from cotulenh_env.registry import load_game
from training.allocator import keep_freed_memory

BATCH_SIZES = (1, 8, 64, 256)
SIZES = ((32, 2), (64, 4))
"""Channels and blocks: of the shipped configuration, and the next larger."""


def inference_table(
    game: Game, network: PolicyValueNetwork, batch_sizes: Sequence[int] = BATCH_SIZES
) -> str:
    """Microseconds a position by batch size, then the agreement with `torch-float32`.

    Args:
        game: the game that the network plays.
        network: on the CPU.
        batch_sizes: positions in a batch.
    """
    by_size = [measure(game, network, torch.device("cpu"), size) for size in batch_sizes]
    header = f"{'µs a position in batches of':<28}" + "".join(f"{n:>8}" for n in batch_sizes)
    rows = [_row(column) for column in zip(*by_size, strict=True)]
    agreements = [f"{one.name:<16}{one.agreement or one.problem}" for one in by_size[-1]]
    return "\n".join([header, *rows, *agreements])


def _row(found: Sequence[Measurement]) -> str:
    return f"{found[0].name:<28}" + "".join(f"{one.microseconds:>8.0f}" for one in found)


def main() -> None:
    """Prints the tables."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(prog="python -m training.bench.inference")
    parser.add_argument("run", nargs="?", type=Path, help="folder of a run or checkpoint")
    run = parser.parse_args().run
    torch.set_num_threads(1)
    keep_freed_memory()
    if run is not None:
        loaded = load_weights(weights_folder(run) or run)
        print(f"{loaded.game.spec.name}, network of {run}")
        print(inference_table(loaded.game, loaded.network))
        return
    game = load_game("commander")
    for num_channels, num_blocks in SIZES:
        network = PolicyValueNetwork(game.spec, NetworkSettings(num_channels, num_blocks))
        print(f"commander, new network of {num_channels} channels and {num_blocks} blocks")
        print(inference_table(game, network))


if __name__ == "__main__":
    main()
