"""What is remarkable about the game that has just ended: the history is read a little in each turn of the loop.

The sentences: `companion/journal/highlights.py`. Best moments within the game: `companion/display/best_moments.py`.
"""

from companion.i18n import current_language
from companion.journal.highlights import describe_game
from companion.journal.luck_sentences import describe_best_faces
from companion.journal.saved_game import SavedGame
from companion.lobby.history import list_ended_games, translate_title
from companion.lobby.results_cache import ResultsCache

READ_SECONDS = 0.005
"""Seconds of reading in a turn of the loop; more shows the sentences sooner, and moves the podium less smoothly."""


class HighlightsReader:
    """The highlights of a finished game.

    Args:
        results: the summaries of past games.
    """

    def __init__(self, results: ResultsCache) -> None:
        self._results = results
        self._number: int | None = None
        self._language = ""
        self._lines: tuple[str, ...] | None = None

    def begin(self, game: SavedGame | None) -> None:
        """Begin to read the history for a game that is over; None: there is none."""
        self._number, self._lines = None if game is None else game.id, None
        if game is not None:
            self._results.restart()

    def read(self, game: SavedGame | None) -> tuple[str, ...]:
        """Read on, and return the sentences about the game that is on the screen; none before all has been read.

        Raises:
            JournalUnwritable: the journal cannot be read.
            Exception: a game of another package may raise any error.
        """
        if game is None or game.id != self._number:
            return ()
        if self._lines is None or self._language != current_language():
            if not self._results.read_more(READ_SECONDS):
                return ()
            self._language, self._lines = current_language(), self._describe(game)
        return self._lines

    def _describe(self, game: SavedGame) -> tuple[str, ...]:
        ended = list_ended_games(self._results)
        place = next((i for i, summary in enumerate(ended) if summary["id"] == game.id), None)
        if place is None:
            return ()
        definition = game.definition
        has_name = not definition.name_setting or bool(definition.get_given_name(game.setup.settings))
        lines = describe_game(ended[place], ended[:place], translate_title, has_name=has_name)
        dice = definition.fair_dice
        luck = describe_best_faces(ended[place]["players"], ended[place]["dice"], dice) if dice is not None else ""
        return (*lines, *filter(None, [luck]))
