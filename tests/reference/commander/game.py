"""A game from its first position to its end."""

from collections import Counter
from dataclasses import replace

from .board import name_of
from .choices import Choice, all_choices, placement_choices
from .commander import commanders_are_exposed
from .deployment import Deployment, Judge
from .fen import EMPTY, START, Fen, FenError, board_text, fen_text, parse_fen, parse_pieces
from .heroes import promoted
from .outcome import (
    ALL_ARMED,
    WINNER_BONUS,
    Armed,
    armed_on,
    battle_winner,
    points_for,
)
from .pieces import BLUE, MAX_STACK, RED, Board, Stack, canonical, letters, may_stay, place, without
from .placement import is_placement, next_piece
from .rules import Rules
from .steps import Step, apply_step

DRAW = -1
MAX_PIECES = 19


class Game:
    """The state of one game; `push` changes it, everything else only looks."""

    def __init__(self, fen: Fen, rules: Rules, armed: Armed | None = None) -> None:
        self.rules = rules
        self.board: Board = fen.board
        self.turn = fen.side
        self.quiet = fen.quiet
        self.number = fen.number
        self.placing = fen.placing
        self.turns = 0
        self.points = (0, 0)
        self.winner: int | None = None
        self.reason = ""
        self.deployment: Deployment | None = None
        self.armed: Armed = armed or (ALL_ARMED if fen.placing else armed_on(fen.board))
        # Whether a piece has been lost in the turn under way (R10.5).
        self._loss_this_turn = False
        # How often a position stood on the board when a turn ended (R10.5).
        self._seen: Counter[str] = Counter()
        self._choices: dict[int, Choice] | None = None

    @classmethod
    def start(cls, rules: Rules) -> "Game":
        """The starting position, or the empty board if the players place their pieces."""
        return cls.from_fen(EMPTY if rules.placement else START, rules)

    @classmethod
    def from_fen(
        cls,
        fen: str,
        rules: Rules,
        selected: str | None = None,
        acted: str | None = None,
        armed: tuple[str, str] | list[str] | None = None,
    ) -> "Game":
        """A loaded position, with what a FEN does not tell.

        Args:
            fen: the position; with `selected` its seventh field is there in any case.
            rules: the options of the game.
            selected: the group that has been selected but not moved.
            acted: the pieces at the origin that have acted; not None says that a deployment is
                under way even if the FEN alone would not.
            armed: the divisions that count for each side; by default those on the board.
        """
        fields = parse_fen(fen)
        game = cls(fields, rules, None if armed is None else (armed[0], armed[1]))
        game._set_deployment(fields, selected, acted)
        game._validate()
        if game.deployment is None and not game.placing:
            game._seen[game._position_key()] += 1
        game._end_if_no_move()
        return game

    def _set_deployment(self, fields: Fen, selected: str | None, acted: str | None) -> None:
        if fields.origin is None:
            return
        stack = self.board[fields.origin]
        stayed = without(stack, fields.unacted)
        if acted is not None and parse_pieces(acted, self.turn) != stayed:
            raise FenError(f"acted pieces {acted!r} are not those at {name_of(fields.origin)}")
        deployment = Deployment(fields.origin, fields.unacted, begun=True)
        if not fields.unacted:
            if not self.rules.navy_moves_after_strike or stack[0].kind != "N":
                raise FenError(f"no piece at {name_of(fields.origin)} has anything left to do")
            deployment = replace(deployment, navy_struck=True)
        if selected is not None:
            group = parse_pieces(selected, self.turn)
            without(fields.unacted, group)
            deployment = replace(deployment, selected=group, begun=bool(stayed))
        elif acted is None and not stayed and len(stack) == MAX_STACK:
            # R11.1: nobody has left a full stack and nobody in it has acted.
            return
        self.deployment = deployment

    def _validate(self) -> None:
        for side in (RED, BLUE):
            count = sum(piece.side == side for stack in self.board.values() for piece in stack)
            if count > MAX_PIECES:
                raise FenError(f"{count} pieces of one side, more than {MAX_PIECES}")
        for point, stack in self.board.items():
            deploying = self.deployment is not None and point == self.deployment.origin
            if not deploying and not may_stay(stack, point, self.rules):
                raise FenError(f"{letters(stack)!r} cannot stand on {name_of(point)}")
        if self.placing:
            piece = next_piece(self.board)
            if not is_placement(self.board) or piece is None or piece.side != self.turn:
                raise FenError("the pieces on the board are not those placed first")

    # Looking.

    def fen(self) -> str:
        """R11.1. A group that is selected but has not moved is left out."""
        fields = Fen(self.board, self.turn, self.quiet, self.number, self.placing)
        if self.deployment is not None and self.deployment.begun:
            fields = replace(fields, origin=self.deployment.origin, unacted=self.deployment.unacted)
        return fen_text(fields)

    def board_fen(self) -> str:
        return board_text(self.board)

    @property
    def origin(self) -> str | None:
        """The point of the turn under way, once a group is selected or has moved."""
        return None if self.deployment is None else name_of(self.deployment.origin)

    @property
    def selected(self) -> str | None:
        """The selected group, heroic pieces marked."""
        if self.deployment is None or self.deployment.selected is None:
            return None
        return letters(self.deployment.selected)

    @property
    def unacted(self) -> str | None:
        """The pieces at the origin that have not acted, None outside deployments."""
        return None if self.deployment is None else letters(self.deployment.unacted)

    @property
    def acted(self) -> str | None:
        """The pieces at the origin that have acted and stay, None outside deployments."""
        if self.deployment is None:
            return None
        here = self.board.get(self.deployment.origin, ())
        return letters(canonical(without(here, self.deployment.unacted)))

    def choices(self) -> dict[int, Choice]:
        """The legal actions by number, sorted."""
        if self._choices is None:
            self._choices = {choice.number: choice for choice in self._compute_choices()}
        return self._choices

    def _compute_choices(self) -> list[Choice]:
        if self.winner is not None:
            return []
        if self.placing:
            piece = next_piece(self.board)
            choices = [] if piece is None else placement_choices(self.board, piece)
        else:
            judge = Judge(self.rules, self.turn, self.armed)
            choices = all_choices(self.board, self.deployment, judge)
        return sorted(choices, key=lambda choice: choice.number)

    def legal_actions(self) -> list[int]:
        return list(self.choices())

    def legal_texts(self) -> dict[int, str]:
        """Each legal action in words, absolute coordinates."""
        return {number: choice.text for number, choice in self.choices().items()}

    def copy(self) -> "Game":
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.board = dict(self.board)
        twin._seen = self._seen.copy()
        return twin

    # Playing.

    def push(self, action: int) -> None:
        """Play one action of the side to move."""
        choice = self.choices().get(action)
        if choice is None:
            raise ValueError(f"illegal action {action} in {self.fen()}")
        self._choices = None
        if self.placing:
            self._place(choice)
        elif choice.step is not None:
            self._sub_move(choice.group, choice.step)
        elif choice.origin is not None:
            self._select(choice)
        else:
            self._finish_turn()

    def _place(self, choice: Choice) -> None:
        assert choice.origin is not None
        place(self.board, choice.origin, choice.group)
        self.turn = 1 - self.turn
        if next_piece(self.board) is None:
            self.placing = False
            self.armed = armed_on(self.board)
            self._seen[self._position_key()] += 1
            self._end_if_no_move()

    def _select(self, choice: Choice) -> None:
        assert choice.origin is not None
        if self.deployment is None:
            self.deployment = Deployment(choice.origin, self.board[choice.origin])
        self.deployment = replace(self.deployment, selected=choice.group)

    def _sub_move(self, group: Stack, step: Step) -> None:
        before = self.deployment or Deployment(step.origin, self.board[step.origin])
        self.board, lost = apply_step(self.board, group, step)
        self.deployment = before.after(group, step, self.rules)
        if lost:
            red, blue = points_for(lost)
            self.points = (self.points[0] + red, self.points[1] + blue)
            self._loss_this_turn = True
            self.quiet = 0
            winner = battle_winner(self.board, self.turn, self.armed, self.rules)
            if winner is not None:
                self._win_battle(winner)
                return
        if self.deployment.ends_by_itself:
            self._finish_turn()

    def _win_battle(self, winner: int) -> None:
        """R10.1, R10.6: at once, so that the turn is cut short and not counted."""
        red, blue = self.points
        self.points = (
            red + (WINNER_BONUS if winner == RED else 0),
            blue + (WINNER_BONUS if winner == BLUE else 0),
        )
        self.deployment = None
        self._end(winner, "battle")

    def _end(self, winner: int, reason: str) -> None:
        self.winner = winner
        self.reason = reason
        self._choices = None

    def _finish_turn(self) -> None:
        """R10.9: promotions, exposure, then what concerns the other side to move."""
        self.deployment = None
        self.turns += 1
        if not self._loss_this_turn:
            self.quiet += 1
        self._loss_this_turn = False
        self.board = promoted(self.board, self.rules)
        if self.rules.exposure_loses and commanders_are_exposed(self.board):
            self._end(1 - self.turn, "exposure")
            return
        if self.turn == BLUE:
            self.number += 1
        self.turn = 1 - self.turn
        key = self._position_key()
        self._seen[key] += 1
        if self._seen[key] >= self.rules.repetition:
            self._end(DRAW, "repetition")
        elif self.quiet >= self.rules.quiet_limit:
            self._end(DRAW, "quiet")
        elif self.turns >= self.rules.turn_limit:
            red, blue = self.points
            self._end(DRAW if red == blue else RED if red > blue else BLUE, "turn limit")
        else:
            self._end_if_no_move()

    def _end_if_no_move(self) -> None:
        """R10.4."""
        if not self.choices():
            self._end(1 - self.turn, "no move")

    def _position_key(self) -> str:
        """R10.5: board, heroic marks and side to move."""
        return f"{self.board_fen()} {self.turn}"


def perft(game: Game, depth: int) -> int:
    """The number of action sequences of this length; SELECT and END count as one each."""
    if depth == 0:
        return 1
    actions = game.legal_actions()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        child = game.copy()
        child.push(action)
        total += perft(child, depth - 1)
    return total
