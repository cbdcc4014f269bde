"""Before a game: which game, who plays, in which order, by which house rules.

Seats are taken in clockwise order by pressing one's own button, so that the turn order is the real seating.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.events import SEAT_BUTTONS, Button
from companion.games.api.game import Seat
from companion.games.api.offers import Command, Console, Kit, NumberPress, Offer
from companion.i18n import Words
from companion.lobby import history, house_rules_menu
from companion.lobby.dialogs import Change, Dialog, Letters, Listing, Row, Seats, Step
from companion.lobby.house_rules import House
from companion.lobby.known_players import Regulars, every_shape_name, shape_name
from companion.lobby.preferences import LANGUAGE, LINES, Box
from companion.lobby.preferences import menu as box_menu
from companion.lobby.results_cache import Past
from companion.lobby.stage import Hall
from companion.lobby.transitions import Exit, ToGame, ToLast, ToResult, ToSetUp, ToUnfinished
from companion.referee.buttons import keys_of
from companion.screen_state import Eyes, Place, Player, Question, Shown

_ = Words("companion")

NAMES_OFFERED = 12
"""Names of regulars that a seat is offered, the latest ones."""


class Lobby(Hall):
    """Players take their seats, and may choose another game or other house rules.

    Args:
        kit: the game to be played, unless another is chosen.
        house: the house rules.
        monotonic: the host's monotonic clock, in seconds.
        names: given names in clockwise order; where there are none, everybody may sit down.
        kits: the games to choose from.
        regulars: who played here before.
        seated: who sits already, in clockwise order, from the game before.
        last: there is a last game whose result can be gone back to.
        put_away: unfinished sittings to go on with: number and words of each.
        box: what may be chosen for the box itself; None: nothing.
        locked: guests may change neither the house rules nor the box.
        switch_off: has the box switched off; whether that could be asked for; None: that is not offered.
        past: what was played here before; None: it is not shown.
        export: writes the day's results onto a USB stick and says how that went; None: that is not offered.
    """

    def __init__(
        self,
        kit: Kit,
        house: House,
        monotonic: Callable[[], float],
        *,
        names: Sequence[str] = (),
        kits: Sequence[Kit] = (),
        regulars: Regulars | None = None,
        seated: Sequence[tuple[Button, str]] = (),
        last: bool = False,
        put_away: Sequence[tuple[int, str]] = (),
        box: Box | None = None,
        locked: bool = False,
        past: Past | None = None,
        export: Callable[[], str] | None = None,
        switch_off: Callable[[], bool] | None = None,
    ) -> None:
        super().__init__(kit, monotonic)
        self.house = house
        self.box = box
        self.locked = locked
        self._past = past
        self._export = export
        self._switch_off = switch_off
        self.names = tuple(names)
        self.kits = tuple(kits) or (kit,)
        self.regulars = regulars or Regulars()
        self._seated = dict(seated)
        self._last, self._put_away = last, tuple(put_away)
        self.dialog: Dialog | None = None
        self.notice: str | None = None
        self.exit: Exit | None = None
        """Where people go from here; None: they are still here."""

    @property
    def done(self) -> bool:
        return self.exit is not None

    @property
    def untouched(self) -> bool:
        """Whether nobody has done anything here."""
        return not self._seated and self.dialog is None

    @property
    def settings(self) -> Any:
        """The house rules that a start uses."""
        return self.house.rules(self.kit)

    @property
    def seating(self) -> tuple[Button, ...]:
        """Buttons of those who have pressed, in order."""
        return tuple(self._seated)

    @property
    def seated(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self._seated.values())

    @property
    def _players(self) -> int:
        """The number of players that house rules are for: one that the game can be played by."""
        few, many = self.kit.players[0], self.kit.players[-1]
        return min(max(len(self._seated) or len(self.names), few), many)

    @property
    def _full(self) -> bool:
        return len(self._seated) >= min(len(self.names) or self.kit.players[-1], self.kit.players[-1])

    @property
    def _may_start(self) -> bool:
        return len(self._seated) in self.kit.players and (self._full or not self.names)

    # What may be pressed ----------------------------------------------------------------------------------------

    def offers(self) -> Sequence[Offer]:
        if self.dialog is not None:
            return self.dialog.offers()
        offers = []
        for n, button in enumerate(SEAT_BUTTONS, 1):
            if button in self._seated:
                offers.append(Offer(Command("leave", (n,)), NumberPress(n), _("Not me")))
            elif not self._full:
                offers.append(Offer(Command("join", (n,)), NumberPress(n), _("I sit here"), awaited=True))
        if self._may_start:
            offers.append(Offer(Command("start"), Console.OK, _("Start"), awaited=True))
        if len(self.kits) > 1:
            offers.append(Offer(Command("games"), Console.PLUS, _("Other game")))
        offers.append(Offer(Command("more"), Console.MINUS, _("Rules, names")))
        if self._seated:
            number = SEAT_BUTTONS.index(self.seating[-1]) + 1
            offers.append(Offer(Command("leave", (number,)), Console.NO, _("Without {who}", who=self.seated[-1])))
        return offers

    def obey(self, command: Command) -> None:
        self.notice = None
        if self.dialog is not None:
            self._go(self.dialog.after(command))
            return
        match command:
            case Command(name="join", value=(n,)):
                self._join(SEAT_BUTTONS[n - 1])
            case Command(name="leave", value=(n,)):
                del self._seated[SEAT_BUTTONS[n - 1]]
            case Command(name="games"):
                self._go(self._games())
            case Command(name="more"):
                self._go(self._more())
            case Command(name="start"):
                self._start()
            case _:
                raise AssertionError(command)

    def tick(self) -> None:
        super().tick()
        if self._past is not None and self._past.left and isinstance(self.dialog, history.Page):
            self._past.read(history.BUDGET)
            self._go(history.page(self._past, self.dialog.where))

    def _join(self, button: Button) -> None:
        """The name that was given, or that of who sat here last, or the seat's shape."""
        given = next((name for name in self.names if name not in self.seated), None)
        known = self.regulars.at.get(button)
        known = None if known in self.seated else known
        self._seated[button] = given or known or shape_name(button)

    def _rename(self) -> None:
        """Who is called by a seat's shape is so in the language of the evening."""
        for button, name in self._seated.items():
            if name in every_shape_name():
                self._seated[button] = shape_name(button)

    def _start(self) -> None:
        unasked = self.house.unasked(self.kit, self._players)
        if not unasked:
            self.exit = ToGame()
            return
        self._ask(unasked[0])

    # Dialogs ----------------------------------------------------------------------------------------------------

    def _go(self, step: Step) -> None:
        if isinstance(step, Change):
            self._change(step)
        else:
            self.dialog = step

    def _change(self, change: Change) -> None:
        self.dialog = None
        match change:
            case Change("game", kit):
                self.kit = kit
                if not self.names:
                    self._seated = dict(list(self._seated.items())[: kit.players[-1]])
            case Change("rules", selected):
                self._go(house_rules_menu.menu(self.settings, self._players, selected or 0))
            case Change("edit", name):
                self._go(house_rules_menu.editor(self.settings, name, self._players, self._rules_at(name)))
            case Change("rule", (name, value)):
                self.notice = self.house.change(self.kit, name, value)
                self._go(self._rules_at(name))
            case Change("page", (name, value)):
                self.notice = self.house.change(self.kit, name, value)
                self._change(Change("edit", name))
            case Change("asked", (name, value)):
                self.notice = self.house.change(self.kit, name, value)
                self.house.asked(self.kit, name, self._players)
                self._start()
            case Change("names"):
                self._go(self._who())
            case Change("name of", button):
                self._go(self._name(button))
            case Change("name", (button, name)):
                self._seated[button] = name
            case Change("box", selected) if self.box is not None:
                self._go(box_menu(self.box, selected or 0))
            case Change("box choice", (name, value)) if self.box is not None:
                self.notice = self.box.change(name, value)
                self._rename()
                self._go(box_menu(self.box, LINES.index(name)))
            case Change("switch off") if self._switch_off is not None:
                self.notice = (
                    _("Switching off: when the screen is dark, the plug may be pulled")
                    if self._switch_off()
                    else _("The box cannot switch itself off: pull the plug, nothing will be lost")
                )
            case Change("export") if self._export is not None:
                self.notice = self._export()
            case Change("history", where) if self._past is not None:
                if where == history.START:
                    self._past.open()
                    self._past.read(history.BUDGET)
                self._go(history.page(self._past, where))
            case Change("look back", number):
                self.exit = ToResult(number)
            case Change("set up"):
                self.exit = ToSetUp()
            case Change("last"):
                self.exit = ToLast()
            case Change("go on", number):
                self.exit = ToUnfinished(number)
            case _:
                raise AssertionError(change)

    def _rules_at(self, name: str) -> Any:
        at = list(house_rules_menu.titled(type(self.settings))).index(name)
        return house_rules_menu.menu(self.settings, self._players, at)

    def _ask(self, name: str) -> None:
        """A default of ours, for the owner to compare with what is in the box."""
        edited = house_rules_menu.editor(self.settings, name, self._players, None)
        assert isinstance(edited, Row), "what is asked once is a row of numbers"
        value, players = getattr(self.settings, name), self._players

        def done(new: tuple[int, ...]) -> Change:
            return Change("asked", (name, {**value, players: new} if isinstance(value, dict) else new))

        self.dialog = Row(
            _("Compare with the box: {rule}", rule=edited.title),
            edited.labels,
            edited.values,
            edited.low,
            edited.high,
            done,
        )

    def _games(self) -> Step:
        items = tuple(
            (self._for_players(_("{game}, {few} to {many} players"), kit), Change("game", kit)) for kit in self.kits
        )
        return Listing(_("Which game?"), items, self.kits.index(self.kit), short=tuple(kit.title for kit in self.kits))

    @staticmethod
    def _for_players(words: str, kit: Kit) -> str:
        return words.format(game=kit.title, few=kit.players[0], many=kit.players[-1])

    def _more(self) -> Step:
        items: list[tuple[str, Step]] = []
        if not self.locked and house_rules_menu.titled(type(self.settings)):
            items.append((_("House rules of {game}", game=self.kit.title), Change("rules")))
        if self._seated:
            items.append((_("Names"), Change("names")))
        if self._last:
            items.append((_("The last result"), Change("last")))
        if self._past is not None:
            items.append((_("What was played here"), Change("history", history.START)))
        if self._export is not None:
            items.append((_("Today's results onto a USB stick"), Change("export")))
        if self.box is not None and not self.locked:
            items.append((_("This box: {language}, colours, sound", language=LANGUAGE), Change("box")))
        items += [(words, Change("go on", number)) for number, words in self._put_away]
        if self._switch_off is not None:
            items.append((_("Switch off"), _switch_off()))
        return Listing(_("What shall it be?"), tuple(items)) if items else None

    def _who(self) -> Step:
        seats = tuple(
            (SEAT_BUTTONS.index(button) + 1, name, Change("name of", button)) for button, name in self._seated.items()
        )
        return Seats(_("Whose name?"), seats)

    def _name(self, button: Button) -> Step:
        known = [n for n in (*self.names, *self.regulars.names) if n not in self.seated]
        items: list[tuple[str, Step]] = [
            (name, Change("name", (button, name))) for name in dict.fromkeys(known[:NAMES_OFFERED])
        ]
        spell = Letters(_("Your name, letter by letter"), lambda name: Change("name", (button, name)))
        items.append((_("Another name"), spell))
        items.append((shape_name(button), Change("name", (button, shape_name(button)))))
        return Listing(_("Who sits here?"), tuple(items))

    # What is shown ----------------------------------------------------------------------------------------------

    @property
    def sentence(self) -> str:
        """Who is to press now."""
        taken, players = len(self._seated), self.kit.players
        if taken > players[-1]:
            return self._for_players(_("{game} is for {few} to {many} players: who sits this one out?"), self.kit)
        if self._full and taken < players[0]:
            return self._for_players(_("{game} is for {few} to {many} players: choose another game"), self.kit)
        if self.names and not self._full:
            given = next(name for name in self.names if name not in self.seated)
            return _("{who}: press your button", who=given)
        if self.names and taken == len(self.names) and self._may_start:
            return _("Everybody is seated: start with OK")
        if taken == players[-1]:
            return _("The table is full: start with OK")
        return _("Press your buttons, one after the other, clockwise")

    def shown(self, eyes: Eyes) -> Shown:
        """The lobby as the display is told it; or a page of the history, which has the screen to itself."""
        if isinstance(self.dialog, history.Page):
            return Shown(
                place=Place.HISTORY,
                game=self.kit.name,
                title=_("History"),
                camera=False,
                sentence=self.dialog.sentence,
                view=self.dialog.table,
                keys=keys_of(self.offers(), ()),
                notice=self.notice or self.trouble(),
                heard=self.heard.now(),
                eyes=eyes,
            )
        pieces = self.kit.pieces
        seats = enumerate(self._seated.items())
        return Shown(
            place=Place.LOBBY,
            game=self.kit.name,
            title=self.kit.title,
            camera=self.kit.camera,
            sentence=self.sentence,
            players=tuple(
                Player(Seat(i), name, button, pieces[i] if i < len(pieces) else "") for i, (button, name) in seats
            ),
            keys=keys_of(self.offers(), ()),
            question=self._question,
            menu=self.dialog.menu if self.dialog else None,
            notice=self.notice or self.house.trouble or (self.box.trouble if self.box else None) or self.trouble(),
            heard=self.heard.now(),
            eyes=eyes,
            details=(
                self._for_players(_("{few} to {many} players"), self.kit),
                *house_rules_menu.changed(self.settings, self._players),
            ),
        )

    @property
    def _question(self) -> Question | None:
        return self.dialog.question if self.dialog else None


def _switch_off() -> Dialog:
    """Asked once more: the line above it may have been meant."""
    return Listing(
        _("Switch the box off?"),
        ((_("Yes, switch off"), Change("switch off")), (_("No"), None)),
    )
