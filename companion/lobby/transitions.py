"""Where people may go from the lobby."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ToGame:
    """Those who sit here play, by the house rules as they are now."""


@dataclass(frozen=True, slots=True)
class ToLastResult:
    """The result of the last game is gone back to."""


@dataclass(frozen=True, slots=True)
class ToSetupWizard:
    """The guided set-up was asked for."""


@dataclass(frozen=True, slots=True)
class ToUnfinishedGame:
    """An unfinished sitting goes on."""

    game_id: int
    """Its number."""


@dataclass(frozen=True, slots=True)
class ToResult:
    """The result of a finished sitting is looked at."""

    game_id: int
    """Its number."""


LobbyExit = ToGame | ToLastResult | ToSetupWizard | ToUnfinishedGame | ToResult
