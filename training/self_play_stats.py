"""What self-play counts of the games it plays."""

from __future__ import annotations

from dataclasses import dataclass, field

RESIGNATION = "resignation"
"""The reason of a game's end that is in no rules."""


@dataclass(frozen=True)
class FinishedGame:
    """What is known of a game after its end.

    Attributes:
        num_turns: its length in turns of both sides, the random opening included.
        num_actions: its length in actions, the random opening left out.
        reason: why it ended, in the rules' word, or `RESIGNATION`.
        first_player_return: 1, 0 or -1 for player 0.
    """

    num_turns: int
    num_actions: int
    reason: str
    first_player_return: float


@dataclass
class SelfPlayStats:
    """Sums over the steps since they were last taken; of resignations what is known now.

    Attributes:
        finished: the games that ended.
        num_positions: positions played.
        num_simulations: simulations of the tree search.
        num_legal_actions: legal actions of all positions played.
        num_evaluated: positions that the evaluator was asked about.
        num_places: the same, had every batch held one position of each game.
        abs_values: sum of |value| at the root.
        num_judged: recent games played on in which somebody would have resigned.
        num_false_positives: those of them that this player has not lost.
        resign_thresholds: in force, one of each thread; -1 while resignation is suspended there;
            none where nobody ever resigns.
        seconds: wall-clock time of everything, and of the network's part.
    """

    finished: list[FinishedGame] = field(default_factory=list)
    num_positions: int = 0
    num_simulations: int = 0
    num_legal_actions: int = 0
    num_evaluated: int = 0
    num_places: int = 0
    abs_values: float = 0.0
    num_judged: int = 0
    num_false_positives: int = 0
    resign_thresholds: list[float] = field(default_factory=list)
    seconds: float = 0.0
    network_seconds: float = 0.0
