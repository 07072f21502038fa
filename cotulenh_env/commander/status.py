"""Everything that is wrong with a position: what loaders refuse, and what they might ask about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from cotulenh_env.commander.board import IS_BANK, NUM_FILES, NUM_RANKS, point_name
from cotulenh_env.commander.drawing import SIDE_NAMES
from cotulenh_env.commander.fen import new_state, parse_fen
from cotulenh_env.commander.loading import armed_divisions, load, rules_of, settle
from cotulenh_env.commander.observation import DECISIVE
from cotulenh_env.commander.pieces import (
    COMMANDER,
    ENGINEER,
    HEADQUARTERS,
    KIND_LETTERS,
    SIDE_BIT,
    STARTING_COUNTS,
    pieces_text,
    stack_codes,
)
from cotulenh_env.commander.problems import Problem, ProblemKind
from cotulenh_env.commander.queries import Piece, checkers_of, pieces_of
from cotulenh_env.commander.rules import BATTLES, COMMANDER_DECIDES, RuleSet
from cotulenh_env.commander.setup import Board, Setup, piece_counts, pieces_on, setup_problems
from cotulenh_env.commander.state import (
    ARMED_AIR,
    ARMED_COMMANDER,
    ARMED_LAND,
    ARMED_NAVY,
    BY_BATTLE,
    BY_EXPOSURE,
    NO_POINT,
    STATE_DTYPE,
    Records,
)
from cotulenh_env.commander.state_checks import setup_of
from cotulenh_env.commander.switches import LAST_DEFENDER_IS_INFANTRY
from cotulenh_env.errors import PositionError, shown

_DIVISIONS = {
    ARMED_COMMANDER: "commander",
    ARMED_AIR: "aircraft",
    ARMED_LAND: "infantry, tank or artillery",
    ARMED_NAVY: "navy",
}


def fen_status(fen: object, rules: RuleSet) -> list[Problem]:
    """Everything wrong with the position of a FEN, what makes it unplayable first.

    Text that cannot be read is one problem.

    Args:
        fen: any text, or what was given for one.
        rules: the rules to play by.
    """
    if not isinstance(fen, str):
        return [Problem(ProblemKind.MALFORMED, f"a FEN is text, got {shown(fen)}")]
    try:
        setup = parse_fen(fen, rules.switches)
    except PositionError as error:
        return [Problem(ProblemKind.MALFORMED, str(error))]
    unplayable = list(setup_problems(setup, rules))
    if unplayable:
        return [*unplayable, *_setup_remarks(setup, rules)]
    state = load(setup, rules)
    try:
        settle(state)
    except PositionError as error:
        point = point_name(int(state["origin"]))
        stuck = Problem(ProblemKind.STUCK_DEPLOYMENT, str(error), point, setup.player)
        return [stuck, *_setup_remarks(setup, rules)]
    return state_status(np.array([state], STATE_DTYPE))


def state_status(states: Records) -> list[Problem]:
    """Everything wrong with a position.

    Args:
        states: one record [1].
    """
    state = states[0]
    rules = rules_of(state)
    if state["reason"] in (BY_BATTLE, BY_EXPOSURE):
        # What the last move left need not be a position to play on from.
        return [*_pieces_out_of_place(state["board"], rules)]
    setup = replace(setup_of(state), move_number=int(state["move_number"]))
    problems = [*setup_problems(setup, rules), *_setup_remarks(setup, rules)]
    if not setup.placing:
        problems += _face_to_face(states)
    if not setup.placing and setup.origin is None and not _may_be_just_placed(setup, rules):
        problems += [*_unmarked_heroes(states, rules), *_open_commander(states, rules)]
    return problems


def _may_be_just_placed(setup: Setup, rules: RuleSet) -> bool:
    """Whether no turn need have been made yet: placements bring no promotions and allow check."""
    return rules.placement and (setup.player, setup.move_number) == (0, 1)


def _setup_remarks(setup: Setup, rules: RuleSet) -> Iterator[Problem]:
    """What the parts of a position tell, be it playable or not."""
    yield from _pieces_out_of_place(setup.board, rules)
    if setup.placing:
        return
    yield from _lost_divisions(setup.board, rules)
    num_turns = 2 * (setup.move_number - 1) + setup.player
    if setup.quiet_turns > rules.quiet_limit:
        yield Problem(
            ProblemKind.UNTENABLE_CLOCKS,
            f"{setup.quiet_turns} quiet turns are more than {rules.quiet_limit}, "
            "at which the game was drawn",
        )
    if setup.quiet_turns > num_turns >= 0:
        yield Problem(
            ProblemKind.UNTENABLE_CLOCKS,
            f"{setup.quiet_turns} quiet turns are more than the {num_turns} turns "
            f"before {SIDE_NAMES[setup.player]}'s move {setup.move_number}",
        )


# --- the board ----------------------------------------------------------------------------------


def _pieces_out_of_place(board: Board, rules: RuleSet) -> Iterator[Problem]:
    """What was never there in the beginning, or cannot have come where it stands."""
    counts = piece_counts(board)
    for side, name in enumerate(SIDE_NAMES):
        for kind, at_start in STARTING_COUNTS.items():
            if counts[side, kind] > at_start and kind != COMMANDER:  # two of those are unplayable
                yield Problem(
                    ProblemKind.TOO_MANY_OF_A_KIND,
                    f"{name} has {counts[side, kind]} {KIND_LETTERS[kind]}, "
                    f"more than {at_start} in the beginning",
                    side=side,
                )
    for point, side, slot, code in pieces_on(board):
        if slot:
            continue
        place = point_name(point)
        codes = stack_codes(int(board[point]))
        if code >> 1 == ENGINEER and len(codes) > 1 and not IS_BANK[point]:
            yield Problem(
                ProblemKind.ENGINEER_OFF_BANK,
                f"{pieces_text(codes)} at {place}: an engineer carries on bank points only",
                place,
                side,
            )
        if code >> 1 == HEADQUARTERS and not _may_hold_headquarters(point, side, rules):
            yield Problem(
                ProblemKind.HEADQUARTERS_MOVED,
                f"{pieces_text(codes)} at {place}: headquarters do not move, "
                f"and none of {SIDE_NAMES[side]}'s was there in the beginning",
                place,
                side,
            )


def _may_hold_headquarters(point: int, side: int, rules: RuleSet) -> bool:
    """Whether one of the side's headquarters can have begun the game there."""
    if rules.placement:
        return (point // NUM_FILES >= NUM_RANKS // 2) == bool(side)
    stack = int(new_state(RuleSet())["board"][point])
    return bool(stack) and stack // SIDE_BIT == side and stack_codes(stack)[0] >> 1 == HEADQUARTERS


def _lost_divisions(board: Board, rules: RuleSet) -> Iterator[Problem]:
    """R10.2: what a side lacks that its battle is about; the game goes on without it."""
    armed = armed_divisions(piece_counts(board))
    decisive = int(DECISIVE[BATTLES.index(rules.battle)])
    for side, name in enumerate(SIDE_NAMES):
        for division, words in _DIVISIONS.items():
            if decisive & ~int(armed[side]) & division:
                yield Problem(
                    ProblemKind.LOST_BATTLE,
                    f"{name} begins without {words}, "
                    f"whose loss would end the {rules.battle} battle",
                    side=side,
                )


# --- who attacks whom -----------------------------------------------------------------------------


def _face_to_face(states: Records) -> Iterator[Problem]:
    """R6.4."""
    red, blue = (int(point) for point in states[0]["commander"])
    board = states[0]["board"]
    if NO_POINT in (red, blue) or any(len(stack_codes(int(board[p]))) > 1 for p in (red, blue)):
        return
    if any(piece.text == "C" for piece in checkers_of(states, 0)):
        yield Problem(
            ProblemKind.FACE_TO_FACE,
            f"the commanders at {point_name(red)} and {point_name(blue)} stand face to face",
            point_name(red),
        )


def _unmarked_heroes(states: Records, rules: RuleSet) -> Iterator[Problem]:
    """R9: between turns every attacker of a commander is heroic, and so is a last defender."""
    for side, name in enumerate(SIDE_NAMES):
        for piece in checkers_of(states, 1 - side):
            # Aircraft are left out: a zone that grew by the same promotions may turn a flight that
            # was shot down into a kamikaze.
            if piece.text not in ("C", "F") and not _is_marked(piece):
                yield Problem(
                    ProblemKind.UNMARKED_HERO,
                    f"{name}'s {piece.text} at {piece.point} attacks the commander "
                    "and is not heroic",
                    piece.point,
                    side,
                )
        defender = _last_defender(states, side, rules)
        if defender is not None and not _is_marked(defender):
            yield Problem(
                ProblemKind.UNMARKED_HERO,
                f"{name}'s {defender.text} at {defender.point} is its commander's last defender "
                "and is not heroic",
                defender.point,
                side,
            )


def _last_defender(states: Records, side: int, rules: RuleSet) -> Piece | None:
    """The piece that R9.3 makes heroic, by the rules of the game."""
    pieces = pieces_of(states[0], side)
    others = [piece for piece in pieces if piece.text not in ("C", "H")]
    if len(others) != 1 or not any(piece.text == "C" for piece in pieces):
        return None
    is_infantry = others[0].text.endswith("I")
    return others[0] if is_infantry or not rules.switches & LAST_DEFENDER_IS_INFANTRY else None


def _is_marked(piece: Piece) -> bool:
    return piece.text.startswith("+")


def _open_commander(states: Records, rules: RuleSet) -> Iterator[Problem]:
    """R10.8: whoever is not to move has just left the own commander safe."""
    if not rules.enforce_check or not COMMANDER_DECIDES[BATTLES.index(rules.battle)]:
        return
    side = 1 - int(states[0]["player"])
    checkers = checkers_of(states, side)
    if checkers:
        point = point_name(int(states[0]["commander"][side]))
        by = ", ".join(f"{piece.text} {piece.point}" for piece in checkers)
        yield Problem(
            ProblemKind.OPEN_COMMANDER,
            f"{SIDE_NAMES[side]}'s commander at {point} was left open to capture by {by}",
            point,
            side,
        )
