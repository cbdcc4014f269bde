"""What must be so at every moment of a session: lamps and keys agree with the offers, and the journal with the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from companion.api import Offer
from companion.app.session import Session
from companion.events import Button, LampState
from companion.journal.entry import EntryKind
from companion.journal.saved_game import SavedGame
from companion.lobby import FirstPlayerDraw, Lobby, ResumePrompt, SetupWizard
from companion.lobby.dice_teaching import DiceTeaching
from companion.referee.button_mapping import find_button, is_seat_hold
from companion.referee.referee import Referee
from companion.screen_state import ScreenState


class SessionChecks:
    """Checks after each step of a session; they know what the journal had before.

    Args:
        count: counts what was checked.
    """

    def __init__(self, count: Counter[str]) -> None:
        self.count = count
        self._undo_stacks: dict[int, tuple[list[Any], list[Any]]] = {}
        """By saved game: games that undo and redo must lead to."""
        self._seen: dict[int, int] = {}
        """By saved game: number of the last entry that was checked."""

    def check(self, session: Session, state: ScreenState) -> None:
        """Check offers, lamps, texts and the journal of a session that shows `state`."""
        self.count["checks"] += 1
        stage = session.stage
        assert isinstance(stage, Referee | Lobby | FirstPlayerDraw | ResumePrompt | SetupWizard | DiceTeaching)
        offers = stage.list_offers()
        self._check_lamps(session, offers, state)
        self._check_texts(offers, state)
        if isinstance(stage, Referee):
            self._check_journal(stage.saved_game)

    def _check_lamps(self, session: Session, offers: Sequence[Offer], state: ScreenState) -> None:
        """A lamp is lit where an offer is, and the soft key says what it does; at least one is lit."""
        buttons = session.saved_game.buttons if session.saved_game else ()
        by_button: dict[Button, list[Offer]] = {button: [] for button in Button}
        for offer in offers:
            button = find_button(offer.input, buttons)
            if button is not None:
                by_button[button].append(offer)
        lamps = session.stage.map_lamps()
        for button, found in by_button.items():
            awaited = any(offer.awaited for offer in found)
            expected = LampState.BLINK if awaited else LampState.ON if found else LampState.OFF
            assert lamps[button] is expected, (button, found)
            pressed = {offer.action for offer in found if not is_seat_hold(offer.input)}
            assert len(pressed) <= 1, ("two on one button", found)
        assert any(lamp is not LampState.OFF for lamp in lamps.values()), "nothing can be pressed"
        keys = {key.button: key.label for key in state.soft_keys if not key.is_hold}
        assert {button for button, label in keys.items() if label} == {b for b, found in by_button.items() if found}

    def _check_texts(self, offers: Sequence[Offer], state: ScreenState) -> None:
        """Prompt, labels, question, menu and notice are words for people."""
        texts = [state.prompt, state.title, *(offer.label for offer in offers)]
        texts += [state.notice] if state.notice is not None else []
        texts += [state.question.title] if state.question else []
        texts += [state.menu.title, *state.menu.items] if state.menu else []
        for text in texts:
            assert text.strip(), "an empty text"
            leaked = ("{", "}", "seat ") if text == "None" else ("None", "{", "}", "seat ")
            assert not any(sign in text for sign in leaked), text

    def _check_journal(self, saved_game: SavedGame) -> None:
        """New entries led where they should: undo and redo exactly back, and a replay to the same game."""
        known = self._seen.get(saved_game.id, 0)
        undone, redone = self._undo_stacks.setdefault(saved_game.id, ([], []))
        new = [item for item in saved_game.replay.history if item[0].seq > known]
        for entry, step in new:
            self.count["entries"] += 1
            if step is None:
                continue
            if entry.what.kind is EntryKind.UNDO:
                assert undone.pop() == step.before, "undo is not exact"
                redone.append(step.after)
                self.count["undone"] += 1
            else:
                is_redo = entry.what.kind is EntryKind.REDO
                assert not is_redo or redone.pop() == step.after, "redo is not exact"
                self.count["redone"] += is_redo
                undone.append(step.before)
                if not is_redo:
                    redone.clear()
        if new:
            self._seen[saved_game.id] = new[-1][0].seq
            again = SavedGame(saved_game.journal, saved_game.id, saved_game.definition)
            assert (again.problem, again.game) == (None, saved_game.game), "the journal replays to another game"
            assert again.game == (again.replay.steps[-1].after if again.replay.steps else again.replay.start)
