"""Agents without a network: random, greedy, search; and agents by name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agents
from agents.errors import AgentError
from agents.evaluator import RolloutEvaluator, UniformEvaluator
from agents.greedy import WIN, GreedyAgent, action_gains
from agents.mcts_agent import MCTSAgent
from agents.random_agent import RandomAgent
from agents.score_evaluator import ScoreEvaluator
from agents.search import SearchSettings
from cotulenh_env.errors import UnknownGameError
from cotulenh_env.game import Game, States
from cotulenh_env.registry import game_names, load_game
from tests.agents.helpers import random_positions
from tests.agents.table_game import Node, TableGame

TICTACTOE = load_game("tictactoe")


def choice(game: Game, states: States, seed: int = 0) -> list[int]:
    return [int(action) for action in GreedyAgent(game).act(states, np.random.default_rng(seed))]


def scored(red: float, blue: float, player: int = 1) -> Node:
    """A quiet position of player `player` with a score, with one action that ends the game."""
    return Node(player, [Node(1 - player, score=(red, blue))], score=(red, blue))


# --- random -------------------------------------------------------------------------------------


def test_random_agent_is_uniform_over_legal_actions() -> None:
    states = np.repeat(TICTACTOE.from_text("X.O.X.O..")[None], 30_000, axis=0)
    actions = RandomAgent(TICTACTOE).act(states, np.random.default_rng(0))
    assert actions.dtype == np.int32
    frequencies = np.bincount(actions, minlength=9) / len(states)
    legal = np.array([0, 1, 0, 1, 0, 1, 0, 1, 1])
    np.testing.assert_allclose(frequencies, legal / 5, atol=0.012)


# --- greedy -------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", [0, 1])
def test_greedy_takes_the_largest_gain_of_its_own(player: int) -> None:
    def after(own: float, others: float) -> Node:
        score = (own, others) if player == 0 else (others, own)
        return scored(*score, player=1 - player)

    start = (5.0, 20.0) if player == 0 else (20.0, 5.0)
    root = Node(player, [after(5, 20), after(15, 20), after(25, 45), after(5, 10)], score=start)
    game = TableGame(root)
    states = game.new_states(1)
    legal_actions, counts = game.legal_actions(states)
    gains = action_gains(game, states, legal_actions, counts, 1)
    np.testing.assert_array_equal(gains, [[0, 10, -5, 10]])
    chosen = {choice(game, states, seed)[0] for seed in range(20)}
    assert chosen == {1, 3}


@pytest.mark.parametrize("player", [0, 1])
def test_greedy_wins_first_and_never_loses_at_once(player: int) -> None:
    win = 1.0 if player == 0 else -1.0
    rich, poor = ((90.0, 0.0), (0.0, 90.0)) if player == 0 else ((0.0, 90.0), (90.0, 0.0))
    winning, losing = (
        Node(1 - player, result=win, score=poor),
        Node(player, result=-win, score=rich),
    )
    taking, giving = scored(*rich, player=1 - player), scored(*poor, player=1 - player)
    game = TableGame(Node(player, [losing, taking, winning, taking]))
    assert choice(game, game.new_states(1)) == [2]
    game = TableGame(Node(player, [losing, giving, losing]))
    assert choice(game, game.new_states(1)) == [1]
    game = TableGame(Node(player, [losing, losing]))
    assert choice(game, game.new_states(1))[0] in (0, 1)


def test_greedy_looks_through_a_turn_of_several_actions() -> None:
    """Selecting gains nothing itself; the strike that may follow does."""
    select = Node(0, [scored(0, 0), scored(50, 0)])
    hopeless = Node(0, [Node(1, result=-1), Node(1, result=-1)])
    taking = scored(30, 0)
    game = TableGame(Node(0, [taking, select, hopeless]))
    assert choice(game, game.new_states(1)) == [1]
    assert choice(game, game.states_of(select)) == [1]
    one_action = GreedyAgent(game, num_actions_ahead=1)
    assert one_action.act(game.new_states(1), np.random.default_rng(0)).tolist() == [0]
    # A win later in the turn is a win; a turn that can only lose is a loss.
    states = game.new_states(1)
    legal_actions, counts = game.legal_actions(states)
    np.testing.assert_array_equal(
        action_gains(game, states, legal_actions, counts, 2), [[30, 50, -WIN]]
    )


def test_greedy_weighs_chance() -> None:
    gamble = [(0.25, scored(100, 0)), (0.75, scored(0, 0))]
    game = TableGame(Node(0, [gamble, scored(20, 0), scored(30, 0)]))
    states = game.new_states(1)
    legal_actions, counts = game.legal_actions(states)
    np.testing.assert_array_equal(
        action_gains(game, states, legal_actions, counts, 1), [[25, 20, 30]]
    )


def test_greedy_breaks_ties_uniformly_and_row_by_row() -> None:
    states = TICTACTOE.new_states(9000)
    agent = GreedyAgent(TICTACTOE)
    actions = agent.act(states, np.random.default_rng(0))
    np.testing.assert_allclose(np.bincount(actions) / 9000, 1 / 9, atol=0.014)
    states[5000:] = TICTACTOE.from_text("XX.OO....")
    again = agent.act(states, np.random.default_rng(0))
    np.testing.assert_array_equal(actions[:5000], again[:5000])
    assert (again[5000:] == 2).all()


def test_greedy_has_no_legal_action_too_few() -> None:
    states = random_positions(TICTACTOE, 500, 8)
    actions = GreedyAgent(TICTACTOE).act(states, np.random.default_rng(0))
    legal_actions, _ = TICTACTOE.legal_actions(states)
    assert (legal_actions == actions[:, None]).any(axis=1).all()


# --- evaluators ---------------------------------------------------------------------------------


def evaluate(game: Game, evaluator: Any, states: States) -> Any:
    legal_actions, counts = game.legal_actions(states)
    return evaluator.evaluate(states, game.current_player(states), legal_actions, counts)


def test_rollouts_estimate_the_result_of_random_play() -> None:
    # X to move wins with one action, loses after another, draws after the rest.
    states = TICTACTOE.from_text("XXOOOX.X.")[None]
    _, values = evaluate(TICTACTOE, RolloutEvaluator(TICTACTOE, num_rollouts=4000), states)
    # O to move: c1 wins nothing, a1 wins for O (a1-b2-c3); both lead to an end within two plies.
    after, counts = TICTACTOE.legal_actions(states)
    exact = []
    for action in after[0, : counts[0]]:
        child, _ = TICTACTOE.apply(states, np.array([action], np.int32))
        if not TICTACTOE.is_terminal(child)[0]:
            last, _ = TICTACTOE.legal_actions(child)
            child, _ = TICTACTOE.apply(child, last[:, 0])
        exact.append(TICTACTOE.returns(child)[0, TICTACTOE.current_player(states)[0]])
    assert abs(values[0] - np.mean(exact)) < 0.05


def test_rollouts_depend_on_the_position_and_the_seed_only() -> None:
    states = random_positions(TICTACTOE, 50, 5)
    one = evaluate(TICTACTOE, RolloutEvaluator(TICTACTOE, 1), states)[1]
    np.testing.assert_array_equal(
        one[::-1], evaluate(TICTACTOE, RolloutEvaluator(TICTACTOE, 1), states[::-1].copy())[1]
    )
    assert (one != evaluate(TICTACTOE, RolloutEvaluator(TICTACTOE, 2), states)[1]).any()


@pytest.mark.parametrize("player", [0, 1])
def test_score_evaluator_sees_from_the_mover(player: int) -> None:
    other = 1 - player
    lead = (60.0, 0.0) if player == 0 else (0.0, 60.0)
    more = (90.0, 0.0) if player == 0 else (0.0, 90.0)
    game = TableGame(
        Node(player, [scored(*lead, player=other), scored(*more, player=other)], score=lead)
    )
    logits, values = evaluate(game, ScoreEvaluator(game), game.new_states(1))
    assert values[0] == pytest.approx(np.tanh(0.6))
    assert logits[0, 1] - logits[0, 0] == pytest.approx(3.0)
    game = TableGame(Node(player, [Node(other, result=1 if player == 0 else -1)]))
    assert evaluate(game, ScoreEvaluator(game), game.new_states(1))[1] == [1.0]


# --- search as an agent -------------------------------------------------------------------------


def test_mcts_agent_plays_without_noise_and_with_temperature() -> None:
    states = random_positions(TICTACTOE, 64, 5)
    settings = SearchSettings(num_simulations=32)
    agent = MCTSAgent(TICTACTOE, UniformEvaluator(), settings)
    one, other = (agent.act(states, np.random.default_rng(seed)) for seed in (0, 1))
    np.testing.assert_array_equal(one, other)
    warm = MCTSAgent(TICTACTOE, UniformEvaluator(), settings, temperature=1.0)
    states = np.repeat(TICTACTOE.new_states(1), 2000, axis=0)
    result = warm.search.search(states[:1], np.random.default_rng(0))
    actions = warm.act(states, np.random.default_rng(0))
    np.testing.assert_allclose(np.bincount(actions) / 2000, result.policy[0], atol=0.05)
    # So warm that small probabilities count: padding is never drawn.
    hot = MCTSAgent(TICTACTOE, UniformEvaluator(), settings, temperature=100.0)
    states = random_positions(TICTACTOE, 500, 8)
    actions = hot.act(states, np.random.default_rng(0))
    legal_actions, _ = TICTACTOE.legal_actions(states)
    assert (legal_actions == actions[:, None]).any(axis=1).all()


def test_search_is_chosen_by_options() -> None:
    """All options reach the search; with subtrees kept, an agent goes on from its last search."""
    options = {
        "algorithm": "puct",
        "num_simulations": 30,
        "c_puct": 2.0,
        "c_puct_base": 0.0,
        "fpu_reduction": 0.4,
        "root_fpu_reduction": 0.1,
        "dirichlet_alpha": 0.3,
        "dirichlet_fraction": 0.5,
        "rescale_values": False,
        "reuse_subtrees": True,
    }
    agent = agents.load("mcts", TICTACTOE, **options)
    assert isinstance(agent, MCTSAgent)
    for name, value in options.items():
        assert getattr(agent.search.settings, name) == value
    states = TICTACTOE.new_states(2)
    totals = []
    for _ in range(2):
        totals.append(agent.search.search(states, np.random.default_rng(0)).visit_counts.sum())
    assert totals == [60, 120]


@pytest.mark.parametrize(("name", "noisy"), [("score", True), ("uniform", False)])
def test_search_by_score_has_a_little_noise_with_either_algorithm(name: str, noisy: bool) -> None:
    agent = agents.load("mcts", "commander", evaluator=name)
    assert isinstance(agent, MCTSAgent)
    settings = agent.search.settings
    assert (settings.gumbel_scale > 0) == (settings.dirichlet_fraction > 0) == noisy


@pytest.mark.parametrize("options", [{"temperature": -1.0}, {"gumbel_scale": float("inf")}])
def test_mcts_agent_refuses_senseless_options(options: dict[str, Any]) -> None:
    with pytest.raises(AgentError, match="finite number"):
        MCTSAgent(TICTACTOE, UniformEvaluator(), **options)


# --- by name ------------------------------------------------------------------------------------


def test_names_may_be_asked_for_one_game() -> None:
    """Alpha-beta and the shipped network know Commander Chess only; all others play everything."""
    assert set(agents.agent_names("commander")) == set(agents.agent_names())
    for game in ("tictactoe", TICTACTOE):
        missing = set(agents.agent_names()) - set(agents.agent_names(game))
        assert missing == {"alphabeta", "pretrained"}


@pytest.mark.parametrize(
    ("name", "game_name"),
    [(name, game) for game in game_names() for name in agents.agent_names(game)],
)
def test_every_named_agent_plays_every_game_legally(name: str, game_name: str) -> None:
    game = load_game(game_name)
    agent = agents.load(name, game_name)
    assert agent.game is game
    assert agent.name == name
    rng = np.random.default_rng(0)
    states = random_positions(game, 6, 7)
    for _ in range(3):
        before = states.copy()
        actions = agent.act(states, rng)
        np.testing.assert_array_equal(states, before)
        legal_actions, _ = game.legal_actions(states)
        assert actions.dtype == np.int32
        assert (legal_actions == actions[:, None]).any(axis=1).all()
        states, _ = game.apply(states, actions, rng.random(len(states)))
        states = states[~game.is_terminal(states)]


def test_greedy_beats_random_and_search_beats_greedy_in_commander_chess() -> None:
    game = load_game("commander")
    greedy = agents.load("greedy")
    assert greedy.game is game
    for better, worse in ((greedy, agents.load("random")), (agents.load("mcts"), greedy)):
        if isinstance(better, MCTSAgent):
            better = agents.load("mcts", num_simulations=16)
        rng = np.random.default_rng(0)
        states = random_positions(game, 8, 4)
        seats = np.arange(8) % 2
        won, lost = 0, 0
        while len(states):
            own = game.current_player(states) == seats
            for rows, agent in ((own, better), (~own, worse)):
                if rows.any():
                    states[rows], _ = game.apply(states[rows], agent.act(states[rows], rng))
            done = game.is_terminal(states)
            results = game.returns(states)[np.arange(len(states)), seats]
            won, lost = won + int((results > 0).sum()), lost + int((results < 0).sum())
            states, seats = states[~done], seats[~done]
        assert won >= 6 > 1 >= lost


def test_mcts_by_name_never_loses_tictactoe_to_random_or_greedy() -> None:
    rng = np.random.default_rng(0)
    mcts = agents.load("mcts", "tictactoe")
    for opponent in (agents.load("random", "tictactoe"), agents.load("greedy", "tictactoe")):
        for seat in (0, 1):
            states = TICTACTOE.new_states(40)
            while len(states):
                to_move = TICTACTOE.current_player(states)[0]
                player = mcts if to_move == seat else opponent
                states, _ = TICTACTOE.apply(states, player.act(states, rng))
                assert (TICTACTOE.returns(states)[:, seat] >= 0).all()
                states = states[~TICTACTOE.is_terminal(states)]


def test_options_reach_the_agent() -> None:
    agent = agents.load("mcts", TICTACTOE, num_simulations=7, evaluator="uniform", temperature=0.5)
    assert isinstance(agent, MCTSAgent)
    assert agent.search.settings.num_simulations == 7
    assert agent.temperature == 0.5
    assert isinstance(agent.search.evaluator, UniformEvaluator)


def test_mcts_uses_the_score_where_there_is_one() -> None:
    agent = agents.load("mcts", TableGame(Node(0, [scored(1, 0)])))
    assert isinstance(agent, MCTSAgent)
    assert isinstance(agent.search.evaluator, ScoreEvaluator)
    agent = agents.load("mcts", "tictactoe")
    assert isinstance(agent, MCTSAgent)
    assert isinstance(agent.search.evaluator, RolloutEvaluator)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("grandmaster", {}, "agents are alphabeta, greedy, mcts, pretrained, random"),
        ("random", {"depth": 3}, "unknown option 'depth' of agent 'random': it has no options"),
        ("mcts", {"simulations": 3}, "unknown option 'simulations' of agent 'mcts': its options"),
        ("mcts", {"num_simulations": "many"}, "num_simulations is an integer"),
        ("mcts", {"num_simulations": 2**40}, "in 0–1000000, got 1099511627776"),
        ("mcts", {"max_num_considered_actions": 10**15}, "in 1–100000, got 1000000000000000"),
        ("mcts", {"num_rollouts": 10**15}, "in 1–10000, got 1000000000000000"),
        ("mcts", {"value_scale": 10**400}, "value_scale is a finite number .* got 1000"),
        ("mcts", {"temperature": 10**400}, "temperature is a finite number"),
        ("mcts", {"evaluator": "net"}, "unknown evaluator 'net'"),
        ("mcts", {"evaluator": ["x"]}, "unknown evaluator"),
        ("mcts", {"num_rollouts": 0}, "num_rollouts is an integer"),
        ("mcts", {"gumbel_scale": "no"}, "gumbel_scale is a finite number"),
        ("mcts", {"algorithm": "best"}, "algorithm is gumbel or puct, got 'best'"),
        (
            "mcts",
            {"dirichlet_fraction": 2},
            "dirichlet_fraction is a finite number .* at most 1, got 2",
        ),
        ("greedy", {"num_actions_ahead": 0}, "num_actions_ahead is an integer"),
    ],
)
def test_what_cannot_be_loaded_is_named(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(AgentError, match=message) as caught:
        agents.load(name, "tictactoe", **options)
    assert "\n" not in str(caught.value)


def test_the_shipped_network_plays_commander_alone() -> None:
    """It wins at once where it can; it is small enough for a package."""
    commander = load_game("commander")
    state = commander.from_text("6c4/6T4/11/11/11/11/11/11/11/11/11/4C6 r - - 0 1")[None]
    agent = agents.load("pretrained", num_simulations=64)
    assert agent.game is commander
    after, _ = commander.apply(state, agent.act(state, np.random.default_rng(0)))
    assert commander.returns(after)[0].tolist() == [1, -1]
    with pytest.raises(AgentError, match="there is no pretrained network for tictactoe"):
        agents.load("pretrained", "tictactoe")
    with pytest.raises(AgentError, match="unknown option 'depth' of agent 'pretrained'"):
        agents.load("pretrained", depth=2)
    folder = Path(agents.__file__).parent / "data" / "commander"
    assert sum(path.stat().st_size for path in folder.iterdir()) < 5_000_000


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(UnknownGameError, match="chess960"):
        agents.load("random", "chess960")


def test_agents_without_a_network_never_import_torch() -> None:
    code = """
import sys, numpy, agents
from cotulenh_env.registry import game_names, load_game
game = load_game("commander")
for name in agents.agent_names():
    if name == "pretrained":
        continue
    agents.load(name, game).act(game.new_states(2), numpy.random.default_rng(0))
assert "torch" not in sys.modules and "safetensors" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", [None, 5, [], "x" * 10**5, "nobody", "\0"])
def test_agents_that_do_not_exist_are_named_shortly(name: Any) -> None:
    with pytest.raises(AgentError) as caught:
        agents.load(name, game="tictactoe")
    assert len(str(caught.value)) < 300


def test_a_folder_without_a_network_is_named(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="holds no network, checkpoint or run"):
        agents.load(tmp_path, game="tictactoe")
