"""Menus: lists in which PLUS and MINUS move, and pages of lines on the number keys."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.api import ConsolePress, NumberPress
from companion.i18n import _
from companion.referee.dialogs.base import Answer, Dialog, LazyStep, Subject, back_answer, up_down_answers
from companion.screen_state import Menu

NUMBER_KEYS = 6
"""Lines of a menu that have a number key at a time: there are six seat buttons."""
MAX_KEY_LABEL_WORDS = 2
"""Words of a label that fits its key; with a longer one all number keys say "Line 1", "Line 2" ..."""
MAX_KEY_WORD_LENGTH = 8
"""Letters of a word that fits a key's width."""


@dataclass(frozen=True, slots=True)
class ListMenu(Dialog):
    """One of several lines: PLUS and MINUS move, OK chooses.

    Args:
        title: heading, translated.
        items: label and step of each line; at least one.
        selected: index of the selected line, from 0.
    """

    title: str
    items: tuple[tuple[str, LazyStep], ...]
    selected: int = 0
    back: LazyStep = None
    """Step of NO."""
    shortcuts: tuple[Answer, ...] = ()
    """Answers of further buttons."""
    subject: Subject | None = None
    """As of a question."""
    games: tuple[str, ...] = ()
    """Names of the games that the lines stand for; empty: they stand for none."""
    key_labels: tuple[str, ...] = ()
    """Labels of the number keys, one for each line; empty: the lines have no number keys."""

    @property
    def _numbered(self) -> range:
        """Indexes of the lines that have a number key now: the six among which the selected one is."""
        first = self.selected // NUMBER_KEYS * NUMBER_KEYS
        return range(first, min(first + NUMBER_KEYS, len(self.key_labels)))

    @property
    def menu(self) -> Menu:
        """The lines, with the selected one, and which of them have a number key."""
        lines = tuple(label for label, _step in self.items)
        first, count = (self._numbered.start, len(self._numbered)) if self.key_labels else (0, 0)
        return Menu(self.title, lines, self.selected, numbered=count, first_numbered=first, games=self.games)

    def list_answers(self) -> Sequence[Answer]:
        """List the shortcuts, the number keys, OK to choose the selected line, PLUS and MINUS to move, and NO.

        The number keys choose among six lines; with the selected line they pass on to the next six. PLUS on the first
        line leads to the last one, MINUS on the last to the first.

        Raises:
            ZeroDivisionError: the menu has no items.
        """
        return [
            *self.shortcuts,
            *self._list_number_keys(),
            Answer(ConsolePress.OK, _("Select"), lambda: self.items[self.selected][1], awaited=True),
            *up_down_answers(self._move(-1), self._move(1)),
            back_answer(self.back),
        ]

    def _list_number_keys(self) -> Sequence[Answer]:
        labels = label_number_keys([self.key_labels[i] for i in self._numbered])
        return [
            Answer(NumberPress(number), label, self.items[i][1])
            for number, (i, label) in enumerate(zip(self._numbered, labels, strict=True), 1)
        ]

    def _move(self, by: int) -> "ListMenu":
        return replace(self, selected=(self.selected + by) % len(self.items))


@dataclass(frozen=True, slots=True)
class PagedMenu(Dialog):
    """A menu in pages of six lines, each on a number key; PLUS and MINUS turn the pages.

    Args:
        title: heading, translated.
        items: label, label of the key and step of each line; at least one.
        selected: index of the line that is marked, and that OK chooses, from 0.
        page: page that is shown, from 0.
        games: names of the games that the lines stand for, one for each.
    """

    title: str
    items: tuple[tuple[str, str, LazyStep], ...]
    selected: int = 0
    page: int = 0
    games: tuple[str, ...] = ()

    @property
    def page_count(self) -> int:
        """Number of pages."""
        return -(-len(self.items) // NUMBER_KEYS)

    @property
    def _place(self) -> slice:
        return slice(self.page * NUMBER_KEYS, (self.page + 1) * NUMBER_KEYS)

    @property
    def menu(self) -> Menu:
        """The lines of the page; the heading says which page it is."""
        title = f"{self.title} {self.page + 1}/{self.page_count}" if self.page_count > 1 else self.title
        lines = tuple(label for label, _key, _step in self.items[self._place])
        return Menu(title, lines, self._marked, numbered=len(lines), games=self.games[self._place])

    @property
    def _marked(self) -> int:
        """Index of the marked line on the page: the selected one, else the first."""
        page, line = divmod(self.selected, NUMBER_KEYS)
        return line if page == self.page else 0

    def list_answers(self) -> Sequence[Answer]:
        """List a number key for each line of the page, OK for the marked line, PLUS and MINUS for pages, and NO."""
        shown = self.items[self._place]
        labels = label_number_keys([key for _label, key, _step in shown])
        keys = [
            Answer(NumberPress(i), label, step)
            for i, (label, (_label, _key, step)) in enumerate(zip(labels, shown, strict=True), 1)
        ]
        turns = up_down_answers(self._turn(1), self._turn(-1)) if self.page_count > 1 else []
        turns = [replace(turn, label=label) for turn, label in zip(turns, (_("More"), _("Back one")), strict=False)]
        return [
            *keys,
            Answer(ConsolePress.OK, _("Select"), shown[self._marked][2], awaited=True),
            *turns,
            back_answer(),
        ]

    def _turn(self, by: int) -> "PagedMenu":
        return replace(self, page=(self.page + by) % self.page_count)


def fits_key(label: str) -> bool:
    """Return whether a label fits its key: at most two short words.

    >>> fits_key("Secret Number"), fits_key("Maximilianna")
    (True, False)
    """
    words = label.split()
    return len(words) <= MAX_KEY_LABEL_WORDS and all(len(word) <= MAX_KEY_WORD_LENGTH for word in words)


def label_number_keys(labels: Sequence[str]) -> Sequence[str]:
    """Return the labels of number keys: those given, or "Line 1", "Line 2" ... if one does not fit its key."""
    return labels if all(map(fits_key, labels)) else [_("Line {n}", n=i) for i in range(1, len(labels) + 1)]


def open_paged_menu(
    title: str, items: Sequence[tuple[str, str, LazyStep]], selected: int = 0, games: Sequence[str] = ()
) -> PagedMenu:
    """Open a menu in pages of six lines, each one press away, at the page with the selected line.

    Args:
        title: heading of the menu, translated.
        items: label, label of the number key and step of each line; at least one.
        selected: index of the line that is marked, from 0.
        games: names of the games that the lines stand for, one for each; empty: they stand for none.
    """
    return PagedMenu(title, tuple(items), selected, selected // NUMBER_KEYS, tuple(games))


def open_numbered_menu(
    title: str,
    items: Sequence[tuple[str, LazyStep]],
    selected: int = 0,
    back: LazyStep = None,
    key_labels: Sequence[str] = (),
) -> ListMenu:
    """Open a menu whose lines are one press away, on the number keys: six at a time, as the selected line moves on.

    Args:
        title: heading of the menu, translated.
        items: label and step of each line; at least one.
        selected: index of the line that is selected at first, from 0 to the number of items - 1; not checked.
        back: step of NO; None: it closes the menu.
        key_labels: labels of the number keys, one for each line; empty: the lines' own. If one of six does not fit its
            key (`fits_key`), all say "Line 1", "Line 2" ...

    Raises:
        ValueError: there are not as many `key_labels` as items.
    """
    labels = tuple(key_labels) or tuple(label for label, _step in items)
    if len(labels) != len(items):
        raise ValueError(f"{len(items)} lines need a label each, not {len(labels)}")
    return ListMenu(title, tuple(items), selected, back, key_labels=labels)
