"""Chess with Different Armies as an environment.

- making it: rules, options, PettingZoo's and Gymnasium's registries
- armies left to chance are drawn for every game by the seed
- whole games end with a result and a reason, by every agent; MCTS beats random
- looks
"""

from __future__ import annotations

import gymnasium
import numpy as np
import pettingzoo
import pytest

import agents
import cotulenh_env  # noqa: F401 - registers the environments
from cotulenh_env import cwda_v0
from cotulenh_env.cwda import Position, RuleSet
from cotulenh_env.cwda.observation import PLANE_NAMES
from cotulenh_env.errors import IllegalActionError, PositionError, RulesError
from cotulenh_env.registry import load_game
from cotulenh_env.vector import BatchedEnv
from tests.env.games import play_random
from training.arena import MatchSettings, play_match

ID = "cotulenh/DifferentArmies-v0"
REASONS = {"checkmate", "stalemate", "bare kings", "repetition", "fifty moves"}


def test_rules_by_option_and_by_rule_set() -> None:
    by_option = cwda_v0.raw_env(white_army="CC", black_army="FW")
    by_rules = cwda_v0.raw_env(rules=RuleSet("CC", "FW"))
    for env in (by_option, by_rules):
        env.reset(seed=1)
        assert env.fen().startswith("gjtektjg/")
    assert by_option.get_state()["state"].tobytes() == by_rules.get_state()["state"].tobytes()
    with pytest.raises(RulesError, match="given twice"):
        cwda_v0.raw_env(rules=RuleSet(), white_army="CC")
    with pytest.raises(RulesError, match="XX"):
        cwda_v0.raw_env(white_army="XX")


def test_armies_are_drawn_for_every_game() -> None:
    env = cwda_v0.raw_env(white_army="CC")
    env.reset(seed=3)
    drawn = []
    for _ in range(40):
        drawn.append(env.fen().split("/")[0])
        env.reset()
    assert len(set(drawn)) == 4
    env.reset(seed=3)
    assert env.fen().split("/")[0] == drawn[0]


def test_positions_by_text() -> None:
    env = cwda_v0.raw_env()
    env.reset(options={"fen": "r3k3/8/8/8/8/8/8/D3K3 w Q - 0 1"})
    assert "e1b1" in [env.action_text(int(action)) for action in env.legal_actions()]
    with pytest.raises(PositionError):
        cwda_v0.raw_env(white_army="NN").reset(options={"fen": "r3k3/8/8/8/8/8/8/D3K3 w Q - 0 1"})


def test_pettingzoo() -> None:
    env = pettingzoo.make("aec", "cotulenh/cwda-v0", white_army="NN", render_mode="ansi")
    env.reset(seed=1)
    assert "G  I  H  L  K  H  I  G" in str(env.render())


def test_gymnasium() -> None:
    envs = gymnasium.make_vec(ID, num_envs=3)
    observations, _ = envs.reset(seed=1)
    assert observations["observation"].shape == (3, 54, 8, 8)
    assert observations["action_mask"].shape == (3, 5632)
    envs.close()


def test_whole_games() -> None:
    env = cwda_v0.raw_env()
    rng = np.random.default_rng(0)
    reasons = set()
    for seed in range(6):
        env.reset(seed=seed)
        play_random(env, rng)
        reasons.add(env.infos["player_0"]["reason"])
        assert sum(env.rewards.values()) == 0
    assert reasons <= REASONS


def test_an_illegal_action_names_move_and_position() -> None:
    env = cwda_v0.raw_env(white_army="FF", black_army="FF")
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match=r"\(a1a8\) is illegal in 'rnbqkbnr"):
        env.step(6)


def test_batched() -> None:
    env = BatchedEnv(load_game("cwda"), 32)
    rng = np.random.default_rng(7)
    step = env.reset(seed=7)
    assert step.observations is not None
    own_armies = step.observations[:, PLANE_NAMES.index("own_army_ff") :][:, :8, 0, 0]
    assert len(np.unique(own_armies, axis=0)) > 8
    num_finished = 0
    for _ in range(400):
        columns = (rng.random(32) * step.counts).astype(int)
        step = env.step(step.legal_actions[np.arange(32), columns])
        num_finished += len(step.finished.rows)
        assert set(step.finished.reasons) <= REASONS
    assert num_finished > 10


def test_agents_play_whole_games() -> None:
    """Looking one move ahead is better than random already."""
    game = load_game("cwda")
    greedy, search = agents.load("greedy", game), agents.load("mcts", game, num_simulations=4)
    rng = np.random.default_rng(0)
    for better, num_games in ((greedy, 40), (search, 4)):
        result = play_match(
            game, (better, agents.load("random", game)), MatchSettings(num_games, 2), rng
        )
        assert {game.reason for game in result.games} <= REASONS
        assert result.score > 0.6


def test_looks() -> None:
    game = load_game("cwda")
    position = Position(RuleSet("CC", "NN"))
    picture = game.picture(position.state)
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    position.push(position.parse_move("e2e4"))
    assert (game.picture(position.state) != picture).any()
    assert game.draw(position.state).endswith("Colorbound Clobberers v Nutty Knights")
