"""The single-agent Gymnasium environment over any `Game`: one side learns, an opponent replies.

    from cotulenh_env import load_game
    from cotulenh_env.single import SingleAgentEnv

    env = SingleAgentEnv(load_game("tictactoe"), player="random")
    observation, info = env.reset(seed=7)
    terminated = False
    while not terminated:
        action = info["legal_actions"][0]
        observation, reward, terminated, truncated, info = env.step(action)

The learner is to move whenever `reset` or `step` returns, unless the episode is over. The opponent
plays within `step`, and within `reset` if it moves first. Either side may act several times in a
row.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from cotulenh_env.checks import (
    check_illegal,
    check_seed,
    illegal_action_error,
    read_fen,
    resolve_rules,
)
from cotulenh_env.errors import CotulenhError, IllegalActionError, PositionError, shown
from cotulenh_env.game import Actions, Game, States
from cotulenh_env.opponents import (
    MAX_BEGINNINGS,
    Opponent,
    ask,
    check_opponent,
    check_player,
    draw_player,
    never_learns_error,
    random_index,
)
from cotulenh_env.play import Play, winner
from cotulenh_env.screen import RENDER_MODES, Screen

__all__ = ["Observation", "SingleAgentEnv", "observation_space"]

Observation = dict[str, npt.NDArray[Any]]
"""`observation`: float32 [planes, height, width]; `action_mask`: int8 [num_actions]."""


def observation_space(game: Game) -> spaces.Dict:
    """Planes and mask, as one player sees them."""
    return spaces.Dict(
        observation=spaces.Box(0.0, 1.0, game.spec.observation_shape, np.float32),
        action_mask=spaces.Box(0, 1, (game.spec.num_actions,), np.int8),
    )


class SingleAgentEnv(gymnasium.Env[Any, Any]):
    """One side of a game as a Gymnasium environment.

    Rewards are the learner's: +1, -1 or 0 in the step in which the game ends, whoever ended it.
    Nothing is ever truncated: the limits belong to the rules.

    Observations are from the learner's own side; the mask is all zeros after the end. `info` holds
    `player` (the learner's side) and `legal_actions` (a list of ints, ascending); after the end,
    instead of the latter, `winner` (0, 1, or -1 for a draw) and `reason` (the rules' own word, or
    `"illegal action"`).

    A game that ends before the learner's first action is no episode: `reset` begins another.
    Deep copies and pickles are exact; copies share the opponent.

    Attributes:
        game: whose rules are played.
        player: the learner's side in this episode, 0 or 1; -1 before the first.
        np_random: the generator of all chance in the game, handed to the opponent too.
    """

    def __init__(
        self,
        game: Game,
        *,
        player: int | str = 0,
        opponent: Opponent | None = None,
        rules: Any | None = None,
        illegal: str = "raise",
        render_mode: str | None = None,
        name: str | None = None,
        **rule_options: Any,
    ) -> None:
        """Makes the environment; the first episode begins with `reset`.

        Args:
            game: from `cotulenh_env.load_game`.
            player: the side that learns: 0 (moves first), 1, or `"random"`: drawn for every
                episode.
            opponent: `(states uint8 [k, state_size], rng) -> actions int32 [k]`, such as an
                agent's `act`, called with one position at a time; None plays uniformly at random.
            rules: the game's RuleSet; None for the default, or for the one that `rule_options`
                make.
            illegal: what an illegal action of the learner does: `"raise"` an `IllegalActionError`
                and leave everything as it was, or `"lose"` the game.
            render_mode: `"human"` (a window, needs pygame), `"ansi"`, `"rgb_array"` or None.
            name: for the window's title; the game's name by default.
            rule_options: the game's rule options; only without `rules`.

        Raises:
            RulesError: both `rules` and `rule_options` are given, or the game refuses a value.
            CotulenhError: `player`, `opponent`, `illegal` or `render_mode` makes no sense.
        """
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}
        self.game = game
        self.player = -1
        self.render_mode = render_mode
        self.observation_space = observation_space(game)
        self.action_space = spaces.Discrete(game.spec.num_actions)
        self._settled_player = check_player(player)
        self._opponent = check_opponent(opponent)
        self._illegal = check_illegal(illegal)
        self._rules = resolve_rules(game, rules, rule_options)
        self._screen = Screen(game, render_mode, name or game.spec.name)
        self._play: Play | None = None

    # --- Gymnasium ------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins an episode; an opponent who moves first has moved already.

        Args:
            seed: seeds the generator; without it the generator goes on from where it stands.
            options: `{"fen": text}` starts from that position instead of the beginning. Unknown
                options give one warning.

        Returns:
            What the learner sees, and `info`.

        Raises:
            PositionError: the FEN is malformed, or the game is over in it; the environment is left
                as it was.
            CotulenhError: the seed is no integer of at least 0; the environment is left as it was.
                Or, whatever happens, the game ends before the learner's first action.
        """
        fen = read_fen(options)
        position = None if fen is None else self._position(fen)
        super().reset(seed=None if seed is None else check_seed(seed))
        generator = self.np_random
        for _ in range(MAX_BEGINNINGS):
            self.player = draw_player(self._settled_player, generator)
            if position is None:
                states = self.game.new_states(1, generator, self._rules)
            else:
                states = position[None].copy()
            self._play = Play(self.game, states, generator).look()
            self._reply(self._play)
            if self._play.num_legal:
                return self._seen(self._play)
        self._play = None
        raise never_learns_error()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action of the learner, and what the opponent replies.

        Args:
            action: int or NumPy integer.

        Returns:
            What the learner sees, its reward, whether the game is over, False, and `info`.

        Raises:
            IllegalActionError: it is no action at all (wrong type, out of range), or it is illegal
                and `illegal="raise"`: the environment is left as it was. Or the opponent's reply is
                no legal action: the episode cannot go on.
        """
        play = self._started()
        if not play.num_legal:
            raise CotulenhError("the episode is over: call reset()")
        if play.is_legal(action):
            play.apply(action)
            self._reply(play)
        elif self._illegal == "lose":
            play.forfeit()
        else:
            raise play.illegal_action_error(action)
        terminated = not play.num_legal
        reward = play.returns()[self.player] if terminated else 0.0
        observation, info = self._seen(play)
        return observation, reward, terminated, False, info

    def render(self) -> Any:
        """Shows the game as the learner sees it, in the mode chosen at construction.

        Returns:
            Text for `ansi`, uint8 [height, width, 3] for `rgb_array`, None for `human`.
        """
        seen = self._started().seen_by(self.player)
        return self._screen.show(seen, self.metadata["render_fps"])

    def close(self) -> None:
        """Closes the window, if one is open. The environment stays usable."""
        self._screen.close()

    # --- beyond Gymnasium -----------------------------------------------------------------------

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Bool [num_actions]: what is legal, where MaskablePPO of sb3-contrib looks for it."""
        return self._started().mask(legal=True).astype(np.bool_)

    def legal_actions(self) -> Actions:
        """int32 [count]: the learner's legal actions, ascending; none after the end."""
        return self._started().legal_actions()

    def fen(self) -> str:
        """The whole position, hidden things included, as `reset(options={"fen": …})` reads it."""
        return self.game.to_text(self._started().state)

    def __deepcopy__(self, memo: dict[int, Any]) -> SingleAgentEnv:
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        for shared in (self.game, self._opponent):
            memo[id(shared)] = shared
        twin.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return twin

    # --- inside ---------------------------------------------------------------------------------

    def _started(self) -> Play:
        if self._play is None:
            raise CotulenhError("there is no episode yet: call reset() first")
        return self._play

    def _position(self, fen: str) -> States:
        state = self.game.from_text(fen, self._rules)
        if not self.game.legal_actions(state[None].copy())[1][0]:
            raise PositionError(f"the game is over in {shown(fen)}")
        return state

    def _reply(self, play: Play) -> None:
        """Plays for the opponent until the learner is to move or the game is over."""
        while play.num_legal and play.player != self.player:
            if self._opponent is None:
                legal = play.legal_actions()
                play.apply(legal[random_index(len(legal), play.generator)])
                continue
            self._play = None  # there is no episode any more if the opponent fails
            action = ask(self._opponent, self.game, play.states.copy(), play.generator)[0]
            if not play.is_legal(action):
                error = illegal_action_error(self.game, play.state, int(action))
                raise IllegalActionError(f"the opponent: {error}")
            play.apply(action)
            self._play = play

    def _seen(self, play: Play) -> tuple[Observation, dict[str, Any]]:
        """The learner's observation and info."""
        if self.render_mode == "human":
            self.render()
        observation: Observation = {
            "observation": play.observe(self.player),
            "action_mask": play.mask(legal=play.num_legal > 0),
        }
        info: dict[str, Any] = {"player": self.player}
        if play.num_legal:
            # A list: Gymnasium's vector environments refuse arrays of different lengths in infos.
            info["legal_actions"] = play.legal_actions().tolist()
        else:
            info["winner"] = winner(play.returns())
            info["reason"] = play.reason()
        return observation, info
