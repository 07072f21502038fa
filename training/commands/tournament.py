"""`cotulenh tournament`: any number of agents against each other, and their ratings."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

from cotulenh_env.whole_file import is_same_target, write_whole_text
from training.allocator import keep_freed_memory
from training.commands.arguments import check_file, chosen_rules, game_parser, make_folder
from training.commands.crosstable import crosstable, csv_text, rating_table, write_events
from training.commands.output import write_and_tell
from training.commands.players import (
    Players,
    SavedGames,
    add_play_flags,
    agents_help,
    checked_settings,
    load_players,
)
from training.errors import ConfigError
from training.interrupts import saving, sigterm_as_ctrl_c
from training.match_result import MatchResult
from training.progress import Progress
from training.rating import RatingError
from training.setting_checks import check_number
from training.tournament import Pairing, TournamentResult, pairings, play_pairing

_MOST_AGENTS = 1000
_MOST_ELO = 10_000


@sigterm_as_ctrl_c()
def run(argv: Sequence[str]) -> int:
    """Runs the subcommand.

    Raises:
        CotulenhError: an agent, the rules or a number makes no sense.
        OSError: a file cannot be written.
        KeyboardInterrupt: Ctrl-C or SIGTERM, after the games finished so far have been told and
            saved.
    """
    parser, game, flags = game_parser(
        "cotulenh tournament",
        "Play agents against each other, everybody against everybody, and rate them. Every random "
        f"opening is played twice, with colours swapped. {agents_help()}",
        argv,
    )
    parser.add_argument("agents", type=str, nargs="+", help="two or more agents")
    parser.add_argument("--games", type=int, default=20, help="per pairing, even")
    parser.add_argument(
        "--gauntlet", action="store_true", help="the first agent against all others, and no more"
    )
    parser.add_argument(
        "--anchor", type=str, default=None, help="the agent whose rating is given; the first one"
    )
    parser.add_argument("--anchor_elo", type=float, default=0.0, help="that rating")
    parser.add_argument("--csv", type=str, default=None, help="file for ratings and crosstable")
    parser.add_argument("--logdir", type=str, default=None, help="folder for TensorBoard")
    add_play_flags(parser)
    parsed = parser.parse_args(flags)
    if not 2 <= len(parsed.agents) <= _MOST_AGENTS:
        raise ConfigError(
            f"a tournament is among 2 to {_MOST_AGENTS} agents, got {len(parsed.agents)}"
        )
    check_number("--anchor_elo", parsed.anchor_elo, -_MOST_ELO, _MOST_ELO)
    settings = checked_settings(parsed, parsed.games)
    rules = chosen_rules(game, parsed)
    saved = SavedGames(game, parsed.save, "cotulenh tournament", parsed.seed)
    check_file("csv", parsed.csv)
    if parsed.csv and parsed.save and is_same_target(Path(parsed.csv), Path(parsed.save)):
        raise ConfigError(f"--csv {parsed.csv} and --save {parsed.save} are one file: name two")
    if parsed.logdir is not None:
        import_module("training.event_file")  # before the first game: TensorBoard is an extra
        make_folder("logdir", parsed.logdir)
    keep_freed_memory()
    most_threads = -(-parsed.games // settings.max_games_in_batch)
    players = load_players(parsed.agents, game, parsed, most_threads)
    anchor = _anchor(parsed.anchor, players)
    matches: dict[Pairing, MatchResult] = {}
    all_pairings = pairings(len(players.labels), parsed.gauntlet)
    progress = Progress()
    try:
        for number, pairing in enumerate(all_pairings, 1):
            first, second = (players.labels[index] for index in pairing)
            title = f"match {number}/{len(all_pairings)}, {first} against {second}"
            for result in play_pairing(
                game, pairing, players.pairs(*pairing), settings, parsed.seed, rules
            ):
                matches[pairing] = result
                progress.update(f"{title}: {len(result.games)}/{parsed.games} games finished")
            progress.milestone(f"{title}: {matches[pairing].points:g}/{parsed.games} points")
    finally:
        with saving():  # after Ctrl-C and SIGTERM, too
            progress.close()
            outcome = TournamentResult(players.labels, matches, anchor, parsed.anchor_elo)
            for (one, other), result in matches.items():
                saved.add(players.labels[one], players.labels[other], result)
            try:
                text = "\n\n".join([rating_table(outcome), crosstable(outcome)])
            except RatingError as error:  # some agents may not have met yet
                write_and_tell(f"no ratings: {error}", saved.write)
            else:
                command = ["cotulenh", "tournament", *argv]
                write_and_tell(
                    text,
                    partial(_write_csv, parsed.csv, outcome, command),
                    partial(_write_events, parsed.logdir, outcome, players),
                    saved.write,
                )
    return 0


def _anchor(wanted: str | None, players: Players) -> int:
    if wanted is None:
        return 0
    if wanted not in players.labels:
        raise ConfigError(
            f"--anchor is one of the agents, {', '.join(players.labels)}, got {wanted!r}"
        )
    return players.labels.index(wanted)


def _write_csv(path: str | None, outcome: TournamentResult, command: Sequence[str]) -> None:
    if path is None:
        return
    words = shlex.join(command).encode(errors="replace").decode()  # file names may be no text
    text = csv_text(outcome, [words, time.strftime("%Y-%m-%d")])
    write_whole_text(Path(path), text, ConfigError)


def _write_events(folder: str | None, outcome: TournamentResult, players: Players) -> None:
    if folder is None:
        return
    try:
        write_events(Path(folder), outcome, players.specs)
    except OSError as error:
        raise OSError(error.errno, error.strerror, folder) from error
