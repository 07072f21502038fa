"""`kernel_argument`: a kernel as an argument of another kernel.

Numba caches a kernel that calls a function given by type and address; a function given by itself
would be compiled anew in every process. A call takes about two nanoseconds more than a direct one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba.core import config as numba_config
from numba.core.types import WrapperAddressProtocol


class _Function(WrapperAddressProtocol):
    """A compiled kernel by its types and its address."""

    def __init__(self, kernel: Any, arguments: tuple[Any, ...]) -> None:
        types = tuple(map(numba.typeof, arguments))
        kernel.compile(types)
        compiled = kernel.overloads[types]
        self._signature = compiled.signature
        name = compiled.fndesc.llvm_cfunc_wrapper_name
        self._address = int(compiled.library.get_pointer_to_function(name))

    def signature(self) -> Any:
        """The types of its arguments and of what it returns."""
        return self._signature

    def __wrapper_address__(self) -> int:
        """Where its machine code begins."""
        return self._address


def kernel_argument(kernel: Callable[..., Any], *arguments: Any) -> Any:
    """A kernel to be passed to another one, as all its arguments are.

    Args:
        kernel: made by `cotulenh_env.kernel.kernel`.
        arguments: examples of its arguments, which tell their types.
    """
    return kernel if numba_config.DISABLE_JIT else _Function(kernel, arguments)
