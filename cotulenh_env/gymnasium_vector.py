"""The Gymnasium `VectorEnv` over any `Game`: one side learns in many games at once.

    import cotulenh_env
    import gymnasium

    envs = gymnasium.make_vec("cotulenh/CommanderChess-v0", num_envs=64, edition="bga")
    observations, infos = envs.reset(seed=7)

Row i plays exactly as `SingleAgentEnv` does under the seed of row i, unless an opponent draws from
the generator that all rows share. The positions in which the opponent is to move are handed to it
together.
"""

from __future__ import annotations

import copy as copying
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from cotulenh_env.batch import Batch, Rows, read_only, winners
from cotulenh_env.checks import (
    check_actions,
    check_count,
    check_flag,
    check_illegal,
    illegal_action_error,
    read_fen,
    resolve_row_rules,
    seeded_generator,
)
from cotulenh_env.errors import CotulenhError, IllegalActionError
from cotulenh_env.game import Actions, Game, Mask, States
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
from cotulenh_env.screen import Screen
from cotulenh_env.single import Observation, observation_space

__all__ = ["SingleAgentVectorEnv"]

RENDER_MODES = ("ansi", "rgb_array")

_SHARED_STREAM = 2**32 - 1
"""The spawn key of the generator that is handed to the opponent: apart from those of the rows."""


class SingleAgentVectorEnv(VectorEnv[Observation, Any, npt.NDArray[Any]]):
    """Many games, in each of which one side learns against the same opponent.

    A game that ends is followed by the next one in the same step (`AutoresetMode.SAME_STEP`):
    `infos["final_obs"]` and `infos["final_info"]` then tell of the game that ended, as in
    Gymnasium; `final_info` holds `player`, `winner` and `reason`. Otherwise `infos` hold for every
    row `player` (int32 [n]: the learner's side), `legal_actions` (int32 [n, max_legal_actions],
    ascending, padded with -1) and `num_legal` (int32 [n]).

    Attributes:
        game: whose rules are played.
        players: int32 [n]: the learner's side in every row.
        np_random: the generator that is handed to the opponent.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        *,
        player: int | str = 0,
        opponent: Opponent | None = None,
        rules: Any | Sequence[Any] | None = None,
        illegal: str = "raise",
        render_mode: str | None = None,
        name: str | None = None,
        copy: bool = True,
        num_threads: int = 1,
        **rule_options: Any,
    ) -> None:
        """Makes all arrays; episodes begin with `reset`.

        Args:
            game: from `cotulenh_env.load_game`.
            num_envs: how many games.
            player: the side that learns: 0 (moves first), 1, or `"random"`: drawn for every
                episode.
            opponent: `(states uint8 [k, state_size], rng) -> actions int32 [k]`, such as an
                agent's `act`; None plays uniformly at random.
            rules: the game's RuleSet, or a list with one per row; None for the default, or for the
                one that `rule_options` make.
            illegal: what an illegal action of the learner does: `"raise"` an `IllegalActionError`
                before anything is played in any row, or `"lose"` the row's game.
            render_mode: `"ansi"`, `"rgb_array"` or None.
            name: what warnings call it; the game's name by default.
            copy: False saves the time of copying observations: they are then the environment's own,
                cannot be written, and the next call overwrites them.
            num_threads: threads that share the rows.
            rule_options: the game's rule options; only without `rules`.

        Raises:
            RulesError: rules are given twice, are too many or too few, or make no sense.
            CotulenhError: another argument makes no sense.
        """
        self.closed = True  # until all arguments are accepted: Gymnasium 1.1 closes what it deletes
        self.game = game
        self.num_envs = check_count("num_envs", num_envs)
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "autoreset_mode": AutoresetMode.SAME_STEP,
        }
        self.render_mode = render_mode
        self.single_observation_space = observation_space(game)
        self.single_action_space = spaces.Discrete(game.spec.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.players = np.full(self.num_envs, -1, np.int32)
        self._settled_player = check_player(player)
        self._opponent = check_opponent(opponent)
        self._illegal = check_illegal(illegal)
        self._copy = check_flag("copy", copy)
        self._screen = Screen(game, render_mode, name or game.spec.name, RENDER_MODES)
        self._batch = Batch(
            game,
            resolve_row_rules(game, rules, rule_options, self.num_envs),
            masks=False,
            observations=False,
            num_threads=check_count("num_threads", num_threads),
        )
        # What the learner sees, filled when all opponents have replied.
        self._shown = game.new_buffers(self.num_envs)
        self.closed = False

    # --- Gymnasium ------------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins an episode in every row; where the opponent moves first, it has moved already.

        Args:
            seed: an integer seeds row i with `seed + i`, as Gymnasium does; or a list with one per
                row. None, also in a list, lets a row's generator go on from where it stands.
            options: `{"fen": text}` starts from that position instead of the beginning. Unknown
                options give one warning.

        Returns:
            What the learner sees in every row, and infos.

        Raises:
            PositionError: the FEN is malformed, or the game is over in it.
            CotulenhError: a seed makes no sense. Nothing has changed. Or, whatever happens, a game
                ends before the learner's first action.
        """
        batch = self._batch
        fen = read_fen(options)
        if fen is None:
            positions: list[States | None] = [None] * self.num_envs
        else:
            positions = [batch.position(row, fen) for row in range(self.num_envs)]
        batch.generators = self._seeded(seed)
        self._begin(np.arange(self.num_envs), positions)
        batch.look_into(self._shown)
        return self._observations(), self._infos()

    def step(
        self, actions: Any
    ) -> tuple[
        Observation,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Plays an action of the learner in every row, and what the opponent replies.

        Args:
            actions: any array or list of integers, [n].

        Returns:
            What the learner sees, its rewards float64 [n], terminations and truncations (never)
            bool [n], and infos.

        Raises:
            IllegalActionError: an action is none at all (wrong type, out of range), or it is
                illegal and `illegal="raise"`: nothing has been played in any row. Or a reply of the
                opponent is no legal action: the games cannot go on.
        """
        batch = self._batch
        batch.started()
        self._play(check_actions(actions, self.num_envs, self.game.spec.num_actions))
        self._reply()
        terminations = batch.over()
        rewards = np.zeros(self.num_envs)
        infos: dict[str, Any] = {}
        if terminations.any():
            rows = np.flatnonzero(terminations)
            returns = batch.returns(rows)
            rewards[rows] = returns[np.arange(len(rows)), self.players[rows]]
            self._add_finished(infos, rows, winners(returns))
            self._begin(rows, [None] * len(rows))
        batch.look_into(self._shown)
        truncations = np.zeros(self.num_envs, np.bool_)
        return self._observations(), rewards, terminations, truncations, {**infos, **self._infos()}

    def render(self) -> tuple[Any, ...] | None:
        """All games as the learner sees them, in the mode chosen at construction.

        Returns:
            Per row text for `ansi`, uint8 [height, width, 3] for `rgb_array`; None without a mode.
        """
        self._batch.started()
        fps = self.metadata["render_fps"]
        if self.render_mode is None:
            self._screen.show(self._batch.states[0], fps)
            return None
        seen = self.game.as_seen(self._batch.states, self.players)
        return tuple(self._screen.show(state, fps) for state in seen)

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        self._batch.close()

    # --- beyond Gymnasium -----------------------------------------------------------------------

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Bool [n, num_actions]: what is legal in every row."""
        self._batch.started()
        return self._mask().astype(np.bool_)

    def fens(self) -> list[str]:
        """The whole positions, hidden things included, as texts."""
        self._batch.started()
        return [self.game.to_text(state) for state in self._batch.states]

    def __deepcopy__(self, memo: dict[int, Any]) -> SingleAgentVectorEnv:
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        for shared in (self.game, self._opponent):
            memo[id(shared)] = shared
        twin.__dict__.update(copying.deepcopy(self.__dict__, memo))
        return twin

    # --- inside ---------------------------------------------------------------------------------

    def _seeded(self, seed: Any) -> list[np.random.Generator]:
        """The rows' generators; seeds the one for the opponent, too."""
        generators = list(self._batch.generators)
        if seed is None:
            return generators or [np.random.default_rng() for _ in range(self.num_envs)]
        if isinstance(seed, (list, tuple)) or (isinstance(seed, np.ndarray) and seed.ndim):
            if len(seed) != self.num_envs:
                raise CotulenhError(
                    f"there are {self.num_envs} games to seed, got {len(seed)} seeds"
                )
            seeds = list(seed)
        else:
            seeded_generator(seed)  # refuses what is no seed
            seeds = [int(seed) + row for row in range(self.num_envs)]
        generators = generators or [np.random.default_rng() for _ in seeds]
        for row, row_seed in enumerate(seeds):
            if row_seed is not None:
                generators[row] = seeded_generator(row_seed)
        if seeds[0] is not None:
            self._np_random = seeded_generator(seeds[0], _SHARED_STREAM)
            self._np_random_seed = int(seeds[0])
        return generators

    def _begin(self, rows: Rows, positions: Sequence[States | None]) -> None:
        """Begins games and plays for the opponent until the learner is to move in each."""
        batch = self._batch
        starts = dict(zip(rows.tolist(), positions, strict=True))
        for _ in range(MAX_BEGINNINGS):
            for row in rows.tolist():
                self.players[row] = draw_player(self._settled_player, batch.generators[row])
                batch.new_games([row], [starts[row]])
            batch.look(rows)
            self._reply()
            rows = rows[batch.over()[rows]]
            if not rows.size:
                return
        batch.generators = []
        raise never_learns_error()

    def _play(self, actions: Actions) -> None:
        """Plays the learner's actions."""
        batch = self._batch
        legal = batch.is_legal(actions)
        if legal.all():
            batch.play(actions)
            return
        if self._illegal == "raise":
            row = int(legal.argmin())
            error = illegal_action_error(self.game, batch.states[row], int(actions[row]))
            raise IllegalActionError(f"game {row}: {error}")
        batch.offenders[~legal] = self.players[~legal]
        rows = np.flatnonzero(legal)
        batch.play_rows(rows, actions[rows])

    def _reply(self) -> None:
        """Plays for the opponent wherever it is to move, until it is nowhere."""
        batch = self._batch
        while True:
            rows = np.flatnonzero((batch.players() != self.players) & ~batch.over())
            if not rows.size:
                return
            batch.play_rows(rows, self._replies(rows))

    def _replies(self, rows: Rows) -> Actions:
        """int32 [len(rows)]: legal actions of the opponent."""
        batch = self._batch
        legal_actions, counts = batch.buffers.legal_actions, batch.buffers.counts
        if self._opponent is None:
            columns = [
                random_index(count, batch.generators[row])
                for row, count in zip(rows.tolist(), counts[rows].tolist(), strict=True)
            ]
            random: Actions = legal_actions[rows, columns]
            return random
        generators, batch.generators = batch.generators, []  # no games any more if it fails
        replies = ask(self._opponent, self.game, batch.states[rows], self.np_random)
        actions: Actions = np.zeros(self.num_envs, np.int32)
        actions[rows] = replies
        legal = batch.is_legal(actions)[rows]
        if not legal.all():
            row = int(rows[legal.argmin()])
            error = illegal_action_error(self.game, batch.states[row], int(actions[row]))
            raise IllegalActionError(f"the opponent: game {row}: {error}")
        batch.generators = generators
        return replies

    def _add_finished(self, infos: dict[str, Any], rows: Rows, won_by: npt.NDArray[Any]) -> None:
        """Adds the last observations and infos of games that are over."""
        batch = self._batch
        reasons = batch.reasons(rows)
        planes = self.game.observe(batch.states[rows], self.players[rows])
        for index, row in enumerate(rows.tolist()):
            observation = {
                "observation": planes[index],
                "action_mask": np.zeros(self.game.spec.num_actions, np.int8),
            }
            info = {
                "player": int(self.players[row]),
                "winner": int(won_by[index]),
                "reason": reasons[index],
            }
            self._add_info(infos, {"final_obs": observation, "final_info": info}, row)

    def _mask(self) -> Mask:
        assert self._shown.mask is not None  # it was asked for
        return self._shown.mask

    def _observations(self) -> Observation:
        planes, mask = self._shown.observations, self._mask()
        assert planes is not None
        if self._copy:
            return {"observation": planes.copy(), "action_mask": mask.copy()}
        return {"observation": read_only(planes), "action_mask": read_only(mask)}

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {
            "player": self.players.copy(),
            "legal_actions": self._batch.buffers.legal_actions.copy(),
            "num_legal": self._batch.buffers.counts.copy(),
        }
        for key in tuple(infos):
            infos[f"_{key}"] = np.ones(self.num_envs, np.bool_)
        return infos
