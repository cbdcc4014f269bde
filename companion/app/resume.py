"""Bring back a stored game: after a start the one that was running, from the lobby one that was set aside.

After a start the players are asked first (`companion.lobby.resume_prompt`); after a crash the game continues at once.
Which game that is: `Journal.find_resumable_game`.
"""

from collections.abc import Callable

from companion.api import CommandName
from companion.i18n import _
from companion.journal.database import Journal
from companion.journal.entry import InvalidSavedGame, JournalUnwritable, describe_for_screen
from companion.journal.exported_game import load_saved_game
from companion.journal.saved_game import SavedGame
from companion.lobby import ResumePrompt
from companion.referee.screen_parts import build_players


class GameResumption:
    """Finds the game that is to continue, asks where that is open, and applies the answer.

    >>> from companion.journal.memory_journal import MemoryJournal
    >>> with MemoryJournal(lambda: 0.0) as journal:
    ...     GameResumption(journal, lambda: 0.0, print).resume_last_game(None) is None
    True

    Args:
        journal: where the games are stored.
        monotonic: the host's monotonic clock, in seconds.
        announce: shows one translated line to the players, instead of the one before; None: no line.

    Attributes:
        interrupted_game: the game that the resume prompt asks about, or asked about last; None: there was none.
        finished_game: the game that was played last, if it has ended; known after `resume_last_game`.
    """

    def __init__(
        self, journal: Journal, monotonic: Callable[[], float], announce: Callable[[str | None], None]
    ) -> None:
        self._journal, self._monotonic, self._announce = journal, monotonic, announce
        self._unread_game: int | None = None
        """Number of the game that could not be loaded at the start; None: there is none."""
        self.interrupted_game: SavedGame | None = None
        self.finished_game: SavedGame | None = None

    def resume_last_game(self, continue_game_id: int | None) -> ResumePrompt | SavedGame | None:
        """Bring back the game that was running when the program ended.

        Args:
            continue_game_id: number of the game that continues without a question; None: always ask.

        Returns:
            The question, or the game that continues at once; None: no game is to continue.

        Raises:
            JournalUnwritable: the journal cannot be read.
            Exception: an error of an installed game's own code is passed on, such as ImportError.
        """
        try:
            number = self._journal.find_resumable_game()
            saved_game = None if number is None else load_saved_game(self._journal, number)
        except InvalidSavedGame as why:
            self._unread_game = self._journal.find_last_game()
            self._announce(_("The last game cannot go on: {why}", why=why))
            return None
        if saved_game is None:
            return None
        self._announce(saved_game.problem)
        has_gap = saved_game.replay.gap is not None
        if saved_game.game.compute_outcome() is not None and not has_gap:
            self.finished_game = saved_game
            return None
        prompt = self.make_prompt(saved_game)
        goes_on = number == continue_game_id and not has_gap
        return self.apply_answer(CommandName.RESUME) if goes_on else prompt

    def resume_set_aside_game(self, number: int) -> ResumePrompt | SavedGame | None:
        """Bring back a game that was set aside.

        Args:
            number: the game's number in the journal.

        Returns:
            The game, or the question, if the disk has lost a part of it; None: it cannot continue, which is announced.
        """
        try:
            saved_game = load_saved_game(self._journal, number)
            self.set_unread_game_aside()
            if saved_game.replay.gap is not None:
                return self.make_prompt(saved_game)
            saved_game.note_resumed()
        except (InvalidSavedGame, JournalUnwritable) as why:
            self._announce(_("That game cannot go on: {why}", why=describe_for_screen(why)))
            return None
        self._announce(saved_game.problem)
        return saved_game

    def make_prompt(self, saved_game: SavedGame) -> ResumePrompt:
        """Return the resume prompt for a game, with the points of its players and its last move."""
        self.interrupted_game = saved_game
        setup, definition = saved_game.setup, saved_game.definition
        players = build_players(definition, saved_game.players, saved_game.buttons)
        last_move = saved_game.last_move_text or _("Nothing was played yet")
        title = definition.format_title(setup.settings)
        gap, scores = saved_game.replay.gap, saved_game.game.totals
        return ResumePrompt(definition, title, players, scores, last_move, gap, self._monotonic)

    def apply_answer(self, answer: CommandName) -> ResumePrompt | SavedGame | None:
        """Continue the interrupted game or set it aside, as the resume prompt was answered.

        Args:
            answer: RESUME; CONTINUE, which leaves out what came after a gap; or SET_INTERRUPTED_ASIDE.

        Returns:
            The game that continues; the question again, while the disk cannot be written; None: it was set aside.
        """
        saved_game = self.interrupted_game
        assert saved_game is not None, "else nothing was asked"
        try:
            if answer is CommandName.SET_INTERRUPTED_ASIDE:
                saved_game.set_aside()
                return None
            if answer is CommandName.RESUME and saved_game.replay.gap is not None:
                saved_game.replay_behind_gap()
                self._announce(saved_game.problem)
            saved_game.note_resumed()
        except JournalUnwritable as why:
            self._announce(why.screen_text)
            return self.make_prompt(saved_game)
        return saved_game

    def set_unread_game_aside(self) -> None:
        """Let people find the game again that could not be loaded: a start resumes only the last one played.

        Raises:
            JournalUnwritable: nothing was written.
        """
        if self._unread_game is not None:
            self._journal.set_aside(self._unread_game)
            self._unread_game = None
