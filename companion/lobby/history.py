"""The pages of the history: by game, by player, game by game. Each row opens another page, or a result."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from operator import itemgetter

from companion.api import Command, CommandName, ConsolePress, NumberPress
from companion.api.registry import load_games
from companion.i18n import _, format_day, format_number, join_and
from companion.journal.highlights import GameSummary, describe_streaks
from companion.journal.known_players import all_shape_names
from companion.journal.statistics import PlayerRecord, compute_player_records
from companion.lobby.player_rename import open_rename_menu, open_separation_menu
from companion.lobby.results_cache import ResultsCache
from companion.lobby_views import HistoryRow, HistoryTable
from companion.referee.dialogs.base import Answer, Dialog, LazyStep, Step, back_answer, fits_key, up_down_answers

MAX_NAMED_WINNERS = 3
"""Most winners of a game that its line names; of more it says how many they are."""
READ_SECONDS_PER_FRAME = 0.03
"""Seconds of reading between two frames; more makes the history appear sooner, and the screen slower meanwhile."""
MORE_NUMBER = 6
"""Number key that opens the second page of a page."""
RENAME_NUMBER, SEPARATE_NUMBER = 1, 2
"""Number keys that rename a player, and part names that were made one player."""

PagePath = tuple[str, ...]
"""START_PAGE, ("game", title), ("players",), ("player", name), or ("results", "game" or "player", title or name)."""
START_PAGE: PagePath = ("games",)
"""All games. Opening it reads the journal again."""

EMPTY_TABLE = HistoryTable((), ())


@dataclass(frozen=True, slots=True)
class HistoryPage(Dialog):
    """A page of the history. Each row leads to another page, or to a result.

    Args:
        path: which page it is.
        prompt: main line of the screen, translated.
        table: the rows, and which one is selected.
        row_steps: step of each row, as many as the table has.
        number_keys: answers of the number keys.
    """

    path: PagePath
    prompt: str
    table: HistoryTable = EMPTY_TABLE
    row_steps: tuple[LazyStep, ...] = ()
    parent: LazyStep = None
    """Step of NO."""
    number_keys: tuple[Answer, ...] = ()

    def list_answers(self) -> Sequence[Answer]:
        """List the answers: NO to go back, the number keys, OK for the selected row, PLUS and MINUS to move.

        OK is there if the page has rows, PLUS and MINUS if it has several.
        """
        answers = [back_answer(self.parent), *self.number_keys]
        rows, selected = self.table.rows, self.table.selected
        if rows:
            answers.append(Answer(ConsolePress.OK, _("Select"), self.row_steps[selected], awaited=True))
        if len(rows) > 1:
            answers += up_down_answers(self._move(-1), self._move(1))
        return answers

    def _move(self, by: int) -> "HistoryPage":
        selected = (self.table.selected + by) % len(self.table.rows)
        return replace(self, table=replace(self.table, selected=selected))


def open_page(results: ResultsCache, path: PagePath = START_PAGE) -> HistoryPage:
    """Open a page of the history; while games are still to be read, one that says so.

    The first page starts reading again and reads for `READ_SECONDS_PER_FRAME`, at least one game; the results may be
    stored in a file (see `ResultsCache.read_more`).

    Args:
        results: the summaries of past games; reading goes on in it.
        path: which page, see `PagePath`.

    Raises:
        JournalUnwritable: the journal cannot be read.
        Exception: a game of another package may raise any error.
    """
    if path == START_PAGE:
        results.restart()
        results.read_more(READ_SECONDS_PER_FRAME)
    return build_page(results, path)


def build_page(results: ResultsCache, path: PagePath) -> HistoryPage:
    """Build a page of the history from what has been read; while games are still to be read, one that says so.

    Args:
        results: the summaries of past games; nothing more is read.
        path: which page, see `PagePath`. An unknown kind of page gives the first page; an unknown game or player has a
            page without entries.
    """
    if results.unread_count:
        done = len(results.summaries)
        return HistoryPage(
            path,
            _.plural(
                "One moment: {n} game is still to be read",
                "One moment: {n} games are still to be read",
                results.unread_count,
            ),
            HistoryTable((), (), progress=done / (done + results.unread_count)),
        )
    pages = _Pages(list_ended_games(results), path, lambda *other: partial(open_page, results, other), results)
    match path:
        case ("game", title):
            return pages.build_game(title)
        case ("players",):
            return pages.build_players()
        case ("player", name):
            return pages.build_player(name)
        case ("results", kind, key):
            return pages.build_results(kind, key)
        case _:
            return pages.build_games()


def list_ended_games(results: ResultsCache) -> Sequence[GameSummary]:
    """List the finished games that have been read, as they ended, with the names that players have now.

    Imported games are the last ones in a journal, whenever they were played. A game of an unknown day comes after the
    one that is before it in the journal.
    """
    latest, ended = datetime.min.replace(tzinfo=UTC), list[tuple[datetime, GameSummary]]()
    for summary in results.player_names.unify(results.summaries):
        moment = datetime.fromisoformat(summary["ended"]) if summary["date_known"] else latest
        if not summary["imported"]:
            latest = max(latest, moment)
        if summary.get("over"):
            ended.append((moment, summary))
    return [summary for _moment, summary in sorted(ended, key=itemgetter(0))]


def translate_title(title: str) -> str:
    """Return a game's title in the current language; a name that people gave stays as it is."""
    return next((game.translated_title for game in load_games() if game.title == title), title)


@dataclass(frozen=True, slots=True)
class _Pages:
    """Builds the page `path` from the summaries of all finished games, oldest first."""

    ended: Sequence[GameSummary]
    path: PagePath
    to: Callable[..., LazyStep]
    """Makes the step that opens a page, from the parts of its path."""
    results: ResultsCache

    def build_games(self) -> HistoryPage:
        """Build the first page: one row for each game that was played to its end."""
        if not self.ended:
            note = _("Play a game to its end: it will stand here")
            return HistoryPage(self.path, _("No finished games yet"), HistoryTable((), (), note=note))
        rows = []
        titles = sorted({summary["title"] for summary in self.ended}, key=translate_title)
        for title in titles:
            played = [summary for summary in self.ended if summary["title"] == title]
            find_best = min if played[-1]["lowest_wins"] else max
            best, who = find_best((g["scores"][seat], name) for g in played for seat, name in enumerate(g["players"]))
            winners, day = _winner_names(played[-1]), _format_day(played[-1])
            last_winners = join_and(winners) if len(winners) <= MAX_NAMED_WINNERS else _("{n} players", n=len(winners))
            detail = _("Best: {best}. Last won by {who}, {day}", best=who, who=last_winners, day=day)
            rows.append(HistoryRow(translate_title(title), (str(len(played)), format_number(best)), detail))
        steps = tuple(self.to("game", title) for title in titles)
        labels = [row.label for row in rows]
        if not all(map(fits_key, labels)):
            labels = [_("Line {n}", n=i) for i in range(1, len(rows) + 1)]
        keys = zip(range(1, MORE_NUMBER), labels, steps, strict=False)
        return HistoryPage(
            self.path,
            _.plural("History: {n} finished game", "History: {n} finished games", len(self.ended)),
            HistoryTable((_("played"), _("best")), tuple(rows), label_heading=_("Game")),
            steps,
            None,
            (
                *(Answer(NumberPress(i), label, step) for i, label, step in keys),
                Answer(NumberPress(MORE_NUMBER), _("Players"), self.to("players")),
            ),
        )

    def build_game(self, title: str) -> HistoryPage:
        """Build the page of a game: one row for each player."""
        played = [summary for summary in self.ended if summary["title"] == title]
        records = compute_player_records(played)
        return HistoryPage(
            self.path,
            _.plural("{game}: played once", "{game}: played {n} times", len(played), game=translate_title(title)),
            _build_record_table(_("Player"), [(record.player, record) for record in records], marks_leader=True),
            tuple(self.to("player", record.player) for record in records),
            self.to(*START_PAGE),
            (Answer(NumberPress(MORE_NUMBER), _("Results"), self.to("results", "game", title)),),
        )

    def build_players(self) -> HistoryPage:
        """Build the page of those who gave a name: a seat's shape may have been anybody."""
        shapes = all_shape_names()
        played = Counter(name for summary in self.ended for name in summary["players"] if name not in shapes)
        won = Counter(name for summary in self.ended for name in _winner_names(summary))
        names = sorted(played, key=lambda name: (-won[name], -played[name], name))
        most, streaks = max(won.values(), default=0), describe_streaks(self.ended)
        rows = tuple(
            HistoryRow(
                name,
                (str(played[name]), str(won[name])),
                streaks.get(name) or self._describe_last_game(name),
                is_leader=0 < won[name] == most,
            )
            for name in names
        )
        return HistoryPage(
            self.path,
            _.plural("History: {n} player", "History: {n} players", len(names)) if names else _("No names yet"),
            HistoryTable((_("played"), _("won")), rows, label_heading=_("Player")),
            tuple(self.to("player", name) for name in names),
            self.to(*START_PAGE),
        )

    def _describe_last_game(self, name: str) -> str:
        last = next(summary for summary in reversed(self.ended) if name in summary["players"])
        return _("Last game: {game}, {day}", game=translate_title(last["title"]), day=_format_day(last))

    def build_player(self, name: str) -> HistoryPage:
        """Build the page of a player: one row for each game."""
        records = [record for record in compute_player_records(self.ended) if record.player == name]
        won, played = sum(record.won for record in records), sum(record.played for record in records)
        return HistoryPage(
            self.path,
            _("{who}: won {won} of {n}", who=name, won=won, n=played),
            _build_record_table(_("Game"), [(translate_title(record.game_title), record) for record in records]),
            tuple(self.to("game", record.game_title) for record in records),
            self.to("players"),
            (
                *self._list_name_keys(name),
                Answer(NumberPress(MORE_NUMBER), _("Results"), self.to("results", "player", name)),
            ),
        )

    def _list_name_keys(self, name: str) -> Sequence[Answer]:
        """List the number keys that rename a player, and part other names from this one."""
        if name in all_shape_names():
            return ()  # it may have been anybody
        results = self.results

        def show(player: str) -> Step:
            return build_page(results, ("player", player))

        keys = [Answer(NumberPress(RENAME_NUMBER), _("Other name"), partial(open_rename_menu, results, name, show))]
        if results.player_names.list_others(name):
            separate = partial(open_separation_menu, results, name, show)
            keys.append(Answer(NumberPress(SEPARATE_NUMBER), _("Not the same"), separate))
        return keys

    def build_results(self, kind: str, key: str) -> HistoryPage:
        """Build the list of games of a game's title or of a player, the latest first."""
        is_game = kind == "game"
        found = [s for s in reversed(self.ended) if (s["title"] == key if is_game else key in s["players"])]
        rows = []
        for summary in found:
            results = sorted(
                zip(summary["places"], summary["players"], summary["scores"], strict=True), key=itemgetter(0)
            )
            scores = ", ".join(f"{name} {format_number(score)}" for _place, name, score in results)
            begun = datetime.fromisoformat(summary["begun"])
            when = _format_day(summary)
            if summary["date_known"]:
                when = _("{day}, {time}", day=when, time=f"{begun:%H:%M}")
            rows.append(HistoryRow(when if is_game else f"{translate_title(summary['title'])}, {when}", (), scores))
        return HistoryPage(
            self.path,
            _("{which}: all results", which=translate_title(key) if is_game else key),
            HistoryTable((), tuple(rows), label_heading=_("Day") if is_game else _("Game")),
            tuple(Command(CommandName.RESULT, (summary["id"],)) for summary in found),
            self.to(kind, key),
        )


def _build_record_table(
    heading: str, records: Sequence[tuple[str, PlayerRecord]], *, marks_leader: bool = False
) -> HistoryTable:
    """Build a table of records, each with the label of its row; `marks_leader` marks those with the most wins."""
    most = max((record.won for _label, record in records), default=0)
    rows = tuple(
        HistoryRow(
            label,
            (str(record.played), str(record.won), format_number(record.best_score)),
            is_leader=marks_leader and 0 < record.won == most,
        )
        for label, record in records
    )
    return HistoryTable((_("played"), _("won"), _("best")), rows, label_heading=heading)


def _format_day(summary: GameSummary) -> str:
    return format_day(datetime.fromisoformat(summary["begun"])) if summary["date_known"] else _("date unknown")


def _winner_names(summary: GameSummary) -> list[str]:
    return [summary["players"][seat] for seat in summary["winners"]]
