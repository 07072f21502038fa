"""Referee mode: nothing that a player does not know comes through, and what it knows is exact.

- a world fits what a player has seen exactly if replaying the game in it gives the same course
- drawn worlds fit, have the player's own pieces, and go on without anybody noticing
- worlds are counted as a slow recursion counts them, and drawn uniformly
- masks, observations, events, keys, drawings and messages are the same in all worlds of a player
- what is not seen before pieces are placed
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from cotulenh_env import luzhanqi_referee_v0
from cotulenh_env.errors import IllegalActionError, StateError
from cotulenh_env.game import States
from cotulenh_env.luzhanqi import RefereePosition, RefereeRuleSet
from cotulenh_env.luzhanqi.kernels.worlds import NUM_DRAWS, fill_evidence, find_worlds
from cotulenh_env.luzhanqi.layouts import layout_problem
from cotulenh_env.luzhanqi.notation import announcement_words
from cotulenh_env.luzhanqi.pieces import COUNT, NUM_PIECES
from cotulenh_env.luzhanqi.placement import START_KINDS, deal_layouts
from cotulenh_env.luzhanqi.setup import referee_records
from cotulenh_env.luzhanqi.state import REFEREE_DTYPE, Records, as_states
from tests.luzhanqi.helpers import ARMY, REFEREE, REFEREE_RULES, random_states, walk

Integers = npt.NDArray[np.int32]
NO_DRAWS = np.empty((0, NUM_DRAWS))
NUM_PLIES_TOGETHER = 30


def records_of(states: States) -> Records:
    return states.view(REFEREE_DTYPE)[:, 0]


def players(n: int, player: int) -> npt.NDArray[np.int32]:
    return np.full(n, player, np.int32)


# --- what fits ----------------------------------------------------------------------------------


def test_what_was_announced_stays_known() -> None:
    """Regression: loaded positions did not know it; expected is what the kernel told."""
    rng, told = np.random.default_rng(7), set[int]()
    for rules in REFEREE_RULES * 6:
        start, actions = random_course(rng, rules)
        states = start.copy()
        for action in actions:
            states, events = REFEREE.apply(states, np.array([action], np.int32))
            position = RefereePosition.from_state(states[0])
            assert position.announcement == announcement_words(int(events[0]))
            told.add(int(events[0]))
    assert len(told) >= 8


def random_course(rng: np.random.Generator, rules: RefereeRuleSet) -> tuple[States, list[int]]:
    """The start of a game and its actions, captures favoured, up to a random ply."""
    start = REFEREE.new_states(1, rng, rules)
    states, actions = start.copy(), []
    for _ in range(int(rng.integers(5, 120))):
        legal, counts = REFEREE.legal_actions(states)
        if counts[0] == 0:
            break
        tries = rng.choice(legal[0, : counts[0]], 3)
        fights = [a for a in tries if REFEREE.apply(states, np.array([a]))[1][0] % 5]
        action = int(fights[0] if fights else tries[0])
        actions.append(action)
        states, _ = REFEREE.apply(states, np.array([action], np.int32))
    return start, actions


def replayed(start: States, actions: list[int]) -> list[States] | None:
    """The positions after every action, or None if an action is not legal."""
    states, course = start, []
    for action in actions:
        legal, counts = REFEREE.legal_actions(states)
        if action not in legal[0, : counts[0]]:
            return None
        states, _ = REFEREE.apply(states, np.array([action], np.int32))
        course.append(states)
    return course


def fits_evidence(states: States, kinds: npt.NDArray[np.int8], player: int) -> bool:
    """Whether the bookkeeping allows an enemy layout after a game."""
    bits, free, mobility = evidence(states, players(1, player))
    can_move = any(free[0] >> token & 1 and kinds[token] <= 10 for token in range(NUM_PIECES))
    is_able = mobility[0] == 0 or (mobility[0] == 1) == can_move
    return bool((bits[0] >> kinds & 1).all()) and is_able


@pytest.mark.parametrize(
    "rules", [RefereeRuleSet(), RefereeRuleSet("deal", None, "none", 70, False)]
)
def test_a_world_fits_exactly_if_the_game_could_have_gone_so(rules: RefereeRuleSet) -> None:
    rng = np.random.default_rng(1)
    num_fitting, num_tried = 0, 0
    for game in range(6):
        start, actions = random_course(rng, rules)
        course = replayed(start, actions)
        assert course is not None
        for player in (0, 1):
            truth = records_of(start)["kinds"][0, 1 - player]
            keys = [REFEREE.info_key(states, players(1, player)) for states in course]
            for world in range(20):
                kinds = truth.copy()
                for _ in range(1 + world % 3):  # few changes: some fit, some do not
                    one, other = rng.integers(NUM_PIECES, size=2)
                    kinds[[one, other]] = kinds[[other, one]]
                if (np.sort(kinds) != np.sort(truth)).any() or layout_problem(kinds):
                    continue
                other_start = start.copy()
                records_of(other_start)["kinds"][0, 1 - player] = kinds
                again = replayed(other_start, actions)
                same = again is not None and all(
                    REFEREE.info_key(states, players(1, player)) == key
                    for states, key in zip(again, keys, strict=True)
                )
                assert same == fits_evidence(course[-1], kinds, player), (game, player, world)
                num_fitting, num_tried = num_fitting + same, num_tried + 1
    assert 0.1 < num_fitting / num_tried < 0.9


@pytest.mark.parametrize("viewer", [0, 1])
def test_drawn_worlds_fit_and_keep_what_the_player_knows(viewer: int) -> None:
    rng = np.random.default_rng(2)
    num_changed = 0
    for states in walk(REFEREE, 10, 90, seed=3):
        views = players(len(states), viewer)
        drawn = REFEREE.resample_hidden(states, views, rng)
        assert np.array_equal(REFEREE.as_seen(drawn, views), REFEREE.as_seen(states, views))
        assert np.array_equal(REFEREE.info_key(drawn, views), REFEREE.info_key(states, views))
        num_changed += int((drawn != states).any(axis=1).sum())
        REFEREE.check_states(drawn[::9])
        for player, same in ((viewer, True), (1 - viewer, False)):
            planes = REFEREE.observe(states, players(len(states), player))
            assert np.array_equal(REFEREE.observe(drawn, players(len(states), player)), planes) or (
                not same
            )
        going_on = ~REFEREE.is_terminal(states)
        assert (REFEREE.legal_actions(drawn)[1][going_on] > 0).all()
        mine = REFEREE.current_player(states) == viewer
        assert np.array_equal(
            REFEREE.legal_actions(drawn)[0][mine], REFEREE.legal_actions(states)[0][mine]
        )
    assert num_changed > 800


def test_kinds_that_do_not_fit_the_announcements_are_refused() -> None:
    position = RefereePosition.from_layouts(ARMY, ARMY)
    position.push(position.parse_move("a6xa7"))
    state = position.state[None].copy()
    assert position.announcement == "attacker survives"  # a division against a brigade
    records_of(state)["fights"][0, 0, 2] = 4
    with pytest.raises(StateError):
        REFEREE.check_states(state)
    records_of(state)["fights"][0, 0, 2] = 1
    records_of(state)["kinds"][0, 0, 20] = 1  # an engineer beats mines only: none in a front row
    with pytest.raises(StateError):
        REFEREE.resample_hidden(state, players(1, 0), np.random.default_rng(0))


# --- counting -----------------------------------------------------------------------------------


def slow_count(bits: list[int], free: int, mobility: int) -> int:
    """Worlds by recursion over tokens, whether one of `free` moves being carried along."""
    tokens = sorted(range(NUM_PIECES), key=lambda token: bits[token].bit_count())

    @cache
    def count(place: int, left: tuple[int, ...], moves: bool) -> int:
        if place == NUM_PIECES:
            return int(mobility == 0 or (mobility == 1) == moves)
        token = tokens[place]
        total = 0
        for kind in range(1, 13):
            if bits[token] >> kind & 1 and left[kind]:
                rest = (*left[:kind], left[kind] - 1, *left[kind + 1 :])
                total += count(place + 1, rest, moves or bool(free >> token & 1 and kind <= 10))
        return total

    return count(0, tuple(COUNT.tolist()), False)


def evidence(states: States, viewers: npt.NDArray[np.int32]) -> tuple[Integers, Integers, Integers]:
    """What the players know of single tokens, and of whether the enemy can move."""
    n = len(states)
    bits, free, mobility = (
        np.empty((n, NUM_PIECES), np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
    )
    fill_evidence(records_of(states), viewers, bits, free, mobility)
    return bits, free, mobility


def find(
    bits: Integers, free: Integers, mobility: Integers, draws: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int8]]:
    """Counts, and worlds if there are draws."""
    counts = np.empty(len(bits), np.int64)
    kinds = np.empty((len(draws), NUM_PIECES), np.int8)
    find_worlds(bits, free, mobility, draws, kinds, counts)
    return counts, kinds


def told(bits: Integers, truth: npt.NDArray[np.int8], num_open: int) -> Integers:
    """What a player would know if the kinds of all but so many tokens were told."""
    known = bits.copy()
    order = np.argsort(np.bitwise_count(bits))
    for token in order[::-1][: NUM_PIECES - num_open].tolist():
        known[token] = 1 << int(truth[token])
    return known


@pytest.mark.parametrize("num_open", [8, 16, 25])
def test_worlds_are_counted_exactly(num_open: int) -> None:
    states = np.concatenate([random_states(REFEREE, 8, n, seed=n) for n in (60, 100, 150)])
    views = np.arange(len(states), dtype=np.int32) % 2
    bits, free, mobility = evidence(states, views)
    truths = records_of(states)["kinds"][np.arange(len(states)), 1 - views]
    bits = np.stack([told(each, truth, num_open) for each, truth in zip(bits, truths, strict=True)])
    counts, _ = find(bits, free, mobility, NO_DRAWS)
    rows = range(len(states)) if num_open < 25 else np.argsort(counts)[:2].tolist()
    for row in rows:
        assert counts[row] == slow_count(bits[row].tolist(), int(free[row]), int(mobility[row]))
    assert len(set(counts.tolist())) > 3


@pytest.mark.parametrize("mobility", [1, 2])
def test_worlds_are_counted_where_few_tokens_decide_whether_the_enemy_moves(mobility: int) -> None:
    rng = np.random.default_rng(4)
    bits = np.tile(START_KINDS.astype(np.int32), (8, 1))
    truths = deal_layouts(8, rng)
    bits = np.stack([told(each, truth, 12) for each, truth in zip(bits, truths, strict=True)])
    free = np.zeros(8, np.int32)
    for row, truth in enumerate(truths):
        stuck = np.flatnonzero(truth >= 11)
        tokens = [*stuck[: 1 + row % 4], *([int(np.argmin(truth))] if mobility == 1 else [])]
        free[row] = sum(1 << int(token) for token in tokens)
    counts, _ = find(bits, free, np.full(8, mobility, np.int32), NO_DRAWS)
    for row in range(8):
        assert counts[row] == slow_count(bits[row].tolist(), int(free[row]), mobility) > 0


def test_all_layouts_are_counted_in_the_beginning() -> None:
    """7.096e17 layouts a side (section 6), one by one: 2 × C(9,3) × C(16,2) × 19!/(2!^4 3!^3)."""
    position = RefereePosition.from_layouts(ARMY, ARMY)
    assert position.num_worlds(0) == position.num_worlds(1) == 709_596_419_051_520_000


ENDGAME = "3f1/m4/5/5/5/5/4k/5/2P2/5/M3E/3F1 {player} 0 80"


def endgame(player: int) -> RefereePosition:
    """Few pieces are left, but nobody knows which: 7 tokens stand, 43 have been removed."""
    return RefereePosition.from_fen(ENDGAME.format(player=player))


@pytest.mark.parametrize("num_plies", [0, 120])
def test_worlds_are_drawn_uniformly(num_plies: int) -> None:
    """Chi-square over all worlds, in positions where all but a few kinds are told."""
    state = random_states(REFEREE, 1, num_plies, seed=31)
    bits, free, mobility = evidence(state, players(1, 0))
    truth = records_of(state)["kinds"][0, 1]
    for num_open in range(3, NUM_PIECES):
        few = told(bits[0], truth, num_open)[None]
        if find(few, free, mobility, NO_DRAWS)[0][0] > 20:
            break
    number = int(find(few, free, mobility, NO_DRAWS)[0][0])
    assert number < 500
    n = 100 * number
    draws = np.random.default_rng(5).random((n, NUM_DRAWS))
    _, kinds = find(np.repeat(few, n, 0), np.repeat(free, n), np.repeat(mobility, n), draws)
    found, numbers = np.unique(kinds, axis=0, return_counts=True)
    assert len(found) == number
    chi_square = float(((numbers - 100) ** 2 / 100).sum())
    assert chi_square < number + 4 * np.sqrt(2 * number)


@pytest.mark.parametrize("player", [0, 1])
def test_an_enemy_that_is_to_move_can_move(player: int) -> None:
    """Where only few tokens could move, they are not all mines and flags."""
    position = endgame(1 - player)
    shares = position.possible_kinds(player)
    assert position.num_worlds(player) > 0
    rng = np.random.default_rng(7)
    for _ in range(50):
        assert position.resample(player, rng).legal_actions()
    assert all(sum(kinds.values()) == pytest.approx(1) for kinds in shares.values())


def test_possible_kinds_are_those_that_are_drawn() -> None:
    rng = np.random.default_rng(8)
    for states in [s.copy() for s in walk(REFEREE, 1, 100, seed=9)][60::13]:
        position = RefereePosition.from_state(states[0])
        for player in (0, 1):
            shares = position.possible_kinds(player)
            drawn = [position.resample(player, rng) for _ in range(60)]
            assert {world.announcement for world in drawn} == {position.announcement}
            for place, kinds in shares.items():
                seen = {world.piece_at(place).upper() for world in drawn}
                assert seen <= set(kinds)
                assert position.piece_at(place).upper() in kinds
                if len(kinds) == 1:
                    assert seen == set(kinds)


# --- nothing leaks ------------------------------------------------------------------------------


def test_two_worlds_of_a_player_cannot_be_told_apart_as_long_as_they_go_alike() -> None:
    """Played on with the same actions: masks, planes, events, infos, drawings, keys, messages."""
    rng = np.random.default_rng(11)
    num_compared = 0
    for player in (0, 1):
        views = players(1, player)
        for states in [s.copy() for s in walk(REFEREE, 4, 90, seed=12 + player)][::9]:
            for row in range(len(states)):
                real = states[row : row + 1].copy()
                other = REFEREE.resample_hidden(real, views, rng)
                for _ in range(NUM_PLIES_TOGETHER):
                    assert_same_view(real, other, player)
                    num_compared += 1
                    legal, counts = REFEREE.legal_actions(real)
                    legal_too, counts_too = REFEREE.legal_actions(other)
                    both = np.intersect1d(legal[0, : counts[0]], legal_too[0, : counts_too[0]])
                    if not both.size:
                        break
                    action = np.array([rng.choice(both)], np.int32)
                    real, event = REFEREE.apply(real, action)
                    other, event_too = REFEREE.apply(other, action)
                    if event[0] != event_too[0]:
                        assert REFEREE.info_key(real, views) != REFEREE.info_key(other, views)
                        break
    assert num_compared > 300


def assert_same_view(real: States, other: States, player: int) -> None:
    views = players(1, player)
    assert REFEREE.info_key(real, views) == REFEREE.info_key(other, views)
    assert np.array_equal(REFEREE.observe(real, views), REFEREE.observe(other, views))
    assert np.array_equal(REFEREE.as_seen(real, views), REFEREE.as_seen(other, views))
    assert REFEREE.end_reason(real) == REFEREE.end_reason(other)
    assert np.array_equal(REFEREE.returns(real), REFEREE.returns(other))
    assert np.array_equal(REFEREE.num_turns(real), REFEREE.num_turns(other))
    if REFEREE.current_player(real)[0] == player:
        assert np.array_equal(REFEREE.legal_actions(real)[0], REFEREE.legal_actions(other)[0])
        action = int(REFEREE.legal_actions(real)[0][0, 0])
        if action >= 0:
            text = REFEREE.action_text(real[0], action)
            assert text == REFEREE.action_text(other[0], action)


def test_what_is_shown_to_a_player_has_no_enemy_kinds() -> None:
    position = RefereePosition.from_layouts(ARMY, ARMY)
    for player, letters in ((0, ARMY.lower()), (1, ARMY)):
        drawing = position.view(player).split("\n")[1:-2]  # without letters of columns and caption
        body = "".join(drawing)
        assert not set(body) & (set(letters) - {"/", "."})
        assert body.count("?") == 25


def test_drawn_from_what_is_seen_alone() -> None:
    """Worlds can be drawn from the state as seen: nothing else of it is looked at."""
    states = random_states(REFEREE, 30, 70, seed=15)
    for player in (0, 1):
        views = players(len(states), player)
        seen = REFEREE.as_seen(states, views)
        one = REFEREE.resample_hidden(states, views, np.random.default_rng(3))
        other = REFEREE.resample_hidden(seen, views, np.random.default_rng(3))
        assert np.array_equal(one, other)
        assert np.array_equal(REFEREE.observe(seen, views), REFEREE.observe(states, views))


def test_environments_give_each_agent_only_its_own() -> None:
    env = luzhanqi_referee_v0.raw_env(render_mode="ansi", render_player=0)
    env.reset(seed=3)
    state = env.get_state()["state"]
    shown = env.render()
    other = luzhanqi_referee_v0.raw_env(render_mode="ansi", render_player=0)
    other.reset(seed=4)
    saved = env.get_state()
    drawn = REFEREE.resample_hidden(state[None], players(1, 0), np.random.default_rng(0))[0]
    assert not np.array_equal(drawn, state)
    other.set_state({**saved, "state": drawn})
    assert other.render() == shown
    assert repr(other.infos) == repr(env.infos)
    for agent_view in ("observation", "action_mask"):
        assert np.array_equal(
            other.observe("player_0")[agent_view], env.observe("player_0")[agent_view]
        )
    messages = []
    for each in (env, other):
        with pytest.raises(IllegalActionError) as caught:
            each.step(0)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert "?" in messages[0]


def test_the_learner_sees_the_board_as_its_player() -> None:
    env = luzhanqi_referee_v0.single_env(player=1, render_mode="ansi")
    env.reset(seed=5)
    assert str(env.render()).count("?") == 25
    envs = luzhanqi_referee_v0.vector_env(3, player="random", render_mode="ansi")
    envs.reset(seed=5)
    for text, player in zip(envs.render() or (), envs.players, strict=True):
        assert text.count("?") == 25
        assert ("F" in text) == (player == 0)


# --- placing ------------------------------------------------------------------------------------


def test_nothing_is_seen_of_the_enemy_while_pieces_are_placed() -> None:
    rng = np.random.default_rng(21)
    states = REFEREE.new_states(6, rng, RefereeRuleSet(placement="agents"))
    for num_placed in range(50):
        for player in (0, 1):
            views = players(6, player)
            drawn = REFEREE.resample_hidden(states, views, rng)
            REFEREE.check_states(drawn)
            assert np.array_equal(REFEREE.info_key(drawn, views), REFEREE.info_key(states, views))
            enemy = records_of(drawn)["kinds"][:, 1 - player]
            wanted = max(0, min(25, num_placed - 25 * (1 - player)))
            assert ((enemy > 0).sum(axis=1) == wanted).all()
        legal, counts = REFEREE.legal_actions(states)
        chosen = legal[np.arange(6), (rng.random(6) * counts).astype(int)]
        states, events = REFEREE.apply(states, chosen)
        assert not events.any()
    assert (REFEREE.current_player(states) == 0).all()


def test_placements_of_the_enemy_leave_no_trace() -> None:
    """Two games that differ in what player 0 has placed look the same to player 1."""
    rng = np.random.default_rng(22)
    states = REFEREE.new_states(2, rng, RefereeRuleSet(placement="agents"))
    for _ in range(25):
        legal, counts = REFEREE.legal_actions(states)
        chosen = legal[np.arange(2), (rng.random(2) * counts).astype(int)]
        states, _ = REFEREE.apply(states, chosen)
    assert (states[0] != states[1]).any()
    for _ in range(25):
        keys = REFEREE.info_key(states, players(2, 1))
        assert keys[0] == keys[1]
        legal, _ = REFEREE.legal_actions(states)
        assert np.array_equal(legal[0], legal[1])
        states, _ = REFEREE.apply(states, legal[:, 0].copy())
    assert REFEREE.observe(states[:1], players(1, 1)).tolist() == (
        REFEREE.observe(states[1:], players(1, 1)).tolist()
    )


def test_keys_follow_what_happened() -> None:
    """Perfect recall: the same position by another way is other knowledge."""
    start = RefereePosition.from_layouts(ARMY, ARMY)
    ways = []
    for moves in (("a6-b5", "a7-b8", "b5-a6", "b8-a7"), ("e6-d5", "e7-d8", "d5-e6", "d8-e7")):
        position = start.copy()
        for words in moves:
            position.push(position.parse_move(words))
        ways.append(position)
    one, other = ways
    assert one.fen().split()[0] == other.fen().split()[0]
    assert one.info_key(0) != other.info_key(0)
    assert one.key == other.key


def test_layouts_are_dealt_to_both_sides_apart() -> None:
    rng = np.random.default_rng(23)
    layouts = deal_layouts(400, rng)
    states = as_states(referee_records(layouts[:200], layouts[200:], RefereeRuleSet()))
    keys = REFEREE.info_key(states, players(200, 0))
    assert len(set(keys.tolist())) == 200
    assert all(one != other for one, other in pairwise(keys.tolist()))
