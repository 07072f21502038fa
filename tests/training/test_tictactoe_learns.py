"""The shipped tic-tac-toe configuration learns to play perfectly.

What is checked: after `cotulenh train --config tictactoe`, the network with 32 simulations never
loses, in either seat, whatever the opponent replies: all its games are walked through.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import agents
from agents.agent import Agent
from cotulenh_env.game import States
from training.cli import main


def lost_lines(agent: Agent, seat: int) -> list[str]:
    """Final positions that the agent loses in `seat` against some line of play."""
    game = agent.game
    frontier: States = game.new_states(1)
    lost = []
    while len(frontier):
        done = game.is_terminal(frontier)
        returns = game.returns(frontier)[:, seat]
        lost += [game.to_text(state) for state in frontier[done & (returns < 0)]]
        frontier = frontier[~done]
        if len(frontier) == 0:
            break
        is_mine = game.current_player(frontier) == seat
        assert is_mine.all() or not is_mine.any()
        if is_mine.all():
            actions = agent.act(frontier, np.random.default_rng(0))
        else:
            legal, counts = game.legal_actions(frontier)
            actions = legal[legal >= 0]
            frontier = np.repeat(frontier, counts, axis=0)
        frontier = np.unique(game.apply(frontier, actions)[0], axis=0)
    return lost


def test_walk_finds_the_losses_of_a_bad_player() -> None:
    assert lost_lines(agents.load("random", game="tictactoe"), 0)
    assert lost_lines(agents.load("random", game="tictactoe"), 1)


def test_shipped_configuration_never_loses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--config", "tictactoe", "--run-dir", str(tmp_path / "run")]) == 0
    assert "network against random" in capsys.readouterr().out
    agent = agents.load(tmp_path / "run", game="tictactoe", num_simulations=32)
    assert lost_lines(agent, 0) == []
    assert lost_lines(agent, 1) == []
