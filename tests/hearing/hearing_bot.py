"""A bot that plays by ear: it hears the spoken sentences and which sound was played last, and nothing else.

It knows the language by the catalogues (as somebody knows the words of the game that they play), where the ten buttons
are (six in a row by their numbers, OK, NO, plus and minus), and that MINUS, held, opens the help (OK, where MINUS
steps). It knows neither the state of the screen nor the game. Of the table it knows what a sighted neighbour would read
out, or what it may decide itself: which numbers the dice show that it has thrown, which token was taken, which guess
was right, which symbol lies under a cup. All of these are drawn by lot among the keys that were named; none comes from
the screen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from companion.display.sound.sound_effects import SeatSound
from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button
from companion.i18n import N_, Translator, _
from tests.hearing.ears import HearingTable

MAX_ACTIONS = 6_000
"""Presses in which a game comes to its end."""
LEFT_ALONE = (
    *("Pause", "Hold: undo", "Settings", "Remove last", "Stand up", "Back", "Previous page", "Previous", "Clear"),
    *("Fix pile", "Put back", "Card back", "Wrong clue", "Count again", "Again", "Wait", "Leave game", "Cancel"),
    *("Large picture", "Rules", "Players", "Back to 0", "I begin", "Minus", "More", "Less", "Up", "Down"),
    *("New game", "Play again", "Watch along", "Restart", "Remove card", "Not known", "Say which"),
)
"""Meanings of keys that do not bring a game forward: pressed rarely, if there are others, or never."""
NEVER = frozenset(("Pause", "Hold: undo", "Settings", "Fix pile", "Players", "Remove last", "Stand up", "Leave game"))
ENDS = ("Hold: end", "End game")
"""Meanings of keys by which people end a game that has no end of its own."""
MIN_ACTIONS_TO_END = 40
"""Presses after which they do."""
STEPS = ("Down", "Less", "Previous page", "Previous", "Minus", "Plus")
"""Meanings of MINUS where it steps: there OK, held, opens the help."""
HEARD_AGAIN = 3
"""Times that it asks again if it has heard nothing to press."""


class Vocabulary:
    """What the words of the current language mean: the English text of the catalogues, in whichever of them it stands.

    Args:
        domains: names of the catalogues.
    """

    def __init__(self, *domains: str) -> None:
        self._translators = [Translator(domain) for domain in domains]

    def is_text(self, words: str, *texts: str) -> bool:
        """Return whether words are one of these texts in the current language."""
        return any(translate(text) == words for translate in self._translators for text in texts)

    def is_held(self, words: str) -> bool:
        """Return whether the words tell to hold the button."""
        return _find_first_word(words) == _find_first_word(_(N_("Hold: undo")))


def _find_first_word(text: str) -> str:
    return re.split(r"\W", text, maxsplit=1)[0]


class HearingBot:
    """Plays one game from the lobby to the result.

    Args:
        table: where it sits.
        title: title of the game in the current language.
        domain: catalogue of the game.
        players: number of seats that it takes, for everybody at the table.
        rng: its choices.
    """

    def __init__(self, table: HearingTable, title: str, domain: str, players: int, rng: Random) -> None:
        self._table, self._title, self._players, self._rng = table, title, players, rng
        self._words = Vocabulary("companion", domain)
        self._keys: dict[Button, str] = {}
        """What each button does, by what was heard last."""
        self._lines: dict[int, str] = {}
        """Lines of the open menu, by number."""
        self._is_game_chosen = False
        self._seated = 0
        self._sound: SeatSound | None = None
        self.actions = self.asked = 0
        """Presses to play, and how often it opened the help."""
        self.result: list[str] = []
        """The sentences that ended the game."""
        self.log: list[str] = []
        """What was heard and done, for a failed test."""

    def play(self) -> bool:
        """Play until the result is announced; return whether it was."""
        self._hear()
        while self.actions < MAX_ACTIONS and not self.result:
            self._act()
            self._hear()
        return bool(self.result)

    # Hearing --------------------------------------------------------------------------------------------------------

    def _hear(self) -> None:
        for _attempt in range(HEARD_AGAIN):
            sentences, is_cut, self._sound = self._table.listen()
            self.log += [f"    {sentence}" for sentence in sentences]
            if self._understand(sentences) and not is_cut and self._list_choices():
                return
            if self.result:
                return
            self._ask()

    def _ask(self) -> None:
        """Open the help, hear it, and close it again: the screen is spoken as it is."""
        self.asked += 1
        steps = self._words.is_text(self._keys.get(Button.MINUS, ""), *STEPS)
        self.log.append("help")
        self._table.hold(Button.OK if steps else Button.MINUS)
        self.log += [f"    {sentence}" for sentence in self._table.listen()[0]]
        self._table.press(Button.OK)

    def _understand(self, sentences: list[str]) -> bool:
        """Note what the sentences say; return whether anything was said."""
        keys: dict[Button, str] = {}
        for sentence in sentences:
            if found := dict(self._parse_keys(sentence)):
                keys |= found
            elif re.match(r"1: ", sentence):
                self._lines = {int(n): text for n, text in re.findall(r"(\d): ([^;]*)", sentence)}
            elif self._title == sentence:
                self._is_game_chosen = True
        if keys:
            kept = {b: words for b, words in self._keys.items() if self._words.is_text(words, "Pause")}
            self._keys = kept | keys
            if not any(re.match(r"1: ", sentence) for sentence in sentences):
                self._lines = {}
        if any(self._words.is_text(words, "Play again") for words in keys.values()):
            self.result = sentences
        return bool(sentences)

    def _parse_keys(self, sentence: str) -> Iterator[tuple[Button, str]]:
        """Yield the buttons that a sentence names, with their meaning; none: it is about something else."""
        names, _colon, meaning = sentence.partition(": ")
        buttons: list[Button] = []
        rest = names
        for template, pick in (
            (_("Buttons {first} to {last}", first=r"(\d)", last=r"(\d)"), lambda m: range(int(m[1]), int(m[2]) + 1)),
            (_("Buttons {numbers}", numbers=r"(\d(?:, \d)*)"), lambda m: map(int, m[1].split(", "))),
            (_("Button {n}", n=r"(\d)"), lambda m: [int(m[1])]),
        ):
            if match := re.match(template, rest):
                buttons += [SEAT_BUTTONS[n - 1] for n in pick(match)]
                rest = rest[match.end() :].removeprefix(", ")
                break
        consoles = {_(N_("OK")): Button.OK, _(N_("NO")): Button.NO, _("Plus"): Button.PLUS, _("Minus"): Button.MINUS}
        for name in rest.split(", ") if rest else ():
            if name not in consoles:
                return
            buttons.append(consoles[name])
        for button in buttons:
            yield button, meaning or str(button.seat_number)

    # Acting -----------------------------------------------------------------------------------------------------------

    def _act(self) -> None:
        self.actions += 1
        choice = self._choose()
        if choice is None:
            self._table.wait(3.0)  # somebody else may act, or a clock
            return
        # A line that is called is pressed, also where its key leads elsewhere when held.
        is_line = self._lines.get(choice.seat_number or 0) == self._title
        words = "" if is_line else self._keys.get(choice, "")
        self.log.append(f"{choice}: {words or self._lines.get(choice.seat_number or 0, '')}")
        if self._words.is_held(words):
            self._table.hold(choice)
        else:
            self._table.press(choice)

    def _choose(self) -> Button | None:
        """Choose a button: on the way to the game what leads there, then one of the keys by lot."""
        for number, line in self._lines.items():
            if line == self._title:
                return SEAT_BUTTONS[number - 1]
        if (page := self._find("Next page")) is not None and not self._is_game_chosen:
            return page
        if not self._is_game_chosen and (other := self._find("Other game")) is not None:
            return other
        if (seat := self._find("Sit here")) is not None and self._seated < self._players:
            self._seated += 1
            return seat
        for words in ("Start", "Begin"):
            if (button := self._find(words)) is not None:
                return button
        return self._draw()

    def _find(self, text: str) -> Button | None:
        return next((button for button, words in self._keys.items() if self._words.is_text(words, text)), None)

    def _list_choices(self) -> list[Button]:
        return [*self._keys, *(SEAT_BUTTONS[n - 1] for n in self._lines)]

    def _draw(self) -> Button | None:
        choices = self._list_choices()
        weights = [self._weigh(button, place) for place, button in enumerate(choices)]
        return self._rng.choices(choices, weights)[0] if any(weights) else None

    def _weigh(self, button: Button, place: int) -> float:
        """Weigh a key: what is named first, and what the sound is for, is what the game waits for."""
        words = self._keys.get(button, "")
        if self._words.is_text(words, *ENDS):
            return 0.0 if self.actions < MIN_ACTIONS_TO_END else 3.0
        if self._words.is_text(words, *NEVER):
            return 0.0
        weight = 0.02 if self._words.is_text(words, *LEFT_ALONE) else 1.0
        is_meant = {
            SeatSound.CONSOLE: button in CONSOLE_BUTTONS,
            SeatSound.NUMBERS: button in SEAT_BUTTONS,
            SeatSound.EVERYBODY: button in SEAT_BUTTONS,
        }.get(self._sound or SeatSound.SEAT1, str(self._sound) == str(button))
        return weight * (3.0 if is_meant else 1.0) / (1.0 + place / 8)
