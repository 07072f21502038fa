"""Progress on the way: one updating line on a terminal, plain log lines elsewhere."""

from __future__ import annotations

import logging
import shutil
import sys
import time

logger = logging.getLogger(__name__)

_SECONDS_BETWEEN_UPDATES = 0.2


class Progress:
    """Tells how far the run is, on stderr."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._last_update = 0.0
        self._is_line_open = False

    def update(self, text: str) -> None:
        """Shows what is being done just now; on a terminal only, and not too often."""
        now = time.monotonic()
        if self._is_terminal and now - self._last_update >= _SECONDS_BETWEEN_UPDATES:
            self._last_update = now
            width = shutil.get_terminal_size().columns - 1
            sys.stderr.write(f"\r\x1b[K{text[:width]}")
            sys.stderr.flush()
            self._is_line_open = True

    def milestone(self, text: str) -> None:
        """Tells what has been done: replaces the line on a terminal, else logs a line."""
        if self._is_terminal:
            self._last_update = 0.0
            self.update(text)
        else:
            logger.info("%s", text)

    def message(self, text: str) -> None:
        """Writes a line that stays."""
        self.close()
        logger.info("%s", text)

    def close(self) -> None:
        """Clears the updating line."""
        if self._is_line_open:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._is_line_open = False


def duration_text(seconds: float) -> str:
    """Seconds in words, such as `45 s`, `3 min 20 s` or `2 h 05 min`."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
