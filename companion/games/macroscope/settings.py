"""The house rules of a Macroscope game (`docs/rules/macroscope.md`, section 3) and timers of our own."""

from typing import Any, Literal, Self

from pydantic import Field, ModelWrapValidatorHandler, model_validator

from companion.api import N_, PlayerCountSettings

MAX_TOKEN_NUMBER = 6
"""M1: the tokens carry the numbers 1 to 6, each equally often."""

SETTING_VALUE_TEXTS = (
    N_("active"),
    N_("last guesser"),
    N_("at use"),
    N_("at roll"),
    N_("basic"),
    N_("easy"),
    N_("on"),
    N_("off"),
)
"""The settings' values as the lobby shows them; listed here so that they are translated."""


class Settings(PlayerCountSettings):
    """House rules of one game of Macroscope."""

    players_min: int = Field(2, ge=2, le=6)
    players_max: int = Field(6, ge=2, le=6)
    start_crystals: int = Field(2, ge=0, le=50, title=N_("Crystals at the start"))
    """M3; V1: 0 in the easier variant unless given."""
    challenge_cost: int = Field(2, ge=0, le=10, title=N_("Price of a challenge"))
    """M23: crystals that a challenge costs."""
    rounds: int = Field(10, ge=1, le=50, title=N_("Rounds"))
    """M60: scored rounds in a game."""
    windows: int = Field(
        12,
        ge=MAX_TOKEN_NUMBER,
        le=6 * MAX_TOKEN_NUMBER,
        multiple_of=MAX_TOKEN_NUMBER,
        title=N_("Windows"),
        json_schema_extra={"step": MAX_TOKEN_NUMBER},
    )
    """M1: windows, and as many tokens; a multiple of six, since each number stands on equally many tokens."""
    others_may_guess_after_first_token: bool = Field(True, title=N_("Others may guess after the first token"))
    """A4: whether the others may be asked between the first and the second token (M30)."""
    silent_players_lose: bool = Field(False, title=N_("Who says nothing loses too"))
    """A1: everybody who is not right loses, not only wrong guessers."""
    challenge_payee: Literal["active", "last_guesser"] = Field("active", title=N_("A challenge is paid to"))
    """A5: who is paid for a challenge."""
    match_dice: Literal["at_use", "at_roll"] = Field("at_use", title=N_("A die counts as free"))
    """M11: when it is settled whether a die is free."""
    void_round_pays_opener: bool = Field(True, title=N_("A void round pays its opener"))
    """A9: whether M50 pays the active player for the windows opened."""
    variant: Literal["basic", "easy"] = Field("basic", title=N_("Rules"))
    dice: Literal["on", "off"] = Field("on", title=N_("Dice"))
    """M12: "off" plays without dice."""
    turn_seconds: float = Field(0, ge=0, le=3600, title=N_("Time for a turn"), json_schema_extra={"step": 15})
    """House timer that reminds the active player, in seconds; 0: none."""
    ask_seconds: float = Field(
        0, ge=0, le=3600, title=N_("Time to say that one guesses"), json_schema_extra={"step": 5}
    )
    """House timer that closes the asking, in seconds; 0: none."""
    deck_cards: int = Field(200, ge=1, le=1000, title=N_("Cards in the deck"), json_schema_extra={"step": 10})
    """M5: cards in the device, for D1's prompt."""

    @model_validator(mode="wrap")
    @classmethod
    def _default_easy_start(cls, data: Any, validate: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(data, dict) or data.get("variant") != "easy" or "start_crystals" in data:
            return validate(data)
        settings = validate({"start_crystals": 0} | data)
        # It follows from the variant and was not entered: with the basic rules again, the default is 2 again.
        settings.model_fields_set.discard("start_crystals")
        return settings

    @property
    def is_easy(self) -> bool:
        """Whether the easier variant is played (V1 to V7)."""
        return self.variant == "easy"

    @property
    def tokens_per_number(self) -> int:
        """Number of tokens that carry each of the numbers 1 to 6 (M1)."""
        return self.windows // MAX_TOKEN_NUMBER
