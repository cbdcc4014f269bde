"""Who sits where in a game: names and buttons by seat, and what changes in them while it is played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from companion.api import BadCorrection, Seat, replace_at
from companion.events import SEAT_BUTTONS, Button
from companion.i18n import _
from companion.journal.database import GameRecord, Journal
from companion.journal.entry import (
    EntryContent,
    EntryKind,
    GameSetup,
    InvalidSavedGame,
    SeatChange,
    drop_void_entries,
)
from companion.names import has_name, resolve_names

MIN_BUTTONS_WITH_DIRECTION = 3
"""Buttons of which one can tell in which direction their numbers rise round the table."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Names and buttons of the players, by seat. Seats keep their numbers; `order` is the way round the table.

    >>> seating = Seating(("Ada", "Bob"), (Button.SEAT1, Button.SEAT4), (Seat(0), Seat(1)))
    >>> seating.apply(SeatChange(seat=2, name="Cleo", button=Button.SEAT2)).order
    (0, 2, 1)
    """

    players: tuple[str, ...]
    buttons: tuple[Button, ...]
    order: tuple[Seat, ...]
    """Seats clockwise, from any of them on."""

    @classmethod
    def from_setup(cls, setup: GameSetup) -> Seating:
        """Return the seating at the start of a game: the seats are numbered clockwise."""
        return cls(setup.players, setup.buttons, tuple(map(Seat, range(len(setup.players)))))

    @property
    def clockwise(self) -> tuple[tuple[Button, str], ...]:
        """Button and name of each player, clockwise."""
        return tuple((self.buttons[seat], self.players[seat]) for seat in self.order)

    def with_names(self, resolve: Callable[[str], str]) -> Seating:
        """Return the same seating with other names of the players, see `resolve_names`."""
        return replace(self, players=resolve_names(self.players, resolve))

    def apply(self, change: SeatChange) -> Seating:
        """Return the seating after a change: who joins or moves sits between the neighbours of the new button.

        Raises:
            BadCorrection: another player has the name, or, for who joins, the button.
        """
        seat, count = Seat(change.seat), len(self.players)
        if has_name((name for q, name in enumerate(self.players) if q != seat), change.name):
            raise BadCorrection("", _("{who} sits here already: choose another name", who=change.name))
        is_taken = change.button in self.buttons
        if seat > count or change.button not in SEAT_BUTTONS or (seat == count and is_taken):
            raise BadCorrection("", _("this seat is not free"))
        if seat == count:
            players, buttons = (*self.players, change.name), (*self.buttons, change.button)
            return Seating(players, buttons, self._insert(self.order, seat, change.button))
        renamed = replace(self, players=replace_at(self.players, seat, change.name))
        if change.button == self.buttons[seat]:
            return renamed
        if is_taken:
            other = Seat(self.buttons.index(change.button))
            swapped = {seat: other, other: seat}
            buttons = replace_at(replace_at(self.buttons, other, self.buttons[seat]), seat, change.button)
            return replace(renamed, buttons=buttons, order=tuple(swapped.get(q, q) for q in self.order))
        others = tuple(q for q in self.order if q != seat)
        return replace(
            renamed,
            buttons=replace_at(self.buttons, seat, change.button),
            order=self._insert(others, seat, change.button),
        )

    def _insert(self, others: Sequence[Seat], seat: Seat, button: Button) -> tuple[Seat, ...]:
        """Return the order in which `seat` sits beside who has the next lower button: at the side where they rise."""
        numbers = [SEAT_BUTTONS.index(self.buttons[q]) for q in others]
        rises = sum(now < following for now, following in zip(numbers, numbers[1:] + numbers[:1], strict=True))
        is_falling = len(numbers) >= MIN_BUTTONS_WITH_DIRECTION and rises == 1
        own = SEAT_BUTTONS.index(button)
        place = min(range(len(others)), key=lambda i: (own - numbers[i]) % len(SEAT_BUTTONS))
        place += not is_falling
        return (*others[:place], seat, *others[place:])


def read_seating(journal: Journal, record: GameRecord) -> Seating:
    """Return who sits where at the end of a game, by the names that players have now; nothing is replayed.

    Raises:
        InvalidSavedGame: the setup is not valid, or this version does not know an entry.
        JournalUnwritable: the journal cannot be read.
    """
    setup = GameSetup.from_json(record.setup_json)
    if not journal.has_seat_changes(record.id):
        return Seating.from_setup(setup).with_names(journal.player_names.resolve)
    try:
        entries = drop_void_entries(journal.read_entries(record.id))
        seating = _find_present_seating(setup, (entry.what for entry in entries))
        return seating.with_names(journal.player_names.resolve)
    except (BadCorrection, IndexError) as error:  # the entries are not those of a game that was played
        raise InvalidSavedGame(str(error)) from error


def _find_present_seating(setup: GameSetup, contents: Iterable[EntryContent]) -> Seating:
    counting: list[EntryContent] = []
    undone: list[EntryContent] = []
    for content in contents:
        if content.kind is EntryKind.LOST:
            break  # what came after may be wrong without it
        if content.kind is EntryKind.UNDO:
            undone.append(counting.pop())
        elif content.kind is EntryKind.REDO:
            counting.append(undone.pop())
        elif content.kind in (EntryKind.MOVE, EntryKind.CORRECTION, EntryKind.SEATED):
            counting.append(content)
            undone.clear()
    seating = Seating.from_setup(setup)
    for content in counting:
        if content.seated is not None:
            seating = seating.apply(content.seated)
    return seating
