"""Both modes as `Game`s, over batches.

- masks equal legal lists, the one-call step gives what the separate calls give
- apply leaves its input, `out` may be the input; rows do not depend on each other
- bytes round-trip; keys; returns sum to zero; observations in bounds; games end
- chance outcomes are those that draws lead to, with the right probabilities
- compiled kernels and plain Python give the same bytes
"""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from cotulenh_env.errors import CotulenhError, RulesError, StateError
from cotulenh_env.game import Game, States, fill_mask
from cotulenh_env.luzhanqi import FlipRuleSet, RefereeRuleSet
from cotulenh_env.luzhanqi.pieces import COUNT
from cotulenh_env.luzhanqi.state import FLIP_DTYPE
from cotulenh_env.registry import load_game
from tests.luzhanqi.helpers import FLIP, GAMES, REFEREE, RULES, new_states, random_states, walk
from tests.programs import printed_by

both_modes = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.name)


@both_modes
def test_one_call_gives_what_the_separate_calls_give(game: Game) -> None:
    rng = np.random.default_rng(1)
    n = 24
    states = new_states(game, n, seed=1)
    buffers = game.new_buffers(n)
    game.refresh(states, buffers)
    num_ended = 0
    for _ in range(190):
        legal, counts = game.legal_actions(states)
        assert np.array_equal(buffers.legal_actions, legal)
        assert np.array_equal(buffers.counts, counts)
        assert (np.diff(legal, axis=1)[legal[:, 1:] >= 0] > 0).all()
        mask = np.zeros((n, game.spec.num_actions), np.int8)
        fill_mask(legal, counts, mask)
        assert buffers.mask is not None
        assert buffers.observations is not None
        assert np.array_equal(buffers.mask, mask)
        planes = game.observe(states, game.current_player(states))
        assert np.array_equal(buffers.observations, planes)
        assert planes.min() >= 0
        assert planes.max() <= 1
        done = game.is_terminal(states)
        assert np.array_equal(done, counts == 0)
        assert [bool(reason) for reason in game.end_reason(states)] == done.tolist()
        returns = game.returns(states)
        assert not returns.sum(axis=1).any()
        assert not returns[~done].any()
        num_ended += int(done.sum())
        states[done] = new_states(game, n, seed=2)[done]
        legal, counts = game.legal_actions(states)
        actions = legal[np.arange(n), (rng.random(n) * counts).astype(int)]
        draws = rng.random(n)
        before = states.copy()
        after, events = game.apply(states, actions, draws)
        assert np.array_equal(states, before)
        for part in (slice(0, 1), slice(9, 11)):
            alone, alone_events = game.apply(states[part], actions[part], draws[part])
            assert np.array_equal(alone, after[part])
            assert np.array_equal(alone_events, events[part])
        game.step_into(states, actions, draws, buffers)
        assert np.array_equal(states, after)
        assert np.array_equal(buffers.events, events)
    assert num_ended > 3


@both_modes
def test_apply_into_other_memory(game: Game) -> None:
    states = random_states(game, 6, 20, seed=3)
    legal, _ = game.legal_actions(states)
    out = np.zeros_like(states)
    draws = np.full(6, 0.5)
    given, _ = game.apply(states, legal[:, 0].copy(), draws, out)
    assert given is out
    same, _ = game.apply(states, legal[:, 0].copy(), draws, states)
    assert same is states
    assert np.array_equal(out, states)


@both_modes
def test_bytes_round_trip(game: Game) -> None:
    for states in list(walk(game, 12, 100, seed=4))[::17]:
        checked = game.check_states(states)
        assert checked is not states
        assert np.array_equal(checked, states)


@both_modes
def test_games_end_of_themselves(game: Game) -> None:
    rng = np.random.default_rng(5)
    states = game.new_states(16, rng)
    for _ in range(3000):
        legal, counts = game.legal_actions(states)
        if not counts.any():
            break
        going = counts > 0
        chosen = legal[going, 0]
        width = (rng.random(int(going.sum())) * counts[going]).astype(int)
        chosen = legal[going][np.arange(len(chosen)), width]
        states[going], _ = game.apply(states[going], chosen, rng.random(len(chosen)))
    assert game.is_terminal(states).all()
    assert (game.num_turns(states) > 20).all()


@both_modes
def test_rules_of_rows(game: Game) -> None:
    rules = RULES[game.spec.name]
    states = game.new_states(len(rules), np.random.default_rng(6), rules)
    for state, own in zip(states, rules, strict=True):
        found = game.rules_of(state)
        if isinstance(own, RefereeRuleSet) and own.placement == "book":
            assert found.placement == "deal"  # where layouts came from is no matter any more
            assert found.reveal_flag == own.reveal_flag
        else:
            assert found == own
    wrong: tuple[object, ...] = ([rules[0]], "x", [FlipRuleSet(), RefereeRuleSet()])
    for given in wrong:
        with pytest.raises(RulesError):
            game.new_states(2, np.random.default_rng(0), given)


@both_modes
def test_keys_are_equal_where_only_clocks_differ(game: Game) -> None:
    states = random_states(game, 40, 50, seed=7)
    keys = game.key(states)
    assert keys.dtype == np.uint64
    assert len(set(keys.tolist())) == len({_without_clocks(game, state) for state in states})
    twins = states.copy()
    records = twins.view(game.spec.state_dtype)[:, 0]
    records["plies"] += 1
    assert np.array_equal(game.key(twins), keys)
    records["player"] ^= 1
    assert (game.key(twins) != keys).all()


def _without_clocks(game: Game, state: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> str:
    fields = game.to_text(state).split()
    if game is FLIP:
        return " ".join([*fields[:4], *fields[6:]])
    if fields[0] == "/".join(["5"] * 12):
        return " ".join(fields[:2] + fields[5:7])
    shown = state.view(game.spec.state_dtype)[0]["shown"] > 0
    return " ".join([*fields[:2], str(shown)])


# --- chance -------------------------------------------------------------------------------------


def test_outcomes_of_flips_are_those_of_their_draws() -> None:
    """At the first flip: 24 pieces, with probabilities n/50 (section 5 of the rules)."""
    start = FLIP.new_states(1)
    ((events, probabilities),) = FLIP.chance_outcomes(start, np.array([7], np.int32))
    assert events.tolist() == list(range(24))
    expected = [COUNT[event % 12 + 1] / 50 for event in range(24)]
    assert np.allclose(probabilities, expected)
    draws = (np.arange(50) + 0.5) / 50
    _, found = FLIP.apply(np.repeat(start, 50, 0), np.full(50, 7, np.int32), draws)
    assert np.array_equal(np.bincount(found, minlength=24), np.round(probabilities * 50))
    for draw in (0.0, np.nextafter(1, 0)):
        FLIP.apply(start, np.array([7], np.int32), np.array([draw]))


def test_probabilities_sum_to_one_and_cover_what_happens() -> None:
    rng = np.random.default_rng(8)
    for states in list(walk(FLIP, 8, 120, seed=9))[::11]:
        legal, counts = FLIP.legal_actions(states)
        states = states[counts > 0]
        actions = legal[counts > 0, 0]
        outcomes = FLIP.chance_outcomes(states, actions)
        after, events = FLIP.apply(states, actions, rng.random(len(states)))
        for row, (possible, probabilities) in enumerate(outcomes):
            assert probabilities.sum() == pytest.approx(1)
            assert (probabilities > 0).all()
            assert events[row] in possible
            remaining = states[row].view(FLIP_DTYPE)[0]["remaining"]
            left = after[row].view(FLIP_DTYPE)[0]["remaining"]
            if actions[row] < 60:
                assert remaining[events[row] + 1] == left[events[row] + 1] + 1


def test_playing_without_draws_is_refused() -> None:
    with pytest.raises(CotulenhError, match="needs draws"):
        FLIP.apply(FLIP.new_states(1), np.zeros(1, np.int32))


def test_announcements_are_certain() -> None:
    states = random_states(REFEREE, 20, 30, seed=10)
    legal, _ = REFEREE.legal_actions(states)
    actions = legal[:, 0].copy()
    _, events = REFEREE.apply(states, actions)
    for event, (possible, probabilities) in zip(
        events, REFEREE.chance_outcomes(states, actions), strict=True
    ):
        assert possible.tolist() == [event]
        assert probabilities.tolist() == [1.0]


@both_modes
def test_score_is_what_stands(game: Game) -> None:
    """Both armies have the same worth in the beginning; a removal takes the removed piece's."""
    start = game.new_states(1, np.random.default_rng(0))
    first = game.score(start)[0]
    assert first[0] == first[1] > 0
    states = random_states(game, 60, 80, seed=11)
    assert (game.score(states) <= first).all()
    assert (game.score(states) < first).any()


@both_modes
def test_states_from_elsewhere_are_refused_in_one_sentence(game: Game) -> None:
    states = random_states(game, 3, 30, seed=12)
    with pytest.raises(StateError):
        game.check_states(states[:, :-8])
    num_refused = 0
    for byte in range(0, game.spec.state_size, 3):
        damaged = states.copy()
        damaged[1, byte] ^= 0x55
        message = refusal(game, damaged)
        assert message.startswith("row 1: ") or not message
        assert "\n" not in message
        num_refused += bool(message)
    # A count of plies, or what was announced before, may be another.
    assert num_refused > 0.9 * game.spec.state_size / 3


def refusal(game: Game, states: States) -> str:
    """Why states are refused; empty if they are not."""
    try:
        game.check_states(states)
    except StateError as error:
        return str(error)
    return ""


def test_random_bytes_are_refused() -> None:
    rng = np.random.default_rng(13)
    for game in GAMES:
        for _ in range(30):
            with pytest.raises(StateError):
                game.check_states(rng.integers(0, 256, (1, game.spec.state_size), np.uint8))


def test_states_that_cannot_be_written_are_read() -> None:
    for game in GAMES:
        states = random_states(game, 2, 5, seed=14)
        states.flags.writeable = False
        assert game.legal_actions(states)[1].all()
        assert game.observe(states, np.zeros(2, np.int32)).any()
        assert game.info_key(states, np.zeros(2, np.int32)).shape == (2,)


def test_registered() -> None:
    assert [type(load_game(game.spec.name)) for game in GAMES] == [type(game) for game in GAMES]
    assert FLIP.spec.has_chance
    assert not FLIP.spec.has_hidden_information
    assert REFEREE.spec.has_hidden_information


# --- plain Python -------------------------------------------------------------------------------


def digest_of_games(num_actions: int) -> str:
    """A hash over states, legal actions, masks and planes of some games, and of drawn worlds."""
    digest = hashlib.sha256()
    for game in GAMES:
        rng = np.random.default_rng(61)
        n = len(RULES[game.spec.name])
        states = np.concatenate([new_states(game, n, 3)[:3], random_texts(game)])
        n = len(states)
        buffers = game.new_buffers(n)
        game.refresh(states, buffers)
        for _ in range(num_actions):
            going = buffers.counts > 0
            columns = (rng.random(n) * buffers.counts).astype(int)
            actions = buffers.legal_actions[np.arange(n), columns]
            states[~going] = states[0]
            actions[~going] = actions[0]
            game.step_into(states, actions, rng.random(n), buffers)
            for array in (states, buffers.legal_actions, buffers.mask, buffers.observations):
                assert array is not None
                digest.update(array.tobytes())
        players = np.arange(n, dtype=np.int32) % 2
        digest.update(game.resample_hidden(states, players, rng).tobytes())
    return digest.hexdigest()


def random_texts(game: Game) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Positions in the middle of games, by text, so that plain Python need not play to them."""
    texts = {
        FLIP: ("1f3/m2E1/1x3/?4/E4/2k2/C3a/5/1B1P1/4r/?4/1F3 0 b M1e1 12 70",),
        REFEREE: ("mf3/m3x/5/2t2/E4/2k2/C3a/5/1B1P1/4r/M1E2/1F1M1 0 3 90",),
    }[game]
    return np.stack([game.from_text(text) for text in texts])


def test_plain_python_gives_the_same_bytes() -> None:
    script = "from tests.luzhanqi.test_game import digest_of_games; print(digest_of_games(6))"
    assert printed_by(script, NUMBA_DISABLE_JIT="1").strip() == digest_of_games(6)
