"""The search equals mctx's `gumbel_muzero_policy`, number by number.

`mctx_reference.json` was recorded once from mctx 0.0.71 on the game below: every position has four
actions (so that nothing needs masking), who moves next is arbitrary. There, `recurrent_fn` gave
the same hashed logits and values, discount 1 where the same player moved on, −1 where the players
changed, 0 into a finished game, whose result was the reward; and its Gumbel noise was ours.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.noise import uniform
from agents.search import BatchedSearch, SearchSettings
from tests.agents.helpers import NO_SEED, HashEvaluator
from tests.agents.table_game import Node, TableGame

NUM_ACTIONS, DEPTH = 4, 5
REFERENCE = Path(__file__).with_name("mctx_reference.json")


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


def cases() -> list[dict[str, Any]]:
    recorded: list[dict[str, Any]] = json.loads(REFERENCE.read_text(encoding="utf-8"))
    return recorded


@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case["settings"]))
def test_equals_mctx(case: dict[str, Any]) -> None:
    game = reference_game()
    states = game.states_of(*(game.nodes[number] for number in case["nodes"]))
    settings = SearchSettings(**case["settings"])
    seeds = np.array(case["seeds"], np.uint64)
    found = BatchedSearch(game, HashEvaluator(game), settings).search(states, NO_SEED, seeds=seeds)
    np.testing.assert_array_equal(found.visit_counts, case["visit_counts"])
    np.testing.assert_array_equal(found.actions, case["actions"])
    # mctx counts in float32 throughout.
    np.testing.assert_allclose(found.policy, case["policy"], atol=2e-4)
    visited = found.visit_counts > 0
    np.testing.assert_allclose(
        found.qvalues[visited], np.array(case["qvalues"])[visited], atol=1e-5
    )
