"""The pages of the history: by game, by player, game by game; each row leads on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from companion.games.api.offers import Command, Console, NumberPress, Offer
from companion.i18n import Words, both, numeral
from companion.journal.statistics import Record, records
from companion.lobby.dates import day_of
from companion.lobby.dialogs import Change, Step, back
from companion.lobby.known_players import every_shape_name
from companion.lobby.results_cache import Past
from companion.referee.dialogs.base import Quiet
from companion.screen_state import TablePage, TableRow

_ = Words("companion")

BUDGET = 0.03
"""Seconds of reading between two frames."""
MORE = 6
"""The number key that leads from a page to its second one."""

Sitting = Mapping[str, Any]
Where = tuple[str, ...]
"""Which page: START, ("game", title), ("players",), ("player", name), ("sittings", "game" or "player", which)."""

START: Where = ("games",)
"""All games: the first page, which is read anew."""


@dataclass(frozen=True, slots=True)
class Page(Quiet):
    """A page. Each row leads somewhere, the first ones by their number keys, or nowhere."""

    where: Where
    sentence: str
    table: TablePage
    leads: tuple[Step, ...]
    above: Step
    """Where NO leads."""
    more: tuple[str, Step] | None = None
    """A second page, on the key 6."""
    numbered: bool = False

    def offers(self) -> Sequence[Offer]:
        offers = [back()]
        rows = self.table.rows
        if self.numbered:
            names = zip(range(1, MORE), rows, strict=False)
            offers += [Offer(Command("row", (i - 1,)), NumberPress(i), row.words) for i, row in names]
        if self.more is not None:
            offers.append(Offer(Command("more"), NumberPress(MORE), self.more[0]))
        if rows and self.leads[self.table.selected] is not None:
            offers.append(Offer(Command("row", (self.table.selected,)), Console.OK, _("This one"), awaited=True))
        if len(rows) > 1:
            offers.append(Offer(Command("move", (-1,)), Console.PLUS, _("Up")))
            offers.append(Offer(Command("move", (1,)), Console.MINUS, _("Down")))
        return offers

    def after(self, command: Command) -> Step:
        match command:
            case Command(name="row", value=(i,)):
                return self.leads[i]
            case Command(name="move", value=(by,)):
                selected = (self.table.selected + by) % len(self.table.rows)
                return replace(self, table=replace(self.table, selected=selected))
            case Command(name="more") if self.more is not None:
                return self.more[1]
            case _:
                return self.above


def to(*where: str) -> Change:
    """Leads to a page."""
    return Change("history", where)


def page(past: Past, where: Where) -> Page:
    """The page `where`; as long as there are sittings to be read, one that says so."""
    if past.left:
        words = _.plural(
            "One moment: {n} game is still to be read", "One moment: {n} games are still to be read", past.left
        )
        return Page(where, words, TablePage((), ()), (), None)
    # Imported sittings stand last in a journal, whenever they were played.
    over = sorted(
        (s for s in past.sittings if s.get("over")), key=lambda sitting: datetime.fromisoformat(sitting["begun"])
    )
    match where:
        case ("game", title):
            return _game(over, title)
        case ("players",):
            return _players(over)
        case ("player", name):
            return _player(over, name)
        case ("sittings", kind, which):
            return _sittings(over, kind, which)
        case _:
            return _games(over)


def _games(over: Sequence[Sitting]) -> Page:
    if not over:
        return Page(START, _("Nothing has been played to its end yet"), TablePage((), ()), (), None)
    rows = []
    for title in sorted({sitting["title"] for sitting in over}):
        played = [sitting for sitting in over if sitting["title"] == title]
        best, who = max((s, name) for g in played for s, name in zip(g["scores"], g["players"], strict=True))
        told = _(
            "Best: {best}. Last won by {who}, {day}", best=who, who=both(_winners(played[-1])), day=_day(played[-1])
        )
        rows.append(TableRow(title, (str(len(played)), numeral(best)), told))
    said = _.plural("{n} game was played to its end", "{n} games were played to their end", len(over))
    return Page(
        START,
        said,
        TablePage((_("played"), _("best")), tuple(rows), name=_("Game")),
        tuple(to("game", row.words) for row in rows),
        None,
        (_("Players"), to("players")),
        numbered=True,
    )


def _game(over: Sequence[Sitting], title: str) -> Page:
    played = [sitting for sitting in over if sitting["title"] == title]
    found = records(played)
    rows = tuple(TableRow(r.player, (str(r.played), str(r.won), _average(r), _best(r))) for r in found)
    return Page(
        ("game", title),
        _.plural("{game}: played once", "{game}: played {n} times", len(played), game=title),
        TablePage((_("played"), _("won"), _("average"), _("best")), rows, name=_("Player")),
        tuple(to("player", record.player) for record in found),
        to(*START),
        (_("Results"), to("sittings", "game", title)),
    )


def _players(over: Sequence[Sitting]) -> Page:
    """Those who gave a name: a seat's shape may have been anybody."""
    shapes = every_shape_name()
    played: dict[str, int] = {}
    won: dict[str, int] = {}
    for sitting in over:
        winners = _winners(sitting)
        for name in sitting["players"]:
            if name not in shapes:
                played[name] = played.get(name, 0) + 1
                won[name] = won.get(name, 0) + (name in winners)
    names = sorted(played, key=lambda name: (-won[name], -played[name], name))
    return Page(
        ("players",),
        _.plural("{n} player", "{n} players", len(names)) if names else _("Nobody has given a name yet"),
        TablePage(
            (_("played"), _("won")),
            tuple(TableRow(name, (str(played[name]), str(won[name]))) for name in names),
            name=_("Player"),
        ),
        tuple(to("player", name) for name in names),
        to(*START),
    )


def _player(over: Sequence[Sitting], name: str) -> Page:
    found = [record for record in records(over) if record.player == name]
    rows = tuple(TableRow(r.title, (str(r.played), str(r.won), _average(r), _best(r))) for r in found)
    won, played = sum(record.won for record in found), sum(record.played for record in found)
    return Page(
        ("player", name),
        _("{who}: won {won} of {n}", who=name, won=won, n=played),
        TablePage((_("played"), _("won"), _("average"), _("best")), rows, name=_("Game")),
        tuple(to("game", record.title) for record in found),
        to("players"),
        (_("Results"), to("sittings", "player", name)),
    )


def _sittings(over: Sequence[Sitting], kind: str, which: str) -> Page:
    """Game by game, the latest first; each leads to its result."""
    found = [s for s in reversed(over) if (s["title"] == which if kind == "game" else which in s["players"])]
    rows = []
    for sitting in found:
        order = sorted(zip(sitting["scores"], sitting["players"], strict=True), key=lambda entry: -entry[0])
        scores = ", ".join(f"{name} {score}" for score, name in order)
        begun = datetime.fromisoformat(sitting["begun"])
        when = _("{day}, {time}", day=day_of(begun), time=f"{begun:%H:%M}")
        rows.append(TableRow(when if kind == "game" else f"{sitting['title']}, {when}", (), scores))
    return Page(
        ("sittings", kind, which),
        _("{which}: result by result", which=which),
        TablePage((), tuple(rows), name=_("Day") if kind == "game" else _("Game")),
        tuple(Change("look back", sitting["id"]) for sitting in found),
        to(kind, which),
    )


def _winners(sitting: Sitting) -> list[str]:
    return [sitting["players"][seat] for seat in sitting["winners"]]


def _day(sitting: Sitting) -> str:
    return day_of(datetime.fromisoformat(sitting["begun"]))


def _average(record: Record) -> str:
    """With one place after the point, or what stands there in the language of the evening.

    >>> _average(Record("Ada", "Toy", 2, 1, -2.25, 4, None))
    '−2.2'
    """
    if record.average is None:
        return ""
    whole, tenth = numeral(f"{record.average:.1f}").split(".")
    return _("{whole}.{tenth}", whole=whole, tenth=tenth)


def _best(record: Record) -> str:
    return "" if record.best is None else numeral(record.best)
