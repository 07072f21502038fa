"""Compiles a tree of kernels at once, which halves the time that the first start compiles.

Numba compiles every function by itself: it links in all that the function calls, optimises the
whole, and makes machine code of it. Its caller then does all of that again with one function more,
so in a deep tree the leaves are optimised and translated a dozen times. Here a function that only
kernels call stops at LLVM code as it comes from the front end; the entry point links the code of
all functions below it, each once, and optimises that.

Numba's libraries and compiler passes are no public interface. What is used of them lies in this
module; `kernel.py` does without it when a release of Numba lacks a class or method of these.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder

for _name in (
    "_raise_if_finalized", "_finalize_dynamic_globals", "_get_module_for_linking",
    "enable_object_caching",
):  # fmt: skip
    getattr(JITCodeLibrary, _name)  # an AttributeError now is one that kernel.py sees

_NO_CODE = 0
"""Address of the machine code that an inner function has not."""


class _InnerCodegen:
    """The code generator as an inner function's library shows it to Numba's back end."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """An environment serves Python objects; kernels have none, and this one no machine code."""


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """Code of one function, neither linked nor optimised nor translated."""

    @property
    def codegen(self) -> Any:
        """The code generator, for what comes after the lowering."""
        return _InnerCodegen(self._codegen)

    def finalize(self) -> None:
        """Closes the library as it is."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """The address of no code."""
        return _NO_CODE

    def own_module(self) -> Any:
        """The function's own LLVM module, to be linked into others."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """As a library that knows nothing of this module expects it: with all it calls."""
        module = self.own_module().clone()
        for library in _reachable(self):
            module.link_in(_module_of(library), preserve=True)
        return module


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code of an entry point, with every function below it linked in once."""

    def finalize(self) -> None:
        """Links, optimises and translates."""
        self._linking_libraries = [_Linked(library) for library in _reachable(self)]
        super().finalize()


class _Linked:
    """A library below an entry point, which links all others itself."""

    def __init__(self, library: Any) -> None:
        self._library = library
        self._reload_init = library._reload_init

    def _get_module_for_linking(self) -> Any:
        return _module_of(self._library)


def _module_of(library: Any) -> Any:
    if isinstance(library, InnerLibrary):
        return library.own_module()
    return library._get_module_for_linking()


def _reachable(library: Any) -> list[Any]:
    """The libraries linked into one, and those that these leave to be linked; each once."""
    found: dict[int, Any] = {}
    open_ends = [library]
    while open_ends:
        for below in open_ends.pop()._linking_libraries:
            if id(below) not in found:
                found[id(below)] = below
                if isinstance(below, InnerLibrary):
                    open_ends.append(below)
    return list(found.values())


class _Compiler(CompilerBase):  # type: ignore[misc]
    """Numba's usual passes, with the code in a library of ours."""

    library: type[JITCodeLibrary]

    def define_pipelines(self) -> list[Any]:
        state = self.state
        name = state.func_id.func_qualname
        state.library = self.library(state.targetctx.codegen(), name)
        state.library.enable_object_caching()
        return [DefaultPassBuilder.define_nopython_pipeline(state)]


class InnerCompiler(_Compiler):
    """For functions that only other kernels call."""

    library = InnerLibrary


class EntryCompiler(_Compiler):
    """For functions that Python calls."""

    library = EntryLibrary
