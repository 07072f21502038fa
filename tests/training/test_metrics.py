"""What a run reports.

What is checked:

* every tag and setting is explained in docs/training.md, word for word, and no other;
* a run writes every declared tag, readable by TensorBoard, and no undeclared one;
* a resumed run supersedes what it writes again;
* if the files cannot be written, one warning is given and the run goes on.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from tests.training.doc_tables import DOCS, settings_table, table_in, tags_table
from tests.training.runs import fingerprint, run_in
from training.event_file import EventFile
from training.metrics import IMAGES, SCALARS, MetricsWriter, is_in_family


def read(folder: Path) -> EventAccumulator:
    accumulator = EventAccumulator(str(folder))
    accumulator.Reload()
    return accumulator


def test_tags_are_explained_in_the_docs() -> None:
    table = tags_table()
    assert table_in(DOCS.read_text(encoding="utf-8"), table[0]) == table


def test_settings_are_explained_in_the_docs() -> None:
    table = settings_table()
    assert table_in(DOCS.read_text(encoding="utf-8"), table[0]) == table


def test_run_writes_every_declared_tag(tmp_path: Path) -> None:
    run_in(tmp_path / "run")
    accumulator = read(tmp_path / "run" / "tensorboard")
    written = set(accumulator.Tags()["scalars"])
    in_families = {tag for tag in written if is_in_family(tag)}
    assert written - in_families == set(SCALARS)
    anchors = {tag for tag in in_families if tag.startswith("evaluation/score_")}
    assert anchors == {"evaluation/score_random", "evaluation/score_greedy"}
    assert in_families - anchors
    assert set(accumulator.Tags()["images"]) == set(IMAGES)
    games = [event.value for event in accumulator.Scalars("progress/games")]
    assert [event.step for event in accumulator.Scalars("progress/games")] == [1, 2, 3, 4, 5]
    assert games == sorted(games)
    assert [event.step for event in accumulator.Scalars("evaluation/score_random")] == [0, 2, 4, 5]
    shares = [
        accumulator.Scalars(f"time/{part}")[-1].value for part in ("network", "search", "learner")
    ]
    assert sum(shares) == pytest.approx(1)
    picture = accumulator.Images("sample/position")[0]
    assert picture.width > 300


def test_undeclared_tag_is_an_error(tmp_path: Path) -> None:
    writer = MetricsWriter(tmp_path, 0)
    with pytest.raises(KeyError, match="not declared"):
        writer.write(1, {"loss/other": 1.0})
    with pytest.raises(KeyError, match="not declared"):
        writer.write(1, {}, {"sample/other": np.zeros((2, 2, 3), np.uint8)})
    writer.close()


def test_values_that_are_not_finite_are_left_out(tmp_path: Path) -> None:
    writer = MetricsWriter(tmp_path, 0)
    writer.write(1, {"loss/total": float("nan"), "loss/value": 2.0})
    writer.close()
    assert read(tmp_path).Tags()["scalars"] == ["loss/value"]


def test_resumed_run_supersedes_what_it_writes_again(tmp_path: Path) -> None:
    first = MetricsWriter(tmp_path, 0)
    for iteration in range(1, 6):
        first.write(iteration, {"loss/total": float(iteration)})
    first.close()
    second = MetricsWriter(tmp_path, 4)
    second.write(4, {"loss/total": 40.0})
    second.close()
    events = read(tmp_path).Scalars("loss/total")
    assert [(event.step, event.value) for event in events] == [(1, 1), (2, 2), (3, 3), (4, 40)]


def test_failing_to_open_warns_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    with caplog.at_level(logging.WARNING):
        writer = MetricsWriter(tmp_path / "file" / "folder", 0)
        writer.write(1, {"loss/total": 1.0})
        writer.close()
    assert [record.getMessage() for record in caplog.records] == [
        f"TensorBoard files in {tmp_path / 'file' / 'folder'} cannot be written (Not a directory): "
        "training goes on without them"
    ]


def test_full_disk_warns_once_and_training_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_in(tmp_path / "one")

    def fail(self: EventFile, *arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(EventFile, "scalar", fail)
    monkeypatch.setattr(EventFile, "flush", fail)
    with caplog.at_level(logging.WARNING):
        run_in(tmp_path / "other")
    messages = [record.getMessage() for record in caplog.records]
    assert len([text for text in messages if re.search("No space left", text)]) == 1
    assert fingerprint(tmp_path / "other").keys() == fingerprint(tmp_path / "one").keys()
