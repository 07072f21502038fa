"""TensorBoard event files, written in the calling thread.

TensorBoard's own writer hands events to a thread, and waits for ever for that thread when the disk
is full. This one raises `OSError` where the write fails.
"""

from __future__ import annotations

import contextlib
import io
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image
from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.compat.proto.types_pb2 import DT_STRING
from tensorboard.summary.writer.record_writer import RecordWriter


class EventFile:
    """One event file, made at once and appended to."""

    def __init__(self, folder: Path, first_step: int) -> None:
        """Opens a new file.

        Args:
            folder: made if missing.
            first_step: steps from here on in older files of the folder are dropped by TensorBoard:
                a resumed run writes them again.

        Raises:
            OSError: the file cannot be written.
        """
        folder.mkdir(parents=True, exist_ok=True)
        # TensorBoard reads the files of a folder in the order of their names.
        self._path = folder / f"events.out.tfevents.{time.time_ns():020d}.cotulenh"
        self._file = self._path.open("xb")
        self._records = RecordWriter(self._file)
        version = Event(wall_time=time.time(), file_version="brain.Event:2")
        start = SessionLog(status=SessionLog.START)
        try:
            self._write(version)
            self._write(Event(wall_time=time.time(), step=first_step, session_log=start))
            self.flush()
        except OSError:
            with contextlib.suppress(OSError):
                self._file.close()
            raise

    def scalar(self, tag: str, value: float, step: int) -> None:
        """Appends a number."""
        self._add(Summary.Value(tag=tag, simple_value=float(value)), step)

    def image(self, tag: str, picture: npt.NDArray[np.uint8], step: int) -> None:
        """Appends an RGB picture, uint8 [height, width, 3]."""
        encoded = io.BytesIO()
        Image.fromarray(picture).save(encoded, format="PNG")
        height, width, _ = picture.shape
        image = Summary.Image(
            height=height, width=width, colorspace=3, encoded_image_string=encoded.getvalue()
        )
        self._add(Summary.Value(tag=tag, image=image), step)

    def text(self, tag: str, text: str, step: int) -> None:
        """Appends a text, in Markdown."""
        metadata = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name="text"))
        tensor = TensorProto(
            dtype=DT_STRING,
            string_val=[text.encode()],
            tensor_shape=TensorShapeProto(dim=[TensorShapeProto.Dim(size=1)]),
        )
        self._add(Summary.Value(tag=tag, metadata=metadata, tensor=tensor), step)

    def flush(self) -> None:
        """Hands everything to the operating system."""
        self._records.flush()

    def close(self) -> None:
        """Flushes and closes the file."""
        self._records.close()

    def _add(self, value: Summary.Value, step: int) -> None:
        self._write(Event(wall_time=time.time(), step=step, summary=Summary(value=[value])))

    def _write(self, event: Event) -> None:
        self._records.write(event.SerializeToString())
