"""What users hand to environments, checked at the edge: rules, options, actions, saved states."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.utils import seeding

from cotulenh_env.errors import (
    CotulenhError,
    IllegalActionError,
    PositionError,
    RulesError,
    StateError,
    shown,
)
from cotulenh_env.game import Actions, Game, Players, States

RESET_OPTIONS = ("fen",)
SAVED_KEYS = ("game", "state", "offender", "agents", "agent_selection", "generator")
"""What `GameEnv.get_state` returns."""

SAVED_BATCH_KEYS = ("game", "states", "generators")
"""What `BatchedEnv.get_state` returns."""

_UNREADABLE = (TypeError, ValueError, LookupError, OverflowError)
"""What NumPy raises for the state of a generator that is none."""


def resolve_rules(game: Game, rules: Any | None, options: Mapping[str, Any]) -> Any | None:
    """The rules to play by.

    Args:
        game: whose rules they are.
        rules: the game's RuleSet, or None.
        options: the game's rule options by name; only without `rules`.

    Returns:
        A RuleSet, or None for the game's default.

    Raises:
        RulesError: both are given, or the game refuses one.
    """
    if "max_cycles" in options:
        raise RulesError(
            "max_cycles is no option: games end by their own rules, whose limits are rule options"
        )
    if rules is None:
        return game.make_rules(**options) if options else None
    if options:
        raise RulesError(f"rules are given twice: as {shown(rules)} and as {shown(options)}")
    wanted = type(game.make_rules())
    if not isinstance(rules, wanted):
        raise RulesError(f"rules of {game.spec.name} are a {wanted.__name__}, got {shown(rules)}")
    return rules


def resolve_row_rules(
    game: Game, rules: Any | Sequence[Any] | None, options: Mapping[str, Any], num_rows: int
) -> list[Any | None]:
    """`resolve_rules` for each game of a batch.

    Args:
        game: whose rules they are.
        rules: one RuleSet for all rows, a list or tuple with one per row, or None.
        options: the game's rule options by name; only without `rules`.
        num_rows: games in the batch.

    Raises:
        RulesError: as `resolve_rules`, or the list has another length.
    """
    if not isinstance(rules, (list, tuple)):
        return [resolve_rules(game, rules, options)] * num_rows
    if len(rules) != num_rows:
        raise RulesError(f"rules are one RuleSet or one per game, got {len(rules)} for {num_rows}")
    return [resolve_rules(game, row_rules, options) for row_rules in rules]


def check_viewer(game: Game, player: Any) -> None:
    """Refuses what is neither a player nor None, and players who all see the same.

    Raises:
        CotulenhError: it is none of them, or the game hides nothing.
    """
    if player is None:
        return
    if type(player) is not int or player not in (0, 1):
        raise CotulenhError(f"render_player is 0, 1 or None, got {shown(player)}")
    if not game.spec.has_hidden_information:
        raise CotulenhError(
            f"render_player is of games with hidden information, and in {game.spec.name} both "
            f"players see the same: leave it out, got {player}"
        )


def check_flag(name: str, value: Any) -> bool:
    """True or False.

    Raises:
        CotulenhError: it is neither.
    """
    if not isinstance(value, (bool, np.bool_)):
        raise CotulenhError(f"{name} is true or false, got {shown(value)}")
    return bool(value)


def check_illegal(illegal: Any) -> str:
    """What an illegal action does: `"raise"` or `"lose"`.

    Raises:
        CotulenhError: it is neither.
    """
    if not isinstance(illegal, str) or illegal not in ("raise", "lose"):
        raise CotulenhError(f"illegal is 'raise' or 'lose', got {shown(illegal)}")
    return illegal


def check_count(name: str, value: Any) -> int:
    """A number of something: an integer of at least 1.

    Raises:
        CotulenhError: it is anything else.
    """
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 1:
        raise CotulenhError(f"{name} is an integer of at least 1, got {shown(value)}")
    return int(value)


def check_players(players: Any, n: int) -> Players:
    """Players as a new int32 [n].

    Args:
        players: one player (0 or 1) for all, or one per row.
        n: rows.

    Raises:
        CotulenhError: a player is neither 0 nor 1, or there is not one per row.
    """
    try:
        given = np.asarray(players)
    except ValueError:  # lists in a list, of different lengths
        given = np.zeros(0)
    is_fitting = given.dtype.kind in "iu" and given.shape in ((), (n,))
    if not is_fitting or not np.isin(given, (0, 1)).all():
        raise CotulenhError(f"players are 0 or 1, one for all or {n}, got {shown(players)}")
    return np.array(np.broadcast_to(given, n), np.int32)


def check_seed(seed: Any) -> int:
    """A seed: an integer of at least 0, NumPy's included.

    Raises:
        CotulenhError: it is anything else.
    """
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if number < 0 or isinstance(seed, bool):
        raise CotulenhError(f"a seed is an integer of at least 0, got {shown(seed)}")
    return number


def seeded_generator(seed: Any, *spawn_key: int) -> np.random.Generator:
    """The generator of a seed; with a spawn key, one of the independent streams of that seed.

    Without a spawn key it is the generator that `reset(seed=seed)` of a single game has.

    Raises:
        CotulenhError: the seed is no integer of at least 0.
    """
    number = check_seed(seed)
    if not spawn_key:
        return seeding.np_random(number)[0]
    sequence = np.random.SeedSequence(number, spawn_key=spawn_key)
    return np.random.Generator(np.random.PCG64(sequence))


def read_fen(options: Any) -> str | None:
    """The position that the options of `reset` ask for, or None for the usual start.

    Unknown options give one warning, in the name of the caller of `reset`.

    Raises:
        CotulenhError: the options are no mapping.
        PositionError: the option `fen` is no text.
    """
    if options is None:
        return None
    if not isinstance(options, Mapping):
        raise CotulenhError(f"options of reset are a dictionary, got {shown(options)}")
    unknown = [shown(name) for name in options if name not in RESET_OPTIONS]
    if unknown:
        warnings.warn(
            f"reset ignores unknown options {', '.join(unknown)}; it knows "
            f"{', '.join(map(repr, RESET_OPTIONS))}",
            stacklevel=3,
        )
    fen: str | None = options.get("fen")
    if fen is not None and not isinstance(fen, str):
        raise PositionError(f"the option fen is text, got {shown(fen)}")
    return fen


def check_action(action: Any, num_actions: int) -> int:
    """An action of the game's action space, legal or not.

    Raises:
        IllegalActionError: it is no int and no NumPy integer, or out of range.
    """
    if type(action) is int and 0 <= action < num_actions:
        return action  # as nearly always
    if not isinstance(action, (int, np.integer)) or isinstance(action, bool):
        raise IllegalActionError(
            f"an action is an int or a NumPy integer, got {shown(action)} ({type(action).__name__})"
        )
    if not 0 <= action < num_actions:
        raise IllegalActionError(f"actions are 0 to {num_actions - 1}, got {shown(int(action))}")
    return int(action)


def check_actions(actions: Any, num_rows: int, num_actions: int) -> Actions:
    """Actions of the game's action space, one per row, legal or not.

    Args:
        actions: any array or list of integers.
        num_rows: games that are to take one.
        num_actions: size of the action space.

    Returns:
        int32 [num_rows]: a new array.

    Raises:
        IllegalActionError: wrong type or shape, or one is out of range.
    """
    try:
        array = np.asarray(actions)
    except (TypeError, ValueError):  # lists of unequal lengths, tensors of another device
        raise IllegalActionError(
            f"actions are {num_rows} integers, one per game, got {shown(actions)}"
        ) from None
    if array.dtype.kind not in "iu" or array.shape != (num_rows,):
        raise IllegalActionError(
            f"actions are {num_rows} integers, one per game, "
            f"got {array.dtype} {list(array.shape)}: {shown(actions)}"
        )
    outside = (array < 0) | (array >= num_actions)
    if outside.any():
        row = int(outside.argmax())
        raise IllegalActionError(
            f"game {row}: actions are 0 to {num_actions - 1}, got {int(array[row])}"
        )
    checked: Actions = array.astype(np.int32)
    return checked


def illegal_action_error(game: Game, state: States, action: int) -> IllegalActionError:
    """The error that says which action is illegal, in which position.

    Args:
        game: whose action it is.
        state: uint8 [state_size].
        action: any number of the action space.
    """
    try:
        words = f" ({game.action_text(state, action)})"
    except (ValueError, IndexError, KeyError):
        words = ""  # not every number has words in every position
    # Whoever tried it reads this, and may not see all of the position.
    seen = game.as_seen(state[None], game.current_player(state[None].copy()))[0]
    return IllegalActionError(f"action {action}{words} is illegal in {game.to_text(seen)!r}")


def _check_form(game: Game, saved: Any, keys: Sequence[str], whose: str) -> None:
    """Refuses what has other keys, or is of another game."""
    if not isinstance(saved, Mapping) or set(saved) != set(keys):
        found = shown(list(saved)) if isinstance(saved, Mapping) else type(saved).__name__
        raise StateError(f"{whose} the keys {', '.join(keys)}, got {found}")
    if not isinstance(saved["game"], str) or saved["game"] != game.spec.name:
        raise StateError(f"the saved game is {shown(saved['game'])}, not {game.spec.name!r}")


def check_saved(
    game: Game, saved: Any, agents: tuple[str, ...]
) -> tuple[States, np.random.Generator]:
    """A saved environment, checked so that restoring it cannot fail half way.

    Args:
        game: the game it should be of.
        saved: as `GameEnv.get_state` returns it.
        agents: all agents, by player.

    Returns:
        The state as a batch of one, uint8 [1, state_size], and a generator that stands where the
        saved one stood.

    Raises:
        StateError: something is missing, of the wrong type, or does not fit the rest.
    """
    _check_form(game, saved, SAVED_KEYS, "a saved environment has")
    try:
        state = np.asarray(saved["state"])
    except ValueError:  # lists of unequal lengths
        raise StateError(f"the saved state is no array, got {shown(saved['state'])}") from None
    states = game.check_states(state[None])
    if type(saved["offender"]) is not int or not -1 <= saved["offender"] < len(agents):
        raise StateError(f"the offender is -1, 0 or 1, got {shown(saved['offender'])}")
    is_over = saved["offender"] >= 0 or bool(game.is_terminal(states)[0])
    to_move = agents[int(game.current_player(states)[0])]
    left, selected = saved["agents"], saved["agent_selection"]
    fits = isinstance(left, list) and all(isinstance(agent, str) for agent in left)
    fits = fits and isinstance(selected, str) and selected in agents
    fits = fits and left == [agent for agent in agents if agent in left]
    if is_over:
        fits = fits and (not left or selected in left)
    else:
        fits = fits and left == list(agents) and selected == to_move
    if not fits:
        raise StateError(
            f"agents {shown(left)} with {shown(selected)} selected do not fit the saved game"
        )
    try:
        generator = restore_generator(saved["generator"])
    except _UNREADABLE as error:
        raise StateError(f"the saved generator cannot be read: {error}") from error
    return states, generator


def check_saved_batch(
    game: Game, num_games: int, saved: Any
) -> tuple[States, list[np.random.Generator]]:
    """A saved batch of games, checked so that restoring it cannot fail half way.

    Args:
        game: the game it should be of.
        num_games: how many there should be.
        saved: as `BatchedEnv.get_state` returns it.

    Returns:
        uint8 [num_games, state_size] of unfinished games, and their generators.

    Raises:
        StateError: something is missing, of the wrong type or number, or some game is over.
    """
    _check_form(game, saved, SAVED_BATCH_KEYS, "saved games have")
    try:
        array = np.asarray(saved["states"])
    except ValueError:  # lists of unequal lengths
        raise StateError(f"the saved states are no array, got {shown(saved['states'])}") from None
    states = game.check_states(array)
    generators = saved["generators"]
    if not isinstance(generators, (list, tuple)) or not len(states) == len(generators) == num_games:
        raise StateError(
            f"{num_games} games have as many states and generators, got {len(states)} states "
            f"and {len(generators) if isinstance(generators, (list, tuple)) else 'no'} generators"
        )
    over = game.legal_actions(states)[1] == 0
    if over.any():
        raise StateError(f"the saved game {int(over.argmax())} is over")
    try:
        return states, [restore_generator(bits) for bits in generators]
    except _UNREADABLE as error:
        raise StateError(f"the saved generators cannot be read: {error}") from error


def restore_generator(bits: Any) -> np.random.Generator:
    """A new generator that stands where the given state of a bit generator says."""
    generator = np.random.PCG64(0)
    generator.state = bits
    return np.random.Generator(generator)


def twin_generator(generator: np.random.Generator) -> np.random.Generator:
    """An independent generator that gives the same numbers from here on."""
    return restore_generator(generator.bit_generator.state)
