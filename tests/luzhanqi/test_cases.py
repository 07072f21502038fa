"""Every recorded case of both modes.

- the board: places, edges and moves are those of the file
- games: who moves, all legal actions, what is announced, how it ends
"""

import pytest

from cotulenh_env.luzhanqi import FlipPosition, FlipRuleSet, RefereePosition, RefereeRuleSet, board
from cotulenh_env.luzhanqi.board import opposite
from cotulenh_env.luzhanqi.layouts import layout_text
from cotulenh_env.luzhanqi.pieces import KIND_LETTERS, code_letter, piece_code
from tests.cases import Case, read_object
from tests.luzhanqi.helpers import move_id

BOARD = read_object("luzhanqi_board.json")
FLIP = read_object("luzhanqi_flip_games.json")
REFEREE = read_object("luzhanqi_referee_games.json")

LOCKS = {True: "all", False: "none"}
OUTCOMES = {None: "", 1: "attacker survives", -1: "defender survives", 0: "both removed"}
RESULTS = {0: 0, 1: 1, "draw": -1}


def test_board() -> None:
    assert sorted(board.CAMPS) == BOARD["camps"]
    assert sorted(board.HEADQUARTERS) == BOARD["hq"]
    assert board.IS_RAIL.nonzero()[0].tolist() == BOARD["rail_nodes"]
    assert [list(edge) for edge in board.RAIL_EDGES] == BOARD["rail_edges"]
    assert [list(edge) for edge in board.ROAD_EDGES] == BOARD["road_edges"]
    assert board.MOVES.tolist() == BOARD["moves"]
    assert board.DEAL_PLACES.tolist() == BOARD["deal_nodes"]
    edges = {*board.RAIL_EDGES, *board.ROAD_EDGES}
    assert not any(tuple(gap) in edges for gap in BOARD["mountain_gaps"])


def flip_id(player: int, action: list[object]) -> int:
    word, *places = action
    numbers = [int(str(place)) for place in places]
    if word == "f":
        return opposite(numbers[0]) if player else numbers[0]
    return 60 + move_id(player, *numbers)


def flip_rules(options: Case) -> FlipRuleSet:
    carriers = options["flag_carriers"]
    return FlipRuleSet(
        hq_lock=LOCKS[options["hq_lock"]],
        quiet_limit=options["quiet"],
        repetition=options["rep"],
        flip_resets=options["flip_resets"],
        suicide=options["suicide"],
        flag_mines=options["flag_mines"],
        flag_all_flipped=options["flag_all_flipped"],
        flag_carriers=None
        if carriers is None
        else "".join(KIND_LETTERS[kind] for kind in carriers),
        bomb_flag=options["bomb_flag"],
    )


@pytest.mark.parametrize("case", FLIP["games"], ids=range(len(FLIP["games"])))
def test_flip_game(case: Case) -> None:
    position = FlipPosition(flip_rules(FLIP["options"]))
    steps = iter(case["moves"])
    for _, player, action, legal in steps:
        assert position.turn == player
        assert position.legal_actions() == sorted(flip_id(player, each) for each in legal)
        piece = None
        if action[0] == "f":
            _, (colour, kind) = next(steps)
            piece = code_letter(piece_code(colour, kind))
        position.push(flip_id(player, action), piece)
    assert position.winner == RESULTS[case["result"]]
    assert position.reason == case["why"]


def layout_of(case: Case, player: int) -> str:
    kinds = []
    for place in BOARD["deal_nodes"][:25]:
        kinds.append(case[f"layout{player}"][str(opposite(place) if player else place)])
    return layout_text(kinds)


@pytest.mark.parametrize("case", REFEREE["games"], ids=range(len(REFEREE["games"])))
def test_referee_game(case: Case) -> None:
    options = REFEREE["options"]
    rules = RefereeRuleSet(
        hq_lock=LOCKS[options["hq_lock"]],
        quiet_limit=options["quiet"],
        reveal_flag=options["reveal_flag"],
    )
    position = RefereePosition.from_layouts(layout_of(case, 0), layout_of(case, 1), rules)
    for player, move, legal, outcome in case["moves"]:
        assert position.turn == player
        assert position.legal_actions() == sorted(move_id(player, *each) for each in legal)
        position.push(move_id(player, *move))
        said = position.announcement.split(" and ")[0]
        assert said == OUTCOMES[outcome] or (
            outcome is None and said == "the next player has no move"
        )
    assert position.winner == RESULTS[case["result"]]
    assert position.reason == case["why"]
