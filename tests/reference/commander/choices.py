"""Everything the side to move can choose from, each with its number and its words."""

from dataclasses import dataclass

from .actions import END, encode_move, encode_place, encode_select, encode_strike
from .board import Point, name_of
from .deployment import (
    Deployment,
    Judge,
    can_end,
    has_legal_step,
    legal_steps,
    proper_groups,
    whole_group,
)
from .pieces import Board, Piece, Stack
from .placement import placements
from .steps import Step


@dataclass(frozen=True)
class Choice:
    """One action: a sub-move (group and step), a selection (group), a placement, or END."""

    number: int
    text: str
    origin: Point | None = None
    group: Stack = ()
    step: Step | None = None


def step_choices(board: Board, deployment: Deployment, group: Stack, judge: Judge) -> list[Choice]:
    """The moves and strikes of a group."""
    choices = []
    for step in legal_steps(board, deployment, group, judge):
        encode = encode_strike if step.is_strike else encode_move
        number = encode(step.origin, step.target, judge.mover)
        choices.append(Choice(number, step.text(group), step.origin, group, step))
    return choices


def select_choices(board: Board, deployment: Deployment, judge: Judge) -> list[Choice]:
    """The groups that can be selected and then have something to do."""
    choices = []
    for mask, group in proper_groups(deployment.unacted, judge.rules):
        if has_legal_step(board, deployment, group, judge):
            number = encode_select(deployment.origin, mask, judge.mover)
            kinds = "".join(piece.kind for piece in group)
            text = f"SELECT {name_of(deployment.origin)} {kinds}"
            choices.append(Choice(number, text, deployment.origin, group))
    return choices


def turn_choices(board: Board, deployment: Deployment, judge: Judge) -> list[Choice]:
    """What can be done at the point of a turn, END apart (R7.7, R7.9)."""
    choices = []
    whole = whole_group(board, deployment, judge.rules)
    if whole is not None:
        choices += step_choices(board, deployment, whole, judge)
    if deployment.selected is None:
        choices += select_choices(board, deployment, judge)
    return choices


def all_choices(board: Board, deployment: Deployment | None, judge: Judge) -> list[Choice]:
    """What the side to move can do in a game under way."""
    if deployment is None:
        return [
            choice
            for point, stack in board.items()
            if stack[0].side == judge.mover
            for choice in turn_choices(board, Deployment(point, stack), judge)
        ]
    choices = turn_choices(board, deployment, judge)
    may_end = deployment.begun and deployment.selected is None
    if may_end and can_end(board, deployment, judge):
        choices.append(Choice(END, "END"))
    return choices


def placement_choices(board: Board, piece: Piece) -> list[Choice]:
    """Where the next piece can be placed (R10.7)."""
    return [
        Choice(
            encode_place(point, piece.side),
            f"PLACE {name_of(point)} {piece.kind}",
            point,
            (piece,),
        )
        for point in placements(board, piece)
    ]
