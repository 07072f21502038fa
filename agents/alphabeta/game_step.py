"""The game's entry point as an argument of kernels, which need not compile its rules again.

Numba caches a kernel that calls a function given by type; a function given by itself would be
compiled anew in every process, and one called directly once more in every kernel.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.core import config as numba_config
from numba.core.types import WrapperAddressProtocol

from cotulenh_env.commander.kernels.step import NO_NOTES, step
from cotulenh_env.commander.state import STATE_DTYPE
from cotulenh_env.kernel_arrays import NO_INTEGERS, NO_LISTS, NO_MASK, NO_PLANES


class _StepFunction(WrapperAddressProtocol):
    """`step` by its address."""

    def __init__(self) -> None:
        arguments = (
            np.empty(0, STATE_DTYPE), NO_INTEGERS, NO_LISTS, NO_INTEGERS,
            NO_MASK, NO_PLANES, NO_INTEGERS, NO_NOTES,
        )  # fmt: skip
        self._signature = numba.types.none(*map(numba.typeof, arguments))
        compiled = step.get_compile_result(self._signature)  # type: ignore[attr-defined]
        name = compiled.fndesc.llvm_cfunc_wrapper_name
        self._address = compiled.library.get_pointer_to_function(name)

    def signature(self) -> Any:
        """The types of its arguments."""
        return self._signature

    def __wrapper_address__(self) -> int:
        """Where its machine code begins."""
        return int(self._address)


def step_argument() -> Any:
    """`kernels.step.step` to be passed to a kernel."""
    return step if numba_config.DISABLE_JIT else _StepFunction()
