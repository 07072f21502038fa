"""OpenSpiel's `banqi` beside ours: the same games under the Taiwanese preset.

Its actions are flip cell / 32 + from × 32 + to, its chance outcomes pieces numbered like ours. A
recorded game is what it said at every node of a random game, so that the comparison can be made
where it is not installed.

    python -m tests.banqi.open_spiel record N FILE     records N games (tests/cases has some)
    python -m tests.banqi.open_spiel compare N         compares N fresh games
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from typing import Any

from cotulenh_env.banqi.actions import FIRST_STEP, START, TARGET

Recording = dict[str, Any]
"""`nodes`: [action, legal actions] and, behind a flip, [piece, pieces, probabilities × face down];
`returns`: of players 0 and 1; `board`: its last line-up as OpenSpiel prints it."""


def their_action(action: int) -> int:
    """OpenSpiel's number of an action of ours."""
    if action < FIRST_STEP:
        return action
    return 32 + int(START[action]) * 32 + int(TARGET[action])


def random_recordings(num_games: int, seed: int) -> Iterator[Recording]:
    """Random games as OpenSpiel plays them.

    Raises:
        ModuleNotFoundError: it is not installed.
    """
    import pyspiel

    game = pyspiel.load_game("banqi")
    rng = random.Random(seed)
    for _ in range(num_games):
        state = game.new_initial_state()
        nodes: list[list[Any]] = []
        num_face_down = 32
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                pieces = [piece for piece, _ in outcomes]
                shares = [probability for _, probability in outcomes]
                counts = [round(share * num_face_down) for share in shares]
                assert all(
                    abs(share * num_face_down - count) < 1e-9
                    for share, count in zip(shares, counts, strict=True)
                )
                action = rng.choices(pieces, shares)[0]
                nodes.append([action, pieces, counts])
                num_face_down -= 1
            else:
                legal = state.legal_actions()
                action = rng.choice(legal)
                nodes.append([action, legal])
            state.apply_action(action)
        returns = [int(value) for value in state.returns()]
        yield {"nodes": nodes, "returns": returns, "board": str(state).split("\n")[:4]}


def main(arguments: list[str]) -> None:
    """The command line."""
    if arguments[0] == "record":
        with open(arguments[2], "w", encoding="utf-8") as file:
            for recording in random_recordings(int(arguments[1]), seed=2020):
                file.write(json.dumps(recording, separators=(",", ":")) + "\n")
    else:
        from tests.banqi.test_open_spiel import compare

        num_decisions = num_chances = 0
        results: dict[str, int] = {}
        for recording in random_recordings(int(arguments[1]), seed=7):
            reason = compare(recording)
            results[reason] = results.get(reason, 0) + 1
            num_decisions += sum(len(node) == 2 for node in recording["nodes"])
            num_chances += sum(len(node) == 3 for node in recording["nodes"])
        print(f"{num_decisions} decisions and {num_chances} chances agree; ends: {results}")


if __name__ == "__main__":
    main(sys.argv[1:])
