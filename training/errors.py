"""Errors: wrong input (`CotulenhError`), what stopped a run (`TrainingError`), failing output."""

from __future__ import annotations

from cotulenh_env.errors import CotulenhError


class ConfigError(CotulenhError):
    """A setting is unknown, of the wrong type or out of range, or its file cannot be read."""


class CheckpointError(CotulenhError):
    """A checkpoint is missing, incomplete, foreign, or does not fit the run."""


class RunFolderError(CotulenhError):
    """The run folder is in use by another process, or already holds a run."""


class OutputError(OSError):
    """What a command prints cannot be written: its disk is full, for example."""


class TrainingError(RuntimeError):
    """A run had to stop; the message says why in one sentence, and what is left of it."""
