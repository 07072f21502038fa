"""Board tables and action numbers.

- encoding and decoding are inverse, as are announcements and their events
- both automorphisms of the graph; the mirror as a symmetry of whole games
- logits: every action has one of its own, at the place that it begins from
- legal actions never exceed the proved bounds, and come close in crowded positions
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from cotulenh_env.errors import IllegalActionError, PositionError
from cotulenh_env.game import Game
from cotulenh_env.luzhanqi import FlipRuleSet
from cotulenh_env.luzhanqi.actions import (
    MIRRORED_PLACE,
    ActionKind,
    Announcement,
    decode_announcement,
    decode_flip,
    decode_referee,
    encode_announcement,
    encode_flip,
    encode_referee,
)
from cotulenh_env.luzhanqi.board import (
    CAMPS,
    HEADQUARTERS,
    IS_RAIL,
    MOVES,
    NUM_PLACES,
    PLAIN_MOVES,
    RAIL_EDGES,
    ROAD_EDGES,
    mirrored,
    opposite,
    parse_place,
    place_name,
)
from cotulenh_env.luzhanqi.fen import board_text
from cotulenh_env.luzhanqi.pieces import COUNT
from cotulenh_env.luzhanqi.setup import COUNT_BY_CODE
from cotulenh_env.luzhanqi.state import FACE_DOWN, FLIP_DTYPE
from tests.luzhanqi.helpers import FLIP, GAMES, REFEREE, random_states


def test_actions_and_moves_are_inverse() -> None:
    assert [encode_flip(decode_flip(action)) for action in range(1248)] == list(range(1248))
    assert [encode_referee(decode_referee(a)) for a in range(1218)] == list(range(1218))
    assert decode_flip(60)[1:] == tuple(MOVES[0])
    assert decode_referee(1188 + 7) == (ActionKind.PLACE, 7, 7)
    for decode, num_actions in ((decode_flip, 1248), (decode_referee, 1218)):
        for action in (-1, num_actions):
            with pytest.raises(IllegalActionError):
                decode(action)


def test_announcements_and_events_are_inverse() -> None:
    all_of_them = [
        Announcement(outcome, (first, second), end)
        for outcome, first, second, end in product(range(5), range(3), range(3), range(3))
    ]
    events = [encode_announcement(each) for each in all_of_them]
    assert sorted(events) == list(range(135))
    assert [decode_announcement(event) for event in events] == all_of_them


def test_numbers_of_places_edges_and_moves() -> None:
    """Section 1 and 5 of the rules: the counts given there."""
    assert (len(CAMPS), len(HEADQUARTERS), NUM_PLACES) == (10, 4, 60)
    assert (len(RAIL_EDGES), len(ROAD_EDGES), int(IS_RAIL.sum())) == (35, 98, 32)
    assert not set(RAIL_EDGES) & set(ROAD_EDGES)
    assert len(MOVES) == 1188 == 196 + 32 * 31
    assert len(PLAIN_MOVES) == 196 + 262
    assert sum(start in HEADQUARTERS for start, _ in MOVES.tolist()) == 12
    for camp in CAMPS:
        assert sum(camp in edge for edge in ROAD_EDGES) == 8


@pytest.mark.parametrize("image", [opposite, mirrored])
def test_automorphisms(image: object) -> None:
    assert callable(image)
    for edges in (RAIL_EDGES, ROAD_EDGES):
        assert {tuple(sorted(map(image, edge))) for edge in edges} == set(edges)
    assert {image(place) for place in CAMPS} == CAMPS


def test_place_names_are_read_back() -> None:
    assert [parse_place(place_name(place)) for place in range(60)] == list(range(60))
    for text in ("", "a", "a0", "a13", "f1", "a01", "a1 ", "1a", "a١", "a9999"):
        with pytest.raises(PositionError):
            parse_place(text)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.name)
def test_every_action_has_a_logit_where_it_begins(game: Game) -> None:
    spec = game.spec
    assert len(np.unique(spec.policy_index)) == spec.num_actions
    assert spec.policy_index.max() < spec.policy_planes * NUM_PLACES
    decode = decode_flip if game is FLIP else decode_referee
    for action in range(spec.num_actions):
        assert spec.policy_index[action] % NUM_PLACES == decode(action).start


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.name)
def test_the_mirror_changes_nothing(game: Game) -> None:
    """Planes of the mirrored position are the mirrored planes, and so are its legal actions."""
    ((places, actions),) = game.symmetries()
    assert np.array_equal(places, MIRRORED_PLACE)
    assert np.array_equal(actions[actions], np.arange(game.spec.num_actions))
    states = random_states(game, 30, 40, seed=1)
    for state in states:
        text = game.to_text(state)
        fields = text.split()
        fields[0] = "/".join(_mirrored_row(row) for row in fields[0].split("/"))
        rules = game.rules_of(state)
        if game is FLIP:
            if rules.hq_lock == "entered":
                continue  # who walked in is told by place
            twin = game.from_text(" ".join(fields), rules)
        else:
            if fields[0] == "/".join(["5"] * 12):
                continue
            twin = game.from_text(" ".join(fields[:4]), rules)
            state = game.from_text(" ".join(text.split()[:4]), rules)
        legal, counts = game.legal_actions(state[None].copy())
        legal_there, _ = game.legal_actions(twin[None].copy())
        images = np.sort(actions[legal[0, : counts[0]]])
        assert np.array_equal(legal_there[0, : counts[0]], images)
        if game is FLIP:
            player = game.current_player(state[None].copy())
            planes = game.observe(state[None].copy(), player).reshape(-1, 60)
            there = game.observe(twin[None].copy(), player).reshape(-1, 60)
            assert np.array_equal(there, planes[:, places])


def _mirrored_row(row: str) -> str:
    return row[::-1]


# --- bounds -------------------------------------------------------------------------------------


def test_bounds_hold_in_crowded_positions() -> None:
    """Random placements of 21 pieces that move, three of them engineers, on an open board."""
    assert (FLIP.spec.max_legal_actions, REFEREE.spec.max_legal_actions) == (312, 275)
    rng = np.random.default_rng(2)
    most = 0
    for num_down in (0, 5, 12, 20):
        for _ in range(60):
            board = np.zeros(60, np.int8)
            places = rng.permutation([p for p in range(60) if p not in HEADQUARTERS])
            own = [kind for kind in range(1, 11) for _ in range(COUNT[kind])]
            own = own[: int(rng.integers(8, 22))]
            board[places[: len(own)]] = own
            free = [place for place in places[len(own) :] if place not in CAMPS][:num_down]
            board[free] = FACE_DOWN
            board[1], board[58] = 12, 24
            down = "".join(f"{letter}{n}" for letter, n in (("k", 3), ("p", 3), ("e", 3), ("m", 3),
                           ("x", 2), ("t", 2), ("r", 2), ("b", 2)))  # fmt: skip
            remaining = _first_of(down, int((board == FACE_DOWN).sum()))
            text = f"{board_text(board)} 0 r {remaining} 0 60"
            state = FLIP.from_text(text, FlipRuleSet())
            most = max(most, int(FLIP.legal_actions(state[None].copy())[1][0]))
    assert 85 < most <= 312


def _first_of(down: str, number: int) -> str:
    """So many pieces of a list such as `k3p3`."""
    text = ""
    for letter, most in zip(down[::2], down[1::2], strict=True):
        taken = min(int(most), number)
        number -= taken
        text += f"{letter}{taken}" if taken else ""
    assert number == 0
    return text or "-"


def test_records_have_the_sizes_of_their_drawing() -> None:
    assert FLIP.spec.state_size == FLIP_DTYPE.itemsize == 1144
    assert REFEREE.spec.state_size == 344
    assert int(COUNT_BY_CODE.sum()) == 50
