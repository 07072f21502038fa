"""The names of the ways to compute a network (`agents.inference`); known without torch."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

InferenceName: TypeAlias = Literal["torch-float32", "torch-bfloat16", "onnx-float32", "onnx-int8"]
"""A backend's name."""

INFERENCE_NAMES: tuple[InferenceName, ...] = get_args(InferenceName)
"""All of them, the simplest and most exact first."""
