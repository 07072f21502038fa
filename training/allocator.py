"""Memory that torch frees stays with the process, so that it need not be asked for again.

The outputs of a batch take megabytes. glibc hands such blocks back to the system as soon as they
are free, and every batch then waits for thousands of fresh pages: measured, that was half the time
of a small network in float32.
"""

from __future__ import annotations

import ctypes

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Parameters of glibc's mallopt."""

_MAX_FREE_BYTES = 512 << 20
_MAX_BLOCK_BYTES = 32 << 20  # the most that glibc documents


def keep_freed_memory() -> bool:
    """Lets this process keep up to half a gigabyte of freed memory, blocks above 32 MB excepted.

    Returns:
        Whether the C library was told so; one that is not glibc cannot be.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    settings = ((_TRIM_THRESHOLD, _MAX_FREE_BYTES), (_MMAP_THRESHOLD, _MAX_BLOCK_BYTES))
    return all([mallopt(name, value) == 1 for name, value in settings])
