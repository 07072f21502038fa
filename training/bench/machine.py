"""On which machine, and with which versions, something was measured."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_PACKAGES = (
    "cotulenh-env",
    "numpy",
    "numba",
    "torch",
    "gymnasium",
    "pettingzoo",
    "chess",
    "open_spiel",
)


def describe_machine() -> dict[str, str | int]:
    """Processor, number of cores that may be used, memory, and system."""
    return {
        "processor": _processor(),
        "cores": _num_cores(),
        "load": _load(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def describe_versions() -> dict[str, str]:
    """Python and the packages that matter; `"not installed"` where one is missing."""
    versions = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    return versions


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor() or "unknown"
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.processor() or "unknown"


def _num_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _load() -> str:
    """How many threads wanted to run in the last minute, in words."""
    try:
        return f"{os.getloadavg()[0]:.1f}"
    except (AttributeError, OSError):
        return "unknown"
