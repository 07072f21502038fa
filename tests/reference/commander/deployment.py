"""The pieces of one point acting group after group, and whether a turn can end (R7.7 to R7.11)."""

from dataclasses import dataclass, replace
from itertools import combinations

from .board import Point
from .heroes import commander_is_open
from .movement import steps_of
from .outcome import Armed, battle_winner
from .pieces import Board, Stack, is_legal_stack, may_stay, without
from .rules import Rules
from .steps import Step, apply_step

# R12.2: what a Russian navy that has struck may still do.
AFTER_STRIKE = frozenset(("move", "join", "capture"))


@dataclass(frozen=True)
class Deployment:
    """A turn under way: the point it belongs to and what has happened there (R7.7)."""

    origin: Point
    unacted: Stack
    # The group that makes the next sub-move, once selected.
    selected: Stack | None = None
    # Whether a sub-move has been made.
    begun: bool = False
    # A Russian navy stack has struck as a whole and may go on as a whole (R12.2).
    navy_struck: bool = False

    def after(self, group: Stack, step: Step, rules: Rules) -> "Deployment":
        """The deployment after a sub-move of the group (R7.8)."""
        struck = (
            bool(rules.navy_moves_after_strike)
            and step.is_strike
            and group[0].kind == "N"
            and group == self.unacted
            and not self.begun
        )
        rest = without(self.unacted, group) if self.unacted else ()
        return replace(self, unacted=rest, selected=None, begun=True, navy_struck=struck)

    @property
    def ends_by_itself(self) -> bool:
        """R7.9: no piece is left that has not acted."""
        return not self.unacted and not self.navy_struck


@dataclass(frozen=True)
class Judge:
    """What decides on legality besides the board: rules, mover, and the divisions that count."""

    rules: Rules
    mover: int
    armed: Armed


def proper_groups(unacted: Stack, rules: Rules) -> list[tuple[int, Stack]]:
    """R7.7: the groups that can be selected, with their masks, the lowest mask of equal ones."""
    groups: dict[Stack, int] = {}
    for size in range(1, len(unacted)):
        for indices in combinations(range(len(unacted)), size):
            group = tuple(unacted[index] for index in indices)
            mask = sum(1 << index for index in indices)
            if is_legal_stack(group, rules):
                groups[group] = min(mask, groups.get(group, mask))
    return [(mask, group) for group, mask in groups.items()]


def whole_group(board: Board, deployment: Deployment, rules: Rules) -> Stack | None:
    """The pieces that move without being selected (R7.7, R7.9, R12.2), if they can be a group."""
    if deployment.selected is not None:
        return deployment.selected
    group = board[deployment.origin] if deployment.navy_struck else deployment.unacted
    return group if group and is_legal_stack(group, rules) else None


def can_end(board: Board, deployment: Deployment, judge: Judge) -> bool:
    """R7.10, R10.8: whether the turn may end with the board as it is."""
    if not may_stay(board.get(deployment.origin, ()), deployment.origin, judge.rules):
        return False
    if judge.rules.enforce_check and judge.rules.commander_loss_ends:
        return not commander_is_open(board, judge.mover, judge.rules)
    return True


def is_legal_step(
    board: Board, deployment: Deployment, group: Stack, step: Step, judge: Judge
) -> bool:
    """R7.10: the game ends at once, or the turn can still be completed."""
    after, lost = apply_step(board, group, step)
    if lost and battle_winner(after, judge.mover, judge.armed, judge.rules) is not None:
        return True
    return can_complete(after, deployment.after(group, step, judge.rules), judge)


def can_complete(board: Board, deployment: Deployment, judge: Judge) -> bool:
    """R7.10: whether the turn can end now or after more sub-moves."""
    if can_end(board, deployment, judge):
        return True
    if deployment.ends_by_itself:
        return False
    whole = whole_group(board, deployment, judge.rules)
    if whole is not None and has_legal_step(board, deployment, whole, judge):
        return True
    return any(
        has_legal_step(board, deployment, group, judge)
        for _, group in proper_groups(deployment.unacted, judge.rules)
    )


def possible_steps(board: Board, deployment: Deployment, group: Stack, rules: Rules) -> list[Step]:
    """The sub-moves of a group, whether or not the turn can be completed after them."""
    steps = steps_of(board, group, deployment.origin, rules)
    if deployment.navy_struck:
        return [step for step in steps if step.word in AFTER_STRIKE]
    return steps


def legal_steps(board: Board, deployment: Deployment, group: Stack, judge: Judge) -> list[Step]:
    return [
        step
        for step in possible_steps(board, deployment, group, judge.rules)
        if is_legal_step(board, deployment, group, step, judge)
    ]


def has_legal_step(board: Board, deployment: Deployment, group: Stack, judge: Judge) -> bool:
    return any(
        is_legal_step(board, deployment, group, step, judge)
        for step in possible_steps(board, deployment, group, judge.rules)
    )
