"""Writes the playthrough of every game of the registry anew, or of those named."""

from __future__ import annotations

import sys

from cotulenh_env.registry import game_names
from tests.playthroughs.playthrough import path_of, playthrough

for name in sys.argv[1:] or game_names():
    path_of(name).write_text(playthrough(name), encoding="utf-8", newline="\n")
    print(path_of(name).name)
