"""The lobby's shelf of games: on the first page those that were played last, then all of them by the alphabet.

Each game is at most three presses away: PLUS in the lobby, a held number key (or PLUS, MINUS) for a page, and the key
of its line. Lines and letters keep their keys as long as no game is added and as many people sit at the table.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.api import ConsolePress, HoldNumberPress, NumberPress
from companion.i18n import _
from companion.referee.dialogs.base import (
    NUMBER_KEYS,
    Answer,
    Dialog,
    LazyStep,
    back_answer,
    label_number_keys,
    up_down_answers,
)
from companion.screen_state import GameCover, Menu

MAX_QUICK_LINES = (NUMBER_KEYS + 1) * NUMBER_KEYS
"""Lines of the alphabet that are three presses away: a page for each number key held, and the last one by MINUS."""
MAX_LABEL_LETTERS = 2
"""First letters of a title that the label of a held key has at most, where two keys would say the same with one."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in the list, or house rules with a name of their own.

    Args:
        title: its name, translated.
        cover: its picture; None: it has none.
        details: what else people want to know about it, the most important first.
        step: step of its key.
        last_played: the higher, the later it was played last; 0: never.
        is_favourite: it keeps its key on the first page, whatever else is played.
        fits: it can be played by those who sit at the table.
        is_chosen: the lobby is open for it now.
    """

    title: str
    cover: GameCover | None = None
    details: tuple[str, ...] = ()
    step: LazyStep = None
    last_played: int = 0
    is_favourite: bool = False
    fits: bool = True
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class GamePage:
    """A page of the list: its heading, the letters of its key, and up to six lines."""

    heading: str
    letters: str
    lines: tuple[GameLine, ...]


@dataclass(frozen=True, slots=True)
class GameList(Dialog):
    """The list, open at a page: a number key plays a line, and held it opens a page of the alphabet.

    >>> titles = "Skat", "Go", "Pig", "Catan", "Hearts", "Chess", "Tichu"
    >>> games = open_game_list([GameLine(title) for title in titles])
    >>> games.menu.title, games.menu.items[:2]
    ('Which game? 1/3', ('Skat', 'Go'))
    >>> [answer.label for answer in games.list_answers()][:3]
    ['Skat', 'Go', 'Pig']
    """

    pages: tuple[GamePage, ...]
    page: int = 0

    @property
    def _shown(self) -> GamePage:
        return self.pages[self.page]

    @property
    def _marked(self) -> int:
        """Index of the line that OK plays: the game of the lobby, else the first."""
        return next((i for i, line in enumerate(self._shown.lines) if line.is_chosen), 0)

    @property
    def menu(self) -> Menu:
        """The lines of the page; the heading says which page it is."""
        lines, title = self._shown.lines, self._shown.heading
        if len(self.pages) > 1:
            title = f"{title} {self.page + 1}/{len(self.pages)}"
        return Menu(
            title,
            tuple(line.title for line in lines),
            self._marked,
            numbered=len(lines),
            details=tuple(line.details for line in lines),
            starred=frozenset(i for i, line in enumerate(lines) if line.is_favourite),
            covers=tuple(line.cover for line in lines if line.cover is not None),
        )

    def list_answers(self) -> Sequence[Answer]:
        """List the number keys, pressed and held, OK for the marked line, PLUS and MINUS for pages, and NO."""
        lines = self._shown.lines
        held = {n: page for n, page in enumerate(self.pages[1:], 1) if n <= NUMBER_KEYS}
        labels = label_number_keys([line.title for line in lines])
        turns = []
        if len(self.pages) > 1:
            # From the first page to the last one of those who sit here: other games would cost it its third press.
            fitting = [n for n, page in enumerate(self.pages) if page.lines[0].fits]
            before = self.page - 1 if self.page or not any(fitting) else fitting[-1]
            more, back = up_down_answers(self._turn_to(self.page + 1), self._turn_to(before))
            turns = [replace(more, label=_("Next page")), replace(back, label=_("Previous page"))]
        return [
            *(Answer(NumberPress(n), labels[n - 1], line.step) for n, line in enumerate(lines, 1)),
            *(
                Answer(HoldNumberPress(n), _("Hold: {letters}", letters=page.letters), self._turn_to(n))
                for n, page in held.items()
            ),
            Answer(ConsolePress.OK, _("Select"), lines[self._marked].step, awaited=True),
            *turns,
            back_answer(),
        ]

    def _turn_to(self, page: int) -> "GameList":
        return replace(self, page=page % len(self.pages))


def open_game_list(lines: Sequence[GameLine], player_count: int = 0) -> GameList:
    """Open the list at its first page: favourites by the alphabet, then what was played last.

    Games that do not fit the people at the table come last, on pages of their own.

    Args:
        lines: at least one, in the order in which a table that has played nothing yet sees them.
        player_count: number of people at the table, for the headings; 0: nobody sits there yet.
    """
    first = _choose_first_lines(lines)
    which = _("Which game for {n} players?", n=player_count) if player_count else _("Which game?")
    is_known = len(lines) > NUMBER_KEYS and any(line.last_played for line in first)
    pages = [GamePage(_("Last played") if is_known else which, "", first)]
    if len(lines) > NUMBER_KEYS:
        for_all = _("All games for {n} players:", n=player_count) if player_count else _("All games:")
        for fits, heading in ((True, for_all), (False, _("Not for {n} players:", n=player_count))):
            found = sorted((line for line in lines if line.fits is fits), key=lambda line: _sort_key(line.title))
            for start in range(0, len(found), NUMBER_KEYS):
                some = tuple(found[start : start + NUMBER_KEYS])
                letters = _format_letters(found, start, start + len(some) - 1)
                pages.append(GamePage(f"{heading} {letters}", letters, some))
    return GameList(tuple(pages))


def _format_letters(lines: Sequence[GameLine], start: int, end: int) -> str:
    """Return between which letters the titles from `start` to `end` lie: one each, more where a neighbour has it."""
    first = _shorten(lines[start].title, lines[start - 1].title if start else "")
    last = _shorten(lines[end].title, lines[end + 1].title if end + 1 < len(lines) else "")
    if _sort_key(first).startswith(_sort_key(last)):
        last = lines[end].title[: len(first)]  # "Sk to S" would be none of the alphabet
    return first if _sort_key(first) == _sort_key(last) else _("{first} to {last}", first=first, last=last)


def _shorten(title: str, neighbour: str) -> str:
    for count in range(1, MAX_LABEL_LETTERS):
        if _sort_key(title[:count]) != _sort_key(neighbour[:count]):
            return title[:count]
    return title[:MAX_LABEL_LETTERS].strip()


def _choose_first_lines(lines: Sequence[GameLine]) -> tuple[GameLine, ...]:
    if len(lines) <= NUMBER_KEYS:
        return tuple(sorted(lines, key=lambda line: not line.fits))
    latest = sorted(lines, key=lambda line: -line.last_played)
    fitting = [line for line in latest if line.fits] or latest
    favourites = [line for line in fitting if line.is_favourite][:NUMBER_KEYS]
    others = [line for line in fitting if line not in favourites]
    return (*sorted(favourites, key=lambda line: _sort_key(line.title)), *others[: NUMBER_KEYS - len(favourites)])


def _sort_key(title: str) -> str:
    """Return a title without accents and capitals: people look for "Écarté" under E."""
    return "".join(c for c in unicodedata.normalize("NFKD", title) if not unicodedata.combining(c)).casefold()
