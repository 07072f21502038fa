"""The files of a checkpoint as files: what they may be, their checksums, and which is the latest.

`meta.json` holds under `extra` the SHA-256 of every other file (`files`), and one of everything in
itself (`checksum`). They catch damage and files swapped between checkpoints. They are no signature:
whoever forges a file can forge them, so every reader still checks what it reads.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cotulenh_env import npz_file
from cotulenh_env.errors import shown
from training.errors import CheckpointError
from training.run_folder import RunFolder

META = "meta.json"
MAX_META_BYTES = 4 << 20
_MAX_POINTER_BYTES = 4096


def check_file(path: Path, max_bytes: int) -> int:
    """Makes sure that a path is a regular file of a size that can be meant.

    Returns:
        Its size in bytes.

    Raises:
        CheckpointError: it is missing, no regular file, or too large.
    """
    return npz_file.check_file(path, max_bytes, CheckpointError)


def latest_checkpoint(folder: RunFolder) -> Path:
    """The folder of a run's newest complete checkpoint.

    `latest` is a link to it, or a small file that holds its name where links cannot be made.

    Raises:
        CheckpointError: there is none.
    """
    latest = folder.latest
    try:
        if not latest.exists():
            raise CheckpointError(f"{folder.path} holds no checkpoint: {latest} is missing")
        if latest.is_dir():
            return latest.resolve()
        check_file(latest, _MAX_POINTER_BYTES)
        target = Path(latest.read_text(encoding="utf-8").strip())
        if target.parts in ((target.name,), (folder.checkpoints.name, target.name)):
            path = folder.checkpoints / target.name
            if target.name and path.is_dir():
                return path.resolve()
    except CheckpointError:
        raise
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or "it is no link and no name"
        raise CheckpointError(f"{latest} cannot be read: {reason}") from None
    raise CheckpointError(f"{latest} names no checkpoint, got {shown(str(target))}")


def seal(path: Path) -> None:
    """Writes the checksums of a checkpoint's files into its `meta.json`.

    Raises:
        OSError: a file cannot be read or written.
    """
    meta = json.loads((path / META).read_text(encoding="utf-8"))
    names = sorted(file.name for file in path.iterdir() if file.name != META)
    meta["extra"]["files"] = {name: _file_hash(path / name) for name in names}
    meta["extra"]["checksum"] = _meta_hash(meta)
    text = json.dumps(meta, ensure_ascii=False, indent=1)
    (path / META).write_text(text + "\n", encoding="utf-8")


def check_seal(path: Path, meta: Mapping[str, Any], limits: Mapping[str, int]) -> None:
    """Makes sure that a checkpoint's files are those that were saved together.

    Args:
        path: of the checkpoint.
        meta: contents of its `meta.json`.
        limits: name and largest size of every other file.

    Raises:
        CheckpointError: one is missing, no regular file, too large, or another one.
    """
    extra, where = meta["extra"], path / META
    files = extra.get("files")
    if not isinstance(files, dict) or not isinstance(extra.get("checksum"), str):
        raise CheckpointError(f"{where} is no training checkpoint: it lacks checksums")
    _check_names(files, limits, where)
    if extra["checksum"] != _meta_hash(meta):
        raise CheckpointError(f"{where} is not as it was saved: its checksum differs")
    for name, limit in limits.items():
        check_file(path / name, limit)
        try:
            saved = _file_hash(path / name)
        except OSError as error:
            raise CheckpointError(f"{path / name} cannot be read: {error.strerror}") from None
        if files[name] != saved:
            raise CheckpointError(
                f"{path / name} is not the file that was saved with this checkpoint"
            )


def _check_names(files: Iterable[str], expected: Iterable[str], where: Path) -> None:
    for name in sorted(set(files) ^ set(expected)):
        problem = "lacks the checksum of" if name in expected else "names the unknown file"
        raise CheckpointError(f"{where} {problem} {shown(name)}")


def _file_hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _meta_hash(meta: Mapping[str, Any]) -> str:
    extra = {name: value for name, value in meta["extra"].items() if name != "checksum"}
    text = json.dumps({**meta, "extra": extra}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
