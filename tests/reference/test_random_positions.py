"""The generator of random positions: legal, repeatable, and rich in what it is made for."""

from collections import Counter
from random import Random

import pytest

from tests.reference.commander import BATTLES, EDITIONS, Edition, Game
from tests.reference.random_positions import random_position, random_walk

NUM_POSITIONS = 300


def test_same_seed_same_positions() -> None:
    first = [random_position(Random(seed), EDITIONS) for seed in range(20)]
    again = [random_position(Random(seed), EDITIONS) for seed in range(20)]
    assert first == again


@pytest.mark.parametrize("edition", EDITIONS)
def test_positions_load_and_hold_what_they_are_made_for(edition: Edition) -> None:
    rng = Random(1)
    words: Counter[str] = Counter()
    deployments = 0
    for _ in range(NUM_POSITIONS):
        fen, rules = random_position(rng, [edition])
        assert rules.edition == edition
        game = Game.from_fen(fen, rules)
        deployments += game.deployment is not None
        assert game.fen() == fen
        words.update(text.split()[-1] for text in game.legal_texts().values())
        words.update(text.split()[0] for text in game.legal_texts().values())
        words[rules.battle] += 1
    for word in ("move", "join", "capture", "strike", "kamikaze", "shot", "SELECT", "END"):
        assert words[word] > 20, word
    assert all(words[battle] > 20 for battle in BATTLES)
    assert deployments > 20
    assert (words["hqonly"] > 0) == (edition == "russian")


def test_russian_navies_that_have_struck_occur() -> None:
    rng = Random(3)
    fens = [random_position(rng, ["russian"])[0] for _ in range(NUM_POSITIONS)]
    assert any(fen.endswith(":") for fen in fens)


def test_walks_can_be_replayed() -> None:
    rng = Random(2)
    fen, rules = random_position(rng)
    walked = Game.from_fen(fen, rules)
    replayed = walked.copy()
    for action in random_walk(rng, walked, 30):
        replayed.push(action)
    assert (replayed.fen(), replayed.points) == (walked.fen(), walked.points)
