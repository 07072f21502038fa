"""The options of a game and the switches in which the editions differ."""

from dataclasses import dataclass
from typing import Literal

Edition = Literal["official", "bga", "russian"]
Battle = Literal["standard", "sea", "air", "surprise", "full"]

EDITIONS: tuple[Edition, ...] = ("official", "bga", "russian")
BATTLES: tuple[Battle, ...] = ("standard", "sea", "air", "surprise", "full")


@dataclass(frozen=True)
class Rules:
    """Everything that is agreed before a game (R10, R12)."""

    edition: Edition = "official"
    battle: Battle = "standard"
    placement: bool = False
    enforce_check: bool = False
    allow_shoot_down: bool = True
    repetition: int = 3
    quiet_limit: int = 100
    turn_limit: int = 400

    def __post_init__(self) -> None:
        if self.edition not in EDITIONS:
            raise ValueError(f"unknown edition {self.edition!r}")
        if self.battle not in BATTLES:
            raise ValueError(f"unknown battle {self.battle!r}")

    @property
    def russian(self) -> bool:
        """The many small changes of R12.2."""
        return self.edition == "russian"

    @property
    def missile_is_short(self) -> bool:
        """R12.1: the missile has one step less."""
        return self.edition == "bga"

    @property
    def navies_block_navies(self) -> bool:
        """R5.1, but not in R12.1."""
        return self.edition != "bga"

    @property
    def exposure_loses(self) -> bool:
        """R12.1: the turn that leaves the commanders face to face loses."""
        return self.edition == "bga" and self.commander_loss_ends

    @property
    def tank_carries_two_infantry(self) -> bool:
        """R7.1, but not in R12.1."""
        return self.edition != "bga"

    @property
    def aircraft_carries_tank(self) -> bool:
        """R7.1, but not in R12.2."""
        return not self.russian

    @property
    def commander_loss_ends(self) -> bool:
        """R10.1: the sea and air battles go on without commanders."""
        return self.battle in ("standard", "surprise", "full")
