"""A session at the table: events go to the current stage, and the stage says what the screen shows.

`main_loop` calls `Session.step` once per turn of the loop. Which stage comes next: `companion.app.stage_flow`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.app.highlights_reader import HighlightsReader
from companion.app.session_config import SessionConfig
from companion.app.stage_flow import StageFlow
from companion.app.table_services import TableServices
from companion.app.voice_switch import PAIR, VoiceSwitch
from companion.events import (
    Button,
    ButtonHeld,
    ButtonPressed,
    ButtonReleased,
    CameraStateChanged,
    DeviceLost,
    DeviceRestored,
    Event,
    LampState,
)
from companion.guide import Guide
from companion.i18n import N_, _
from companion.journal.database import Journal
from companion.journal.entry import JournalUnwritable
from companion.journal.saved_game import SavedGame
from companion.lobby import Greeting, IdleTimer, Lobby, ProblemReport, ResumePrompt
from companion.lobby.preferences import SPEECH_LEVELS
from companion.log import log
from companion.referee.camera_visibility import MOVING_STATES
from companion.referee.guide import are_first_turns_over, guide_first_acts
from companion.referee.help_overlay import HelpOverlay
from companion.referee.referee import Referee
from companion.referee.stage import Stage
from companion.screen_state import CameraView, ScreenKind, ScreenState
from companion.system.appliance import UpgradeState
from companion.vision.reading import ProblemKind

__all__ = ["Session", "SessionConfig"]

ANSWER_MINUTES = 3
"""Café mode: guests have so long to say that they are still playing, before their game is put away."""
FILE_READ_SECONDS = 1.0
"""Between two readings of the note about an upgrade from a USB stick, and of stored files that could not be read; the
screen is late by up to this."""
UPGRADE_NOTICES = {
    UpgradeState.INSTALLING: N_("Installing version {version}: leave the stick plugged in"),
    UpgradeState.INSTALLED: N_("Version {version} is installed: restart from Pause or Settings"),
    UpgradeState.FAILED: N_("Version {version} could not be installed: nothing has changed"),
    UpgradeState.OLDER: N_("Older version {version}: to install it, plug the stick in again after 5 s"),
    UpgradeState.REFUSED: N_("The upgrade on the stick is damaged or not for this device"),
}


class Session(StageFlow):
    """Run one stage after the other until the program ends.

    session = Session(SessionConfig(definition, (), definition.settings_model()), journal, TableServices())
    session.step(events)
    screen.render(session.build_screen_state(camera_view))
    """

    def __init__(self, config: SessionConfig, journal: Journal, services: TableServices) -> None:
        super().__init__(config, journal, services)
        self._voice_switch = VoiceSwitch(services.monotonic)
        self._files_read_at = -math.inf
        self._examined_entry: tuple[int, int] | None = None
        """Number of the game that was last asked whether it is over, and of its last entry then."""
        self._highlights: tuple[str, ...] = ()
        self._highlights_reader = HighlightsReader(self._results)
        self._guided_game_id: int | None = None
        """Id of the last game whose rings had not been followed when it began: they go on in it."""
        self._help = HelpOverlay(services.monotonic)
        self._idle_timer = IdleTimer(services.monotonic(), is_on=services.cafe.on)
        self._asked_at = -math.inf
        """When guests were asked last whether they are still playing."""
        self._view_problem: ProblemKind | None = None
        self._acknowledged_problem: ProblemKind | None = None

    def step(self, events: Sequence[Event]) -> None:
        """Handle the events of one turn, advance the clocks, and enter the next stage if one is due.

        Call it in each turn of the main loop, also without events. A move that cannot be written to the journal is
        reported on the screen and not raised.

        Args:
            events: events since the last turn, earliest first; may be empty.

        Raises:
            Exception: an error in a stage or a game, or (JournalUnwritable) the journal cannot be read for the next
                stage; call `rebuild` (see `companion.app.crash_guard`).
        """
        events = self._voice_switch.take_events(events)
        if self._voice_switch.is_pair_held:
            self._help.drop_waiting_press(PAIR)
        for event in events:
            self._note_event(event)
            self._idle_timer.note_event(event)
        for event in self._help.filter_events(self.stage, events):
            self.stage.receive(event)
        self.stage.tick()
        if self._voice_switch.take_switch():
            self._switch_voice()
        if self.stage.wants_help:
            self.stage.wants_help = False
            self._help.open(self.stage)
        if self._services.film_export is not None:
            self.notice = self._services.film_export.poll() or self.notice
        self._follow_clock()
        if self._services.monotonic() - self._files_read_at >= FILE_READ_SECONDS:
            self._files_read_at = self._services.monotonic()
            self._stored_data.retry()
            self._follow_upgrade()
        self._follow_journal_check()
        self._note_result()
        self._note_first_turns()
        next_stage = self._choose_next_stage() or self._reset_if_abandoned()
        if next_stage is not None:
            self._help.close()
            self._enter_stage(next_stage)

    def _note_first_turns(self) -> None:
        """Store that the rings were followed once all have had a turn."""
        game, preferences = self._find_guided_game(), self._services.preferences
        if game is None or preferences is None or preferences.is_guided(game.definition.name):
            return
        self._guided_game_id = game.id
        if are_first_turns_over(game):
            self.notice = preferences.mark_guided(game.definition.name) or self.notice

    def _switch_voice(self) -> None:
        """Let everything be spoken, or moments again: for people who cannot see the settings."""
        preferences = self._services.preferences
        if preferences is not None:
            level = "moments" if preferences.values.speech == "everything" else "everything"
            problem = preferences.change("speech", level, keeps=not self._services.is_locked)
            self.notice = problem or _("Voice: {level}", level=_(SPEECH_LEVELS[level]))

    def map_lamps(self) -> Mapping[Button, LampState]:
        """Map each button to its lamp, also while the help is open.

        Raises:
            Exception: an error in a stage or a game is passed on.
        """
        return self._help.map_lamps(self.stage)

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """Build the screen's state: the stage's, with this session's notice and dimming.

        Of several notices the stage's comes first, then `notice`, then a problem of the camera's view, then that the
        date is not known.

        Args:
            camera_view: the camera's present view.

        Raises:
            Exception: an error in a stage or a game is passed on.
        """
        state = self._help.add_to(self.stage.build_screen_state(camera_view))
        if state.help is not None:
            # The sentence stays, and there is no ring: the keys work the help.
            state = replace(state, guide=state.guide and Guide(sentence=state.guide.sentence))
        elif (game := self._find_guided_game()) is not None:
            guide = guide_first_acts(game, self.stage.list_offers())
            if guide is not None and camera_view.state in MOVING_STATES:
                guide = replace(guide, sentence="")  # it is being done
            state = replace(state, guide=guide)
        notice = state.notice or self.notice or self._describe_view_problem(camera_view, state)
        notice = notice or self._describe_clock(state)
        is_idle = self._idle_timer.is_idle(self._services.cafe.dim_minutes, self._services.monotonic())
        dimmed = is_idle and isinstance(self.stage, Lobby)
        highlights = self._highlights if state.kind is ScreenKind.RESULT else ()
        if (notice, dimmed, highlights) != (state.notice, state.dimmed, ()):
            state = replace(state, notice=notice, dimmed=dimmed, highlights=highlights)
        return state

    def _find_guided_game(self) -> SavedGame | None:
        """Find the game in play at a virtual table if its rings had not been followed before; None: there is none."""
        game, preferences = self.saved_game, self._services.preferences
        if not self._config.is_table_virtual or game is None or preferences is None:
            return None
        has_rings = not preferences.is_guided(game.definition.name) or game.id == self._guided_game_id
        return game if has_rings and not game.game.compute_outcome() else None

    def _describe_view_problem(self, camera_view: CameraView, state: ScreenState) -> str | None:
        """Describe a problem of the camera's view, once per problem; during a game only until a button is pressed.

        The camera panel keeps showing the problem as long as it lasts.
        """
        problem = camera_view.problem if state.uses_camera else None
        self._view_problem = problem.kind if problem else None
        if self._view_problem is not self._acknowledged_problem:
            self._acknowledged_problem = None
        if problem is None or (self._acknowledged_problem and state.kind is ScreenKind.PLAY):
            return None
        return problem.message

    def _describe_clock(self, state: ScreenState) -> str | None:
        clock = self._services.clock_setting
        if state.kind is not ScreenKind.LOBBY or clock is None or clock.is_date_known or self._services.is_locked:
            return None
        return _("The date is not known: set it under Settings")

    def _note_event(self, event: Event) -> None:
        """Keep events whose state lasts (device lost, camera state), so that the next stage receives them too."""
        match event:
            case ButtonPressed():
                self.notice = None
                self._acknowledged_problem = self._view_problem
            case CameraStateChanged():
                self._lasting_events["camera says"] = event
            case DeviceLost(name=name):
                self._lasting_events[name] = event
            case DeviceRestored(name=name):
                self._lasting_events.pop(name, None)
            case ButtonHeld(button=button):
                self._lasting_events[f"held {button}"] = event
            case ButtonReleased(button=button):
                self._lasting_events.pop(f"held {button}", None)

    def _follow_upgrade(self) -> None:
        """Announce each new state of an upgrade from a USB stick once; the stages offer to restart into it."""
        upgrade = self._services.appliance.read_upgrade()
        if upgrade is None or upgrade == self._upgrade:
            return
        self._upgrade = upgrade
        self.stage.offer_restart(self._installed_version)
        self.notice = _(UPGRADE_NOTICES[upgrade.state], version=upgrade.version)

    def _follow_clock(self) -> None:
        """Note when the machine's clock was set, and say how setting it went."""
        self._journal.clock.note_boot(is_new=False)
        if self._services.clock_setting is not None:
            self.notice = self._services.clock_setting.poll() or self.notice

    def _follow_journal_check(self) -> None:
        """Announce damage that the check of the journal in the background has found."""
        try:
            damage = self._journal.poll_check()
        except JournalUnwritable as why:
            self.notice = why.screen_text
            return
        if damage is not None:
            log.warning("%s", damage.message)
            self.notice = damage.screen_text

    def _note_result(self) -> None:
        """Store the result of a game once it is over, so that it is known even if the disk loses entries of it.

        Then its highlights are found.
        """
        game = self.saved_game
        try:
            if game is None or (game.id, game.last_seq) == self._examined_entry:
                self._highlights = self._highlights_reader.read(game)
                return
            self._examined_entry = game.id, game.last_seq  # the rules are asked once an entry, not in each turn
            self._highlights, is_over = (), game.game.compute_outcome() is not None
            if is_over:
                self._results.note_result(game.record)
            self._highlights_reader.begin(game if is_over and not self._services.is_locked else None)
        except JournalUnwritable as why:
            log.warning("%s", why)
            self._highlights_reader.begin(None)

    def rebuild(self, *, ask_first: bool) -> None:
        """Rebuild the stage from the journal after it raised an exception: the game in play, or else the lobby.

        While the journal cannot be read, the game goes on as it is in memory.

        Args:
            ask_first: enter the resume prompt, not the game, because the game failed repeatedly.

        Raises:
            InvalidSavedGame: the game can no longer be read from the journal.
            Exception: an error in a stage or a game is passed on.
        """
        self._help.close()  # its texts may be what failed
        stage = self._reported_from if isinstance(self.stage, ProblemReport) else self.stage
        saved_game = self.saved_game or (self.interrupted_game if isinstance(stage, ResumePrompt) else None)
        if saved_game is None:
            self._enter_stage(self._make_lobby())
            return
        try:
            saved_game = SavedGame(self._journal, saved_game.id, saved_game.definition)
        except JournalUnwritable as why:
            log.warning("%s", why)
        has_gap = saved_game.replay.gap is not None
        self._enter_stage(
            self._resumption.make_prompt(saved_game) if ask_first or has_gap else self._make_referee(saved_game)
        )
        self.notice = _("Something failed and was noted. The game stands as written down: look whether it is right")

    def _reset_if_abandoned(self) -> Stage | None:
        """Return a fresh lobby for the next guests if the last ones have left (café mode); None while they are here."""
        now, minutes = self._services.monotonic(), self._services.cafe.quiet_minutes
        stage = self.stage
        is_in_play = isinstance(stage, Referee) and stage.saved_game.game.compute_outcome() is None
        if not self._idle_timer.is_idle(minutes, now):
            self._asked_at = -math.inf
            return None
        if isinstance(stage, Greeting) or (isinstance(stage, Lobby) and stage.is_untouched):
            return None
        if isinstance(stage, ProblemReport):
            return None  # nobody has read it
        if isinstance(stage, Referee) and is_in_play:
            if stage.clocks.has_time_left:
                return None  # somebody thinks, and the clock waits with them
            if self._idle_timer.was_active_since(self._asked_at):
                self._asked_at = now
                self._help.close()  # it would hide the question
            if now - self._asked_at < ANSWER_MINUTES * 60:
                stage.ask_whether_played(ANSWER_MINUTES)
                return None
            try:
                stage.saved_game.set_aside()
            except JournalUnwritable as why:
                self.notice = why.screen_text
        self._seated, self._last_game, self._definition, self._lobby_before_review = (
            (),
            None,
            self._config.definition,
            None,
        )
        self._house_rules.forget_session()
        if self._services.preferences is not None:
            self._services.preferences.forget_choices()
        return self._make_lobby()
