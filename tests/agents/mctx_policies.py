"""Runs mctx, DeepMind's search in JAX, on a game of tests: `test_search_mctx.py` compares with it.

    python -m tests.agents.mctx_policies

writes the recorded answers afresh; it needs `pip install mctx`, which nothing else here does. Every
position of the game has four actions, so that nothing needs masking; who moves next is arbitrary.
`recurrent_fn` gives the logits and values of `HashEvaluator`, discount 1 where the same player
moves on, −1 where the players change, 0 into a finished game, whose result is the reward. The noise
is ours.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from agents.noise import dirichlet, gumbel, row_seeds, uniform
from agents.search import SearchSettings
from tests.agents.helpers import HashEvaluator
from tests.agents.table_game import Node, TableGame

NUM_ACTIONS, DEPTH = 4, 5
NUM_ROWS = 16
REFERENCE = Path(__file__).with_name("mctx_reference.json")

PUCT = {"algorithm": "puct", "fpu_reduction": 1e9, "root_fpu_reduction": 1e9}
"""mctx takes the lowest value for unvisited actions, which is where our reduction ends."""

SETTINGS: list[dict[str, Any]] = [
    {"num_simulations": 60},
    {"num_simulations": 200, "max_num_considered_actions": 4},
    {"num_simulations": 31, "max_num_considered_actions": 2, "gumbel_scale": 0.5},
    {
        "num_simulations": 80,
        "rescale_values": False,
        "value_scale": 0.4,
        "maxvisit_init": 20.0,
    },
    {**PUCT, "num_simulations": 60, "dirichlet_fraction": 0.0},
    {**PUCT, "num_simulations": 150, "dirichlet_alpha": 0.3},
    {**PUCT, "num_simulations": 80, "c_puct": 0.7, "c_puct_base": 30.0, "dirichlet_fraction": 0.5},
]


def reference_game() -> TableGame:
    """A full tree; players and results are hashes of a node's place in it."""

    def node(depth: int, place: int) -> Node:
        stream = np.array([place], np.uint64)
        player = int(uniform(stream, np.uint64(100))[0] < 0.5)
        if depth == 0:
            result = float(np.floor(3 * uniform(stream, np.uint64(101))[0]) - 1)
            return Node(player, result=result)
        children = [node(depth - 1, place * NUM_ACTIONS + 1 + i) for i in range(NUM_ACTIONS)]
        return Node(player, children)

    return TableGame(node(DEPTH, 0))


def run_mctx(game: TableGame, case: dict[str, Any]) -> dict[str, Any]:
    """The visit counts, policies and Q-values of mctx, and of Gumbel search the actions.

    Args:
        game: see `reference_game`.
        case: settings, numbers of the nodes to search, seeds.
    """
    import jax
    import jax.numpy as jnp
    import mctx

    settings, tables = SearchSettings(**case["settings"]), _tables(game)
    tables = {name: jnp.asarray(table) for name, table in tables.items()}
    nodes, seeds = np.array(case["nodes"]), np.array(case["seeds"], np.uint64)

    def recurrent_fn(params: Any, key: Any, actions: Any, embedding: Any) -> Any:
        after = tables["children"][embedding, actions]
        is_same = tables["players"][embedding] == tables["players"][after]
        is_done = tables["is_done"][after]
        sign = jnp.where(tables["players"][embedding] == 0, 1.0, -1.0)
        output = mctx.RecurrentFnOutput(
            reward=jnp.where(is_done, sign * tables["results"][after], 0.0),
            discount=jnp.where(is_done, 0.0, jnp.where(is_same, 1.0, -1.0)),
            prior_logits=tables["logits"][after],
            value=jnp.where(is_done, 0.0, tables["values"][after]),
        )
        return output, after

    root = mctx.RootFnOutput(
        prior_logits=tables["logits"][nodes],
        value=tables["values"][nodes],
        embedding=jnp.asarray(nodes),
    )
    common = (None, jax.random.PRNGKey(0), root, recurrent_fn, settings.num_simulations)
    if settings.algorithm == "gumbel":
        noise = jnp.asarray(gumbel(seeds, NUM_ACTIONS))
        transform = mctx.qtransform_completed_by_mix_value
        with mock.patch.object(jax.random, "gumbel", return_value=noise):
            output = mctx.gumbel_muzero_policy(
                *common,
                qtransform=lambda tree, node: transform(
                    tree,
                    node,
                    value_scale=settings.value_scale,
                    maxvisit_init=settings.maxvisit_init,
                    rescale_values=settings.rescale_values,
                ),
                max_num_considered_actions=settings.max_num_considered_actions,
                gumbel_scale=settings.gumbel_scale,
            )
        policy, actions = output.action_weights, {"actions": output.action.tolist()}
    else:
        alpha = 10 / NUM_ACTIONS if settings.dirichlet_alpha is None else settings.dirichlet_alpha
        counts = np.full(len(seeds), NUM_ACTIONS, np.int32)
        noise = jnp.asarray(dirichlet(seeds, counts, np.full(len(seeds), alpha)), jnp.float32)
        with mock.patch.object(jax.random, "dirichlet", return_value=noise):
            output = mctx.muzero_policy(
                *common,
                dirichlet_fraction=settings.dirichlet_fraction,
                pb_c_init=settings.c_puct,
                pb_c_base=settings.c_puct_base,
            )
        policy, actions = output.action_weights, {}
    summary = output.search_tree.summary()
    return {
        "visit_counts": summary.visit_counts.tolist(),
        "policy": np.asarray(policy, np.float64).round(7).tolist(),
        "qvalues": np.asarray(summary.qvalues, np.float64).round(7).tolist(),
        **actions,
    }


def _tables(game: TableGame) -> dict[str, Any]:
    """Everything there is to know of a game, by number of the node."""
    n = len(game.nodes)
    states = game.states_of(*game.nodes)
    legal_actions, counts = game.legal_actions(states)
    players = game.current_player(states)
    logits, values = HashEvaluator(game).evaluate(states, players, legal_actions, counts)
    children = np.zeros((n, NUM_ACTIONS), np.int32)
    for number in np.flatnonzero(counts):
        repeated = np.repeat(states[number : number + 1], NUM_ACTIONS, axis=0)
        after, _ = game.apply(repeated, np.arange(NUM_ACTIONS, dtype=np.int32))
        children[number] = game.numbers(after)
    return {
        "players": players,
        "is_done": counts == 0,
        "results": game.returns(states)[:, 0],
        "logits": logits,
        "values": values,
        "children": children,
    }


def record() -> list[dict[str, Any]]:
    """All cases with the answers of mctx."""
    game = reference_game()
    numbers = [number for number, node in enumerate(game.nodes) if node.children]
    rng = np.random.default_rng(0)
    cases = []
    for settings in SETTINGS:
        nodes = [0, *rng.choice(numbers, NUM_ROWS - 1).tolist()]
        seeds = row_seeds(NUM_ROWS, rng).tolist()
        case = {"settings": settings, "nodes": nodes, "seeds": seeds}
        cases.append(case | run_mctx(game, case))
    return cases


if __name__ == "__main__":
    lines = ",\n".join(json.dumps(case) for case in record())
    REFERENCE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
