"""A window that shows pictures. It needs pygame, imported when the first window opens."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import MissingExtraError


class Window:
    """A window as large as its picture.

    Once its user has closed it, it stays closed: the game goes on unseen.
    """

    def __init__(self, title: str, fps: int) -> None:
        """Imports pygame; the window itself opens with the first picture.

        Args:
            title: for the title bar.
            fps: pictures per second at most; `show` waits.

        Raises:
            MissingExtraError: pygame is not installed.
        """
        try:
            import pygame
        except ImportError as error:
            raise MissingExtraError(
                'the render mode "human" needs pygame: pip install "cotulenh-env[human]"'
            ) from error
        self._pygame: Any = pygame
        self._title = title
        self._fps = fps
        self._screen: Any = None
        self._clock = pygame.time.Clock()
        self.closed_by_user = False

    def show(self, picture: npt.NDArray[np.uint8]) -> None:
        """Shows a picture, uint8 [height, width, 3], and answers the window system."""
        if self.closed_by_user:
            return
        pygame = self._pygame
        height, width, _ = picture.shape
        if self._screen is None or self._screen.get_size() != (width, height):
            # Not pygame.init(): it would also start sound and everything else.
            pygame.display.init()
            self._screen = pygame.display.set_mode((width, height))
            pygame.display.set_caption(self._title)
        pygame.surfarray.blit_array(self._screen, picture.swapaxes(0, 1))
        pygame.display.flip()
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            self.closed_by_user = True
            return
        self._clock.tick(self._fps)

    def close(self) -> None:
        """Closes the window."""
        if self._screen is not None:
            self._pygame.display.quit()
            self._screen = None
