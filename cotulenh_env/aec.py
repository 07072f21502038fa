"""The PettingZoo AEC environment over any `Game`: two agents, one of whom is to move.

An agent may be to move several times in a row (a deployment is one turn of several actions), so
loops follow `agent_selection`. At the end both agents get their reward in the same step, and each
is then removed by one `step(None)`, as PettingZoo demands.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from cotulenh_env.checks import (
    check_illegal,
    check_saved,
    check_seed,
    check_viewer,
    read_fen,
    resolve_rules,
)
from cotulenh_env.errors import CotulenhError, IllegalActionError, shown
from cotulenh_env.game import Actions, Game
from cotulenh_env.play import Play, winner
from cotulenh_env.registry import game_names, load_game
from cotulenh_env.screen import RENDER_MODES, Screen

__all__ = ["AGENTS", "GameEnv", "env", "raw_env"]

Observation = dict[str, npt.NDArray[Any]]
"""`observation`: float32 [planes, height, width]; `action_mask`: int8 [num_actions]."""

AGENTS = ("player_0", "player_1")
"""Agents by player: `player_0` moves first."""


def raw_env(
    game: Game,
    *,
    rules: Any | None = None,
    illegal: str = "raise",
    render_mode: str | None = None,
    render_player: int | None = None,
    name: str | None = None,
    **rule_options: Any,
) -> GameEnv:
    """The environment of a game, without wrappers.

    Args:
        game: from `cotulenh_env.registry.load_game`.
        rules: the game's RuleSet; None for its default, or for the one that `rule_options` make.
        illegal: what an illegal action does: `"raise"` an `IllegalActionError` and leave everything
            as it was, or `"lose"` the game for the agent that tried it.
        render_mode: `"human"`, `"ansi"`, `"rgb_array"` or None.
        render_player: as whom a game with hidden information is shown: 0, 1, or None for all of
            it. Refused in other games.
        name: the environment's name in its metadata; the game's name by default.
        rule_options: the game's rule options. `max_cycles` is none: games end by their own rules,
            whose limits are rule options.

    Raises:
        RulesError: both `rules` and `rule_options` are given, or the game refuses a value.
        CotulenhError: `illegal`, `render_mode` or `render_player` is unknown.
    """
    check_illegal(illegal)
    check_viewer(game, render_player)
    rules = resolve_rules(game, rules, rule_options)
    return GameEnv(game, rules, illegal, render_mode, name or game.spec.name, render_player)


def env(game: Game, **options: Any) -> OrderEnforcingWrapper[str, Observation, int]:
    """`raw_env(game, illegal="lose")` in PettingZoo's `OrderEnforcingWrapper`, and nothing else.

    Args:
        game: from `cotulenh_env.registry.load_game`.
        options: as for `raw_env`.
    """
    return OrderEnforcingWrapper(raw_env(game, **{"illegal": "lose", **options}))


class GameEnv(AECEnv[str, Observation, int]):
    """A `Game` as a PettingZoo AEC environment; made by `raw_env`.

    Attributes:
        agents, agent_selection, rewards, terminations, truncations: as in PettingZoo. Nothing is
            ever truncated: the limits belong to the rules.
        infos: `legal_actions` (int32, ascending) for the agent to move; after the end, for both,
            `winner` (0, 1, or -1 for a draw) and `reason` (the rules' own word, or
            `"illegal action"`).
        np_random: the generator of all chance in the game.
    """

    np_random: np.random.Generator

    def __init__(
        self,
        game: Game,
        rules: Any | None,
        illegal: str,
        render_mode: str | None,
        name: str,
        render_player: int | None = None,
    ) -> None:
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "name": name,
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents = []
        self._game = game
        self._rules = rules
        self._illegal = illegal
        self._render_player = render_player
        self._observation_spaces: dict[str, spaces.Space[Any]] = {}
        self._action_spaces: dict[str, spaces.Space[Any]] = {}
        self._play: Play | None = None
        self._screen = Screen(game, render_mode, name)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._game

    @property
    def rules(self) -> Any | None:
        """The RuleSet under which `reset` starts games; None is the game's default."""
        return self._rules

    # --- PettingZoo -----------------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Planes and mask; the same object at every call."""
        _player(agent)
        if agent not in self._observation_spaces:
            spec = self._game.spec
            self._observation_spaces[agent] = spaces.Dict(
                observation=spaces.Box(0.0, 1.0, spec.observation_shape, np.float32),
                action_mask=spaces.Box(0, 1, (spec.num_actions,), np.int8),
            )
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """`Discrete(num_actions)`; the same object at every call."""
        _player(agent)
        if agent not in self._action_spaces:
            self._action_spaces[agent] = spaces.Discrete(self._game.spec.num_actions)
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Starts a new game.

        Args:
            seed: seeds the generator; without it the generator goes on from where it stands.
            options: `{"fen": text}` starts from that position instead of the beginning. Unknown
                options give one warning.

        Raises:
            PositionError: the FEN is malformed; the environment is left as it was.
            CotulenhError: the seed is no integer of at least 0; likewise.
        """
        fen = read_fen(options)
        if seed is None and self._play is not None:
            generator = self.np_random
        else:
            generator, _ = seeding.np_random(None if seed is None else check_seed(seed))
        if fen is None:
            states = self._game.new_states(1, generator, self._rules)
        else:
            states = self._game.from_text(fen, self._rules)[None].copy()
        self._begin(Play(self._game, states, generator).look())
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Plays one action of the agent to move, or removes an agent whose game is over.

        Args:
            action: int or NumPy integer; None for an agent whose game is over.

        Raises:
            IllegalActionError: it is no action at all (wrong type, out of range), or it is illegal
                and `illegal="raise"`. The environment is left as it was.
        """
        if not self.agents:
            raise IllegalActionError(f"no game is going on for {shown(action)}: call reset()")
        agent = self.agent_selection
        if self.terminations[agent]:
            if action is not None:
                raise IllegalActionError(f"the game is over: step(None), not {shown(action)}")
            self._was_dead_step(None)  # type: ignore[arg-type]  # PettingZoo's own type errs
            return
        play = self._started()
        if play.is_legal(action):
            play.apply(action)
        elif self._illegal == "lose":
            play.forfeit()
        else:
            raise play.illegal_action_error(action)
        # Rewards are zero until the game ends, so this is all there is to clear.
        self._cumulative_rewards[agent] = 0.0
        self._look()
        if self.render_mode == "human":
            self.render()

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation (None if not wanted), reward, ends and info of the agent to move.

        Raises:
            CotulenhError: no game has begun.
        """
        self._started()
        return super().last(observe)

    def observe(self, agent: str) -> Observation:
        """What an agent sees, from its own side; for either agent at any time after `reset`.

        Returns:
            New arrays: `observation` float32 [planes, height, width] in [0, 1], and `action_mask`
            int8 [num_actions], 1 = legal, all zeros unless the agent is to move.
        """
        play = self._started()
        return {
            "observation": play.observe(_player(agent)),
            "action_mask": play.mask(legal=agent == self.agent_selection),
        }

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Shows the game in the mode chosen at construction, to whom was chosen there.

        Returns:
            Text for `ansi`, uint8 [height, width, 3] for `rgb_array`, None for `human`.
        """
        play, viewer = self._started(), self._render_player
        state = play.state if viewer is None else play.seen_by(viewer)
        return self._screen.show(state, self.metadata["render_fps"])

    def close(self) -> None:
        """Closes the window, if one is open. The environment stays usable."""
        self._screen.close()

    # --- beyond PettingZoo ----------------------------------------------------------------------

    def legal_actions(self) -> Actions:
        """int32 [count]: legal actions of the agent to move, ascending; none after the end."""
        return self._started().legal_actions()

    def fen(self) -> str:
        """The whole position, hidden things included, as `reset(options={"fen": …})` reads it."""
        return self._game.to_text(self._started().state)

    def action_text(self, action: int) -> str:
        """A legal action in words."""
        play = self._started()
        if not play.is_legal(action):
            raise play.illegal_action_error(action)
        return self._game.action_text(play.state, int(action))

    def get_state(self) -> dict[str, Any]:
        """Everything that `set_state` needs to go on exactly from here, as plain data.

        Returns:
            `game` (name), `state` (uint8 [state_size]: position, history and rules), `offender`
            (the player who lost by an illegal action, or -1), `agents`, `agent_selection`, and
            `generator` (NumPy's own dictionary of the bit generator).
        """
        play = self._started()
        return {
            "game": self._game.spec.name,
            "state": play.state.copy(),
            "offender": play.offender,
            "agents": list(self.agents),
            "agent_selection": self.agent_selection,
            "generator": play.saved_generator(),
        }

    def set_state(self, saved: Mapping[str, Any]) -> None:
        """Goes on exactly from where `get_state` was called, here or in another environment.

        The game keeps the rules it was saved under; `reset` returns to this environment's own.

        Raises:
            StateError: it is no saved state of this game; the environment is left as it was.
        """
        states, generator = check_saved(self._game, saved, AGENTS)
        self._begin(Play(self._game, states, generator, saved["offender"]).look())
        self._remove_all_but(saved["agents"], saved["agent_selection"])

    def clone(self) -> GameEnv:
        """An independent environment in exactly this state, generators included; no window."""
        name = self.metadata["name"]
        settings = (self._rules, self._illegal, self.render_mode, name, self._render_player)
        twin = type(self)(self._game, *settings)
        # A space that never sampled has nothing to hand on: the twin makes its own when asked.
        for agent, space in self._observation_spaces.items():
            if _has_sampled(space):
                twin._observation_spaces[agent] = copy.deepcopy(space)
        for agent, space in self._action_spaces.items():
            if _has_sampled(space):
                twin._action_spaces[agent] = copy.deepcopy(space)
        if self._play is not None:
            twin._begin(self._play.copy())
            twin._remove_all_but(self.agents, self.agent_selection)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> GameEnv:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        name = self._game.spec.name
        is_known = name in game_names() and load_game(name) is self._game
        name_shown = self.metadata["name"]
        settings = (self._rules, self._illegal, self.render_mode, name_shown, self._render_player)
        saved = None if self._play is None else self.get_state()
        sampled = (self._observation_spaces, self._action_spaces)
        return _unpickled, (name if is_known else self._game, settings, saved, sampled)

    # --- inside ---------------------------------------------------------------------------------

    def _started(self) -> Play:
        if self._play is None:
            raise CotulenhError(f"{self} has no game yet: call reset() first")
        return self._play

    def _begin(self, play: Play) -> None:
        """Takes over a game, with both agents in it."""
        self._play = play
        self.np_random = play.generator
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        # PettingZoo's memory of who was selected before the removals; a new game has none.
        self._skip_agent_selection = None  # type: ignore[assignment]
        self._look()

    def _look(self) -> None:
        """Brings selection, infos, rewards and terminations up to date with the game."""
        play = self._started()
        player = play.player
        self.agent_selection = selected = AGENTS[player]
        if play.num_legal:
            legal = {"legal_actions": play.legal_actions()}
            self.infos = {selected: legal, AGENTS[1 - player]: {}}
            return
        returns, reason = play.returns(), play.reason()
        self.infos = {}
        for agent, reward in zip(AGENTS, returns, strict=True):
            self.infos[agent] = {"winner": winner(returns), "reason": reason}
            self.rewards[agent] = reward
            self.terminations[agent] = True
        self._accumulate_rewards()

    def _remove_all_but(self, agents: list[str], selection: str) -> None:
        """Replays the `step(None)`s of a finished game."""
        for agent in AGENTS:
            if agent not in agents:
                self.agent_selection = agent
                self.step(None)
        self.agent_selection = selection


def _player(agent: str) -> int:
    if agent not in AGENTS:
        raise CotulenhError(f"the agents are {' and '.join(AGENTS)}, got {shown(agent)}")
    return AGENTS.index(agent)


def _has_sampled(space: spaces.Space[Any]) -> bool:
    if isinstance(space, spaces.Dict):
        return any(_has_sampled(part) for part in space.values())
    return space._np_random is not None


def _unpickled(
    game: Game | str,
    settings: tuple[Any, ...],
    saved: Mapping[str, Any] | None,
    sampled: tuple[dict[str, spaces.Space[Any]], dict[str, spaces.Space[Any]]],
) -> GameEnv:
    unpickled = GameEnv(load_game(game) if isinstance(game, str) else game, *settings)
    unpickled._observation_spaces, unpickled._action_spaces = sampled
    if saved is not None:
        unpickled.set_state(saved)
    return unpickled
