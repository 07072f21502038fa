"""The picture of a sample position and its policy that a run shows in TensorBoard."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from cotulenh_env.game import Actions, Game

_COLUMNS = (12, 180, 240)
"""Where action, prior and policy begin, right of the board."""
_PANEL_WIDTH = 300
_LINE_HEIGHT = 18
_NUM_LINES = 12


def policy_rows(
    game: Game,
    state: npt.NDArray[np.uint8],
    actions: Actions,
    prior: npt.NDArray[np.float32],
    policy: npt.NDArray[np.float32],
) -> list[tuple[str, str, str]]:
    """The likeliest actions of one position in words, best first, under a header.

    Args:
        game: the game.
        state: uint8 [state_size].
        actions: int32 [k], the legal actions.
        prior: float32 [k], the network's probabilities.
        policy: float32 [k], the search's probabilities.

    Returns:
        Rows of action, prior and policy.
    """
    best = np.argsort(-policy, kind="stable")[:_NUM_LINES]
    rows = [
        (game.action_text(state, int(actions[i])), f"{prior[i]:.1%}", f"{policy[i]:.1%}")
        for i in best
    ]
    return [("action", "prior", "policy"), *rows]


def sample_picture(
    game: Game, state: npt.NDArray[np.uint8], rows: list[tuple[str, str, str]]
) -> npt.NDArray[np.uint8]:
    """The position with rows of text beside it, uint8 [height, width, 3]."""
    board = game.picture(state)
    height = max(board.shape[0], (len(rows) + 1) * _LINE_HEIGHT)
    canvas = Image.new("RGB", (board.shape[1] + _PANEL_WIDTH, height), "white")
    canvas.paste(Image.fromarray(board), (0, 0))
    pen = ImageDraw.Draw(canvas)
    font = ImageFont.load_default(13)
    for line, row in enumerate(rows):
        for x, text in zip(_COLUMNS, row, strict=True):
            place = (board.shape[1] + x, line * _LINE_HEIGHT + 8)
            pen.text(place, text, fill="black", font=font)
    return np.asarray(canvas, np.uint8)
