"""Observation planes of both modes, by name.

- the start and hand-made positions, values counted by hand
- both players see the same position from their own seats
- what a referee-mode player is told of enemy pieces, plane by plane
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.luzhanqi import FlipPosition, RefereePosition, RefereeRuleSet
from cotulenh_env.luzhanqi.board import parse_place
from cotulenh_env.luzhanqi.observation import FLIP_PLANE_NAMES, REFEREE_PLANE_NAMES
from tests.luzhanqi.helpers import ARMY, FLIP, REFEREE
from tests.planes import constant

Planes = dict[str, npt.NDArray[np.float32]]


def seen(position: FlipPosition | RefereePosition, player: int) -> Planes:
    """Planes by name, float32 [60], places numbered as on the board."""
    is_flip = isinstance(position, FlipPosition)
    game, names = (FLIP, FLIP_PLANE_NAMES) if is_flip else (REFEREE, REFEREE_PLANE_NAMES)
    planes = game.observe(position.state[None], np.array([player], np.int32))[0]
    assert planes.shape == (len(names), 12, 5)
    flat = planes.reshape(len(names), 60)
    return dict(zip(names, flat[:, ::-1] if player else flat, strict=True))


def places(plane: npt.NDArray[np.float32], value: float = 1.0) -> set[int]:
    return set(np.flatnonzero(np.isclose(plane, value)).tolist())


def at(*names: str) -> set[int]:
    return {parse_place(name) for name in names}


# --- flip mode ----------------------------------------------------------------------------------


def test_the_start_of_the_flip_mode() -> None:
    planes = seen(FlipPosition(), 0)
    assert len(planes) == 61
    assert planes["face_down"].sum() == 50
    assert planes["empty"].sum() == planes["camp"].sum() == 10
    assert (planes["headquarters"].sum(), planes["railway"].sum()) == (4, 32)
    for kind in ("engineer", "chief", "mine", "flag"):
        assert constant(planes[f"own_{kind}_face_down"]) == 1
        assert constant(planes[f"enemy_{kind}_face_down"]) == 1
        assert not planes[f"own_{kind}"].any()
    for name in ("quiet", "own_mines_lost", "enemy_flag_open", "colours_assigned", "plies"):
        assert constant(planes[name]) == 0
    assert constant(planes["ones"]) == 1


def test_a_position_of_the_flip_mode() -> None:
    fen = "1f3/m2E1/1x3/?4/E4/2k2/C3a/5/1B1P1/4r/?4/1F3 0 b M1e1 14 70"
    position = FlipPosition.from_fen(fen)
    first, second = seen(position, 0), seen(position, 1)
    assert places(first["own_battalion"]) == set()
    assert places(first["own_bomb"]) == places(second["enemy_bomb"]) == at("b10")
    assert places(first["enemy_engineer"]) == places(second["own_engineer"]) == at("d11", "a8")
    assert places(first["face_down"]) == places(second["face_down"]) == at("a9", "a2")
    assert constant(first["enemy_mine_face_down"]) == np.float32(1 / 3)
    assert constant(first["own_engineer_face_down"]) == np.float32(1 / 3)
    assert constant(first["own_mines_lost"]) == np.float32(2 / 3)  # one of black's stands
    assert constant(first["enemy_mines_lost"]) == np.float32(2 / 3)  # one of red's is face down
    assert constant(first["quiet"]) == np.float32(14 / 70)
    assert constant(first["plies"]) == np.float32(70 / 200)
    assert constant(first["colours_assigned"]) == 1
    assert constant(first["enemy_flag_open"]) == constant(first["own_flag_open"]) == 0


def test_open_flags() -> None:
    position = FlipPosition.from_fen("1f3/m4/5/5/5/2k2/C4/5/5/5/5/1F3 0 r - 14 70")
    first, second = seen(position, 0), seen(position, 1)
    assert (constant(first["enemy_flag_open"]), constant(first["own_flag_open"])) == (0, 1)
    assert (constant(second["enemy_flag_open"]), constant(second["own_flag_open"])) == (1, 0)


# --- referee mode -------------------------------------------------------------------------------


def test_the_start_of_the_referee_mode() -> None:
    position = RefereePosition.from_layouts(ARMY, ARMY)
    for player in (0, 1):
        planes = seen(position, player)
        assert len(planes) == 45
        own = sum(plane for name, plane in planes.items() if name.startswith("own_") and (
            name.removeprefix("own_") in ("chief", "flag", "mine", "bomb", "engineer")
        ))  # fmt: skip
        assert np.sum(own) == 1 + 1 + 3 + 2 + 3
        assert planes["enemy"].sum() == 25
        assert places(planes["enemy_in_headquarters"]) == at(
            *(("b12", "d12"), ("b1", "d1"))[player]
        )
        for name in ("enemy_moved", "enemy_beat", "enemy_flag", "own_won", "enemy_lost", "last_to"):
            assert not planes[name].any()
    assert places(seen(position, 0)["own_flag"]) == at("d1")
    assert places(seen(position, 1)["own_flag"]) == at("b12")


def play(position: RefereePosition, *texts: str) -> None:
    for text in texts:
        position.push(position.parse_move(text))


def test_what_fights_tell() -> None:
    """A red division beats a brigade, is beaten by the army, and shows nothing but that."""
    position = RefereePosition.from_layouts(ARMY, ARMY)
    play(position, "a6xa7")
    first, second = seen(position, 0), seen(position, 1)
    assert places(first["last_from"]) == places(second["last_from"]) == at("a6")
    assert places(first["last_to"]) == at("a7")
    assert constant(first["last_attacker_survived"]) == 1
    assert constant(second["last_defender_survived"]) == 0
    assert places(first["own_won"]) == places(first["own_moved"]) == at("a7")
    assert places(second["enemy_moved"]) == at("a7")
    assert places(second["enemy_beat"], 6 / 9) == at("a7")  # a brigade
    assert constant(second["own_brigade_lost"]) == 0.5
    assert constant(first["own_brigade_lost"]) == 0
    assert constant(first["enemy_lost"]) == np.float32(1 / 25)
    play(position, "c7-b8")
    assert not seen(position, 0)["last_attacker_survived"].any()


def test_who_withstood_an_attack() -> None:
    pieces = "3f1/m4/5/5/5/c4/P1C2/5/5/5/5/1F3"
    position = RefereePosition.from_fen(f"{pieces} 0 3 90")
    play(position, "a6xa7")
    first, second = seen(position, 0), seen(position, 1)
    assert places(first["enemy_withstood"]) == at("a7")
    assert places(first["enemy_beat"], 2 / 9) == at("a7")
    assert places(second["own_won"]) == at("a7")
    assert constant(first["last_defender_survived"]) == 1
    play(position, "a7-a8")
    assert not seen(position, 0)["enemy_withstood"].any()
    assert places(seen(position, 0)["enemy_beat"], 2 / 9) == at("a8")


def test_shown_flags() -> None:
    position = RefereePosition.from_fen("3f1/5/5/2a2/5/x4/C4/5/2P2/5/5/3F1 0 3 90")
    play(position, "a6xa7")
    first, second = seen(position, 0), seen(position, 1)
    assert places(first["own_flag_shown"]) == places(second["enemy_flag"]) == at("d1")
    assert constant(first["last_both_removed"]) == 1
    assert constant(first["own_chief_lost"]) == 1
    # Player 1's chief was missing from the start, so its flag is shown as well.
    assert places(first["enemy_flag"]) == at("d12")


def test_own_pieces_are_seen_while_they_are_placed() -> None:
    position = RefereePosition(RefereeRuleSet(placement="agents"))
    position.push(1188 + 1)
    assert places(seen(position, 0)["own_flag"]) == at("b1")
    assert not seen(position, 1)["enemy"].any()


def test_clocks() -> None:
    position = RefereePosition.from_fen("3f1/5/5/2a2/5/5/C4/5/5/5/5/3F1 0 7 250")
    planes = seen(position, 0)
    assert constant(planes["quiet"]) == np.float32(7 / 70)
    assert constant(planes["plies"]) == 1
