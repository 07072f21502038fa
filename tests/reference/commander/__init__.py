"""Commander Chess, slowly: the rules as plain Python, to compare the kernels with.

`Game` plays, `Rules` says by which options, `perft` counts. Comments cite the rules as R7.10.
"""

from .fen import FenError
from .game import DRAW, Game, perft
from .rules import BATTLES, EDITIONS, Battle, Edition, Rules

__all__ = [
    "BATTLES",
    "DRAW",
    "EDITIONS",
    "Battle",
    "Edition",
    "FenError",
    "Game",
    "Rules",
    "perft",
]
