"""Empty arrays that tell the entry point of a game's kernels what is not wanted of it.

An entry point takes many arrays, since each one more would compile the rules once more. The types
of these are those of the arrays they stand for, so that nothing is compiled for them either.
"""

from __future__ import annotations

import numpy as np

NO_INTEGERS = np.empty(0, np.int32)
"""For actions, events, counts or players."""

NO_DRAWS = np.empty(0, np.float64)
NO_LISTS = np.empty((0, 0), np.int32)
"""For legal actions."""

NO_MASK = np.empty((0, 0), np.int8)
NO_PLANES = np.empty((0, 0, 0), np.float32)
