"""Where the time of a search goes, by phase.

For a while the functions of each phase are replaced by ones that take the CPU time. A phase inside
another interrupts it, so that the times add up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from agents.search import batched
from agents.search.gumbel import GumbelRoot
from agents.search.puct import PuctRoot
from cotulenh_env.game import Game

RULES = "playing and listing"
OBSERVING = "observing"
ROOT = "choosing at the root"
REUSE = "keeping subtrees"
WALK = "walking down"
EXPANSION = "expanding and backing up"
EVALUATOR = "evaluator"
REST = "Python in between"

PHASES = (RULES, OBSERVING, WALK, EXPANSION, ROOT, REUSE, EVALUATOR, REST)


class PhaseClock:
    """CPU-seconds of this process by phase; what belongs to none is `REST`."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PHASES, 0.0)
        self._open = [REST]
        self._since = time.process_time()

    def start(self) -> None:
        """Forgets everything."""
        self.seconds = dict.fromkeys(PHASES, 0.0)
        self._since = time.process_time()

    def stop(self) -> dict[str, float]:
        """CPU-seconds by phase since the start."""
        self._take()
        return self.seconds

    def during(self, phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, taking its time."""

        def clocked(*args: Any, **kwargs: Any) -> Any:
            self._take()
            self._open.append(phase)
            try:
                return function(*args, **kwargs)
            finally:
                self._take()
                self._open.pop()

        return clocked

    def _take(self) -> None:
        now = time.process_time()
        self.seconds[self._open[-1]] += now - self._since
        self._since = now


@contextmanager
def clocked_search(clock: PhaseClock, game: Game, evaluator: type) -> Iterator[None]:
    """Takes the time of all searches in this game, in one thread.

    Args:
        clock: takes it.
        game: whose calls are clocked.
        evaluator: class of the search's evaluator.
    """
    with ExitStack() as stack:
        for owner, name, phase in (
            (game, "step_into", RULES),
            (game, "refresh", RULES),
            (game, "legal_actions", RULES),
            (game, "apply", RULES),
            (game, "observe_again", OBSERVING),
            (batched, "descend", WALK),
            (batched, "expand", EXPANSION),
            (batched, "keep_subtrees", REUSE),
            (GumbelRoot, "choose", ROOT),
            (GumbelRoot, "finish", ROOT),
            (PuctRoot, "choose", ROOT),
            (PuctRoot, "finish", ROOT),
            (evaluator, "evaluate", EVALUATOR),
        ):
            stack.enter_context(_clocked(clock, owner, name, phase))
        yield


@contextmanager
def _clocked(clock: PhaseClock, owner: Any, name: str, phase: str) -> Iterator[None]:
    is_own = name in vars(owner)  # an object has its methods from its class
    function = getattr(owner, name)
    setattr(owner, name, clock.during(phase, function))
    try:
        yield
    finally:
        if is_own:
            setattr(owner, name, function)
        else:
            delattr(owner, name)
