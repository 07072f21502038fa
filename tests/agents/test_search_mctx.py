"""The search equals mctx, DeepMind's search in JAX, number by number: both algorithms.

`mctx_reference.json` was recorded from mctx 0.0.71 by `mctx_policies.py`, which tells how. Where
mctx is installed the answers are also taken afresh.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from agents.search import BatchedSearch, SearchSettings
from tests.agents.helpers import NO_SEED, HashEvaluator
from tests.agents.mctx_policies import REFERENCE, SETTINGS, reference_game, run_mctx

CASES: list[dict[str, Any]] = json.loads(REFERENCE.read_text(encoding="utf-8"))


def name_of(case: dict[str, Any]) -> str:
    return str(case["settings"])


def assert_equal_to(case: dict[str, Any]) -> None:
    game = reference_game()
    states = game.states_of(*(game.nodes[number] for number in case["nodes"]))
    settings = SearchSettings(**case["settings"])
    seeds = np.array(case["seeds"], np.uint64)
    found = BatchedSearch(game, HashEvaluator(game), settings).search(states, NO_SEED, seeds=seeds)
    np.testing.assert_array_equal(found.visit_counts, case["visit_counts"])
    if "actions" in case:  # mctx draws those of PUCT from the visits
        np.testing.assert_array_equal(found.actions, case["actions"])
    # mctx counts in float32 throughout.
    np.testing.assert_allclose(found.policy, case["policy"], atol=2e-4)
    visited = found.visit_counts > 0
    np.testing.assert_allclose(
        found.qvalues[visited], np.array(case["qvalues"])[visited], atol=1e-5
    )


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_equals_what_was_recorded_of_mctx(case: dict[str, Any]) -> None:
    assert_equal_to(case)


def test_both_algorithms_are_recorded() -> None:
    assert [case["settings"] for case in CASES] == SETTINGS
    assert {case["settings"].get("algorithm", "gumbel") for case in CASES} == {"gumbel", "puct"}


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_equals_mctx_itself(case: dict[str, Any]) -> None:
    pytest.importorskip("mctx")
    assert_equal_to(case | run_mctx(reference_game(), case))
