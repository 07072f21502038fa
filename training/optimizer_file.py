"""Reads the state of an optimiser, and takes nothing but what the run's own optimiser would have.

The settings are those of the run; from the file come the moments and the learning rate alone.
"""

from __future__ import annotations

import io
import math
import pickletools
import warnings
import zipfile
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from cotulenh_env.errors import shown
from training.checkpoint_files import check_file
from training.errors import CheckpointError

_KNOWN = ("torch._utils _rebuild_tensor_v2", "torch FloatStorage", "collections OrderedDict")
"""All that the pickle inside may name."""
_NAMING_OPCODES = ("GLOBAL", "STACK_GLOBAL", "INST", "OBJ", "EXT1", "EXT2", "EXT4")
_MAX_RATE = 10.0
_LAST_STEP = 1 << 24
"""The optimiser counts in float32, which ends here."""


def max_optimizer_bytes(optimizer: torch.optim.Optimizer) -> int:
    """Bytes that a file of its state may have."""
    parameters = _parameters(optimizer)
    num_bytes = sum(4 * parameter.numel() for parameter in parameters)
    return len(_moments(optimizer)) * num_bytes + 4096 * len(parameters) + (64 << 10)


def load_optimizer(path: Path, optimizer: torch.optim.Optimizer, num_steps: int) -> None:
    """Gives a new optimiser the saved state.

    Args:
        path: of the file.
        optimizer: as the settings ask for.
        num_steps: steps that the saved one has made.

    Raises:
        CheckpointError: the file is damaged, or not of such an optimiser.
    """
    check_file(path, max_optimizer_bytes(optimizer))
    saved = _read(path)
    if type(saved) is not dict or saved.keys() != {"state", "param_groups"}:
        raise CheckpointError(f"{path} is no state of an optimiser")
    groups = optimizer.state_dict()["param_groups"]
    _take_rates(groups, saved["param_groups"], path)
    state = _checked_state(saved["state"], optimizer, num_steps, path)
    optimizer.load_state_dict({"state": state, "param_groups": groups})


def _moments(optimizer: torch.optim.Optimizer) -> tuple[str, ...]:
    """Names of the tensors that it keeps of every parameter."""
    if isinstance(optimizer, torch.optim.SGD):
        return ("momentum_buffer",)
    return ("exp_avg", "exp_avg_sq")


def _parameters(optimizer: torch.optim.Optimizer) -> list[Tensor]:
    return [parameter for group in optimizer.param_groups for parameter in group["params"]]


def _read(path: Path) -> Any:
    try:
        data = path.read_bytes()
        _check_names(data, path)
        with warnings.catch_warnings(action="ignore"):
            return torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except CheckpointError:
        raise
    except Exception as error:  # the libraries raise many kinds on damaged files
        reason = str(error).strip().partition("\n")[0][:200]
        raise CheckpointError(
            f"{path} is damaged or no state of an optimiser: {reason or type(error).__name__}"
        ) from None


def _check_names(data: bytes, path: Path) -> None:
    """Looks through the pickle without running it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        total = sum(member.file_size for member in members)
        if any(member.compress_type for member in members) or total > len(data):
            raise CheckpointError(f"{path} is compressed, which no checkpoint is")
        pickles = [member for member in members if member.filename.endswith("data.pkl")]
        if len(pickles) != 1:
            raise CheckpointError(f"{path} is no state of an optimiser: it lacks data.pkl")
        for opcode, argument, _ in pickletools.genops(archive.read(pickles[0])):
            if opcode.name in _NAMING_OPCODES and argument not in _KNOWN:
                raise CheckpointError(f"{path} holds more than tensors: {shown(argument)}")


def _take_rates(groups: list[dict[str, Any]], saved: object, path: Path) -> None:
    """Compares the saved settings with the optimiser's own, which take over the learning rate."""
    if type(saved) is not list or len(saved) != len(groups):
        raise CheckpointError(f"{path} has other param_groups than this optimiser")
    for index, (mine, theirs) in enumerate(zip(groups, saved, strict=True)):
        where = f"param_groups[{index}] of {path}"
        if type(theirs) is not dict:
            raise CheckpointError(f"{where} holds no settings")
        for name in [*mine, *(name for name in theirs if name not in mine)]:
            if name not in theirs or name not in mine:
                problem = "lacks" if name in mine else "has the unknown setting"
                raise CheckpointError(f"{where} {problem} {_text(name)}")
            value = theirs[name]
            if name == "lr":
                if type(value) is not float or not 0 <= value <= _MAX_RATE:
                    raise CheckpointError(
                        f"lr is from 0 to {_MAX_RATE:g}, got {_text(value)} in {where}"
                    )
            elif not _is_same(mine[name], value):
                raise CheckpointError(
                    f"{name} is {_text(mine[name])}, got {_text(value)} in {where}"
                )
        mine["lr"] = theirs["lr"]


def _checked_state(
    saved: object, optimizer: torch.optim.Optimizer, num_steps: int, path: Path
) -> dict[int, dict[str, Tensor]]:
    parameters, moments = _parameters(optimizer), _moments(optimizer)
    # What counts its steps needs their number; momentum alone does not.
    counts = () if isinstance(optimizer, torch.optim.SGD) else ("step",)
    num_expected = len(parameters) if num_steps else 0
    if (
        type(saved) is not dict
        or any(type(key) is not int for key in saved)
        or saved.keys() != set(range(num_expected))
    ):
        raise CheckpointError(
            f"{path} has no state of {num_expected} parameters after {num_steps} steps"
        )
    step = float(min(num_steps, _LAST_STEP))
    state: dict[int, dict[str, Tensor]] = {}
    for index, parameter in enumerate(parameters[:num_expected]):
        values = saved[index]
        if type(values) is not dict or values.keys() != {*counts, *moments}:
            names = ", ".join((*counts, *moments))
            raise CheckpointError(f"state[{index}] holds {names} in {path}")
        state[index] = {}
        for name in counts:
            _check_tensor(values[name], torch.Size(), f"step of state[{index}]", path)
            if values[name].item() != step:
                raise CheckpointError(
                    f"step of state[{index}] is {step:.0f}, got {values[name].item()} in {path}"
                )
            state[index][name] = torch.tensor(step)
        for name in moments:
            where = f"{name} of state[{index}]"
            _check_tensor(values[name], parameter.shape, where, path)
            if name == "exp_avg_sq" and bool((values[name] < 0).any()):
                raise CheckpointError(f"{where} has a negative value in {path}")
            state[index][name] = torch.zeros_like(parameter).copy_(values[name])
    return state


def _check_tensor(value: object, shape: torch.Size, where: str, path: Path) -> None:
    if (
        not isinstance(value, Tensor)
        or type(value) is not Tensor
        or value.layout is not torch.strided
        or value.dtype is not torch.float32
        or value.device.type != "cpu"
        or value.shape != shape
    ):
        got = f"{value.dtype} {list(value.shape)}" if isinstance(value, Tensor) else _text(value)
        raise CheckpointError(f"{where} is a float32 tensor {list(shape)}, got {got} in {path}")
    if not bool(torch.isfinite(value).all()):
        raise CheckpointError(f"{where} is not finite in {path}")


def _is_same(mine: object, theirs: object) -> bool:
    if type(mine) is not type(theirs):
        return False
    if isinstance(mine, list | tuple) and isinstance(theirs, list | tuple):
        return len(mine) == len(theirs) and all(map(_is_same, mine, theirs))
    return mine == theirs


def _text(value: object) -> str:
    """A value for a message; what is nested may be endless when written out."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return shown(value)
    if isinstance(value, tuple) and all(isinstance(item, bool | int | float) for item in value):
        return shown(value[:9])
    return f"a {type(value).__name__}"
