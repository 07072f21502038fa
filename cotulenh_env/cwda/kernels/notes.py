"""Notes on what a row of the caller's buffers holds, so that the next call changes only the rest.

A note of zeros says: lists padded with -1, mask and planes all zero. Notes hold as long as nobody
else writes into the buffers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cotulenh_env.cwda.board import NUM_SQUARES

NOTE_DTYPE = np.dtype(
    [
        ("num_listed", np.int32),  # legal actions, also those set in the mask
        ("player", np.int16),  # who saw the planes
        ("passing", np.int16),  # 1 + the square marked in the plane of captures in passing, or 0
        ("board", np.uint8, (NUM_SQUARES,)),  # shown in the planes
    ]
)

Note = Any
"""One record of NOTE_DTYPE."""
