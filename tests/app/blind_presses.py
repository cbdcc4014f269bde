"""People who press buttons blindly: short, held, twice at once, several together, at everything from lobby to result.

No camera; the clock moves only when they wait. After each gesture the session must be in order: something is lit, lamps
and soft keys agree with the offers, all texts are there, the journal replays to the game on the screen, undo and redo
are exact. A press of a dark button changes nothing; a press of a lit one does something. Now and then they leave the
game or play it to its end from wherever they are, or the plug is pulled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from companion.api import Command, CommandName, ConsolePress, NumberPress, Offer, registry
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.config.settings import CafeSettings
from companion.display.screen import Screen
from companion.events import Button, ButtonPressed, ButtonReleased, Event, LampState, PressTie
from companion.i18n import LANGUAGES, Translator, set_language
from companion.journal.database import Journal
from companion.lobby import HouseRules, Lobby, Preferences
from companion.referee.button_mapping import find_button, find_offer
from companion.referee.referee import Referee
from companion.screen_state import CameraView, ScreenKind, ScreenState
from companion.simulation.players.base import is_unused
from companion.system.appliance import Appliance
from tests.app.session_checks import SessionChecks

_ = Translator("companion")

SHORT_GAMES: dict[str, dict[str, Any]] = {
    "macroscope": {"rounds": 2, "windows": 6},
    "memo_dice": {"target_square": 6, "dice": 4},
    "pictomania": {"rounds": 1},
    "score_keeper": {"target_points": 30},
    "secret_number": {"games": 1, "round_seconds": 30},
    "starfall": {"tiles_removed": {2: 24, 3: 23, 4: 22}},
}
"""House rules of short games, so that blind presses see their ends."""
HOUSE_TIMERS: dict[str, dict[str, Any]] = {
    "macroscope": {"ask_seconds": 5, "turn_seconds": 30},
    "memo_dice": {"memorise_seconds": 4, "answer_seconds": 15},
    "pictomania": {"reading_seconds": 20, "drawing_seconds": 60},
    "score_keeper": {"turn_order": "clockwise", "clock": "turn", "rounds": 3},
    "secret_number": {"choose_seconds": 20},
    "starfall": {"turn_seconds": 30},
}
"""House rules with clocks."""
DOUBLE_PRESS_SECONDS = 0.15
"""Time between the two presses of a double press."""
QUIET_SECONDS = 2.5
"""Longer than the guards against double presses and stuck buttons look back."""
WAITS = (0.3, 2.0, 12.0, 70.0, 400.0)
"""Times that may pass without a press, in seconds."""
MAX_EXIT_PRESSES, MAX_GAME_PRESSES = 60, 4000
"""Presses within which any game can be left, and played to its end."""


class BlindPeople:
    """Blind presses at one session; a seed decides everything.

    Args:
        folder: data folder of the session, empty.
        seed: seed of all decisions.
        draw: whether the screen is drawn now and then.
    """

    def __init__(self, folder: Path, seed: int, *, draw: bool = False) -> None:
        self.random = Random(f"blind {seed}")
        self.now = 100.0
        self._folder, self._screen = folder, Screen((800, 480)) if draw else None
        self.count: Counter[str] = Counter()
        self._definitions = [registry.find_game(name) for name in registry.list_game_names()]
        self.random.shuffle(self._definitions)
        rules = {name: dict(short) for name, short in SHORT_GAMES.items()}
        if self.random.random() < 0.3:
            rules = {name: short | HOUSE_TIMERS[name] for name, short in rules.items()}
        self._rules = {
            game.name: game.settings_model.model_validate(rules.get(game.name, {})) for game in self._definitions
        }
        set_language(self.random.choice(list(LANGUAGES)))
        self._cafe = CafeSettings(on=self.random.random() < 0.15, quiet_minutes=1.0)
        self._lit_share = self.random.choice((0.0, 0.5, 0.8))
        """How often they press a lit button on purpose."""
        self._journal: Journal | None = None
        self._checks = SessionChecks(self.count)
        self.start()

    # The program ---------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the program, after pulling the plug if it runs."""
        if self._journal is not None:
            self._journal.close()
        path = self._folder / "journal.sqlite3"
        self._journal = Journal(path, wall=lambda: self.now, monotonic=lambda: self.now)
        first = self._definitions[0]
        is_new = self.random.random() < 0.5
        self.session = Session(
            SessionConfig(
                first,
                (),
                self._rules[first.name],
                definitions=tuple(self._definitions),
                run_setup_wizard=is_new,
            ),
            self._journal,
            TableServices(
                lambda: self.now,
                Random(self.random.random()),
                house_rules=HouseRules(self._rules, self._folder),
                preferences=Preferences(folder=self._folder),
                cafe=self._cafe,
                has_camera=False,
                appliance=Appliance(self._folder),
            ),
        )
        self.count["starts"] += 1

    def close(self) -> None:
        """Shut the program down."""
        self._journal.close()

    @property
    def state(self) -> ScreenState:
        """The screen now."""
        return self.session.build_screen_state(CameraView())

    @property
    def buttons(self) -> Sequence[Button]:
        """The players' buttons by seat; empty before a game."""
        return self.session.saved_game.buttons if self.session.saved_game else ()

    @property
    def dialog(self) -> Any:
        """The open dialog, if any."""
        return getattr(self.session.stage, "dialog", None)

    def send(self, *events: Event) -> None:
        """Let events happen, and check what they did."""
        self.session.step(events)
        self.check()

    def wait(self, seconds: float) -> None:
        """Let time pass, as the main loop would in steps."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + max(0.25, seconds / 20))
            self.send()

    def press(self, button: Button, seconds: float = 0.05) -> None:
        """Press a button and release it after some time."""
        self.count["presses"] += 1
        self.send(ButtonPressed(button, self.now))
        self.wait(seconds)
        self.send(ButtonReleased(button, self.now))

    # Gestures ------------------------------------------------------------------------------------------------------

    def play(self, gestures: int) -> Counter[str]:
        """Make random gestures, then leave; return the figures."""
        for _gesture in range(gestures):
            self.make_gesture()
        self.leave()
        self.close()
        self.count["sessions"] += 1
        return self.count

    def make_gesture(self) -> None:
        """Make one gesture, drawn by lot."""
        gestures: dict[Callable[[], None], float] = {
            self.begin: 4.0,
            self.press_alone: 10.0,
            self.press_quickly: 30.0,
            self.press_twice: 6.0,
            self.press_long: 4.0,
            self.press_together: 5.0,
            self.hammer: 0.5,
            self.release_late: 1.0,
            lambda: self.wait(self.random.choice(WAITS)): 3.0,
            self.start: 0.3,
            self.leave: 0.2,
            self.finish: 0.6,
            self.undo_and_redo: 1.5,
        }
        (gesture,) = self.random.choices(list(gestures), list(gestures.values()))
        gesture()
        self.count["gestures"] += 1

    def draw_button(self) -> Button:
        """Return any button, or one that is lit."""
        lit = [button for button, lamp in self.session.stage.map_lamps().items() if lamp is not LampState.OFF]
        return self.random.choice(lit if lit and self.random.random() < self._lit_share else list(Button))

    def press_alone(self) -> None:
        """Press one button long after the last one: a lit button does something, a dark one changes nothing."""
        self.wait(QUIET_SECONDS)
        button = self.draw_button()
        offer = find_offer(self.session.stage.list_offers(), button, self.buttons)
        before, has_clock = self.describe_stage(), bool(self.state.clocks)
        self.now += 0.01
        self.press(button)
        if has_clock:
            return  # it may have run out meanwhile
        if offer is None:
            assert self.describe_stage() == before, f"a dark button changed something: {button}"
        else:
            changed = self.describe_stage() != before or self.state.notice
            assert changed or may_change_nothing(offer), f"a lit button did nothing: {offer}"
        self.count["alone"] += 1

    def press_quickly(self) -> None:
        """Press one button, shortly after the last one."""
        self.now += self.random.uniform(0.1, 1.0)
        self.press(self.draw_button(), self.random.uniform(0.02, 0.3))

    def press_twice(self) -> None:
        """Press one button twice within the time of a double press: the second press plays nothing more.

        Only pairs of presses that would otherwise both count are compared: steps through a menu may be quick.
        """
        self.wait(QUIET_SECONDS)
        button = self.draw_button()
        self.now += 0.01
        self.press(button)
        stage, entries = self.session.stage, self.count_entries()
        has_clock = bool(self.state.clocks)  # it may run out during the second press, and then something changes
        self.now += self.random.uniform(0.01, DOUBLE_PRESS_SECONDS - 0.05)
        offer = find_offer(self.session.stage.list_offers(), button, self.buttons)
        self.press(button)
        if offer is not None and not offer.repeats and not has_clock:
            assert (self.session.stage, self.count_entries()) == (stage, entries), (
                f"a double press counted twice: {offer}"
            )
        self.count["double"] += 1

    def press_long(self) -> None:
        """Hold a button, NO most often: that is undo."""
        button = self.random.choice((Button.NO, Button.NO, Button.OK, self.draw_button()))
        self.now += 0.5
        self.press(button, self.random.uniform(1.05, 7.0))
        self.count["held"] += 1

    def press_together(self) -> None:
        """Press several buttons at the same moment, half of the time as a tie that cannot be put in order."""
        self.now += self.random.uniform(0.2, 1.0)
        buttons = self.random.sample(list(Button), self.random.randint(2, 5))
        presses = tuple(ButtonPressed(button, self.now) for button in buttons)
        tie = [PressTie(presses, 0.0025, self.now)] if self.random.random() < 0.5 else []
        self.send(*tie, *presses)
        self.now += 0.1
        self.send(*(ButtonReleased(button, self.now) for button in buttons))
        self.count["presses"] += len(buttons)
        self.count["together"] += 1

    def hammer(self) -> None:
        """Press one button far too often."""
        button = self.draw_button()
        for _press in range(15):
            self.now += 0.02
            self.press(button, 0.02)

    def release_late(self) -> None:
        """Release a button that was not pressed, or press one that is released only by the next press."""
        button = self.random.choice(list(Button))
        self.now += 0.3
        event = self.random.choice((ButtonPressed, ButtonReleased))
        self.send(event(button, self.now))

    def begin(self) -> None:
        """Begin a game if nobody plays one: sit down, start, and go through what is asked."""
        self.now += 10.0
        for _press in range(MAX_EXIT_PRESSES):
            stage = self.session.stage
            if isinstance(stage, Referee):
                return
            self.wait(1.0)
            awaited = [offer for offer in stage.list_offers() if offer.awaited and offer.input is not ConsolePress.OK]
            start = any(offer.input is ConsolePress.OK for offer in stage.list_offers())
            if self.dialog is not None and not start:
                self.press(Button.NO)
            elif awaited and (not start or self.random.random() < 0.5) and self.dialog is None:
                button = find_button(self.random.choice(awaited).input, self.buttons)
                assert button is not None
                self.press(button)
            else:
                self.press(Button.OK)

    # Ways out --------------------------------------------------------------------------------------------------------

    def leave(self) -> None:
        """Leave the open dialog or game by buttons alone, and end in the lobby."""
        self.now += 10.0
        for _press in range(MAX_EXIT_PRESSES):
            if isinstance(self.session.stage, Lobby) and self.dialog is None:
                break
            self.wait(QUIET_SECONDS)
            self.press(self.find_exit())
        assert isinstance(self.session.stage, Lobby), f"no way out: {self.state.prompt} {self.state.question}"
        assert self.dialog is None, f"no way out: {self.state.menu} {self.state.question}"
        self.count["left"] += 1

    def undo_and_redo(self) -> None:
        """Undo some steps by holding NO, and redo them by the menu."""
        if not isinstance(self.session.stage, Referee) or self.dialog is not None:
            return
        times = self.random.randint(1, 3)
        for _undo in range(times):
            self.wait(QUIET_SECONDS)
            self.press(Button.NO, 1.2)
        for _press in range(MAX_EXIT_PRESSES):
            saved_game = self.session.saved_game
            if saved_game is None or not saved_game.can_redo:
                break
            self.wait(QUIET_SECONDS)
            self.press(self.find_exit(_("Redo what was undone")))

    def find_exit(self, line: str = "") -> Button:
        """Return the button that leads out of what is open, as somebody who reads the screen would find it.

        Args:
            line: of the menu of corrections; empty: the way that leaves the game.
        """
        state, offered = self.state, {offer.input for offer in self.session.stage.list_offers()}
        if isinstance(self.session.stage, Referee) and state.menu and line in state.menu.items:
            return Button.OK if state.menu.items[state.menu.selected] == line else Button.MINUS
        if self.dialog is None and state.kind is ScreenKind.PLAY:
            return Button.MINUS
        title = state.question.title if state.question is not None else ""
        if title == _("Paused"):
            return Button.MINUS if line else Button.PLUS
        if title == _("Leave this game?"):
            return Button.OK
        if ConsolePress.NO in offered:
            return Button.NO
        return Button.OK

    def finish(self) -> None:
        """Play the game to its end by sensible presses, if one is in play."""
        self.now += 10.0
        for _press in range(MAX_GAME_PRESSES):
            if self.session.saved_game is None or self.state.kind is ScreenKind.RESULT:
                break
            self.wait(0.5)
            self.press_sensibly()
        else:
            raise AssertionError(f"no end: {self.state.prompt} {self.state.question}")
        if self.session.saved_game is not None:
            self.count["finished"] += 1
            self.count[f"finished {self.session.saved_game.definition.name}"] += 1

    def press_sensibly(self) -> None:
        """Press what a person at the table would press now."""
        saved_game = self.session.saved_game
        offers = [offer for offer in self.session.stage.list_offers() if find_button(offer.input, self.buttons)]
        if self.state.menu is not None and any(offer.input is ConsolePress.NO for offer in offers):
            self.press(Button.NO)
            return
        definition, game = saved_game.definition, saved_game.game
        weights = [0.0 if is_unused(offer) else definition.get_bot_weight(game, offer) + 0.02 for offer in offers]
        if not any(weights):
            self.press(Button.NO if any(offer.input is ConsolePress.NO for offer in offers) else Button.OK)
            return
        (offer,) = self.random.choices(offers, weights)
        button = find_button(offer.input, self.buttons)
        assert button is not None
        self.wait(offer.shown_seconds)
        self.press(button, 1.2 if offer.input is ConsolePress.HOLD_OK else 0.05)

    # What must be so at every moment ---------------------------------------------------------------------------------

    def describe_stage(self) -> tuple[Any, ...]:
        """Return what a press could change: stage, dialog, game and offers."""
        stage = self.session.stage
        entered = getattr(stage, "entered_numbers", getattr(stage, "wanted", ()))  # the face that is taught
        page, seats = getattr(stage, "page", None), getattr(stage, "seating", ())
        return (stage, self.dialog, self.count_entries(), entered, page, seats, stage.list_offers(), self.state.details)

    def count_entries(self) -> int:
        """Return the number of entries in the journal of the game in play."""
        return self.session.saved_game.last_seq if self.session.saved_game else 0

    def check(self) -> None:
        """Check offers, lamps, texts and the journal."""
        self._checks.check(self.session, self.state)
        if self._screen is not None and self.random.random() < 0.01:
            self._screen.render(self.state)
            self.count["drawn"] += 1


def may_change_nothing(offer: Offer) -> bool:
    """Return whether a press may leave all as it is: OK that has to be held, a step at the end of a list, a value that
    stands there already.
    """
    names = (CommandName.ANSWER, CommandName.LANGUAGE, CommandName.TRIED)
    is_value = isinstance(offer.input, NumberPress) and isinstance(offer.action, Command) and offer.action.name in names
    return is_value or offer.repeats or offer.input is ConsolePress.HOLD_OK
