"""What the checks of saved states share: bytes from outside become a record, or a `StateError`."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotulenh_env.errors import StateError


def record_from(state: object, dtype: np.dtype[Any]) -> Any:
    """A record (`np.void`) of its own from bytes, or uint8 [state_size], that came from outside.

    Args:
        state: what is offered as a state.
        dtype: of the records of the game.

    Raises:
        StateError: it is of another kind or size. What the record says is not looked at.
    """
    if isinstance(state, np.ndarray):
        if state.dtype != np.uint8 or state.ndim != 1:
            raise StateError(
                f"a state is uint8 [{dtype.itemsize}], got {state.dtype} {list(state.shape)}"
            )
        data = state.tobytes()
    elif isinstance(state, (bytes, bytearray, memoryview)):
        data = bytes(state)
    else:
        raise StateError(f"a state is bytes or a uint8 array, got {type(state).__name__}")
    if len(data) != dtype.itemsize:
        raise StateError(f"a state has {dtype.itemsize} bytes, got {len(data)}")
    return np.frombuffer(bytearray(data), dtype)[0]


def require(condition: object, words: str) -> None:
    """Refuses a saved state unless a condition holds.

    Args:
        condition: its truth counts.
        words: what is wrong otherwise.

    Raises:
        StateError: with these words.
    """
    if not condition:
        raise StateError(f"no game can be in the saved state: {words}")
