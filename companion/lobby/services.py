"""Services that the device gives to the stages before a game, besides `GameServices`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from companion.config.settings import CafeSettings
from companion.config.taught_buttons import TaughtButtons
from companion.journal.database import Journal
from companion.journal.renamed_players import PlayerNames
from companion.lobby.date_and_time import ClockSetting
from companion.lobby.house_rules import HouseRules
from companion.lobby.preferences import Preferences
from companion.lobby.results_cache import ResultsCache
from companion.referee.services import GameServices


@dataclass(frozen=True)
class LobbyServices(GameServices):
    """Services of the device for the lobby, and for the games that begin there.

    >>> LobbyServices(cafe=CafeSettings(on=True)).is_locked
    True
    """

    house_rules: HouseRules | None = None
    """Of all games; None: defaults."""
    preferences: Preferences | None = None
    """Settings of the device that people may change with buttons; None: none can be changed."""
    cafe: CafeSettings = field(default_factory=CafeSettings)
    taught_buttons: TaughtButtons = field(default_factory=TaughtButtons)
    """What the buttons of controllers stand for; by default nothing, and it is not stored."""
    journal: Journal | None = None
    """What was played here last, for the list of games; None: it is not known."""
    screen_inches: float | None = None
    """Diagonal of the screen, as it says itself; None: it does not."""
    results: ResultsCache | None = None
    """What was played here before; None: it is not shown."""
    player_names: PlayerNames = field(default_factory=PlayerNames)
    """The names that players have now."""
    export: Callable[[], str] | None = None
    """Writes the day's results onto a USB stick, and returns how that went; None: it is not offered."""
    swap_games: Callable[[], Sequence[str]] | None = None
    """Swaps games in files with a USB stick, and returns how that went, then a line on each thing that cannot be used;
    None: it is not offered."""
    clock_setting: ClockSetting | None = None
    """Sets the machine's date and time; None: it is not offered."""
    switch_off: Callable[[], bool] | None = None
    """Asks for the device to be switched off, and returns whether that was possible; None: it is not offered."""

    @property
    def is_locked(self) -> bool:
        """Whether guests may change neither the house rules nor the preferences, but the language for themselves."""
        return self.cafe.on
