"""What the value head learns: the game's result, or a mixture with what search thought on the way.

The result of a long game says little about its early positions. With a decay below 1 a position's
target looks ahead as in TD(λ): mostly at the search's values of the next few turns, and at the
result as far as the decay lets it through. Turns are counted, not actions: a deployment is one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def value_targets(
    result: float,
    players: npt.NDArray[np.int32],
    turns: npt.NDArray[np.int32],
    values: npt.NDArray[np.float32],
    final_turn: int,
    decay: float,
) -> npt.NDArray[np.float32]:
    """Targets of the positions of one finished game.

    Args:
        result: 1, 0 or -1 for player 0.
        players: int32 [n]: who was to move, in the order of play.
        turns: int32 [n]: turns completed before each position.
        values: float32 [n] in [-1, 1]: what search thought, for the player to move; NaN where
            nobody thought anything: targets look through such positions to what lies behind them.
        final_turn: turns completed at the end.
        decay: weight of what lies one turn further on; 1 is the result alone.

    Returns:
        float32 [n, 3]: probabilities of win, draw, loss for the player to move.
    """
    n = len(players)
    signs = np.where(players == 0, 1.0, -1.0)
    # Rows are (win, draw, loss) of player 0. A value knows no draws, but win − loss is right.
    seen = np.stack([(1 + signs * values) / 2, np.zeros(n), (1 - signs * values) / 2], axis=1)
    end = np.array([result > 0, result == 0, result < 0], np.float64)
    targets = np.empty((n, 3))
    following, next_seen, next_turn = end, end, final_turn
    for index in reversed(range(n)):
        weight = decay ** (next_turn - int(turns[index]))
        if not np.isnan(next_seen[0]):
            following = weight * following + (1 - weight) * next_seen
        targets[index] = following
        next_seen, next_turn = seen[index], int(turns[index])
    targets[players == 1] = targets[players == 1, ::-1]
    return targets.astype(np.float32)
