"""`CommanderChess` as a `Game`, over batches.

- a batch that mixes rules plays as each `Position` does alone
- no position has more legal actions than the proved bound
- colours swapped and the board turned round, the mover sees the same actions
- keys: equal for equal positions, different for another side to move or deployment
- compiled kernels and plain Python give the same bytes
"""

import hashlib
import re

import numpy as np
import pytest

from cotulenh_env.commander import Position, RuleSet
from cotulenh_env.commander.bounds import MAX_LEGAL_ACTIONS, count_bound
from cotulenh_env.commander.game import CommanderChess
from cotulenh_env.commander.state import STATE_DTYPE
from cotulenh_env.errors import PositionError, RulesError, StateError
from cotulenh_env.game import States
from tests.commander.helpers import ALL_RULES, random_games
from tests.programs import printed_by

GAME = CommanderChess()


def advance(states: States, rng: np.random.Generator) -> States:
    """One random action in every row that is not over; finished rows begin anew."""
    legal, counts = GAME.legal_actions(states)
    for row in np.flatnonzero(counts == 0):
        states[row] = GAME.new_states(1, rules=GAME.rules_of(states[row]))[0]
    legal, counts = GAME.legal_actions(states)
    chosen = legal[np.arange(len(states)), rng.integers(0, counts)]
    after, events = GAME.apply(states, chosen)
    assert not events.any()
    return after


def random_states(num_actions: int, seed: int) -> States:
    rng = np.random.default_rng(seed)
    states = GAME.new_states(4 * len(ALL_RULES), rules=4 * ALL_RULES)
    for _ in range(num_actions):
        states = advance(states, rng)
    return states


# --- batches ------------------------------------------------------------------------------------


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
        GAME.new_states(1, rules=["full"])  # type: ignore[list-item]


def test_a_batch_that_mixes_rules_plays_as_single_games() -> None:
    rng = np.random.default_rng(1)
    states = GAME.new_states(len(ALL_RULES), rules=ALL_RULES)
    positions = [Position(rules) for rules in ALL_RULES]
    for _ in range(150):
        legal, counts = GAME.legal_actions(states)
        chosen = np.zeros(len(states), np.int32)
        for row, position in enumerate(positions):
            assert legal[row, : counts[row]].tolist() == position.legal_actions()
            assert (legal[row, counts[row] :] == -1).all()
            if not counts[row]:
                positions[row] = position = Position(ALL_RULES[row])
                states[row] = position.state
                chosen[row] = position.legal_actions()[0]
            else:
                chosen[row] = rng.choice(legal[row, : counts[row]])
            position.push(chosen[row])
        before = states.copy()
        after, _ = GAME.apply(states, chosen)
        assert np.array_equal(states, before)
        same, _ = GAME.apply(states, chosen, out=states)
        assert same is states
        assert np.array_equal(states, after)
        check_views(states, positions)


def check_views(states: States, positions: list[Position]) -> None:
    returns = {0: [1, -1], 1: [-1, 1], -1: [0, 0], None: [0, 0]}
    assert np.array_equal(states, [position.state for position in positions])
    assert GAME.current_player(states).tolist() == [position.turn for position in positions]
    assert GAME.is_terminal(states).tolist() == [p.winner is not None for p in positions]
    assert GAME.returns(states).tolist() == [returns[position.winner] for position in positions]
    assert GAME.end_reason(states) == [position.reason for position in positions]
    assert GAME.score(states).tolist() == [list(position.points) for position in positions]
    assert GAME.num_turns(states).tolist() == [position.turns for position in positions]
    assert [GAME.to_text(state) for state in states] == [p.fen() for p in positions]
    assert GAME.draw(states[0]) == str(positions[0])


def test_states_that_cannot_be_written_are_read() -> None:
    states = GAME.new_states(2)
    states.flags.writeable = False
    assert GAME.legal_actions(states)[1].tolist() == [114, 114]
    assert GAME.observe(states, np.zeros(2, np.int32)).shape == (2, *GAME.spec.observation_shape)


def test_text_and_words() -> None:
    state = GAME.from_text(Position().fen(), RuleSet(battle="air"))
    assert np.array_equal(state, Position(RuleSet(battle="air")).state)
    action = GAME.parse_action(state, " T f4-f6 move ")
    assert GAME.action_text(state, action) == "T f4-f6 move"
    with pytest.raises(PositionError):
        GAME.from_text("nothing")
    assert GAME.picture(state).dtype == np.uint8


def test_saved_states() -> None:
    states = random_states(80, seed=5)
    assert np.array_equal(GAME.check_states(states), states)
    assert GAME.check_states(states) is not states
    states[3, 0] ^= 1  # in the key
    with pytest.raises(StateError, match="row 3"):
        GAME.check_states(states)
    with pytest.raises(StateError):
        GAME.check_states(states[:, :-8])
    with pytest.raises(StateError):
        GAME.check_states(states.view(np.int8))


# --- bounds and symmetry ------------------------------------------------------------------------


def test_bound_of_legal_actions() -> None:
    assert count_bound() <= MAX_LEGAL_ACTIONS == GAME.spec.max_legal_actions


def test_crowded_positions_stay_within_the_bound() -> None:
    rng = np.random.default_rng(7)
    most = 0
    for _ in range(200):
        points = rng.permutation(
            [11 * rank + file for rank in range(2, 10) for file in range(2, 11)]
        )
        cells = ["1"] * 132
        for index, point in enumerate(points[:38]):
            cells[point] = "+F" if index < 19 else "i"
        ranks = ["".join(cells[11 * rank : 11 * rank + 11]) for rank in range(11, -1, -1)]
        board = re.sub("1+", lambda empty: str(len(empty[0])), "/".join(ranks))
        state = GAME.from_text(f"{board} r - - 0 1", RuleSet(battle="full"))
        most = max(most, int(GAME.legal_actions(state[None])[1][0]))
    assert 450 < most < MAX_LEGAL_ACTIONS


def turned(fen: str) -> str:
    """Colours swapped, the board turned round."""
    fields = fen.split()
    fields[0] = "/".join(reversed(fields[0].swapcase().split("/")))
    fields[1] = {"r": "b", "b": "r"}[fields[1]]
    if len(fields) == 7:
        point, _, unacted = fields[6].partition(":")
        fields[6] = f"{point[0]}{13 - int(point[1:])}:{unacted}"
    return " ".join(fields)


def test_both_sides_have_the_same_actions() -> None:
    """R1.1: only the order of moving tells the sides apart (placement aside, R10.7)."""
    rules = [rule for rule in ALL_RULES if not rule.placement]
    num_compared = 0
    for position in random_games(10, rules, seed=41):
        record = position.state.view(STATE_DTYPE)[0]
        if position.winner is not None or record["selected"]:
            continue
        here = Position.from_fen(position.fen(), position.rules)
        there = Position.from_fen(turned(position.fen()), position.rules)
        assert here.legal_actions() == there.legal_actions()
        players = np.array([here.turn, there.turn], np.int32)
        planes = GAME.observe(np.stack([here.state, there.state]), players)
        assert np.array_equal(planes[0], planes[1])
        num_compared += 1
    assert num_compared > 500


# --- keys ---------------------------------------------------------------------------------------


def key_of(position: Position) -> int:
    return int(GAME.key(position.state[None])[0])


def test_keys_of_equal_positions_are_equal() -> None:
    position = Position()
    for text in ("T f4-f6 move", "T f9-f7 move", "T f6-f4 move", "T f7-f9 move"):
        position.push(position.parse_move(text))
    assert key_of(position) == key_of(Position())
    assert position != Position()
    assert key_of(Position(RuleSet(battle="full"))) == key_of(Position())


def test_keys_tell_positions_apart() -> None:
    keys: dict[int, str] = {}
    for position in random_games(4, ALL_RULES[:4], seed=51, max_actions=300):
        record = position.state.view(STATE_DTYPE)[0]
        if position.winner is not None:
            continue
        # What the key is about, in words: board, side, deployment, selected group.
        fields = position.fen().split()
        deployment = f"{record['origin']} {record['unacted']} {record['selected']}"
        words = f"{fields[0]} {fields[1]} {deployment}"
        assert keys.setdefault(key_of(position), words) == words
    assert len(set(keys.values())) == len(keys) > 300


# --- plain Python -------------------------------------------------------------------------------


def digest_of_games(num_actions: int) -> str:
    """A hash over states, legal actions, masks and observations of some random games."""
    rng = np.random.default_rng(61)
    states = GAME.new_states(len(ALL_RULES), rules=ALL_RULES)
    deploying = "6c4/5h1h3/11/2(nfi)8/5a5/11/4m1+t4/2(NTT)8/3(F+TI)1(EG)5/5s5/5H1(HC)3/11"
    states[0] = GAME.from_text(f"{deploying} r - - 0 1", ALL_RULES[0])
    states[4] = GAME.from_text(f"{deploying} b - - 0 1 c9:FI", ALL_RULES[4])
    buffers = GAME.new_buffers(len(states))
    GAME.refresh(states, buffers)
    digest = hashlib.sha256()
    for _ in range(num_actions):
        actions = buffers.legal_actions[:, 0].copy()
        for row, count in enumerate(buffers.counts):
            if count == 0:
                states[row] = GAME.new_states(1, rules=ALL_RULES[row])[0]
                actions[row] = GAME.legal_actions(states[row : row + 1])[0][0, 0]
            else:
                actions[row] = buffers.legal_actions[row, rng.integers(count)]
        GAME.step_into(states, actions, None, buffers)
        for array in (states, buffers.legal_actions, buffers.mask, buffers.observations):
            assert array is not None
            digest.update(array.tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize("mode", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_plain_python_and_checked_bounds_give_the_same_bytes(mode: str) -> None:
    """DESIGN §3: kernels mean the same as plain Python, and never reach outside an array."""
    script = "from tests.commander.test_game import digest_of_games; print(digest_of_games(40))"
    assert printed_by(script, **{mode: "1"}).strip() == digest_of_games(40)
