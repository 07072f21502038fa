"""`FlipPosition` and `RefereePosition`: the checked, readable views of one state.

>>> from cotulenh_env.luzhanqi import FlipPosition, RefereePosition
>>> position = FlipPosition()
>>> position.push(position.parse_move("flip c5"), "e")
>>> position.colours, len(position.legal_actions())
((1, 0), 49)
>>> army = "DTARB/C.K.D/PX.XE/R.T.E/BKKMP/PEMFM"
>>> position = RefereePosition.from_layouts(army, army)
>>> position.push(position.parse_move("c6xc7"))
>>> position.announcement
'both removed'
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cotulenh_env.errors import CotulenhError, IllegalActionError, shown
from cotulenh_env.kernel_game import check_generator
from cotulenh_env.kernel_position import KernelPosition
from cotulenh_env.luzhanqi.actions import FIRST_FLIP_MOVE
from cotulenh_env.luzhanqi.belief import kind_probabilities, num_worlds
from cotulenh_env.luzhanqi.board import parse_place, place_name
from cotulenh_env.luzhanqi.chance import draw_of, outcomes_of
from cotulenh_env.luzhanqi.game import LuzhanqiFlip, LuzhanqiReferee
from cotulenh_env.luzhanqi.layouts import layout_text, parse_layout
from cotulenh_env.luzhanqi.notation import announcement_words, last_event
from cotulenh_env.luzhanqi.pieces import (
    KIND_LETTERS,
    NUM_KINDS,
    NUM_PIECES,
    code_letter,
    letter_code,
)
from cotulenh_env.luzhanqi.rules import FlipRuleSet, RefereeRuleSet
from cotulenh_env.luzhanqi.setup import referee_records
from cotulenh_env.luzhanqi.state import (
    FACE_DOWN,
    NO_COLOUR,
    as_states,
    codes_of,
)
from cotulenh_env.rule_options import Rules


class _ModePosition(KernelPosition[Rules]):
    """What both modes share. Places are given and come back as `"b3"`."""

    __slots__ = ()

    @property
    def plies(self) -> int:
        """Plies played."""
        return int(self._record["plies"])

    @property
    def quiet_plies(self) -> int:
        """Plies since the last removal."""
        return int(self._record["quiet_plies"])


class FlipPosition(_ModePosition[FlipRuleSet]):
    """A position of the flip mode.

    Args:
        rules: the rules to play by; everything begins face down.

    Raises:
        RulesError: `rules` is no FlipRuleSet.
    """

    __slots__ = ()

    _game = LuzhanqiFlip()

    def __init__(self, rules: FlipRuleSet = FlipRuleSet()) -> None:  # noqa: B008 - a frozen value
        self._begin(rules)

    @classmethod
    def from_fen(cls, fen: str, rules: FlipRuleSet = FlipRuleSet()) -> FlipPosition:  # noqa: B008
        """The position of a text (flip_fen.py).

        Raises:
            PositionError: the text is malformed or the position cannot be.
        """
        return cls._from_text(fen, rules)

    @property
    def colours(self) -> tuple[int, int] | None:
        """The colours of players 0 and 1: 0 red, 1 black; None before the first flip."""
        first = int(self._record["first_colour"])
        return None if first == NO_COLOUR else (first, 1 - first)

    def piece_at(self, place: str) -> str:
        """The letter of the piece at a place, `?` face down, empty if there is none.

        Raises:
            PositionError: there is no such place.
        """
        return _letter(int(self._record["board"][parse_place(place)]))

    @property
    def face_down(self) -> dict[str, int]:
        """How many of each piece lie face down, by letter."""
        remaining = self._record["remaining"]
        return {code_letter(c): int(remaining[c]) for c in np.flatnonzero(remaining).tolist()}

    def outcomes(self, action: int) -> dict[str, float]:
        """The letters of what a flip may turn up, with their probabilities; empty for a move.

        Raises:
            IllegalActionError: the action is not legal here.
        """
        checked = self._checked_action(action)
        if checked >= FIRST_FLIP_MOVE:
            return {}
        events, probabilities = outcomes_of(self._record, checked)
        pairs = zip(events.tolist(), probabilities.tolist(), strict=True)
        return {code_letter(event + 1): probability for event, probability in pairs}

    def push(
        self, action: int, piece: str | None = None, rng: np.random.Generator | None = None
    ) -> None:
        """Plays one legal action; `pop` takes it back.

        Args:
            action: an int or NumPy integer from `legal_actions()`.
            piece: the letter of what a flip turns up; only for flips.
            rng: draws it instead.

        Raises:
            IllegalActionError: the action is not legal, `piece` and `rng` do not say what it turns
                up, or no such piece lies face down; the position stays as it is.
            CotulenhError: `rng` is no generator; likewise.
        """
        checked = self._checked_action(action)
        self._play(checked, self._draw(checked, piece, rng))

    def _draw(self, action: int, piece: object, rng: np.random.Generator | None) -> float:
        """The draw that turns up what the caller wants."""
        if rng is not None:
            check_generator(rng)
        if action >= FIRST_FLIP_MOVE:
            if piece is not None:
                raise IllegalActionError(f"{self.move_text(action)} turns nothing up")
            return 0.0
        if (piece is None) == (rng is None):
            raise IllegalActionError(
                f"{self.move_text(action)} needs the piece that it turns up, or else a generator"
            )
        if rng is not None:
            return float(rng.random())
        if not isinstance(piece, str) or piece not in self.face_down:
            raise IllegalActionError(f"no piece {shown(piece)} lies face down in {self.fen()}")
        return draw_of(self._record, letter_code(piece) - 1)


class RefereePosition(_ModePosition[RefereeRuleSet]):
    """A position of the referee mode, as the referee sees it.

    Args:
        rules: the rules to play by.
        rng: deals the layouts; None for a generator of its own.

    Raises:
        RulesError: `rules` is no RefereeRuleSet, or its book cannot be read.
        CotulenhError: `rng` is no generator.
    """

    __slots__ = ()

    _game = LuzhanqiReferee()

    def __init__(
        self,
        rules: RefereeRuleSet = RefereeRuleSet(),  # noqa: B008 - a frozen value
        rng: np.random.Generator | None = None,
    ) -> None:
        self._begin(rules, rng)

    @classmethod
    def from_fen(
        cls,
        fen: str,
        rules: RefereeRuleSet = RefereeRuleSet(),  # noqa: B008
    ) -> RefereePosition:
        """The position of a text (referee_fen.py).

        Raises:
            PositionError: the text is malformed or the position cannot be.
        """
        return cls._from_text(fen, rules)

    @classmethod
    def from_layouts(
        cls,
        first: str,
        second: str,
        rules: RefereeRuleSet = RefereeRuleSet(),  # noqa: B008
    ) -> RefereePosition:
        """The beginning of a game with given layouts.

        Args:
            first: of player 0, as text (layouts.py).
            second: of player 1, as that player sees it.
            rules: the rules to play by.

        Raises:
            PositionError: a layout is malformed or not legal.
            RulesError: `rules` is no RefereeRuleSet.
        """
        rules = cls._checked_rules(rules)
        layouts = [parse_layout(text)[None] for text in (first, second)]
        return cls._of(as_states(referee_records(layouts[0], layouts[1], rules)))

    @property
    def announcement(self) -> str:
        """What the referee said after the last action, besides where it went; empty if nothing."""
        return announcement_words(last_event(self._record))

    def layout(self, player: int) -> str:
        """The layout that a player began with, as text.

        Raises:
            CotulenhError: it is neither player 0 nor 1.
        """
        self._players(player)
        return layout_text(self._record["kinds"][player])

    def piece_at(self, place: str) -> str:
        """The letter of the piece at a place, empty if there is none.

        Raises:
            PositionError: there is no such place.
        """
        return _letter(int(codes_of(self._records)[0, parse_place(place)]))

    # --- what a player knows --------------------------------------------------------------------

    def _players(self, player: object) -> npt.NDArray[np.int32]:
        is_whole = isinstance(player, (int, np.integer)) and not isinstance(player, bool)
        if not is_whole or player not in (0, 1):
            raise CotulenhError(f"players are 0 and 1, got {shown(player)}")
        return np.array([player], np.int32)

    def view(self, player: int) -> str:
        """The board as a player sees it, drawn as text.

        Raises:
            CotulenhError: it is neither player 0 nor 1.
        """
        return self._game.draw(self._game.as_seen(self._states, self._players(player))[0])

    def info_key(self, player: int) -> int:
        """64-bit hash of all that a player knows, with all that was announced.

        Raises:
            CotulenhError: it is neither player 0 nor 1.
        """
        return int(self._game.info_key(self._states, self._players(player))[0])

    def num_worlds(self, player: int) -> int:
        """How many layouts the enemy can have begun with, as far as a player knows.

        Raises:
            CotulenhError: it is neither player 0 nor 1.
        """
        records = self._records.copy()
        return int(num_worlds(records, self._players(player))[0])

    def possible_kinds(self, player: int) -> dict[str, dict[str, float]]:
        """What each enemy piece on the board can be, as far as a player knows.

        Returns:
            By place the letters of all kinds that it can be, with their probabilities if every
            layout was equally likely.

        Raises:
            CotulenhError: it is neither player 0 nor 1.
        """
        records = self._records.copy()
        self._players(player)
        shares = kind_probabilities(records, player)
        enemy = 1 - player
        found = {}
        for place, code in enumerate(self._record["board"].tolist()):
            token = code - 1 - enemy * NUM_PIECES
            if code and 0 <= token < NUM_PIECES:
                found[place_name(place)] = {
                    KIND_LETTERS[kind]: float(shares[token, kind])
                    for kind in range(NUM_KINDS, 0, -1)
                    if shares[token, kind] > 0
                }
        return found

    def resample(self, player: int, rng: np.random.Generator) -> RefereePosition:
        """A position that a player cannot tell from this one, drawn uniformly.

        Raises:
            CotulenhError: `player` is neither 0 nor 1, or `rng` no generator.
        """
        return self._of(self._game.resample_hidden(self._states, self._players(player), rng))


def _letter(code: int) -> str:
    if code == 0:
        return ""
    return "?" if code >= FACE_DOWN else code_letter(code)
