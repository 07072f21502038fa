"""`cotulenh match`: plays two agents against each other and prints the result with its interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from training.allocator import keep_freed_memory
from training.arena import MatchSettings, play_match
from training.commands.arguments import chosen_rules, game_parser
from training.commands.output import write_and_tell
from training.commands.players import (
    SavedGames,
    add_play_flags,
    agents_help,
    checked_settings,
    load_players,
)
from training.commands.tables import elo_text, points_text, reason_table, result_table, sprt_text
from training.errors import ConfigError
from training.interrupts import saving, sigterm_as_ctrl_c
from training.match_result import MatchResult
from training.progress import Progress
from training.sprt import SPRTSettings

_GAMES = 100
_MOST_GAMES = 10_000
"""Of a match that is decided by SPRT, unless --games says otherwise."""
_ERROR_RATE = 0.05


@sigterm_as_ctrl_c()
def run(argv: Sequence[str]) -> int:
    """Runs the subcommand.

    Raises:
        CotulenhError: an agent, the rules or a number makes no sense.
        OSError: the games cannot be saved.
        KeyboardInterrupt: Ctrl-C or SIGTERM, after the games finished so far have been told and
            saved.
    """
    parser, game, flags = game_parser(
        "cotulenh match",
        "Play two agents against each other. Every random opening is played twice, with colours "
        f"swapped. {agents_help()}",
        argv,
    )
    parser.add_argument("--red", type=str, required=True, help="the agent whose results are told")
    parser.add_argument("--blue", type=str, required=True, help="its opponent")
    parser.add_argument(
        "--games",
        type=int,
        default=None,
        help=f"even, unless colours stay; {_GAMES} by default, with --sprt at most {_MOST_GAMES}",
    )
    parser.add_argument("--fixed_colours", action="store_true", help="--red is always Red")
    parser.add_argument(
        "--sprt",
        type=float,
        nargs=2,
        default=None,
        metavar=("ELO0", "ELO1"),
        help="stop when it is decided whether --red is ELO1 or ELO0 stronger",
    )
    for name, words in (("alpha", "ELO0 for ELO1"), ("beta", "ELO1 for ELO0")):
        parser.add_argument(
            f"--{name}",
            type=float,
            default=None,
            help=f"with --sprt: chance to take {words}, {_ERROR_RATE} by default",
        )
    add_play_flags(parser)
    parsed = parser.parse_args(flags)
    sprt = None
    if parsed.sprt is not None:
        elo0, elo1 = parsed.sprt
        alpha, beta = (
            _ERROR_RATE if rate is None else rate for rate in (parsed.alpha, parsed.beta)
        )
        sprt = SPRTSettings(elo0, elo1, alpha, beta)
    else:
        for name in ("alpha", "beta"):
            if parsed[name] is not None:
                raise ConfigError(f"--{name} {parsed[name]} says something of --sprt only")
    num_games = parsed.games
    if num_games is None:
        num_games = _GAMES if sprt is None else _MOST_GAMES
    settings = checked_settings(parsed, num_games, swap=not parsed.fixed_colours)
    rules = chosen_rules(game, parsed)
    saved = SavedGames(game, parsed.save, "cotulenh match", parsed.seed)
    keep_freed_memory()
    most_threads = -(-num_games // settings.max_games_in_batch)
    players = load_players([parsed.red, parsed.blue], game, parsed, most_threads)
    pair, *copies = players.pairs(0, 1)
    red, blue = players.labels
    progress = Progress()
    result = MatchResult(())

    def is_decided(so_far: MatchResult) -> bool:
        nonlocal result
        result = so_far
        if sprt is None:
            return False
        llr = sprt.llr(_counts(so_far, settings))
        progress.milestone(f"{len(so_far.games)} games finished, LLR {llr:.2f}")
        return sprt.decision(llr) is not None

    try:
        play_match(
            game,
            pair,
            settings,
            np.random.default_rng(parsed.seed),
            rules,
            on_finished=lambda done: progress.update(f"{done}/{num_games} games finished"),
            copies=copies,
            is_decided=is_decided,
        )
    finally:
        with saving():  # after Ctrl-C and SIGTERM, too
            progress.close()
            if result.games:
                saved.add(red, blue, result)
                write_and_tell(_text(red, blue, result, settings, sprt), saved.write)
    return 0


def _counts(result: MatchResult, settings: MatchSettings) -> tuple[int, ...]:
    """What SPRT looks at: openings played with both colours, or single games."""
    return result.pair_counts() if settings.swap else result.game_counts()


def _text(
    red: str, blue: str, result: MatchResult, settings: MatchSettings, sprt: SPRTSettings | None
) -> str:
    rows = {f"{red} against {blue}": result}
    by_seat = [tuple(game for game in result.games if game.seat == seat) for seat in (0, 1)]
    if all(by_seat):
        rows |= {
            f"  {red} moving {order}": MatchResult(games)
            for order, games in zip(("first", "second"), by_seat, strict=True)
        }
    turns = [game.num_turns for game in result.games]
    lines = [result_table(rows), "", elo_text(result)]
    if settings.swap:
        counts = " ".join(map(str, result.pair_counts()))
        lines.append(f"openings by points (0, ½, 1, 1½, 2): {counts}")
    if sprt is not None:
        lines.append(sprt_text(sprt, sprt.llr(_counts(result, settings))))
    lines += points_text(red, blue, result)
    lines += ["", reason_table(result), ""]
    lines.append(
        f"turns per game: mean {np.mean(turns):.1f}, shortest {min(turns)}, longest {max(turns)}"
    )
    return "\n".join(lines)
