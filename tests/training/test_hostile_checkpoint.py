"""Checkpoints that were forged: checksums are right, contents are not.

What is checked: whatever one array, number or tensor is changed to, loading ends with one sentence
that names the file, before anything trains; nothing in a file is executed; no file is read that is
not regular or too large; files of another checkpoint and flipped bits are refused by checksum.
"""

from __future__ import annotations

import json
import os
import shutil
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agents
from cotulenh_env.errors import CotulenhError
from tests.training.runs import config_of, differences, fingerprint, resume_in, run_in
from training.checkpoint import load_checkpoint
from training.checkpoint_files import seal
from training.loop import new_state
from training.run_folder import RunFolder

Arrays = dict[str, Any]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a short run of every part; not to be changed."""
    folder = tmp_path_factory.mktemp("run") / "full"
    run_in(folder)
    return folder


@pytest.fixture
def copy(finished: Path, tmp_path: Path) -> Path:
    """A copy of the finished run, to be changed."""
    folder = tmp_path / "copy"
    shutil.copytree(finished, folder, symlinks=True)
    return folder


def refused(folder: Path, name: str) -> str:
    """Loads a run, and returns the one sentence that this ends with."""
    state = new_state(config_of(folder))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(CotulenhError) as caught:
            load_checkpoint(RunFolder(folder), state)
    state.threads.close()
    message = str(caught.value)
    assert name in message
    assert "\n" not in message
    assert len(message) < 1000
    return message


def change_npz(folder: Path, name: str, change: Callable[[Arrays], None]) -> None:
    path = folder / "latest" / name
    with np.load(path) as archive:
        arrays = {key: archive[key] for key in archive}
    change(arrays)
    np.savez(path, **arrays)
    seal(folder / "latest")


ARRAYS = {
    "replay.npz": ("counters", "states", "counts", "actions", "policy", "outcomes"),
    "games-1.npz": (
        "states", "num_actions", "drawn_turns", "is_full", "num_waiting", "waiting_states",
        "waiting_players", "waiting_turns", "waiting_values", "waiting_counts", "waiting_actions",
        "waiting_policy", "plays_on", "turn_values", "first_resigners", "resign_records",
    ),
}  # fmt: skip

SHAPES: dict[str, Callable[[Any], Any]] = {
    "no dimension": lambda array: array.ravel()[0],
    "strings": lambda array: array.astype("U8"),
    "one more dimension": lambda array: array[..., None],
    "one row less": lambda array: array[:-1],
    "one row more": lambda array: np.concatenate([array, array[:1]]),
    "other byte order": lambda array: (
        array.astype(array.dtype.newbyteorder(">")) if array.itemsize > 1 else array.astype(">i2")
    ),
    "complex": lambda array: array.astype(np.complex64),
    "empty": lambda array: array[:0],
    "objects": lambda array: array.astype(object),
    "structured": lambda array: np.zeros(len(array), [("a\nb", np.int8)]),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("name", "key"), [(n, k) for n in ARRAYS for k in ARRAYS[n]])
def test_array_of_another_shape_or_type_is_refused(
    copy: Path, name: str, key: str, shape: str
) -> None:
    def change(arrays: Arrays) -> None:
        arrays[key] = SHAPES[shape](arrays[key])

    change_npz(copy, name, change)
    refused(copy, name)


def put(key: str, place: Any, value: Any) -> Callable[[Arrays], None]:
    def change(arrays: Arrays) -> None:
        arrays[key][place] = value

    return change


def plus_and_minus(arrays: Arrays) -> None:
    nums = arrays["num_waiting"]
    nums[0], nums[1] = nums[0] + nums[1] + 3, -3


def shifted(arrays: Arrays) -> None:
    arrays["counters"] += 2**62


def forgotten(arrays: Arrays) -> None:
    for key in ("states", "counts", "actions", "policy", "outcomes"):
        arrays[key] = arrays[key][:0]
    arrays["counters"][0] = arrays["counters"][1]


VALUES: list[tuple[str, Callable[[Arrays], None]]] = [
    ("replay.npz", put("states", (0, 0), 200)),
    ("replay.npz", put("states", slice(None), 255)),
    ("replay.npz", put("counts", 0, -1)),
    ("replay.npz", put("counts", 0, 2**31 - 1)),
    ("replay.npz", put("actions", 0, 10**6)),
    ("replay.npz", put("actions", slice(None), 0)),
    ("replay.npz", put("policy", 0, np.nan)),
    ("replay.npz", put("policy", 0, -0.1)),
    ("replay.npz", put("policy", slice(None), 0)),
    ("replay.npz", put("policy", slice(None), 60000)),
    ("replay.npz", put("outcomes", 0, np.inf)),
    ("replay.npz", put("outcomes", 0, 0)),
    ("replay.npz", put("outcomes", 0, [2, -1, 0])),
    ("replay.npz", put("counters", 0, -1)),
    ("replay.npz", put("counters", slice(None), 2**63 - 1)),
    ("replay.npz", put("counters", 2, 0)),
    ("replay.npz", put("counters", 2, 2**63 - 1)),
    ("replay.npz", shifted),
    ("replay.npz", forgotten),
    ("games-1.npz", put("states", (0, 0), 200)),
    ("games-1.npz", put("num_actions", 0, -1)),
    ("games-1.npz", put("num_actions", 0, 2**31 - 1)),
    ("games-1.npz", put("drawn_turns", 0, -2)),
    ("games-1.npz", put("drawn_turns", 0, 10**9)),
    ("games-1.npz", plus_and_minus),
    ("games-1.npz", put("num_waiting", 0, 2**31 - 1)),
    ("games-1.npz", put("turn_values", 0, np.nan)),
    ("games-1.npz", put("turn_values", 0, -7)),
    ("games-1.npz", put("first_resigners", 0, 2)),
    ("games-1.npz", put("first_resigners", 0, [-1] * 19 + [0])),
    ("games-1.npz", put("resign_records", 0, 3)),
    ("games-1.npz", put("resign_records", 0, [-1, *[0] * 19])),
    ("games-1.npz", put("waiting_states", (0, 0), 200)),
    ("games-1.npz", put("waiting_players", 0, 2)),
    ("games-1.npz", put("waiting_players", slice(None), 1)),
    ("games-1.npz", put("waiting_turns", 0, -(2**31))),
    ("games-1.npz", put("waiting_turns", -1, 10**9)),
    ("games-1.npz", put("waiting_values", 0, np.nan)),
    ("games-1.npz", put("waiting_values", 0, 7)),
    ("games-1.npz", put("waiting_counts", 0, 0)),
    ("games-1.npz", put("waiting_counts", slice(None), 2**31 - 1)),
    ("games-1.npz", put("waiting_actions", 0, -1)),
    ("games-1.npz", put("waiting_actions", slice(None), 8)),
    ("games-1.npz", put("waiting_policy", 0, np.nan)),
    ("games-1.npz", put("waiting_policy", 0, -0.5)),
    ("games-1.npz", put("waiting_policy", slice(None), 0)),
]


@pytest.mark.parametrize("index", range(len(VALUES)))
def test_impossible_value_in_an_array_is_refused(copy: Path, index: int) -> None:
    name, change = VALUES[index]
    change_npz(copy, name, change)
    refused(copy, name)


def test_finished_game_is_refused(copy: Path) -> None:
    game = new_state(config_of(copy)).game

    def change(arrays: Arrays) -> None:
        arrays["states"][0] = game.from_text("XO.XO.X..")

    change_npz(copy, "games-1.npz", change)
    assert "finished game" in refused(copy, "games-1.npz")


@pytest.mark.parametrize("name", ARRAYS)
def test_compressed_arrays_are_refused(copy: Path, name: str) -> None:
    path = copy / "latest" / name
    with np.load(path) as archive:
        np.savez_compressed(path, **{key: archive[key] for key in archive})
    seal(copy / "latest")
    assert "compressed" in refused(copy, name)


@pytest.mark.parametrize("shape", [(10**15,), (-4,), (True,), (10**30, 10**30)])
@pytest.mark.parametrize("name", ["replay.npz", "games-1.npz"])
def test_declared_size_is_not_believed(copy: Path, name: str, shape: tuple[int, ...]) -> None:
    path = copy / "latest" / name
    key = "actions" if name == "replay.npz" else "waiting_actions"
    with zipfile.ZipFile(path) as archive:
        members = {item: archive.read(item) for item in archive.namelist()}
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (117 - len(header)) + b"\n"
    members[f"{key}.npy"] = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    with zipfile.ZipFile(path, "w") as archive:
        for item, data in members.items():
            archive.writestr(item, data)
    seal(copy / "latest")
    refused(copy, name)


def first(saved: Any) -> Any:
    return saved["state"][0]


def moment(value: Any) -> Callable[[Any], None]:
    return lambda saved: first(saved).update(exp_avg=value)


def step(value: Any) -> Callable[[Any], None]:
    return lambda saved: first(saved).update(step=value)


def group(**values: Any) -> Callable[[Any], None]:
    return lambda saved: saved["param_groups"][0].update(values)


OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "moment is a number": moment(1.0),
    "moment is a text": moment("a\nb"),
    "moment is sparse": lambda s: first(s).update(exp_avg=first(s)["exp_avg"].to_sparse()),
    "moment is double": lambda s: first(s).update(exp_avg=first(s)["exp_avg"].double()),
    "moment has another shape": moment(torch.zeros(3)),
    "moment is one value": moment(torch.zeros(1).expand(10**9)),
    "moment is infinite": lambda s: first(s)["exp_avg"].fill_(torch.inf),
    "moment is negative": lambda s: first(s)["exp_avg_sq"].fill_(-1),
    "moment is missing": lambda s: first(s).pop("exp_avg"),
    "moment is a parameter": lambda s: first(s).update(
        exp_avg=torch.nn.Parameter(first(s)["exp_avg"])
    ),
    "one more moment": lambda s: first(s).update(max_exp_avg_sq=first(s)["exp_avg"]),
    "step is a vector": step(torch.ones(3)),
    "step is negative": step(torch.tensor(-5.0)),
    "step is another": step(torch.tensor(7.0)),
    "step is NaN": step(torch.tensor(torch.nan)),
    "step is an integer": step(20),
    "betas are a text": group(betas="no"),
    "betas are large": group(betas=(5, 5)),
    "betas are nested": group(betas=([[[1]]], {})),
    "betas are missing": lambda s: s["param_groups"][0].pop("betas"),
    "maximize": group(maximize=True),
    "maximize is a number": group(maximize=0),
    "eps is NaN": group(eps=float("nan")),
    "decay is large": group(weight_decay=1e9),
    "rate is NaN": group(lr=float("nan")),
    "rate is a tensor": group(lr=torch.tensor(0.1)),
    "one more setting": group(surprise=1),
    "parameters are others": group(params=[0, 0, 0]),
    "no groups": lambda s: s.update(param_groups=[]),
    "groups are a text": lambda s: s.update(param_groups="no"),
    "state is empty": lambda s: s.update(state={}),
    "state is a list": lambda s: s.update(state=[]),
    "state has one more": lambda s: s["state"].update({99: first(s)}),
    "state has names": lambda s: s.update(state={str(k): v for k, v in s["state"].items()}),
    "one more entry": lambda s: s.update(surprise=1),
    "nothing": lambda s: s.clear(),
}


@pytest.mark.parametrize("case", OPTIMIZERS)
def test_optimizer_that_is_not_the_runs_own_is_refused(copy: Path, case: str) -> None:
    path = copy / "latest" / "optimizer.pt"
    saved = torch.load(path, weights_only=True)
    OPTIMIZERS[case](saved)
    torch.save(saved, path)
    seal(copy / "latest")
    refused(copy, "optimizer.pt")


@pytest.mark.parametrize(
    "content", [[1, 2], torch.zeros(3), np.zeros(3), bytearray(5), {1}, "text", print]
)
def test_other_things_in_the_optimizer_file_are_refused(copy: Path, content: object) -> None:
    torch.save(content, copy / "latest" / "optimizer.pt")
    seal(copy / "latest")
    refused(copy, "optimizer.pt")


def test_old_format_of_the_optimizer_file_is_refused(copy: Path) -> None:
    path = copy / "latest" / "optimizer.pt"
    saved = torch.load(path, weights_only=True)
    torch.save(saved, path, _use_new_zipfile_serialization=False)
    seal(copy / "latest")
    refused(copy, "optimizer.pt")


def change_meta(folder: Path, place: tuple[str, ...], text: str) -> None:
    """Puts JSON text at a place of `meta.json`."""
    path = folder / "latest" / "meta.json"
    meta = json.loads(path.read_text())
    inner = meta
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = json.loads(text)
    path.write_text(json.dumps(meta))
    seal(folder / "latest")


STRANGE = ("1" + "0" * 400, "2.5", "-5", "NaN", "Infinity", "true", "null", '"1"', "[]", "{}")
COUNTERS = (
    "iteration", "self_play_steps", "learner_steps", "num_games", "num_samples", "last_evaluated",
    "seconds",
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (name, value)
        for name in (*COUNTERS, "all steps")
        for value in STRANGE
        if (name, value) != ("seconds", "2.5")  # times are no integers
    ],
)
def test_counter_that_is_none_is_refused(copy: Path, name: str, value: str) -> None:
    place = ("learner_steps",) if name == "all steps" else ("counters", name)
    change_meta(copy, ("extra", *place), value)
    refused(copy, "meta.json")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("iteration", "1000000001"), ("self_play_steps", "-1000000000"), ("self_play_steps", "7"),
        ("learner_steps", "5"), ("last_evaluated", "1000000000"), ("last_evaluated", "6"),
    ],
)  # fmt: skip
def test_counter_out_of_range_is_refused(copy: Path, name: str, value: str) -> None:
    change_meta(copy, ("extra", "counters", name), value)
    refused(copy, "meta.json")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (key, value)
        for key in ("inc", "state", "has_uint32", "uinteger")
        for value in (*STRANGE, str(2**128), str(2**128 - 2))
        if (key, value) != ("state", str(2**128 - 2))  # every number of 128 bits is a state
    ],
)
def test_impossible_random_stream_is_refused(copy: Path, key: str, value: str) -> None:
    inner = ("state", key) if key in ("state", "inc") else (key,)
    change_meta(copy, ("extra", "streams", "sampling", *inner), value)
    refused(copy, "meta.json")


@pytest.mark.parametrize(
    "place",
    [
        ("config",), ("config", "network"), ("counters",), ("streams",), ("streams", "sampling"),
        ("streams", "self_play 1", "state"), ("streams", "sampling", "bit_generator"),
        ("learner_steps",), ("counters", "surprise"), ("streams", "surprise"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("value", ["null", "[1]", '"a\\nb"', "{}"])
def test_strange_meta_is_refused(copy: Path, place: tuple[str, ...], value: str) -> None:
    change_meta(copy, ("extra", *place), value)
    refused(copy, "meta.json" if place[0] != "config" else "")


def test_network_of_another_size_is_refused(copy: Path, tmp_path: Path) -> None:
    run_in(tmp_path / "other", "--num-iterations", "1", "--network.num_channels", "16")
    other, latest = tmp_path / "other" / "latest", copy / "latest"
    shutil.copy(other / "weights.safetensors", latest)
    network = json.loads((other / "meta.json").read_text())["network"]
    change_meta(copy, ("network",), json.dumps(network))
    refused(copy, "meta.json")


FILES = ("weights.safetensors", "meta.json", "optimizer.pt", "replay.npz", "games-0.npz")


@pytest.mark.parametrize("name", FILES)
def test_file_of_another_checkpoint_is_refused(copy: Path, name: str) -> None:
    shutil.copy(copy / "checkpoints" / "000004" / name, copy / "latest")
    message = refused(copy, "" if name == "meta.json" else name)
    assert "is not the file that was saved with this checkpoint" in message


@pytest.mark.parametrize("name", FILES)
def test_flipped_bit_is_refused(copy: Path, name: str) -> None:
    path = copy / "latest" / name
    data = bytearray(path.read_bytes())
    data[-200] ^= 1
    path.write_bytes(data)
    refused(copy, name)


def test_checksum_of_meta_is_checked(copy: Path) -> None:
    path = copy / "latest" / "meta.json"
    meta = json.loads(path.read_text())
    meta["extra"]["counters"]["num_games"] += 1
    path.write_text(json.dumps(meta))
    assert "its checksum differs" in refused(copy, "meta.json")


@pytest.mark.parametrize("files", [None, [], {}, {"replay.npz": 5}, {"../../x": "0"}])
def test_checksums_that_are_none_are_refused(copy: Path, files: object) -> None:
    path = copy / "latest" / "meta.json"
    meta = json.loads(path.read_text())
    meta["extra"]["files"] = files
    path.write_text(json.dumps(meta))
    refused(copy, "meta.json")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", ["fifo", "folder", "device", "huge", "missing", "loop"])
def test_only_regular_files_of_fitting_size_are_read(copy: Path, name: str, kind: str) -> None:
    path = copy / "latest" / name
    path.unlink()
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "huge":
        with path.open("wb") as file:
            file.truncate(1 << 40)
    refused(copy, name)


@pytest.mark.parametrize("text", ["000005", "checkpoints/000005\n"])
def test_latest_may_be_a_file_with_the_name(finished: Path, copy: Path, text: str) -> None:
    (copy / "latest").unlink()
    (copy / "latest").write_text(text)
    resume_in(copy, "--num-iterations", "5")
    (copy / "latest").unlink()
    (copy / "latest").symlink_to("checkpoints/000005")
    assert differences(fingerprint(finished), fingerprint(copy)) == []


@pytest.mark.parametrize(
    "text", ["", "..", "/", "../x", "000009", "a\nb", "\0", "x" * 5000, "é" * 300]
)
def test_latest_that_names_no_checkpoint_is_refused(copy: Path, text: str) -> None:
    (copy / "latest").unlink()
    (copy / "latest").write_text(text)
    refused(copy, "latest")


def test_latest_in_a_loop_is_refused(copy: Path) -> None:
    (copy / "latest").unlink()
    (copy / "latest").symlink_to("latest")
    refused(copy, "latest")


def test_weights_alone_can_be_played(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    for name in ("weights.safetensors", "meta.json"):
        shutil.copy(copy / "latest" / name, tmp_path / "weights")
    agents.load(tmp_path / "weights", num_simulations=2)
