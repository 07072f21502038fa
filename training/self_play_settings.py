"""`SelfPlaySettings`: how games are played against oneself."""

from __future__ import annotations

from dataclasses import dataclass

from agents.search.settings import MAX_SIMULATIONS
from cotulenh_env.errors import shown
from training.errors import ConfigError
from training.repeatable_agents import check_repeatable_agent
from training.setting_checks import check_range


@dataclass(frozen=True)
class SelfPlaySettings:
    """How games are played against oneself. All turn counts are turns of both sides together.

    Attributes:
        num_games_in_batch: games played side by side; every search step serves all of them.
        steps_per_iteration: actions played in each of these games per iteration.
        opening_turns: a game opens with 0 to this many uniformly random turns, not learned from.
        temperature: 1 draws actions from the improved policy (with search.algorithm puct: in
            proportion to visits), more is wilder, 0 takes the best.
        temperature_turns: after this many turns `final_temperature` holds.
        final_temperature: the temperature of the rest of the game.
        full_search_fraction: share of turns searched with all simulations and learned from; the
            other turns only move the game on.
        fast_simulations: simulations of an action in those other turns, in 1–1000000; they are
            searched without noise.
        value_decay: 1 teaches the value head results; less lets in the search's values of the
            following turns, with a weight that falls by this factor per turn, as in TD(λ).
        score_weight: share of the score's lead in the values of search in the first iteration;
            falls in a line to 0. Helps a new network to play to the point; 0 is self-play alone.
        score_iterations: iterations until then.
        teacher: an agent that plays the games of the first iterations in the network's place, such
            as `alphabeta:depth=2` or the folder of a run; none: self-play from the beginning. Its
            actions, its values where it has any, and the results of its games are learned. One that
            plays by seconds is refused.
        teacher_iterations: iterations of lessons.
        teacher_random_fraction: share of the actions in lessons that are random, in 0–1; what is
            learned there is the teacher's answer all the same.
        resign_threshold: a player resigns whose value of search is below this, at most 0 and at
            least -1, at the beginning of `resign_turns` turns of its own; none: nobody resigns. A
            lower one holds where this one is wrong too often.
        resign_turns: such turns in a row, in 1–100.
        resign_playthrough_fraction: share of games that are played on whatever the values, to see
            how often a player who would have resigned does not lose.
        resign_max_false_positives: share of those that may be so, of the last 100; where it is
            more, or too few games are known, resignation is suspended.
    """

    num_games_in_batch: int = 64
    steps_per_iteration: int = 32
    opening_turns: int = 4
    temperature: float = 1.0
    temperature_turns: int = 30
    final_temperature: float = 0.25
    full_search_fraction: float = 1.0
    fast_simulations: int = 8
    value_decay: float = 1.0
    score_weight: float = 0.0
    score_iterations: int = 0
    teacher: str | None = None
    teacher_iterations: int = 0
    teacher_random_fraction: float = 0.1
    resign_threshold: float | None = None
    resign_turns: int = 3
    resign_playthrough_fraction: float = 0.1
    resign_max_false_positives: float = 0.05

    def __post_init__(self) -> None:
        check_range(self, "self_play.num_games_in_batch", 1)
        check_range(self, "self_play.steps_per_iteration", 1)
        check_range(self, "self_play.opening_turns", 0)
        check_range(self, "self_play.temperature", 0, 100)
        check_range(self, "self_play.temperature_turns", 0)
        check_range(self, "self_play.final_temperature", 0, 100)
        check_range(self, "self_play.full_search_fraction", 0.01, 1)
        check_range(self, "self_play.fast_simulations", 1, MAX_SIMULATIONS)
        check_range(self, "self_play.value_decay", 0, 1)
        check_range(self, "self_play.score_weight", 0, 1)
        check_range(self, "self_play.score_iterations", 0)
        check_range(self, "self_play.teacher_iterations", 0)
        check_range(self, "self_play.teacher_random_fraction", 0, 1)
        if self.score_weight and not self.score_iterations:
            raise ConfigError(
                f"self_play.score_weight is {self.score_weight}, but self_play.score_iterations "
                "is 0"
            )
        if self.teacher is None and self.teacher_iterations:
            raise ConfigError(
                f"self_play.teacher_iterations is {self.teacher_iterations}, but no "
                "self_play.teacher is named"
            )
        if self.teacher is not None:
            check_repeatable_agent("self_play.teacher", self.teacher)
            if not self.teacher_iterations:
                raise ConfigError(
                    f"self_play.teacher is {shown(self.teacher)}, but "
                    "self_play.teacher_iterations is 0"
                )
        if self.resign_threshold is not None:
            check_range(self, "self_play.resign_threshold", -1, 0)
        check_range(self, "self_play.resign_turns", 1, 100)
        check_range(self, "self_play.resign_playthrough_fraction", 0.01, 1)
        check_range(self, "self_play.resign_max_false_positives", 0, 1)
