"""The picture of a sample position and its policy that a run shows in TensorBoard."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from cotulenh_env.game import Actions, Game

_PANEL_WIDTH = 300
_LINE_HEIGHT = 18
_NUM_LINES = 10


def policy_lines(
    game: Game,
    state: npt.NDArray[np.uint8],
    actions: Actions,
    prior: npt.NDArray[np.float32],
    policy: npt.NDArray[np.float32],
) -> list[str]:
    """The likeliest actions of one position in words, best first.

    Args:
        game: the game.
        state: uint8 [state_size].
        actions: int32 [k], the legal actions.
        prior: float32 [k], the network's probabilities.
        policy: float32 [k], the search's probabilities.

    Returns:
        Lines such as `T3,5_5,5    2 % →  31 %`.
    """
    best = np.argsort(-policy, kind="stable")[:_NUM_LINES]
    return [
        f"{game.action_text(state, int(actions[i])):<14} {prior[i]:5.0%} →{policy[i]:5.0%}"
        for i in best
    ]


def sample_picture(
    game: Game, state: npt.NDArray[np.uint8], lines: list[str]
) -> npt.NDArray[np.uint8]:
    """The position with lines of text beside it, uint8 [height, width, 3]."""
    board = game.picture(state)
    height = max(board.shape[0], (len(lines) + 1) * _LINE_HEIGHT)
    canvas = Image.new("RGB", (board.shape[1] + _PANEL_WIDTH, height), "white")
    canvas.paste(Image.fromarray(board), (0, 0))
    pen = ImageDraw.Draw(canvas)
    font = ImageFont.load_default(13)
    for row, line in enumerate(lines):
        place = (board.shape[1] + 12, row * _LINE_HEIGHT + 8)
        pen.text(place, line, fill="black", font=font)
    return np.asarray(canvas, np.uint8)
