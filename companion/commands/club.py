"""`companion club`: collect the results of many tables from an MQTT broker; leagues, tournaments, a page for all."""

import asyncio
import csv
import json
import logging
import os
import re
import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from companion.api import registry
from companion.club.messages import MAX_CLUB_NAME_LETTERS, NO_CONTROLS
from companion.commands import CommandError, format_install_command
from companion.commands.argument_values import parse_whole_number, shorten_argument
from companion.commands.common import add_action, prepare_csv_output, report_errors
from companion.config.settings_file import load_data_folder
from companion.evening import find_first_moment
from companion.file_reader import read_password
from companion.i18n import replace_unprintable
from companion.journal.history_csv import escape_formula
from companion.names import has_name, make_name_key, normalize_name

if TYPE_CHECKING:
    from companion.club.database import ClubDatabase
    from companion.club.page import ClubPage
    from companion.club.sitting import Sitting
    from companion.club.tournaments import Tournament

INSTALL_COMMAND = format_install_command("club")
DESCRIPTION = f"""\
Collect what many tables publish at one MQTT broker (docs/club.md), and keep leagues and tournaments.
It runs on any computer of the club, and needs: {INSTALL_COMMAND}"""

DATABASE_FILE = "club.sqlite3"
DATABASE_VARIABLE = "COMPANION_CLUB_DATABASE"
"""Environment variable with the database's address: it may hold a password, which a command line would show to all."""
RESULT_COLUMNS = ("sitting", "ended", "table", "game", "title", "place", "player", "score", "won", "minutes")
LEAGUE_KINDS = ("places", "strength")
DEFAULT_SEATS = "3-4"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the actions of `companion club` with their options to its parser."""
    _add_database_option(parser, default=None)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _add_run(add_action(actions, "run", "receive results, and serve the page"))
    results = add_action(actions, "results", "list finished games")
    _add_choice(results)
    _add_form(results)
    league = add_action(actions, "league", "show the league")
    _add_choice(league)
    league.add_argument("--kind", choices=LEAGUE_KINDS, default="places", help="points by place, or strength")
    _add_form(league)
    add = add_action(actions, "add", "add results of a table without a network")
    add.add_argument("file", metavar="FILE", type=Path, help="what `companion history --json` printed there")
    add.add_argument("--table", default="by-hand", help="id of the table: small letters, digits, hyphens")
    name = add_action(actions, "name", "let one name count for another player")
    name.add_argument("other", metavar="OTHER", help="name in results: Bob")
    name.add_argument(
        "player", metavar="PLAYER", type=parse_club_name, help="name in the club: Robert; the same again parts them"
    )
    _add_tournament(add_action(actions, "tournament", "seat and rank the players of a tournament"))
    for action in actions.choices.values():
        _add_database_option(action, default=SUPPRESS)  # what stands before the action stays


def _add_database_option(parser: ArgumentParser, default: str | None) -> None:
    parser.add_argument(
        "--database",
        metavar="URL",
        default=default,
        help=f"SQLite file, or an address such as postgresql+psycopg://user@host/club (default: ${DATABASE_VARIABLE}, "
        f"else {DATABASE_FILE} in the data folder)",
    )


def _add_run(run: ArgumentParser) -> None:
    run.add_argument("--broker", metavar="HOST[:PORT]", default="localhost", help="the MQTT broker")
    run.add_argument("--user", default="", help="name to log in with")
    run.add_argument("--password-file", metavar="FILE", type=Path, help="file whose first line is the password")
    run.add_argument("--tls", action="store_true", help="encrypt, and check the broker's certificate")
    run.add_argument("--ca", metavar="FILE", type=Path, help="certificate of the authority that signed the broker's")
    run.add_argument("--bind", metavar="ADDRESS", default="127.0.0.1", help="address of the page (default: loopback)")
    run.add_argument("--port", type=lambda text: parse_whole_number(text, 0, 65535), default=8790, help="its port")
    run.add_argument(
        "--address",
        metavar="URL",
        default="",
        help="address of the page in browsers, if not by number or this machine's name",
    )
    run.add_argument("--kind", choices=LEAGUE_KINDS, default="places", help="how the league on the page counts")
    run.add_argument("--since", metavar="DATE", type=parse_date, help="first day that counts, as 2026-09-01")


def _add_tournament(tournament: ArgumentParser) -> None:
    steps = tournament.add_subparsers(dest="step", metavar="STEP", required=True)
    new = add_action(steps, "new", "begin one")
    new.add_argument("--game", default="", help="only results of this game count, as in `companion rules`")
    new.add_argument("--seats", type=parse_seats, default=DEFAULT_SEATS, help="players at a table (default: 3-4)")
    new.add_argument("--players", metavar="NAME", nargs="+", type=parse_club_name, required=True, help="who takes part")
    draw = add_action(steps, "draw", "draw the next round")
    show = add_action(steps, "show", "show groups and standings")
    show.add_argument("--json", action="store_true", help="print one JSON object")
    leave = add_action(steps, "leave", "take a player out of the rounds to come")
    leave.add_argument("--player", metavar="NAME", required=True, help="who leaves")
    drop = add_action(steps, "drop", "take back the round drawn last")
    for step in (new, draw, show, leave, drop):
        step.add_argument("name", metavar="TOURNAMENT", type=parse_club_name, help="its name")
    add_action(steps, "list", "list all tournaments")
    for step in steps.choices.values():
        _add_database_option(step, default=SUPPRESS)


def _add_choice(parser: ArgumentParser) -> None:
    parser.add_argument("--game", help="only games of this kind")
    parser.add_argument("--since", metavar="DATE", type=parse_date, help="first day, as 2026-09-01")
    parser.add_argument("--until", metavar="DATE", type=parse_date, help="the day after the last")


def _add_form(parser: ArgumentParser) -> None:
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--csv", action="store_true", help="print CSV")


def parse_date(text: str) -> datetime:
    """Parse a day of the command line: five in the morning in local time, when the evening before has ended.

    Raises:
        ArgumentTypeError: it is none.
    """
    try:
        return find_first_moment(datetime.strptime(text, "%Y-%m-%d").astimezone())
    except ValueError:
        raise ArgumentTypeError(f"{shorten_argument(text)} is no day such as 2026-09-01") from None


def parse_club_name(text: str) -> str:
    """Parse the name of a player in the club, or of a tournament: in normal form.

    Raises:
        ArgumentTypeError: nothing of it can be seen, it is too long, or the database and terminals cannot have it.
    """
    if not (name := normalize_name(text)):
        raise ArgumentTypeError("a name is empty")
    if len(name) > MAX_CLUB_NAME_LETTERS or not re.fullmatch(NO_CONTROLS, name):
        raise ArgumentTypeError(
            f"{shorten_argument(name)} is no name: at most {MAX_CLUB_NAME_LETTERS} letters, and no control characters"
        )
    if re.search(r"[\ud800-\udfff]", name):  # lone surrogates: so Python reads other bytes of the command line
        raise ArgumentTypeError(f"{shorten_argument(name)} is no name: it is not UTF-8 text")
    return name


def parse_seats(text: str) -> range:
    """Parse numbers of players at a table: "4" or "3-4".

    Raises:
        ArgumentTypeError: it is no such text, or not from 2 to 12.
    """
    low, _dash, high = text.partition("-")
    few = parse_whole_number(low, 2, 12)
    return range(few, parse_whole_number(high or low, few, 12) + 1)


def run(args: Namespace) -> None:
    """Carry out the action of `companion club`.

    Args:
        args: as `add_arguments` parses them.

    Raises:
        CommandError: the extra is not installed, or the action failed; the message says why.
    """
    try:
        from companion.club.database import ClubDatabase, ClubDatabaseError
        from companion.club.group_draw import TournamentError
        from companion.club.messages import BadMessage
    except ImportError as error:
        raise CommandError(f"a library of the club is not installed ({error}): {INSTALL_COMMAND}") from error
    may_begin = _may_begin_club(args)
    try:
        with ClubDatabase(_find_database(args.database, makes_folder=may_begin), is_known=not may_begin) as database:
            ACTIONS[args.action](database, args)
    except (ClubDatabaseError, TournamentError, BadMessage) as error:
        raise CommandError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error


def _may_begin_club(args: Namespace) -> bool:
    """Return whether a club may begin with this action: all others need what is there, and make no database."""
    return args.action in {"run", "add"} or (args.action == "tournament" and args.step == "new")


def _find_database(address: str | None, *, makes_folder: bool) -> str:
    with report_errors(status=2):
        address = address or os.environ.get(DATABASE_VARIABLE) or str(load_data_folder() / DATABASE_FILE)
    if "://" in address:
        return address
    path = Path(address).expanduser().resolve()
    if makes_folder:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"The folder {path.parent} cannot be made: {error.strerror}.") from error
    return f"sqlite:///{path}"


def _serve(database: "ClubDatabase", args: Namespace) -> None:
    from companion.club.leagues import LeagueKind
    from companion.club.overview import build_overview
    from companion.club.page import ClubPage
    from companion.club.receiver import LiveTables, Receiver
    from companion.porch.broker import BrokerAccess, parse_broker

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    tables, is_encrypted = LiveTables(), args.tls or args.ca is not None
    try:
        host, port = parse_broker(args.broker, tls=is_encrypted)
        password = read_password(args.password_file) if args.password_file else ""
        broker = BrokerAccess(host, port, args.user, password, is_encrypted, str(args.ca or ""))
        receiver = Receiver(broker, database, tables)
    except UnicodeDecodeError as error:
        raise CommandError(f"{args.password_file}: the password is not UTF-8 text.") from error
    except OSError as error:
        raise CommandError(f"{error.filename or args.ca or args.broker}: {error.strerror or error}.") from error
    except ValueError as error:
        raise CommandError(f"--broker: {error}.", status=2) from error
    page = ClubPage(lambda: build_overview(database, tables, LeagueKind(args.kind), args.since), tables, args.address)
    with receiver:
        try:
            asyncio.run(_serve_page(page, args.bind, args.port))
        except BrokenPipeError:
            raise  # nobody reads the output
        except OSError as error:
            raise CommandError(f"The page cannot be served at {args.bind}:{args.port}: {error.strerror}.") from error


async def _serve_page(page: "ClubPage", address: str, port: int) -> None:
    from companion.system.termination import handle_signals_in_loop
    from companion.web_server.serving import serve_page

    stop = asyncio.Event()
    with handle_signals_in_loop(stop.set):
        async with serve_page(page, address, port) as bound:
            print(f"Running on http://{f'[{address}]' if ':' in address else address}:{bound}", flush=True)
            await stop.wait()


def _list_results(database: "ClubDatabase", args: Namespace) -> None:
    from companion.club.overview import describe_sitting

    results = [describe_sitting(sitting) for sitting in _choose(database, args)]
    if args.json:
        print(json.dumps(results, indent=1))
    elif args.csv:
        out = csv.writer(prepare_csv_output(), lineterminator="\n")
        out.writerow(RESULT_COLUMNS)
        for result in results:
            for player in result["players"]:
                row = result | player | {"won": int(player["won"])}
                row |= {name: escape_formula(row[name]) for name in ("title", "player")}
                out.writerow([row[column] for column in RESULT_COLUMNS])
    elif not results:
        print("No result yet.")
    else:
        for result in results:
            players = ", ".join(f"{p['place']}. {p['player']} {p['score']}" for p in result["players"])
            print(replace_unprintable(f"{result['ended'][:16]}  {result['table']}  {result['title']}: {players}"))


def _choose(database: "ClubDatabase", args: Namespace) -> "tuple[Sitting, ...]":
    return database.read_sittings(args.game, args.since, args.until)


def _show_league(database: "ClubDatabase", args: Namespace) -> None:
    from companion.club.leagues import LeagueKind, compute_league
    from companion.club.overview import describe_standing

    rows = [describe_standing(standing) for standing in compute_league(_choose(database, args), LeagueKind(args.kind))]
    if args.json:
        print(json.dumps(rows, indent=1))
    elif args.csv:
        out = csv.writer(prepare_csv_output(), lineterminator="\n")
        out.writerow(("rank", "player", "value", "played", "won"))
        out.writerows(
            (row["rank"], escape_formula(row["player"]), row["value"], row["played"], row["won"]) for row in rows
        )
    elif not rows:
        print("No result yet.")
    else:
        digits = 1 if args.kind == "strength" else 0
        _print_rows(
            ("Rank", "Player", "Strength" if digits else "Points", "Played", "Won"),
            [(row["rank"], row["player"], _format(row["value"], digits), row["played"], row["won"]) for row in rows],
        )


def _format(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if digits else f"{value:g}"


def _print_rows(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    texts = [list(headings), *([str(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    numbers = [
        all(isinstance(row[i], int) for row in rows) or headings[i] in {"Points", "Strength"}
        for i in range(len(widths))
    ]
    for row in texts:
        cells = (
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, numbers, strict=True)
        )
        print(replace_unprintable("  ".join(cells).rstrip()))


def _add_results(database: "ClubDatabase", args: Namespace) -> None:
    from companion.club.history_file import read_history_file

    file = read_history_file(args.file, args.table)
    saved = database.save_results(file.results)
    for fault in file.faults:
        print(replace_unprintable(f"Left out: {fault}."), file=sys.stderr)
    print(f"{saved} of {len(file.results)} results are new.")


def _name_player(database: "ClubDatabase", args: Namespace) -> None:
    if not has_name(names := database.list_names(), args.other):
        raise CommandError(f"Nobody has played as {args.other}; there are: {', '.join(names) or 'none'}.")
    try:
        database.name_player(args.other, args.player)
    except ValueError as error:
        raise CommandError(f"{error}.") from error
    if make_name_key(args.other) == make_name_key(args.player):
        print(f"Results of {args.other} count for {args.other} again.")
    else:
        print(f"Results of {args.other} count for {args.player} from now on.")


def _manage_tournament(database: "ClubDatabase", args: Namespace) -> None:
    from companion.club import tournaments

    match args.step:
        case "new":
            if args.game and args.game not in registry.list_game_names():
                raise CommandError(f"There is no game {args.game}; see `companion rules`.")
            tournaments.create_tournament(database, args.name, args.game, args.seats, args.players, datetime.now(UTC))
            print(f"{args.name} has {len(args.players)} players. Next: companion club tournament draw {args.name!r}")
        case "draw":
            _print_tournament(tournaments.draw_round(database, args.name, SystemRandom()))
        case "leave":
            tournaments.leave_tournament(database, args.name, args.player)
            print(f"{args.player} plays no further round.")
        case "drop":
            print(f"Round {tournaments.drop_last_round(database, args.name)} is taken back.")
        case "list":
            print("\n".join(tournaments.list_tournaments(database)) or "There is no tournament yet.")
        case _:
            tournament = tournaments.read_tournament(database, args.name)
            if args.json:
                from companion.club.overview import describe_tournament

                print(json.dumps(describe_tournament(tournament), indent=1))
            else:
                _print_tournament(tournament)


def _print_tournament(tournament: "Tournament") -> None:
    from companion.club.overview import list_last_groups
    from companion.club.tournaments import compute_standings

    print(f"{tournament.name}: {f'round {tournament.last_round}' if tournament.groups else 'no round yet'}")
    for group in list_last_groups(tournament):
        state = "finished" if group.sitting else "playing"
        print(replace_unprintable(f"  Group {group.number}: {', '.join(group.players)} ({state})"))
    rows = [
        (row.rank, row.player + (" (left)" if row.left else ""), f"{row.points:g}", row.wins, row.played)
        for row in compute_standings(tournament)
    ]
    _print_rows(("Rank", "Player", "Points", "Wins", "Played"), rows)


ACTIONS: dict[str, Callable[["ClubDatabase", Namespace], None]] = {
    "run": _serve,
    "results": _list_results,
    "league": _show_league,
    "add": _add_results,
    "name": _name_player,
    "tournament": _manage_tournament,
}
"""The function of each action."""
