"""Every node of random games of OpenSpiel's `banqi` is ours under the Taiwanese preset.

- who may do what, with which probability a flip turns up what, where the game ends, who wins
- recorded games always; fresh games where OpenSpiel is installed
"""

from __future__ import annotations

import numpy as np
import pytest

from cotulenh_env.banqi import RuleSet
from cotulenh_env.banqi.game import Banqi
from cotulenh_env.banqi.pieces import CODE_LETTERS
from cotulenh_env.banqi.state import STATE_DTYPE
from tests.banqi.open_spiel import Recording, random_recordings, their_action
from tests.cases import read_lines

GAME = Banqi()
RULES = RuleSet(preset="taiwanese")
RECORDINGS = read_lines("banqi_open_spiel.jsonl")


def compare(recording: Recording) -> str:
    """Plays a recorded game with ours, comparing every node; returns why it ended."""
    states = GAME.new_states(1, rules=RULES)
    events = np.zeros(1, np.int32)
    nodes = iter(recording["nodes"])
    for their_choice, their_legal in nodes:
        legal, counts = GAME.legal_actions(states)
        ours = {their_action(int(action)): action for action in legal[0, : counts[0]]}
        assert sorted(ours) == their_legal
        action = ours[their_choice]
        draw = 0.0
        if action < 32:
            turned_up, pieces, their_counts = next(nodes)
            ((events, probabilities),) = GAME.chance_outcomes(states, np.array([action]))
            num_face_down = sum(their_counts)
            assert events.tolist() == pieces
            assert probabilities == pytest.approx(np.array(their_counts) / num_face_down)
            index = pieces.index(turned_up)
            draw = (sum(their_counts[:index]) + 0.5) / num_face_down
        states, events = GAME.apply(states, np.array([action]), np.array([draw]))
        assert events[0] == (turned_up if action < 32 else 0)
    assert GAME.is_terminal(states)[0]
    assert GAME.returns(states)[0].tolist() == recording["returns"]
    board = states.view(STATE_DTYPE)[0, 0]["board"].reshape(4, 8)
    lines = [" ".join(CODE_LETTERS[code] for code in row) for row in board]
    assert lines == recording["board"]
    return GAME.end_reason(states)[0]


def test_recorded_games() -> None:
    reasons = [compare(recording) for recording in RECORDINGS]
    assert set(reasons) == {"quiet", "no move"}
    assert sum(len(recording["nodes"]) for recording in RECORDINGS) > 5_000


def test_fresh_games() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel comes with the extra bench")
    for recording in random_recordings(20, seed=3):
        compare(recording)
