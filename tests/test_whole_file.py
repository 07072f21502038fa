"""Files that are written whole.

What is checked: the content stands under the name that was given, behind links too; a failure
leaves what was there and no temporary file, not even of a fixed name that somebody else uses; what
is no regular file is refused and stays what it is; a probe says beforehand what writing would.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

import pytest

from cotulenh_env.errors import RecordError
from cotulenh_env.whole_file import check_writable, is_same_target, write_whole, write_whole_text

TEXT = "1. Bình\n2. –\n"


def test_a_text_is_written_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    for text in (TEXT, ""):
        write_whole_text(path, text, RecordError)
        assert path.read_bytes() == text.encode()
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    """A chain of links into another folder; and one that points to what is not there yet."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    target, link, first = folder / "target", tmp_path / "link", tmp_path / "first"
    link.symlink_to("elsewhere/target")
    first.symlink_to(link)
    for text in ("new", "replaced"):
        write_whole_text(first, text, RecordError)
        assert target.read_text() == text
    assert first.is_symlink()
    assert link.is_symlink()
    assert list(folder.iterdir()) == [target]
    assert is_same_target(first, target)
    assert not is_same_target(first, tmp_path / "other")


def test_files_beside_it_are_left_alone(tmp_path: Path) -> None:
    """Regression: `<path>.tmp` was written over and renamed away."""
    path, other = tmp_path / "games.txt", tmp_path / "games.txt.tmp"
    other.write_text("mine")
    write_whole_text(path, TEXT, RecordError)
    assert other.read_text() == "mine"
    assert sorted(tmp_path.iterdir()) == [path, other]


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_what_was_there(failure: BaseException, tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("before")

    def fail(file: BinaryIO) -> None:
        file.write(b"half")
        raise failure

    with pytest.raises(type(failure)) as caught:
        write_whole(path, fail, RecordError)
    if isinstance(caught.value, OSError):
        assert caught.value.filename == str(path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    """Folders, pipes, devices, and links to them; a loop of links is an error of the system."""
    pipe, link, loop = tmp_path / "pipe", tmp_path / "link", tmp_path / "loop"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (tmp_path, pipe, link, Path("/dev/null")):
        for call in (check_writable, lambda path, error: write_whole_text(path, TEXT, error)):
            with pytest.raises(RecordError, match=f"^{path} is no regular file$"):
                call(path, RecordError)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert link.is_symlink()
    loop.symlink_to(loop)
    with pytest.raises(OSError, match="symbolic links") as caught:
        write_whole_text(loop, TEXT, RecordError)
    assert caught.value.filename == str(loop)
    assert sorted(tmp_path.iterdir()) == [link, loop, pipe]


def test_a_probe_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    check_writable(path, RecordError)
    assert list(tmp_path.iterdir()) == []
    path.write_text("before")
    check_writable(path, RecordError)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="a folder where nobody may make files")
def test_a_probe_does_not_believe_permissions() -> None:
    """Root may write into /proc by its permissions, but cannot."""
    for path in (Path("/proc/games.txt"), Path("/nowhere/games.txt")):
        with pytest.raises(FileNotFoundError) as caught:
            check_writable(path, RecordError)
        assert caught.value.filename == str(path)
