"""What commands leave behind: files first, then what they print, whose reader may be gone."""

from __future__ import annotations

from collections.abc import Callable

from cotulenh_env.errors import CotulenhError
from training.errors import OutputError


def tell(*texts: str, end: str = "\n") -> None:
    """Prints texts, one below the other; nothing if there are none.

    Args:
        texts: what to print.
        end: stands behind the last.

    Raises:
        BrokenPipeError: nobody reads the output any more.
        OutputError: it cannot be written.
    """
    if not texts:
        return
    try:
        print(*texts, sep="\n", end=end, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.errno, error.strerror) from error


def write_and_tell(text: str, *writers: Callable[[], str | None]) -> None:
    """Writes files, then prints: an output that is full or closed costs no file.

    Nor does a file that cannot be written cost another one, or what is printed.

    Args:
        text: what to print.
        writers: each writes a file, and returns what is to be printed about it, if anything.

    Raises:
        CotulenhError: a file cannot be written; of several reasons the first one.
        OSError: the same, or the text cannot be printed.
    """
    texts, errors = [text], list[Exception]()
    for write in writers:
        try:
            told = write()
        except (CotulenhError, OSError) as error:
            errors.append(error)
        else:
            texts += [] if told is None else ["", told]
    try:
        tell(*texts)
    except OSError as error:
        errors.append(error)
    if errors:
        raise errors[0]
