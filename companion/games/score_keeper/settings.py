"""The settings of a game of the score keeper (`docs/rules/score_keeper.md`)."""

from typing import Literal

from pydantic import ConfigDict, Field

from companion.game_settings import JOURNAL_ONLY, PlayerCountSettings
from companion.i18n import N_
from companion.names import NormalName

CHOICE_NAMES = (
    *(N_("none"), N_("clockwise"), N_("auction")),
    *(N_("off"), N_("turn"), N_("chess"), N_("sand glass")),
    *(N_("delay"), N_("bronstein"), N_("fischer")),
    *(N_("remind"), N_("next player"), N_("lose")),
    *(N_("no"), N_("from start"), N_("as last")),
)
"""The choices as the menu shows them, here for the translators."""
TEAM_PLAYER_COUNTS = (4, 6)
"""K12: numbers of players with whom teams of two are possible, each with a seat of the other teams between them."""


MAX_NAME_LENGTH = 16
"""Letters of a game's name (K18), as of a player's."""


class Settings(PlayerCountSettings):
    """What is played: turns, rounds, the end, teams and clocks."""

    model_config = ConfigDict(defer_build=True)  # the check of another kind of file does not need it

    name: NormalName = Field("", max_length=MAX_NAME_LENGTH, json_schema_extra=JOURNAL_ONLY)
    """K18: the name that people gave to the game, such as "Rummy"; empty: none. The lobby stores settings by it."""
    players_min: int = Field(1, ge=1, le=6)
    players_max: int = Field(6, ge=1, le=6)
    turn_order: Literal["none", "clockwise", "auction"] = Field("none", title=N_("Turns"))
    """K4 to K6: "none": everybody scores at any time. "auction": who presses first has the next turn."""
    target_points: int = Field(0, ge=0, le=999_999, title=N_("Target points (0: none)"), json_schema_extra={"step": 10})
    """K8: points with which the game ends; 0: none."""
    by_rounds: bool = Field(False, title=N_("Played in rounds"))
    """K7: rounds are counted though there are no turns."""
    rounds: int = Field(0, ge=0, le=99, title=N_("Number of rounds (0: open)"))
    """K9: rounds after which the game ends; 0: any number."""
    lowest_wins: bool = Field(False, title=N_("Lowest score wins"))
    """K11."""
    teams: bool = Field(False, title=N_("Teams of two"))
    """K12: players who sit opposite each other play together, if they are 4 or 6."""
    late_joiners: Literal["no", "from_start", "as_last"] = Field("from_start", title=N_("Joining late"))
    """K20: "from_start": with 0 points. "as_last": with as many points as the last player. "no": nobody joins late."""
    clock: Literal["off", "turn", "chess", "sand_glass"] = Field("off", title=N_("Clock"))
    """K13: "turn": the same time for every turn. "chess": a time bank for each player. "sand_glass": K21."""
    turn_seconds: int = Field(60, ge=5, le=3600, title=N_("Seconds for a turn"), json_schema_extra={"step": 5})
    """K13: time for a turn in seconds."""
    grace_seconds: int = Field(0, ge=0, le=600, title=N_("Grace: seconds"), json_schema_extra={"step": 5})
    """K13: seconds after the time for a turn, before what follows when time is up."""
    bank_seconds: int = Field(600, ge=30, le=35999, title=N_("Time bank: seconds"), json_schema_extra={"step": 30})
    """K14: time for all turns of a player in seconds."""
    extra_seconds: int = Field(0, ge=0, le=300, title=N_("Besides for each turn: seconds"))
    """K15: seconds that each turn has besides the bank."""
    extra_time: Literal["delay", "bronstein", "fischer"] = Field("delay", title=N_("Kind of these seconds"))
    """K15: "delay": the bank stands still so long. "bronstein": it gets back what was used. "fischer": it gets all."""
    overtime_seconds: int = Field(30, ge=0, le=3600, title=N_("Overtime: seconds"), json_schema_extra={"step": 5})
    """K15: seconds of a period of overtime, which begins when the bank is empty."""
    overtime_turns: int = Field(1, ge=1, le=50, title=N_("Overtime: turns"))
    """K15: turns that have to be ended within a period, so that it is there again (Canadian time)."""
    overtime_periods: int = Field(1, ge=1, le=30, title=N_("Overtime: periods"))
    """K15: how many times a player has the overtime; one that is not used up is there again (byo-yomi)."""
    time_up: Literal["remind", "next_player", "lose"] = Field("remind", title=N_("When time is up"))
    """K13: the companion reminds the player, the next player has the turn, or the player has lost."""
    komi_halves: int = Field(0, ge=0, le=99, json_schema_extra=JOURNAL_ONLY)
    """K22: half points that the player who did not begin has besides at the end, in games of two; a game's file says
    them."""

    skunk_points: int = Field(0, ge=0, le=999_999, json_schema_extra=JOURNAL_ONLY)
    """K23: a win by so many points is called a skunk; 0: none. A game's file says it."""

    @property
    def has_turns(self) -> bool:
        """Whether players have turns, so that times are measured (K4)."""
        return self.turn_order != "none"

    @property
    def has_chess_clock(self) -> bool:
        """Whether each player has a time bank, and the own button ends the own turn, as on a chess clock (K14, K21)."""
        return self.has_turns and self.clock in ("chess", "sand_glass")

    @property
    def has_rounds(self) -> bool:
        """Whether rounds are counted (K7)."""
        return self.has_turns or self.by_rounds or self.rounds > 0
