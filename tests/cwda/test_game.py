"""`DifferentArmies` as a `Game`, over batches.

- a batch that mixes pairings plays as each `Position` does alone
- new games: armies by name, drawn, in turn
- no position has more legal actions than the proved bound
- scores, perft, saved states; keys tell positions apart
- compiled kernels and plain Python give the same bytes
"""

import hashlib

import numpy as np
import pytest

from cotulenh_env.cwda import Position, RuleSet
from cotulenh_env.cwda.bounds import MAX_LEGAL_ACTIONS, count_bound
from cotulenh_env.cwda.game import DifferentArmies
from cotulenh_env.cwda.state import STATE_DTYPE
from cotulenh_env.errors import PositionError, RulesError, StateError
from cotulenh_env.game import States
from tests.cwda.helpers import DERIVED, ENDGAMES, PAIRINGS, random_games, varied_starts
from tests.programs import printed_by
from training.commands.perft import perft

GAME = DifferentArmies()


def starts() -> States:
    return np.stack([position.state for position in varied_starts()])


# --- batches ------------------------------------------------------------------------------------


def test_new_states() -> None:
    assert GAME.new_states(0).shape == (0, STATE_DTYPE.itemsize)
    assert STATE_DTYPE.itemsize % 8 == 0
    rules = [*PAIRINGS, *DERIVED]
    for state, row_rules in zip(GAME.new_states(len(rules), rules=rules), rules, strict=True):
        assert GAME.rules_of(state) == row_rules
        assert np.array_equal(state, Position(row_rules).state)
    with pytest.raises(RulesError):
        GAME.new_states(2, rules=[RuleSet()])
    with pytest.raises(RulesError):
        GAME.new_states(1, rules=["FF"])  # type: ignore[list-item]


def test_armies_are_drawn_or_taken_in_turn() -> None:
    in_turn = [GAME.rules_of(state) for state in GAME.new_states(32)]
    assert in_turn == PAIRINGS * 2
    drawn = GAME.new_states(4800, np.random.default_rng(1))
    counts = np.unique(drawn.view(STATE_DTYPE)[:, 0]["armies"], axis=0, return_counts=True)[1]
    assert len(counts) == 16
    assert abs(counts - 300).max() < 90  # over five standard deviations
    again = GAME.new_states(4800, np.random.default_rng(1))
    assert np.array_equal(drawn, again)


def test_a_batch_that_mixes_armies_plays_as_single_games() -> None:
    rng = np.random.default_rng(1)
    states, positions = starts(), varied_starts()
    returns = {0: [1, -1], 1: [-1, 1], -1: [0, 0], None: [0, 0]}
    for _ in range(120):
        legal, counts = GAME.legal_actions(states)
        chosen = np.zeros(len(states), np.int32)
        for row, position in enumerate(positions):
            assert legal[row, : counts[row]].tolist() == position.legal_actions()
            assert (legal[row, counts[row] :] == -1).all()
            if not counts[row]:
                positions[row] = position = varied_starts()[row]
                states[row] = position.state
                chosen[row] = position.legal_actions()[0]
            else:
                chosen[row] = rng.choice(legal[row, : counts[row]])
            position.push(chosen[row])
        before = states.copy()
        after, events = GAME.apply(states, chosen)
        assert not events.any()
        assert np.array_equal(states, before)
        same, _ = GAME.apply(states, chosen, out=states)
        assert same is states
        assert np.array_equal(states, after)
        assert np.array_equal(states, [position.state for position in positions])
        assert GAME.current_player(states).tolist() == [p.turn for p in positions]
        assert GAME.is_terminal(states).tolist() == [p.is_game_over() for p in positions]
        assert GAME.returns(states).tolist() == [returns[p.winner] for p in positions]
        assert GAME.end_reason(states) == [p.reason for p in positions]
        assert GAME.num_turns(states).tolist() == [p.turns for p in positions]
        assert GAME.key(states).tolist() == [p.key for p in positions]
    assert GAME.draw(states[0]) == str(positions[0])


def test_states_that_cannot_be_written_are_read() -> None:
    states = GAME.new_states(2)
    states.flags.writeable = False
    assert GAME.legal_actions(states)[1].tolist() == [20, 20]
    assert GAME.observe(states, np.zeros(2, np.int32)).shape == (2, *GAME.spec.observation_shape)
    with pytest.raises(StateError, match="C-contiguous"):
        GAME.legal_actions(GAME.new_states(4)[::2])


def test_scores_are_material() -> None:
    state = GAME.from_text("4k3/8/2w5/8/8/8/PP6/D3K3 w Q - 0 1")
    assert GAME.score(state[None]).tolist() == [[70, 30]]
    amazon = GAME.from_text("x3k3/8/8/8/8/8/8/E3K3 w - - 0 1 FW-AM")
    assert GAME.score(amazon[None]).tolist() == [[90, 120]]
    for code in ("FF", "CC", "NN", "RR", "AA", "FW"):
        assert GAME.score(Position(RuleSet(code, "FF")).state[None]).tolist() == [[390, 390]]


def test_perft_is_that_of_the_legal_actions() -> None:
    """The compiled count against the one that goes through `legal_actions` and `apply`."""

    class Slow(DifferentArmies):
        perft = None  # type: ignore[assignment]

    states = starts()
    assert perft(GAME, states, 2) == perft(Slow(), states, 2) > 10_000
    assert perft(GAME, states, 0) == len(states)
    over = GAME.from_text("7k/8/5K2/8/8/8/8/8 b - - 0 90")
    assert perft(GAME, over[None], 2) == 0


def test_saved_states() -> None:
    states = np.stack([p.state for p, _ in random_games(varied_starts()[:6], 5, max_moves=20)])
    assert np.array_equal(GAME.check_states(states), states)
    states[3, 0] ^= 1  # in the key
    with pytest.raises(StateError, match="row 3"):
        GAME.check_states(states)
    with pytest.raises(StateError):
        GAME.check_states(states[:, :-8])
    with pytest.raises(PositionError):
        GAME.from_text("nothing")
    with pytest.raises(RulesError):
        GAME.from_text("nothing", "FF")  # type: ignore[arg-type]


def test_bound_of_legal_actions() -> None:
    assert count_bound() <= MAX_LEGAL_ACTIONS == GAME.spec.max_legal_actions


def test_crowded_positions_stay_within_the_bound() -> None:
    """Twelve Amazons, letter X, far more than a game can have."""
    amazons = "X" * 4
    text = f"7k/8/1{amazons}3/8/X4XX1/6X1/4X3/KXX1X3 w - - 0 1 AM-FF"
    count = GAME.legal_actions(GAME.from_text(text)[None])[1][0]
    assert 200 < count < MAX_LEGAL_ACTIONS


def test_keys_tell_positions_apart() -> None:
    keys: dict[int, str] = {}
    for position, _ in random_games(varied_starts(), seed=51, max_moves=80):
        fields = position.fen().split()
        if position.state.view(STATE_DTYPE)[0]["can_en_passant"] == 0:
            fields[3] = "-"
        words = " ".join([*fields[:4], repr(position.rules)])
        assert keys.setdefault(position.key, words) == words
    assert len(set(keys.values())) == len(keys) > 1000


# --- plain Python -------------------------------------------------------------------------------


def digest_of_games(num_actions: int) -> str:
    """A hash over states, legal actions, masks and observations of some random games."""
    rng = np.random.default_rng(61)
    begin = np.concatenate(
        [
            GAME.new_states(16),
            GAME.new_states(len(DERIVED), rules=DERIVED),
            *[
                GAME.from_text(fen, RuleSet(*armies.split("-")))[None]
                for armies, fen in (
                    *ENDGAMES,
                    ("CC-RR", "s3k2s/PP4p1/8/2pP4/8/8/1P4pp/D3K2D w KQkq c6 0 1"),
                    ("FF-CC", "d3k2d/PP4p1/8/8/2pP4/8/1P4pp/R3K2R b KQkq d3 0 1"),
                )
            ],
        ]
    )
    states = begin.copy()
    buffers = GAME.new_buffers(len(states))
    GAME.refresh(states, buffers)
    digest = hashlib.sha256()
    for _ in range(num_actions):
        over = buffers.counts == 0
        states[over] = begin[over]
        GAME.refresh(states, buffers)
        columns = rng.integers(0, buffers.counts)
        actions = buffers.legal_actions[np.arange(len(states)), columns]
        GAME.step_into(states, actions, None, buffers)
        for array in (states, buffers.legal_actions, buffers.mask, buffers.observations):
            assert array is not None
            digest.update(array.tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize("mode", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_plain_python_and_checked_bounds_give_the_same_bytes(mode: str) -> None:
    """DESIGN §3: kernels mean the same as plain Python, and never reach outside an array."""
    script = "from tests.cwda.test_game import digest_of_games; print(digest_of_games(30))"
    assert printed_by(script, **{mode: "1"}).strip() == digest_of_games(30)
