"""`Environments`: what the modules `<game>_v0` offer, once for all games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from cotulenh_env import aec, gymnasium_vector, single
from cotulenh_env.game import Game
from cotulenh_env.registry import load_game

_SETTLED = ("game", "name")


@dataclass(frozen=True)
class Environments:
    """Makes the environments of one game; its methods are the functions of the game's module.

    Attributes:
        game_name: the game's name in the registry.
        name: that of the environments, such as `"banqi_v0"`.
    """

    game_name: str
    name: str

    @property
    def _game(self) -> Game:
        return load_game(self.game_name)

    def raw_env(
        self,
        /,
        *,
        rules: Any | None = None,
        illegal: str = "raise",
        render_mode: str | None = None,
        render_player: int | None = None,
        **rule_options: Any,
    ) -> aec.GameEnv:
        """The PettingZoo environment without wrappers.

        Args:
            rules: the game's RuleSet; None for the default, or for the one that `rule_options`
                make.
            illegal: what an illegal action does: `"raise"` an `IllegalActionError` and leave
                everything as it was, or `"lose"` the game for the agent that tried it.
            render_mode: `"human"` (a window, needs pygame), `"ansi"`, `"rgb_array"` or None.
            render_player: as whom a game with hidden information is shown: 0 or 1, or None for all
                of it. Refused in other games.
            rule_options: fields of the RuleSet; only without `rules`. PettingZoo's `max_cycles` is
                none of them: games end by their own rules.

        Raises:
            RulesError: both `rules` and `rule_options` are given, or a value makes no sense.
            CotulenhError: `illegal`, `render_mode` or `render_player` is unknown.
        """
        return aec.raw_env(
            self._game,
            rules=rules,
            illegal=illegal,
            render_mode=render_mode,
            render_player=render_player,
            name=self.name,
            **self._checked(rule_options),
        )

    def env(self, /, **options: Any) -> OrderEnforcingWrapper[str, aec.Observation, int]:
        """`raw_env(illegal="lose")` in PettingZoo's `OrderEnforcingWrapper`, and nothing else.

        Args:
            options: as for `raw_env`.
        """
        return aec.env(self._game, name=self.name, **self._checked(options))

    def single_env(self, /, **options: Any) -> single.SingleAgentEnv:
        """One side as a Gymnasium environment, in which an illegal action loses.

        Args:
            options: as for `cotulenh_env.single.SingleAgentEnv`: `player`, `opponent`,
                `render_mode`, `rules` or the fields of the RuleSet, and `illegal`, here `"lose"` by
                default.
        """
        named = {"illegal": "lose", "name": self.name, **self._checked(options)}
        return single.SingleAgentEnv(self._game, **named)

    def vector_env(
        self, /, num_envs: int = 1, **options: Any
    ) -> gymnasium_vector.SingleAgentVectorEnv:
        """One side in many games as a Gymnasium `VectorEnv`, in which an illegal action loses.

        Args:
            num_envs: how many games.
            options: as for `cotulenh_env.gymnasium_vector.SingleAgentVectorEnv`: `player`,
                `opponent`, `render_mode`, `copy`, `num_threads`, `rules` or the fields of the
                RuleSet, and `illegal`, here `"lose"` by default.
        """
        named = {"illegal": "lose", "name": self.name, **self._checked(options)}
        return gymnasium_vector.SingleAgentVectorEnv(self._game, num_envs, **named)

    def _checked(self, options: dict[str, Any]) -> dict[str, Any]:
        """Options without those that are settled here, which the rules then refuse as unknown."""
        for name in _SETTLED:
            if name in options:
                self._game.make_rules(**{name: options[name]})
        return options
