"""Settings with which a session starts."""

from dataclasses import dataclass
from typing import Any

from companion.api import AnyGameDefinition


@dataclass(frozen=True, slots=True)
class SessionConfig:
    """Settings with which a session starts.

    Attributes:
        definition: the game that the lobby offers first.
        player_names: clockwise from the first seat; empty: everybody who presses a seat button plays.
        settings: house rules, an instance of `definition.settings_model`.
        seed: of the simulated table and players; None at a real table.
        definitions: games that may be chosen in the lobby; empty: only `definition`.
        continue_game_id: number in the journal of the game that was running when the program crashed a moment ago: it
            is continued without asking, if it is the one to resume; None: always ask.
        run_setup_wizard: start with the set-up wizard on a device that was never set up, if there are preferences and
            no game is to be resumed.
        settings_problems: what in the settings file is not used and why, each in one line.
        is_table_virtual: the table is simulated for the mouse: it is laid out by itself, people are greeted unless a
            game is to be resumed or the players are named, and rings lead through the first turn of each game.
    """

    definition: AnyGameDefinition
    player_names: tuple[str, ...]
    settings: Any
    seed: int | None = None
    definitions: tuple[AnyGameDefinition, ...] = ()
    continue_game_id: int | None = None
    run_setup_wizard: bool = False
    settings_problems: tuple[str, ...] = ()
    is_table_virtual: bool = False
