"""A table at which somebody hears and does not see: a session without a camera, its voice, and the sounds of the seats.

What is spoken takes time, and what is cut short is not heard. Of the screen nothing else comes through.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

from companion.api import AnyGameDefinition, Move, registry
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.display.sound.player import SoundPlayer
from companion.display.sound.sound_effects import SeatSound, Sound
from companion.display.sound.speech import Speaker
from companion.display.sound.spoken_lines import SpeechLevel
from companion.events import Button, ButtonPressed, ButtonReleased
from companion.journal.database import Journal
from companion.referee.button_mapping import find_help_button, find_hold_offer, find_offer
from companion.referee.held_buttons import HOLD_SECONDS
from companion.screen_state import CameraView, ScreenKind
from companion.testing.table import ManualClock

LETTERS_PER_SECOND = 16.0
"""Speed of the voice; espeak-ng's own is about 175 words a minute."""
LONGEST_STEP_SECONDS = 4.0
"""Seconds between two turns of the loop at most while the voice speaks; shorter ones take longer to run."""
PRESS_SECONDS = 0.1
HOLD_PRESS_SECONDS = 1.2
NO_CAMERA_VIEW = CameraView()


class Ears(Speaker):
    """Stands in for espeak-ng: keeps the sentences that were spoken to their end."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(())
        self._clock = clock
        self._text, self._since = "", 0.0
        self.heard: list[str] = []
        """Sentences heard since they were last taken, in order."""
        self.is_cut = False
        """A sentence was cut short since then."""
        self.lines = 0
        """Sentences spoken in all."""

    def say(self, line: str, language: str, volume: int) -> None:
        self.stop()
        assert volume
        self._text, self._since = line, self._clock()
        self.lines += len(split_sentences(line))

    def stop(self) -> None:
        """End the sentence that is being spoken: it is not heard."""
        letters = (self._clock() - self._since) * LETTERS_PER_SECOND
        for sentence in split_sentences(self._text):
            letters -= len(sentence)
            if letters >= 0:
                self.heard.append(sentence)
            else:
                self.is_cut = True
        self._text = ""

    @property
    def is_speaking(self) -> bool:
        return self.seconds_left > 0

    @property
    def seconds_left(self) -> float:
        """Seconds until the voice is silent; 0: it is."""
        return max(0.0, self._since + len(self._text) / LETTERS_PER_SECOND - self._clock()) if self._text else 0.0


def split_sentences(text: str) -> list[str]:
    """Split a text where the voice pauses, without the full stops."""
    return [part.removesuffix(".") for part in re.split(r"(?<=[.?!]) ", text) if part]


class HeardSounds(SoundPlayer):
    """Plays nothing, and keeps which seat's sound, or key group's, was the last one."""

    last: SeatSound | None = None

    def _play(self, effect: Sound | SeatSound) -> None:
        if isinstance(effect, SeatSound):
            self.last = effect


class HearingTable:
    """The session, its buttons and what is heard of it. What a bot may use: `press`, `hold`, `wait`, `listen`.

    Args:
        folder: of the journal.
        game: the game that is to be played; the lobby opens with another one.
        seed: makes the session repeatable.
    """

    def __init__(self, folder: Path, game: AnyGameDefinition, seed: int) -> None:
        first = next(each for each in registry.load_games() if each.name != game.name)
        self.clock = ManualClock(1000.0)
        self._journal = Journal(folder / "journal.sqlite3", wall=self.clock, monotonic=self.clock)
        config = SessionConfig(first, (), first.settings_model(), definitions=registry.load_games())
        services = TableServices(self.clock, Random(seed), has_camera=False)
        self._session = Session(config, self._journal, services)
        self.ears = Ears(self.clock)
        self._sounds = HeardSounds(self.ears)
        self._sounds.configure(7, SpeechLevel.EVERYTHING)
        self.presses = self.dark_presses = 0
        """Presses in all, and of buttons that do nothing."""
        self.refusals: list[str] = []
        """What the screen said of moves that the rules refused."""
        self._pass(0.0)

    def close(self) -> None:
        self._sounds.close()
        self._journal.close()

    # For the bot ----------------------------------------------------------------------------------------------------

    def listen(self) -> tuple[list[str], bool, SeatSound | None]:
        """Listen until the voice is silent; return the sentences, whether one was cut short, and the last sound."""
        self._pass(0.3)
        while left := self.ears.seconds_left:
            self._pass(min(left, LONGEST_STEP_SECONDS))
        self.ears.stop()
        heard, is_cut = self.ears.heard, self.ears.is_cut
        self.ears.heard, self.ears.is_cut = [], False
        return heard, is_cut, self._sounds.last

    def press(self, button: Button) -> None:
        self._press(button, PRESS_SECONDS)

    def hold(self, button: Button) -> None:
        self._press(button, HOLD_PRESS_SECONDS)

    def wait(self, seconds: float) -> None:
        while seconds > 0:
            self._pass(min(seconds, LONGEST_STEP_SECONDS))
            seconds -= LONGEST_STEP_SECONDS

    # The table and its judge ------------------------------------------------------------------------------------------

    def _press(self, button: Button, seconds: float) -> None:
        session = self._session
        saved_game, offers = session.saved_game, session.stage.list_offers()
        seating = saved_game.buttons if saved_game else ()
        offer = find_offer(offers, button, seating) or find_hold_offer(offers, button, seating)
        is_held = seconds >= HOLD_SECONDS
        opens_help = is_held and button is find_help_button(offers)
        undoes = is_held and button is Button.NO
        self.presses += 1
        self.dark_presses += offer is None and not (opens_help or undoes or self._is_help_open)
        seq = saved_game.last_seq if saved_game else 0
        session.step([ButtonPressed(button, self.clock.now)])
        self._pass(seconds)
        session.step([ButtonReleased(button, self.clock.now)])
        self._pass(0.05)
        plays = offer is not None and isinstance(offer.action, Move) and not offer.confirm_question
        is_same = saved_game is session.saved_game and saved_game is not None and saved_game.last_seq == seq
        if plays and is_same and not self._is_asked and session.stage.notice:
            self.refusals.append(f"{offer}: {session.stage.notice}")

    @property
    def _is_help_open(self) -> bool:
        return self._session.build_screen_state(NO_CAMERA_VIEW).help is not None

    @property
    def _is_asked(self) -> bool:
        return getattr(self._session.stage, "dialog", None) is not None

    def _pass(self, seconds: float) -> None:
        self.clock.now += seconds
        self._session.step(())
        self._sounds.play_change(self._session.build_screen_state(NO_CAMERA_VIEW))

    @property
    def is_over(self) -> bool:
        """Whether the result is shown: for the judge."""
        return self._session.build_screen_state(NO_CAMERA_VIEW).kind is ScreenKind.RESULT

    @property
    def played_game(self) -> str:
        """Name of the game in play: for the judge."""
        return self._session.saved_game.definition.name if self._session.saved_game else ""

    @property
    def moves(self) -> int:
        """Moves in the journal: for the judge."""
        return len(self._session.saved_game.replay.steps) if self._session.saved_game else 0
