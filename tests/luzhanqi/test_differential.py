"""The kernels against the slow reference, which takes its graph from the recorded file.

Random games of both modes under all kinds of rules: legal actions, ends and what is announced are
equal after every ply. Captures are favoured, so that games get to their ends.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from random import Random

import numpy as np
import pytest

from cotulenh_env.luzhanqi import FlipPosition, FlipRuleSet, RefereePosition, RefereeRuleSet
from cotulenh_env.luzhanqi.board import DEAL_PLACES, opposite
from cotulenh_env.luzhanqi.layouts import parse_layout
from cotulenh_env.luzhanqi.pieces import KIND_LETTERS, code_letter
from tests.luzhanqi.helpers import FLIP_RULES, REFEREE_RULES, move_id
from tests.reference.luzhanqi import FlipGame, FlipOptions, RefereeGame, RefereeOptions
from tests.reference.luzhanqi.flip import Action

NUM_FLIP_GAMES = 12
NUM_REFEREE_GAMES = 20


def flip_options(rules: FlipRuleSet) -> FlipOptions:
    options = asdict(rules)
    letters = options.pop("flag_carriers")
    kinds = None if letters is None else tuple(map(KIND_LETTERS.index, letters))
    return FlipOptions(**options, flag_carriers=kinds)


def flip_id(player: int, action: Action) -> int:
    word, start, end = action
    if word == "f":
        return opposite(start) if player else start
    return 60 + move_id(player, start, end)


def choose_flip(game: FlipGame, rng: Random, legal: list[Action]) -> Action:
    attacks = [each for each in legal if each[0] == "m" and each[2] in game.board]
    return rng.choice(attacks if attacks and rng.random() < 0.6 else legal)


def play_flip(rules: FlipRuleSet, rng: Random) -> str:
    position, game = FlipPosition(rules), FlipGame(flip_options(rules))
    while True:
        legal = game.legal()
        assert position.legal_actions() == sorted(flip_id(game.player, each) for each in legal)
        assert (position.winner, position.reason) == (game.winner, game.reason), position.fen()
        assert position.turn == game.player
        assert position.quiet_plies == game.quiet
        assert position.colours == game.colours
        if game.winner is not None:
            return game.reason
        action = choose_flip(game, rng, legal)
        number = flip_id(game.player, action)
        if action[0] == "f":
            piece = rng.choice([each for each, n in game.hidden.items() for _ in range(n)])
            position.push(number, code_letter(12 * piece[0] + piece[1]))
            game.play(action, piece)
        else:
            position.push(number)
            game.play(action)


@pytest.mark.parametrize("rules", FLIP_RULES, ids=range(len(FLIP_RULES)))
def test_flip_games(rules: FlipRuleSet) -> None:
    rng = Random(str(rules))
    reasons = {play_flip(rules, rng) for _ in range(NUM_FLIP_GAMES // len(FLIP_RULES))}
    assert reasons <= {"flag", "no move", "both immobile", "repetition", "quiet"}


def reference_game(position: RefereePosition) -> RefereeGame:
    board = {}
    for player in (0, 1):
        for place, kind in zip(
            DEAL_PLACES[:25].tolist(), parse_layout(position.layout(player)).tolist(), strict=True
        ):
            board[opposite(place) if player else place] = (player, kind)
    rules = position.rules
    return RefereeGame(board, RefereeOptions(rules.hq_lock, rules.quiet_limit, rules.reveal_flag))


def said_by(position: RefereePosition) -> str:
    """The announcement in the reference's words."""
    words = position.announcement.split(" and ")
    names = {"attacker survives": "attacker", "defender survives": "defender"}
    names |= {"both removed": "nobody", "flag captured": "flag"}
    said = [names[word] for word in words if word in names]
    for word in words:
        if word.startswith("the flag of player "):
            player, _, name = word.removeprefix("the flag of player ").partition(" is at ")
            place = (int(name[1:]) - 1) * 5 + "abcde".index(name[0])
            said.append(f"flag of {player} at {place}")
    return ", ".join(said)


def play_referee(rules: RefereeRuleSet, rng: Random) -> str:
    generator = np.random.default_rng(rng.randrange(2**32))
    position = RefereePosition(rules, generator)
    while len(position.legal_actions()) and not position.fen().split()[0].strip("5/"):
        position.push(rng.choice(position.legal_actions()))
    game = reference_game(position)
    while True:
        legal = game.legal()
        assert position.legal_actions() == sorted(move_id(game.player, *each) for each in legal)
        assert (position.winner, position.reason) == (game.winner, game.reason), position.fen()
        assert position.quiet_plies == game.quiet
        if game.winner is not None:
            return game.reason
        attacks = [each for each in legal if each[1] in game.board]
        move = rng.choice(attacks if attacks and rng.random() < 0.5 else legal)
        position.push(move_id(game.player, *move))
        game.play(*move)
        assert said_by(position) == game.said


@pytest.mark.parametrize("rules", REFEREE_RULES, ids=range(len(REFEREE_RULES)))
def test_referee_games(rules: RefereeRuleSet) -> None:
    rng = Random(str(rules))
    num_games = NUM_REFEREE_GAMES // len(REFEREE_RULES)
    reasons = {play_referee(rules, rng) for _ in range(num_games)}
    reasons |= {play_referee(replace(rules, quiet_limit=5), rng)}
    assert reasons <= {"flag", "no move", "both immobile", "quiet"}
