"""The options of a game and the switches in which the editions differ."""

from dataclasses import dataclass
from typing import Any, Literal

Edition = Literal["official", "bga", "russian"]
Battle = Literal["standard", "sea", "air", "surprise", "full"]

EDITIONS: tuple[Edition, ...] = ("official", "bga", "russian")
BATTLES: tuple[Battle, ...] = ("standard", "sea", "air", "surprise", "full")

OFFICIAL: dict[str, Any] = {
    "tank_carries_two_infantry": True,
    "aircraft_carries_tank": True,
    "short_missile": False,
    "heroes_as_missile": False,
    "missile_captures_over": False,
    "navies_block_navies": True,
    "exposure": "legal",
    "infantry_needs_reef": False,
    "engineer_bridges": False,
    "headquarters_falls_alone": False,
    "last_defender_infantry_only": False,
    "navy_missile_strikes": False,
    "navy_moves_after_strike": False,
}
BGA: dict[str, Any] = {  # R12.1
    "short_missile": True,
    "navies_block_navies": False,
    "tank_carries_two_infantry": False,
    "exposure": "loss",
}
RUSSIAN: dict[str, Any] = {  # R12.2
    "missile_captures_over": True,
    "infantry_needs_reef": True,
    "engineer_bridges": True,
    "aircraft_carries_tank": False,
    "headquarters_falls_alone": True,
    "heroes_as_missile": True,
    "last_defender_infantry_only": True,
    "navy_missile_strikes": True,
    "navy_moves_after_strike": True,
}
CHANGES: dict[str, dict[str, Any]] = {"official": {}, "bga": BGA, "russian": RUSSIAN}


@dataclass(frozen=True)
class Rules:
    """Everything that is agreed before a game (R10, R12).

    The switches behind `turn_limit` may be left to the edition (None); afterwards they are set.
    """

    edition: Edition = "official"
    battle: Battle = "standard"
    placement: bool = False
    enforce_check: bool = False
    allow_shoot_down: bool = True
    repetition: int = 3
    quiet_limit: int = 100
    turn_limit: int = 400
    tank_carries_two_infantry: bool | None = None
    aircraft_carries_tank: bool | None = None
    short_missile: bool | None = None
    heroes_as_missile: bool | None = None
    missile_captures_over: bool | None = None
    navies_block_navies: bool | None = None
    exposure: str | None = None
    infantry_needs_reef: bool | None = None
    engineer_bridges: bool | None = None
    headquarters_falls_alone: bool | None = None
    last_defender_infantry_only: bool | None = None
    navy_missile_strikes: bool | None = None
    navy_moves_after_strike: bool | None = None

    def __post_init__(self) -> None:
        if self.edition not in EDITIONS:
            raise ValueError(f"unknown edition {self.edition!r}")
        if self.battle not in BATTLES:
            raise ValueError(f"unknown battle {self.battle!r}")
        for name, official in OFFICIAL.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, CHANGES[self.edition].get(name, official))

    @property
    def exposure_loses(self) -> bool:
        """R12.1: the turn that leaves the commanders face to face loses."""
        return self.exposure == "loss" and self.commander_loss_ends

    @property
    def commander_loss_ends(self) -> bool:
        """R10.1: the sea and air battles go on without commanders."""
        return self.battle in ("standard", "surprise", "full")
