"""How an environment shows its game: as text, as a picture, or in a window."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import CotulenhError, shown
from cotulenh_env.game import Game, States

if TYPE_CHECKING:
    from cotulenh_env.render.window import Window

RENDER_MODES = ("human", "ansi", "rgb_array")


class Screen:
    """Shows states of one game in one mode.

    Attributes:
        mode: `"human"`, `"ansi"`, `"rgb_array"`, or None: nothing is shown.
    """

    def __init__(
        self,
        game: Game,
        mode: str | None,
        title: str,
        modes: tuple[str, ...] = RENDER_MODES,
    ) -> None:
        """Opens nothing yet: a window opens with the first picture.

        Args:
            game: whose states are shown.
            mode: one of `modes`, or None.
            title: for the window.
            modes: what the environment offers.

        Raises:
            CotulenhError: the mode is unknown.
        """
        given: object = mode
        if given is not None and not (isinstance(given, str) and given in modes):
            raise CotulenhError(
                f"render_mode is {', '.join(map(repr, modes))} or None, got {shown(mode)}"
            )
        self.mode = mode
        self._game = game
        self._title = title
        self._modes = modes
        self._window: Window | None = None

    def show(self, state: States, fps: int) -> str | npt.NDArray[np.uint8] | None:
        """Shows one state, uint8 [state_size].

        Args:
            state: what to show.
            fps: pictures per second at most; a window waits.

        Returns:
            Text for `ansi`, uint8 [height, width, 3] for `rgb_array`, None for `human`, and for no
            mode at all, with a warning in the name of the caller of `render`.
        """
        if self.mode is None:
            warnings.warn(
                f"render() of {self._title} shows nothing without a render_mode", stacklevel=3
            )
            return None
        if self.mode == "ansi":
            return self._game.draw(state)
        picture = self._game.picture(state)
        if self.mode == "rgb_array":
            return picture
        if self._window is None:
            from cotulenh_env.render.window import Window

            self._window = Window(self._title, fps)
        self._window.show(picture)
        return None

    def close(self) -> None:
        """Closes the window, if one is open; the next picture opens another."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy has no window of its own until it shows something.
        return type(self), (self._game, self.mode, self._title, self._modes)
