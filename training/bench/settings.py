"""`BenchSettings`: how much work is measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BenchSettings:
    """Sizes of the workloads. The defaults are those of the published figures.

    Attributes:
        seed: of all randomness.
        num_repeats: times that every row is measured, after once unmeasured.
        num_env_steps: steps of one environment.
        num_chess_steps: the same of PettingZoo's chess.
        num_games: games side by side, in the batched environment and in random play.
        num_batched_steps: actions in each of them.
        num_open_spiel_steps: the same of OpenSpiel's chess.
        num_kernel_games: games one after the other in the compiled loop.
        num_kernel_steps: actions in each of them.
        num_quick_kernel_steps: the same of the other games, which are quicker.
        num_rollouts: OpenSpiel's random games in one evaluation.
        num_length_games: random games that tell how long these are.
        num_copies: states copied.
        num_searches: positions searched side by side.
        num_simulations: of each.
        config: shipped configuration whose self-play is measured.
        num_self_play_steps: actions in each game of self-play.
        num_memory_steps: the same in the process whose memory is measured.
        batch_sizes: growth with the number of games.
        curve_simulations: growth with the number of simulations.
        thread_counts: growth with threads.
        num_plies: random games are followed this far.
        ply_step: actions in one part of them.
        num_curve_repeats: times that every point of a curve is measured.
    """

    seed: int = 0
    num_repeats: int = 5
    num_env_steps: int = 20_000
    num_chess_steps: int = 1_500
    num_games: int = 256
    num_batched_steps: int = 100
    num_open_spiel_steps: int = 10
    num_kernel_games: int = 64
    num_kernel_steps: int = 1_000
    num_quick_kernel_steps: int = 5_000
    num_rollouts: int = 200
    num_length_games: int = 500
    num_copies: int = 200_000
    num_searches: int = 64
    num_simulations: int = 200
    config: str = "default"
    num_self_play_steps: int = 8
    num_memory_steps: int = 16
    batch_sizes: tuple[int, ...] = (1, 4, 16, 64, 256, 1024, 4096)
    curve_simulations: tuple[int, ...] = (16, 50, 100, 200, 400, 800, 1600)
    thread_counts: tuple[int, ...] = (1, 2)
    num_plies: int = 600
    ply_step: int = 50
    num_curve_repeats: int = 3
