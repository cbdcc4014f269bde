"""The settings of the counting tray (`docs/rules/counting_tray.md`)."""

from pydantic import Field

from companion.api import N_, PlayerCountSettings


class Settings(PlayerCountSettings):
    """Who throws, and what counts at the start."""

    players_min: int = Field(1, ge=1, le=6)
    players_max: int = Field(6, ge=1, le=6)
    threshold: int = Field(4, ge=1, le=6, title=N_("Dice count from"))
    """T3: lowest value that counts at the start."""
