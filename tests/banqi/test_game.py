"""`Banqi` as a `Game`, over batches.

- a batch that mixes rules plays as each `Position` does alone, and apply leaves its input
- chance: as often as announced, by the draws in order, and nothing leaks before
- keys: equal for equal positions, different for other boards, colours, sides and pieces face down
- compiled kernels and plain Python give the same bytes, with checked bounds too
"""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from cotulenh_env.banqi import Position, RuleSet
from cotulenh_env.banqi.outcomes import draw_of
from cotulenh_env.banqi.state import STATE_DTYPE
from cotulenh_env.errors import CotulenhError, PositionError, RulesError
from cotulenh_env.game import States
from tests.banqi.helpers import ALL_RULES, GAME, random_games
from tests.programs import printed_by

LETTERS = "GAERHCSgaerhcs"


def test_new_states() -> None:
    assert GAME.new_states(0).shape == (0, STATE_DTYPE.itemsize)
    assert STATE_DTYPE.itemsize % 8 == 0
    states = GAME.new_states(len(ALL_RULES), rules=ALL_RULES)
    for state, rules in zip(states, ALL_RULES, strict=True):
        assert GAME.rules_of(state) == rules
        assert np.array_equal(state, Position(rules).state)
    assert np.array_equal(GAME.new_states(3)[2], Position().state)
    with pytest.raises(RulesError):
        GAME.new_states(2, rules=[RuleSet()])
    with pytest.raises(RulesError):
        GAME.new_states(1, rules=["taiwanese"])  # type: ignore[list-item]


def test_a_batch_that_mixes_rules_plays_as_single_games() -> None:
    rng = np.random.default_rng(1)
    states = GAME.new_states(len(ALL_RULES), rules=ALL_RULES)
    positions = [Position(rules) for rules in ALL_RULES]
    for _ in range(300):
        legal, counts = GAME.legal_actions(states)
        draws = rng.random(len(states))
        chosen = np.zeros(len(states), np.int32)
        for row, position in enumerate(positions):
            assert legal[row, : counts[row]].tolist() == position.legal_actions()
            assert (legal[row, counts[row] :] == -1).all()
            if not counts[row]:
                positions[row] = position = Position(ALL_RULES[row])
                states[row] = position.state
            chosen[row] = rng.choice(position.legal_actions())
        before = states.copy()
        after, events = GAME.apply(states, chosen, draws)
        assert np.array_equal(states, before)
        for row, position in enumerate(positions):
            is_flip = chosen[row] < 32
            position.push(chosen[row], LETTERS[events[row]] if is_flip else None)
            assert is_flip or events[row] == 0
        same, again = GAME.apply(states, chosen, draws, out=states)
        assert same is states
        assert np.array_equal(states, after)
        assert np.array_equal(events, again)
        check_views(states, positions)


def check_views(states: States, positions: list[Position]) -> None:
    returns = {0: [1, -1], 1: [-1, 1], -1: [0, 0], None: [0, 0]}
    assert np.array_equal(states, [position.state for position in positions])
    assert GAME.current_player(states).tolist() == [position.turn for position in positions]
    assert [GAME.current_player_of(state) for state in states] == [p.turn for p in positions]
    assert GAME.is_terminal(states).tolist() == [p.winner is not None for p in positions]
    assert GAME.returns(states).tolist() == [returns[position.winner] for position in positions]
    assert GAME.end_reason(states) == [position.reason for position in positions]
    assert GAME.num_turns(states).tolist() == [position.turns for position in positions]
    assert GAME.score(states).tolist() == [pieces_left(position) for position in positions]
    assert [GAME.to_text(state) for state in states] == [p.fen() for p in positions]
    assert GAME.draw(states[0]) == str(positions[0])


def pieces_left(position: Position) -> list[int]:
    """Pieces of players 0 and 1 that have not been captured, counted in the FEN."""
    board, _, first, hidden, _ = position.fen().split()
    text = board + hidden
    red, black = sum(map(str.isupper, text)), sum(map(str.islower, text))
    return [black, red] if first == "b" else [red, black]


def test_draws_are_needed() -> None:
    with pytest.raises(CotulenhError, match="a draw in"):
        GAME.apply(GAME.new_states(1), np.zeros(1, np.int32))


def test_text_and_words() -> None:
    rules = RuleSet(preset="taiwanese")
    fen = "4g3/8/2S3c1/7? r b H 3"
    state = GAME.from_text(fen, rules)
    assert np.array_equal(state, Position.from_fen(fen, rules).state)
    action = GAME.parse_action(state, " flip h1 ")
    assert GAME.action_text(state, action) == "flip h1"
    assert GAME.event_text(state, action, 4) == "H"
    assert GAME.event_text(state, GAME.parse_action(state, "c2-c1"), 0) == ""
    with pytest.raises(PositionError):
        GAME.from_text("nothing")
    assert GAME.picture(state).dtype == np.uint8


def test_states_that_cannot_be_written_are_read() -> None:
    states = GAME.new_states(2)
    states.flags.writeable = False
    assert GAME.legal_actions(states)[1].tolist() == [32, 32]


# --- chance -------------------------------------------------------------------------------------


def test_outcomes_of_a_flip() -> None:
    """BANQI.md section 5: piece k with probability remaining[k] / face down."""
    start = GAME.new_states(2)
    actions = np.array([0, 31], np.int32)
    for events, probabilities in GAME.chance_outcomes(start, actions):
        assert events.tolist() == list(range(14))
        assert probabilities * 32 == pytest.approx([1, 2, 2, 2, 2, 2, 5] * 2)
    state = GAME.from_text("4g3/8/2S5/4???? r b HHsR 3")
    flip, step = (GAME.parse_action(state, text) for text in ("flip h1", "c2-c1"))
    both = np.stack([state, state])
    flipped, stepped = GAME.chance_outcomes(both, np.array([flip, step], np.int32))
    assert flipped[0].tolist() == [3, 4, 13]
    assert flipped[1].tolist() == [0.25, 0.5, 0.25]
    assert (stepped[0].tolist(), stepped[1].tolist()) == ([0], [1.0])


def test_draws_lead_to_outcomes_in_their_order() -> None:
    """In every position the draws within an outcome's share lead to it, ends included."""
    for position in random_games(2, ALL_RULES, seed=7, max_actions=60):
        legal = position.legal_actions()
        if not legal or legal[0] >= 32:
            continue
        states = position.state[None]
        ((events, probabilities),) = GAME.chance_outcomes(states, np.array(legal[:1], np.int32))
        assert probabilities.sum() == pytest.approx(1)
        ends = np.concatenate([[0], np.cumsum(probabilities)])
        for event, first, end in zip(events, ends[:-1], ends[1:], strict=True):
            draws = np.array([first + 1e-9, (first + end) / 2, end - 1e-9])
            draws[1] = draw_of(states.view(STATE_DTYPE)[0, 0], int(event))
            found = GAME.apply(states.repeat(3, 0), np.full(3, legal[0], np.int32), draws)[1]
            assert found.tolist() == [event] * 3


def test_what_a_flip_turns_up_is_known_to_nobody_before() -> None:
    """The same state and another draw give another piece: no arrangement is hidden in a state."""
    states = GAME.new_states(1).repeat(2_000, 0)
    rng = np.random.default_rng(8)
    actions = np.zeros(len(states), np.int32)
    _, events = GAME.apply(states, actions, rng.random(len(states)))
    shares = np.bincount(events, minlength=14) / len(states)
    assert shares == pytest.approx(np.array([1, 2, 2, 2, 2, 2, 5] * 2) / 32, abs=0.03)
    assert len({state.tobytes() for state in GAME.new_states(9, np.random.default_rng(1))}) == 1


# --- keys ---------------------------------------------------------------------------------------


def key_of(fen: str) -> int:
    return Position.from_fen(fen).key


def test_keys() -> None:
    keys = [
        key_of(fen)
        for fen in (
            "4g3/8/2S5/7? r b H 3",
            "4g3/8/2S5/7? b b H 3",  # the other side to move
            "4g3/8/2S5/7? r r H 3",  # the other player is red
            "4g3/8/2S5/7? r b h 3",  # another piece face down
            "4g3/8/2S5/6?1 r b H 3",
            "4g3/8/2R5/7? r b H 3",
        )
    ]
    assert len(set(keys)) == 6
    assert key_of("4g3/8/2S5/7? r b H 40") == keys[0]
    assert Position().key == Position(ALL_RULES[-1]).key


def test_keys_tell_positions_apart() -> None:
    words: dict[int, str] = {}
    for position in random_games(6, ALL_RULES, seed=9):
        board = position.fen().rpartition(" ")[0]
        assert words.setdefault(position.key, board) == board
    assert len(set(words.values())) == len(words) > 500


# --- plain Python -------------------------------------------------------------------------------


def digest_of_games(num_actions: int) -> str:
    """A hash over states, events, legal actions, masks and observations of some random games."""
    rng = np.random.default_rng(61)
    states = GAME.new_states(2 * len(ALL_RULES), rules=2 * ALL_RULES)
    for row, rules in enumerate(ALL_RULES):
        states[row] = GAME.from_text("1c2g3/8/2S2r2/1CS4? r b H 3", rules)
    buffers = GAME.new_buffers(len(states))
    GAME.refresh(states, buffers)
    digest = hashlib.sha256()
    for _ in range(num_actions):
        finished = buffers.counts == 0
        states[finished] = GAME.new_states(int(finished.sum()))
        GAME.refresh(states, buffers)
        columns = rng.integers(0, buffers.counts)
        actions = buffers.legal_actions[np.arange(len(states)), columns]
        GAME.step_into(states, actions, rng.random(len(states)), buffers)
        assert buffers.mask is not None
        assert buffers.observations is not None
        for array in (states, buffers.events, buffers.legal_actions, buffers.mask):
            digest.update(array.tobytes())
        digest.update(buffers.observations.tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize("mode", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_plain_python_and_checked_bounds_give_the_same_bytes(mode: str) -> None:
    script = "from tests.banqi.test_game import digest_of_games; print(digest_of_games(60))"
    assert printed_by(script, **{mode: "1"}).strip() == digest_of_games(60)
