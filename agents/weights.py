"""Reading and writing a network together with the game and the rules that it plays.

A folder holds `weights.safetensors` (all parameters, float32) and `meta.json` (UTF-8):

    format        "cotulenh-weights"
    version       1
    game          the registry's name
    rules         the RuleSet's fields
    plane_names   of the observation, in order
    num_actions   size of the action space
    network       NetworkSettings' fields
    extra         whatever the writer adds

Files may come from anywhere: nothing in them is executed, sizes are bounded before anything is
read, and everything is checked against the game. Whatever is wrong becomes one `WeightsError`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from agents.devices import checked_device
from agents.errors import AgentError, WeightsError
from agents.network import NetworkSettings, PolicyValueNetwork
from cotulenh_env.errors import CotulenhError
from cotulenh_env.game import Game
from cotulenh_env.registry import load_game

__all__ = [
    "LoadedNetwork",
    "WeightsError",
    "encode_tensors",
    "load_weights",
    "max_tensor_bytes",
    "read_tensors",
    "save_weights",
]

WEIGHTS_FILE, META_FILE = "weights.safetensors", "meta.json"
_FORMAT, _VERSION = "cotulenh-weights", 1
_MAX_META_BYTES = 64 << 20
_MAX_HEADER_BYTES = 1 << 20

_META_TYPES: dict[str, type] = {
    "format": str,
    "version": int,
    "game": str,
    "rules": dict,
    "plane_names": list,
    "num_actions": int,
    "network": dict,
    "extra": dict,
}


@dataclass(frozen=True)
class LoadedNetwork:
    """A network and what belongs to it.

    Attributes:
        network: in evaluation mode, on the device asked for.
        game: the game it plays.
        rules: the game's RuleSet that it was trained under.
        meta: the checked contents of `meta.json`.
    """

    network: PolicyValueNetwork
    game: Game
    rules: Any
    meta: dict[str, Any]


def save_weights(
    folder: str | Path,
    network: PolicyValueNetwork,
    game: Game,
    rules: Mapping[str, Any] | None = None,
    extra: Mapping[str, Any] | None = None,
) -> None:
    """Writes a network into a folder, made if need be.

    Files there of these two names are overwritten in place: a writer who may be interrupted fills a
    new folder and renames it.

    Args:
        folder: where.
        network: any device, any mode.
        game: the game it plays.
        rules: fields of the RuleSet it was trained under; None for the defaults.
        extra: anything JSON can hold, read back under `meta["extra"]`.

    Raises:
        WeightsError: a weight is not finite, or rules or extra do not fit into JSON.
        OSError: the folder cannot be written.
    """
    folder = Path(folder)
    encoded = encode_tensors(network.state_dict(), "the network to be saved")
    meta = {
        "format": _FORMAT,
        "version": _VERSION,
        "game": game.spec.name,
        "rules": dict(rules or {}),
        "plane_names": list(game.spec.plane_names),
        "num_actions": game.spec.num_actions,
        "network": asdict(network.settings),
        "extra": dict(extra or {}),
    }
    try:
        text = json.dumps(meta, ensure_ascii=False, allow_nan=False, indent=1)
    except (TypeError, ValueError) as error:
        raise WeightsError(f"meta.json for {folder} cannot be written: {error}") from None
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WEIGHTS_FILE).write_bytes(encoded)
    (folder / META_FILE).write_text(text + "\n", encoding="utf-8")


def load_weights(
    folder: str | Path, device: str | torch.device = "cpu", *, game: Game | None = None
) -> LoadedNetwork:
    """Reads what `save_weights` wrote, trusting nothing.

    Args:
        folder: the folder of both files.
        device: where the network is to be.
        game: the game that the network has to play; None takes it by name from the registry.

    Raises:
        AgentError: there is no such device here.
        WeightsError: a file is missing, damaged, foreign, or does not fit the game.
    """
    device = checked_device(device)
    folder = Path(folder)
    where = folder / META_FILE
    meta = _parse_meta(_read(where, _MAX_META_BYTES), where)
    game = _checked_game(meta, game, where)
    rules = _checked_rules(meta, game, where)
    settings = _checked_settings(meta, where)
    with torch.device("meta"):  # shapes only: neither memory nor random numbers
        network = PolicyValueNetwork(game.spec, settings)
    tensors = read_tensors(folder / WEIGHTS_FILE, network.state_dict())
    network = network.to_empty(device="cpu")
    network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    network.load_state_dict(tensors)
    try:
        network = network.to(device).eval()
    except RuntimeError as error:  # there is the device, but no room on it
        reason = str(error).splitlines()[0]
        raise AgentError(f"the network cannot be put on device {str(device)!r}: {reason}") from None
    return LoadedNetwork(network, game, rules, meta)


def encode_tensors(tensors: Mapping[str, Tensor], where: str) -> bytes:
    """Tensors as the content of a safetensors file, in float32.

    Args:
        tensors: by name, on any device.
        where: what they are of, for messages.

    Raises:
        WeightsError: one holds a number that is not finite.
    """
    copies = {
        name: tensor.detach().to("cpu", torch.float32).contiguous()
        for name, tensor in tensors.items()
    }
    _check_finite(copies, where)
    return safetensors.torch.save(copies)


def max_tensor_bytes(expected: Mapping[str, Tensor]) -> int:
    """Bytes that a file of such tensors may have."""
    return sum(4 * tensor.numel() for tensor in expected.values()) + _MAX_HEADER_BYTES


def _read(path: Path, max_bytes: int) -> bytes:
    try:
        if not path.is_file():
            raise WeightsError(f"there is no file {path}")
        size = path.stat().st_size
        if size > max_bytes:
            raise WeightsError(f"{path} has {size} bytes, at most {max_bytes} were expected")
        with path.open("rb") as file:
            return file.read(max_bytes)
    except (OSError, ValueError) as error:
        if isinstance(error, WeightsError):
            raise
        raise WeightsError(f"{path} cannot be read: {error}") from None


def _parse_meta(data: bytes, where: Path) -> dict[str, Any]:
    try:
        meta = json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise WeightsError(f"{where} is not UTF-8 text, at byte {error.start}") from None
    except RecursionError:
        raise WeightsError(f"{where} is nested too deeply") from None
    except ValueError as error:
        raise WeightsError(f"{where} is not JSON: {error}") from None
    if not isinstance(meta, dict):
        raise WeightsError(f"{where} holds a {type(meta).__name__}, not an object")
    for name, kind in _META_TYPES.items():
        if name not in meta:
            raise WeightsError(f"{where} lacks {name!r}")
        if type(meta[name]) is not kind:
            raise WeightsError(
                f"{name!r} is a {kind.__name__}, got {_shown(meta[name])} in {where}"
            )
    if meta["format"] != _FORMAT:
        raise WeightsError(f"'format' is {_FORMAT!r}, got {_shown(meta['format'])} in {where}")
    if meta["version"] != _VERSION:
        raise WeightsError(
            f"this program reads version {_VERSION} of the format, "
            f"got version {_shown(meta['version'])} in {where}"
        )
    return meta


def _checked_game(meta: dict[str, Any], game: Game | None, where: Path) -> Game:
    if game is None:
        try:
            game = load_game(meta["game"])
        except CotulenhError:
            raise WeightsError(f"unknown game {_shown(meta['game'])} in {where}") from None
    spec = game.spec
    if meta["game"] != spec.name:
        raise WeightsError(f"{where} is of game {_shown(meta['game'])}, not of {spec.name!r}")
    if meta["num_actions"] != spec.num_actions:
        raise WeightsError(
            f"{spec.name} has {spec.num_actions} actions, "
            f"got {_shown(meta['num_actions'])} in {where}"
        )
    names = meta["plane_names"]
    if len(names) != len(spec.plane_names):
        raise WeightsError(
            f"{spec.name} has {len(spec.plane_names)} observation planes, "
            f"got {len(names)} in {where}"
        )
    for index, (name, expected) in enumerate(zip(names, spec.plane_names, strict=True)):
        if name != expected:
            raise WeightsError(
                f"plane {index} of {spec.name} is {expected!r}, got {_shown(name)} in {where}"
            )
    return game


def _checked_rules(meta: dict[str, Any], game: Game, where: Path) -> Any:
    try:
        return game.make_rules(**meta["rules"])
    except (CotulenhError, TypeError) as error:
        raise WeightsError(f"'rules' do not fit {game.spec.name}: {error}, in {where}") from None


def _checked_settings(meta: dict[str, Any], where: Path) -> NetworkSettings:
    known = {field.name for field in fields(NetworkSettings)}
    if set(meta["network"]) != known:
        odd = sorted(set(meta["network"]) ^ known)[0]
        problem = "lacks" if odd in known else "has the unknown field"
        raise WeightsError(f"'network' {problem} {_shown(odd)} in {where}")
    try:
        return NetworkSettings(**meta["network"])
    except AgentError as error:
        raise WeightsError(f"{error} in {where}") from None


def read_tensors(path: Path, expected: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Reads what `encode_tensors` wrote, trusting nothing.

    Args:
        path: of the file.
        expected: tensors of the same names and shapes; their values do not matter.

    Raises:
        WeightsError: it is missing, damaged, or holds others; or a number is not finite.
    """
    data = _read(path, max_tensor_bytes(expected))
    try:
        tensors: dict[str, Tensor] = safetensors.torch.load(data)
    except Exception as error:  # the library raises several kinds, its own among them
        reason = " ".join(str(error).split())[:200]
        raise WeightsError(f"{path} is damaged or no safetensors file: {reason}") from None
    for name in sorted(expected.keys() ^ tensors.keys()):
        problem = "lacks" if name in expected else "has the unknown tensor"
        raise WeightsError(f"{path} {problem} {_shown(name)}")
    for name, tensor in tensors.items():
        if tensor.dtype != torch.float32 or tensor.shape != expected[name].shape:
            raise WeightsError(
                f"tensor {name!r} is float32 {list(expected[name].shape)}, "
                f"got {str(tensor.dtype).removeprefix('torch.')} {list(tensor.shape)} in {path}"
            )
    _check_finite(tensors, str(path))
    return tensors


def _check_finite(tensors: dict[str, Tensor], where: str) -> None:
    for name, tensor in tensors.items():
        if not torch.isfinite(tensor).all():
            raise WeightsError(f"tensor {name!r} has a weight that is not finite, in {where}")


def _shown(value: object) -> str:
    """A value from a file, short enough for one line."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"
