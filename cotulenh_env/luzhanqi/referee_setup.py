"""Puts positions of the referee mode together from their parts, and checks that they can be."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import PositionError
from cotulenh_env.luzhanqi.board import (
    DEAL_PLACES,
    HEADQUARTERS,
    MOVE_NUMBER,
    NUM_PLACES,
    opposite,
    place_name,
)
from cotulenh_env.luzhanqi.fen import Board
from cotulenh_env.luzhanqi.layouts import layout_problem
from cotulenh_env.luzhanqi.pieces import (
    ATTACKER_SURVIVES,
    BOTH_REMOVED,
    CHIEF,
    COUNT,
    DEFENDER_SURVIVES,
    ENGINEER,
    FLAG,
    FLAG_CAPTURED,
    KIND_LETTERS,
    NUM_KINDS,
    NUM_PIECES,
    OUTCOME,
    is_movable,
)
from cotulenh_env.luzhanqi.placement import PLACEMENT_ORDER, START_KINDS, TOKEN_OF_PLACE
from cotulenh_env.luzhanqi.rules import RefereeRuleSet
from cotulenh_env.luzhanqi.setup import referee_records
from cotulenh_env.luzhanqi.state import BY_FLAG, HAS_TURNED, NO_PLACE, Record, Records

Fights = npt.NDArray[np.int8]
"""int8 [n, 3]: attacker, defender, outcome."""


class Tokens(NamedTuple):
    """A player's pieces in the order of where they began.

    Attributes:
        kinds: 25 kinds; 0 what is not placed yet.
        places: where each stands, NO_PLACE if it was removed or the board is not set up yet.
        moved: 0, HAS_MOVED or HAS_TURNED (state.py).
    """

    kinds: list[int]
    places: list[int]
    moved: list[int]


# --- positions without a past -------------------------------------------------------------------


def arrange(board: Board, rules: RefereeRuleSet) -> tuple[Tokens, Tokens]:
    """Gives the pieces of a board places where they may have begun.

    Args:
        board: int8 [60]: codes.
        rules: say whether a piece may have left a headquarters.

    Raises:
        PositionError: there is none, or there are too many pieces.
    """
    if not board.any():
        raise PositionError("the board is empty")
    is_locked = rules.hq_lock == "all"
    return _arrange_side(board, 0, is_locked), _arrange_side(board, 1, is_locked)


def _arrange_side(board: Board, player: int, is_locked: bool) -> Tokens:
    kinds, places, moved = [0] * NUM_PIECES, [NO_PLACE] * NUM_PIECES, [0] * NUM_PIECES
    pending: list[tuple[int, int]] = []  # kind and place of what must have moved, or is gone
    missing = COUNT.astype(np.int64)
    for place in range(NUM_PLACES):
        code = int(board[place]) - player * NUM_KINDS
        if not 1 <= code <= NUM_KINDS:
            continue
        missing[code] -= 1
        own = opposite(place) if player else place
        token = int(TOKEN_OF_PLACE[own]) if own < NUM_PLACES // 2 else -1
        if token >= 0 and int(START_KINDS[token]) >> code & 1:
            kinds[token], places[token] = code, place
        elif is_movable(code):
            pending.append((code, place))
        else:
            raise PositionError(
                f"{KIND_LETTERS[code]} of player {player} cannot stand at {place_name(place)}"
            )
    for kind in range(1, NUM_KINDS + 1):
        if missing[kind] < 0:
            raise PositionError(
                f"player {player} has {COUNT[kind] - missing[kind]} pieces "
                f"{KIND_LETTERS[kind]}, at most {COUNT[kind]}"
            )
        pending += [(kind, NO_PLACE)] * int(missing[kind])
    free = [token for token in range(NUM_PIECES) if not kinds[token]]
    choices = [
        [
            token
            for token in free
            if int(START_KINDS[token]) >> kind & 1
            and not (is_locked and place != NO_PLACE and DEAL_PLACES[token] in HEADQUARTERS)
        ]
        for kind, place in pending
    ]
    owners = _match(choices)
    if owners is None:
        raise PositionError(f"the pieces of player {player} cannot have begun anywhere")
    for (kind, place), token in zip(pending, owners, strict=True):
        kinds[token], places[token], moved[token] = kind, place, int(place != NO_PLACE)
    return Tokens(kinds, places, moved)


def _match(choices: list[list[int]]) -> list[int] | None:
    """One of each one's choices, all different: augmenting paths (Kuhn 1955); None if none are."""
    owner: dict[int, int] = {}

    def find(index: int, tried: set[int]) -> bool:
        for choice in choices[index]:
            if choice in tried:
                continue
            tried.add(choice)
            if choice not in owner or find(owner[choice], tried):
                owner[choice] = index
                return True
        return False

    if not all(find(index, set()) for index in range(len(choices))):
        return None
    chosen = {index: choice for choice, index in owner.items()}
    return [chosen[index] for index in range(len(choices))]


# --- records ------------------------------------------------------------------------------------


def make_records(
    tokens: tuple[Tokens, Tokens],
    player: int,
    clocks: tuple[int, int],
    last: tuple[int, int, int],
    fights: Fights,
    rules: RefereeRuleSet,
) -> Records:
    """The record [1] of a position; whether the next player has a move is not looked at.

    Args:
        tokens: of both players.
        player: to move.
        clocks: quiet plies and plies.
        last: from, to and outcome of the last move.
        fights: int8 [n, 3].
        rules: the rules to play by.

    Raises:
        PositionError: the position cannot be, with the reason.
    """
    kinds = np.array([side.kinds for side in tokens], np.int8)
    states = referee_records(kinds[:1], kinds[1:], rules)
    state = states[0]
    is_placing = not any(place != NO_PLACE for side in tokens for place in side.places)
    state["player"] = player
    state["quiet_plies"] = clocks[0]
    state["plies"] = state["first_ply"] = clocks[1]
    state["last"] = last
    state["fights"][: len(fights)] = fights
    state["num_fights"] = len(fights)
    state["board"] = 0
    for side, side_tokens in enumerate(tokens):
        state["moved"][side] = side_tokens.moved
        for token, place in enumerate(side_tokens.places):
            if place != NO_PLACE:
                state["board"][place] = 1 + side * NUM_PIECES + token
    if is_placing:
        state["num_placed"] = int((kinds > 0).sum())
        _check_placing(state)
        return states
    if len(fights) and fights[-1, 2] == FLAG_CAPTURED:
        state["winner"] = int(fights[-1, 0] > NUM_PIECES)
        state["reason"] = BY_FLAG
    _check_layouts(state)
    _note_shown_flags(state)
    _check_setup(state)
    return states


def _note_shown_flags(state: Record) -> None:
    for player in (0, 1):
        chief = int(np.flatnonzero(state["kinds"][player] == CHIEF)[0])
        is_lost = not (state["board"] == 1 + player * NUM_PIECES + chief).any()
        state["shown"][player] = 1 + chief if is_lost and state["reveal_flag"] else 0


def _check_placing(state: Record) -> None:
    """Refuses a placement phase that cannot be."""
    if not state["placing"]:
        raise PositionError("the board is empty, but the players do not place their pieces")
    num_placed = int(state["num_placed"])
    if num_placed >= 2 * NUM_PIECES:
        raise PositionError("all pieces are placed, but the board is empty")
    if state["player"] != num_placed // NUM_PIECES:
        raise PositionError(f"player {num_placed // NUM_PIECES} is to place a piece")
    untouched = not (state["quiet_plies"] or state["plies"] or state["num_fights"])
    if not untouched or state["moved"].any() or state["last"].tolist() != [NO_PLACE, NO_PLACE, 0]:
        raise PositionError("no move is played before all pieces are placed")
    for player in (0, 1):
        wanted = sorted(PLACEMENT_ORDER[: max(0, min(NUM_PIECES, num_placed - 25 * player))])
        placed = state["kinds"][player]
        if sorted(placed[placed > 0].tolist()) != wanted:
            raise PositionError(f"player {player} has not placed pieces in their order")
        for token in np.flatnonzero(placed).tolist():
            if not int(START_KINDS[token]) >> int(placed[token]) & 1:
                name = place_name(int(DEAL_PLACES[token]))
                letter = KIND_LETTERS[placed[token]]
                raise PositionError(f"{letter} cannot begin at {name} of the own half")


def _check_layouts(state: Record) -> None:
    for player in (0, 1):
        problem = layout_problem(state["kinds"][player])
        if problem:
            raise PositionError(f"player {player}: {problem}")


def _check_setup(state: Record) -> None:
    """Refuses tokens, clocks and fights that no game can have come to."""
    _check_places(state)
    _check_fights(state)
    if state["quiet_plies"] > state["quiet_limit"]:
        raise PositionError(
            f"{state['quiet_plies']} quiet plies are more than the limit {state['quiet_limit']}"
        )
    start, end, _ = state["last"].tolist()
    if start != NO_PLACE and MOVE_NUMBER[start, end] < 0:
        raise PositionError(f"no piece moves from {place_name(start)} to {place_name(end)}")


def _check_places(state: Record) -> None:
    standing = state["board"][state["board"] > 0].tolist()
    if len(set(standing)) != len(standing):
        raise PositionError("a piece stands at two places")
    for player in (0, 1):
        for token in range(NUM_PIECES):
            kind = int(state["kinds"][player, token])
            places = np.flatnonzero(state["board"] == 1 + player * NUM_PIECES + token)
            start = int(DEAL_PLACES[token])
            start = opposite(start) if player else start
            has_moved = bool(state["moved"][player, token])
            name = f"{KIND_LETTERS[kind]} of player {player} that began at {place_name(start)}"
            if state["moved"][player, token] == HAS_TURNED and kind != ENGINEER:
                raise PositionError(f"the {name} cannot have moved round a corner")
            if has_moved and (not is_movable(kind) or _is_locked_in(state, start)):
                raise PositionError(f"the {name} cannot have moved")
            if len(places) and not has_moved and places[0] != start:
                raise PositionError(f"the {name} has not moved, but is not there")
            if not len(places) and kind == FLAG and state["reason"] != BY_FLAG:
                raise PositionError(f"the flag of player {player} is missing")


def _is_locked_in(state: Record, start: int) -> bool:
    return start in HEADQUARTERS and state["hq_lock"] == 0


def _check_fights(state: Record) -> None:
    """Every fight ended as the kinds say, and who lost one has left the board."""
    fights = state["fights"][: state["num_fights"]].tolist()
    kinds = state["kinds"].reshape(-1)
    moved = state["moved"].reshape(-1)
    removed: set[int] = set()
    for attacker, defender, outcome in fights:
        words = f"{attacker}>{defender}={outcome}"
        if OUTCOME[kinds[attacker - 1], kinds[defender - 1]] != outcome:
            raise PositionError(f"the fight {words} does not end like that")
        if not moved[attacker - 1]:
            raise PositionError(f"the attacker of the fight {words} has not moved")
        if attacker in removed or defender in removed:
            raise PositionError(f"a piece of the fight {words} had been removed")
        if outcome in (DEFENDER_SURVIVES, BOTH_REMOVED):
            removed.add(attacker)
        if outcome in (ATTACKER_SURVIVES, BOTH_REMOVED, FLAG_CAPTURED):
            removed.add(defender)
    present = removed & set(state["board"].tolist())
    if present:
        raise PositionError(f"the token {min(present)} has been removed, but stands on the board")
