"""The pages of the history: by game, by player, game by game; each row leads on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from companion.games.api.offers import Command, ConsolePress, NumberPress, Offer
from companion.i18n import Translator, format_number, join_and
from companion.journal.statistics import PlayerRecord, compute_player_records
from companion.lobby.dates import format_day
from companion.lobby.dialogs import LobbyChange, Step, back_offer
from companion.lobby.known_players import all_shape_names
from companion.lobby.results_cache import ResultsCache
from companion.referee.dialogs.base import DialogDefaults
from companion.screen_state import HistoryRow, HistoryTable

_ = Translator("companion")

READ_SECONDS_PER_FRAME = 0.03
"""Seconds of reading between two frames."""
MORE_NUMBER = 6
"""The number key that leads from a page to its second one."""

GameSummary = Mapping[str, Any]
PagePath = tuple[str, ...]
"""Which page: START, ("game", title), ("players",), ("player", name), ("sittings", "game" or "player", which)."""

START_PAGE: PagePath = ("games",)
"""All games: the first page, which is read anew."""


@dataclass(frozen=True, slots=True)
class HistoryPage(DialogDefaults):
    """A page. Each row leads somewhere, the first ones by their number keys, or nowhere."""

    path: PagePath
    prompt: str
    table: HistoryTable
    row_steps: tuple[Step, ...]
    parent: Step
    """Where NO leads."""
    more: tuple[str, Step] | None = None
    """A second page, on the key 6."""
    has_number_keys: bool = False

    def list_offers(self) -> Sequence[Offer]:
        offers = [back_offer()]
        rows = self.table.rows
        if self.has_number_keys:
            names = zip(range(1, MORE_NUMBER), rows, strict=False)
            offers += [Offer(Command("row", (i - 1,)), NumberPress(i), row.label) for i, row in names]
        if self.more is not None:
            offers.append(Offer(Command("more"), NumberPress(MORE_NUMBER), self.more[0]))
        if rows and self.row_steps[self.table.selected] is not None:
            offers.append(Offer(Command("row", (self.table.selected,)), ConsolePress.OK, _("This one"), awaited=True))
        if len(rows) > 1:
            offers.append(Offer(Command("move", (-1,)), ConsolePress.PLUS, _("Up")))
            offers.append(Offer(Command("move", (1,)), ConsolePress.MINUS, _("Down")))
        return offers

    def handle(self, command: Command) -> Step:
        match command:
            case Command(name="row", value=(i,)):
                return self.row_steps[i]
            case Command(name="move", value=(by,)):
                selected = (self.table.selected + by) % len(self.table.rows)
                return replace(self, table=replace(self.table, selected=selected))
            case Command(name="more") if self.more is not None:
                return self.more[1]
            case _:
                return self.parent


def open_page(*where: str) -> LobbyChange:
    """Leads to a page."""
    return LobbyChange("history", where)


def build_page(results: ResultsCache, path: PagePath) -> HistoryPage:
    """The page `where`; as long as there are sittings to be read, one that says so."""
    if results.unread_count:
        words = _.plural(
            "One moment: {n} game is still to be read",
            "One moment: {n} games are still to be read",
            results.unread_count,
        )
        return HistoryPage(path, words, HistoryTable((), ()), (), None)
    # Imported sittings stand last in a journal, whenever they were played.
    over = sorted(
        (s for s in results.summaries if s.get("over")), key=lambda sitting: datetime.fromisoformat(sitting["begun"])
    )
    match path:
        case ("game", title):
            return _build_game_page(over, title)
        case ("players",):
            return _build_players_page(over)
        case ("player", name):
            return _build_player_page(over, name)
        case ("sittings", kind, which):
            return _build_results_page(over, kind, which)
        case _:
            return _build_games_page(over)


def _build_games_page(over: Sequence[GameSummary]) -> HistoryPage:
    if not over:
        return HistoryPage(START_PAGE, _("Nothing has been played to its end yet"), HistoryTable((), ()), (), None)
    rows = []
    for title in sorted({sitting["title"] for sitting in over}):
        played = [sitting for sitting in over if sitting["title"] == title]
        best, who = max((s, name) for g in played for s, name in zip(g["scores"], g["players"], strict=True))
        told = _(
            "Best: {best}. Last won by {who}, {day}",
            best=who,
            who=join_and(_winner_names(played[-1])),
            day=_format_day(played[-1]),
        )
        rows.append(HistoryRow(title, (str(len(played)), format_number(best)), told))
    said = _.plural("{n} game was played to its end", "{n} games were played to their end", len(over))
    return HistoryPage(
        START_PAGE,
        said,
        HistoryTable((_("played"), _("best")), tuple(rows), label_heading=_("Game")),
        tuple(open_page("game", row.label) for row in rows),
        None,
        (_("Players"), open_page("players")),
        has_number_keys=True,
    )


def _build_game_page(over: Sequence[GameSummary], title: str) -> HistoryPage:
    played = [sitting for sitting in over if sitting["title"] == title]
    found = compute_player_records(played)
    rows = tuple(HistoryRow(r.player, (str(r.played), str(r.won), _format_average(r), _format_best(r))) for r in found)
    return HistoryPage(
        ("game", title),
        _.plural("{game}: played once", "{game}: played {n} times", len(played), game=title),
        HistoryTable((_("played"), _("won"), _("average"), _("best")), rows, label_heading=_("Player")),
        tuple(open_page("player", record.player) for record in found),
        open_page(*START_PAGE),
        (_("Results"), open_page("sittings", "game", title)),
    )


def _build_players_page(over: Sequence[GameSummary]) -> HistoryPage:
    """Those who gave a name: a seat's shape may have been anybody."""
    shapes = all_shape_names()
    played: dict[str, int] = {}
    won: dict[str, int] = {}
    for sitting in over:
        winners = _winner_names(sitting)
        for name in sitting["players"]:
            if name not in shapes:
                played[name] = played.get(name, 0) + 1
                won[name] = won.get(name, 0) + (name in winners)
    names = sorted(played, key=lambda name: (-won[name], -played[name], name))
    return HistoryPage(
        ("players",),
        _.plural("{n} player", "{n} players", len(names)) if names else _("Nobody has given a name yet"),
        HistoryTable(
            (_("played"), _("won")),
            tuple(HistoryRow(name, (str(played[name]), str(won[name]))) for name in names),
            label_heading=_("Player"),
        ),
        tuple(open_page("player", name) for name in names),
        open_page(*START_PAGE),
    )


def _build_player_page(over: Sequence[GameSummary], name: str) -> HistoryPage:
    found = [record for record in compute_player_records(over) if record.player == name]
    rows = tuple(
        HistoryRow(r.game_title, (str(r.played), str(r.won), _format_average(r), _format_best(r))) for r in found
    )
    won, played = sum(record.won for record in found), sum(record.played for record in found)
    return HistoryPage(
        ("player", name),
        _("{who}: won {won} of {n}", who=name, won=won, n=played),
        HistoryTable((_("played"), _("won"), _("average"), _("best")), rows, label_heading=_("Game")),
        tuple(open_page("game", record.game_title) for record in found),
        open_page("players"),
        (_("Results"), open_page("sittings", "player", name)),
    )


def _build_results_page(over: Sequence[GameSummary], kind: str, key: str) -> HistoryPage:
    """Game by game, the latest first; each leads to its result."""
    found = [s for s in reversed(over) if (s["title"] == key if kind == "game" else key in s["players"])]
    rows = []
    for sitting in found:
        order = sorted(zip(sitting["scores"], sitting["players"], strict=True), key=lambda entry: -entry[0])
        scores = ", ".join(f"{name} {score}" for score, name in order)
        begun = datetime.fromisoformat(sitting["begun"])
        when = _("{day}, {time}", day=format_day(begun), time=f"{begun:%H:%M}")
        rows.append(HistoryRow(when if kind == "game" else f"{sitting['title']}, {when}", (), scores))
    return HistoryPage(
        ("sittings", kind, key),
        _("{which}: result by result", which=key),
        HistoryTable((), tuple(rows), label_heading=_("Day") if kind == "game" else _("Game")),
        tuple(LobbyChange("look back", sitting["id"]) for sitting in found),
        open_page(kind, key),
    )


def _winner_names(summary: GameSummary) -> list[str]:
    return [summary["players"][seat] for seat in summary["winners"]]


def _format_day(summary: GameSummary) -> str:
    return format_day(datetime.fromisoformat(summary["begun"]))


def _format_average(record: PlayerRecord) -> str:
    """With one place after the point, or what stands there in the language of the evening.

    >>> _average(Record("Ada", "Toy", 2, 1, -2.25, 4, None))
    '−2.2'
    """
    if record.average_score is None:
        return ""
    whole, tenth = format_number(f"{record.average_score:.1f}").split(".")
    return _("{whole}.{tenth}", whole=whole, tenth=tenth)


def _format_best(record: PlayerRecord) -> str:
    return "" if record.best_score is None else format_number(record.best_score)
