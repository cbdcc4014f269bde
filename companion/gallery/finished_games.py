"""Finished games, played at random from a seed: the result, its score sheet, and the history of past games."""

from bisect import bisect_left, bisect_right
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any

from companion.api import Command, CommandName, FairDice, IllegalMove, Seat, Visibility, registry
from companion.config.settings import ResultCodeKind
from companion.dice_statistics import Share
from companion.events import SEAT_BUTTONS
from companion.gallery.fixtures import PLAYER_NAMES, SEATS, list_sample_games, make_referee_offers, show_game
from companion.i18n import _
from companion.journal.database import GameRecord
from companion.journal.dice_luck import add_counts, has_rolls
from companion.journal.entry import GameSetup, Timestamp
from companion.journal.game_summary import summarise_result
from companion.journal.highlights import describe_game
from companion.journal.luck_sentences import describe_luck
from companion.journal.renamed_players import PlayerNames
from companion.journal.replay import PlayedStep, Replay
from companion.journal.statistics import compute_rounds
from companion.journal.timestamps import TimestampClock
from companion.lobby import history
from companion.lobby.history import translate_title
from companion.lobby.results_cache import ResultsCache
from companion.referee.button_mapping import build_soft_keys
from companion.referee.dialogs.result_codes import ResultCodesDialog, list_code_offers, open_result_codes
from companion.referee.dialogs.score_sheet import ScoreSheetDialog, list_sheet_offers, open_score_sheet
from companion.referee.screen_parts import build_played_move
from companion.screen_state import Player, RolledDice, ScreenKind, ScreenState

DEFAULT_SEED = 7
"""Seed of the random moves; another one gives other games."""
TEAM_RULES = (("teams", True), ("rounds", 6))
"""House rules of a game of teams."""
TEAM_SEEDS = {4: 7, 6: 6}
"""By number of players, a seed with which a game of teams has some rounds and one winner."""
START_TIMES = ("2026-11-20T21:04:00+00:00", "2026-09-06T20:15:00+00:00", "2025-12-24T18:30:00+00:00")
"""When the games of the history began: ISO 8601, UTC."""
LOW_COUNTS, LOW_LUCK = (9, 5, 3, 2, 1, 0), Share(0.00004, 0.00003, 0.0005)
"""Dice that are worth a remark, for the samples: how many show each face, and their luck."""
MAX_STEPS = 99
"""Highest value that a random move is filled with, in its steps, and with a minus sign the lowest."""
SAMPLE_UID = "0123456789abcdef" * 2
"""Unique id of a game in the samples."""
MIN_EARLY_END = 300
"""Tries after which a random game may end without points: in some games few random moves are legal."""
MAX_MOVES = 5000
"""A random game of more moves is given up; usual are some hundred."""


@cache
def play_to_end(
    name: str, player_count: int, seed: int = DEFAULT_SEED, house_rules: tuple[tuple[str, Any], ...] = ()
) -> Replay:
    """Play a game with random legal moves until it is over; the result is cached.

    Args:
        name: name of an installed game.
        player_count: number of players, 1 to 6, as the game allows.
        seed: seed of the random moves.
        house_rules: name and value of each setting that is not the default.

    Raises:
        UnknownGame: no game of that name is installed.
        ValueError: the game cannot be played with `player_count` players.
        RuntimeError: it is not over after `MAX_MOVES` moves.
    """
    definition = registry.find_game(name)
    settings, rng = definition.settings_model.model_validate(dict(house_rules)), Random(seed)
    setup = GameSetup(
        game=name,
        players=PLAYER_NAMES[:player_count],
        buttons=SEAT_BUTTONS[:player_count],
        settings=settings.model_dump(mode="json"),
    )
    replay = Replay(definition, setup, definition.create_game(player_count, Seat(0), settings))
    for attempt in range(MAX_MOVES):
        game = replay.game
        if game.compute_outcome() is not None:
            return replay
        move = rng.choice(list(game.list_moves()))
        if (values := move.value_range) is not None:
            numbers, bound = values.numbers, MAX_STEPS * values.step
            near = numbers[bisect_left(numbers, -bound) : bisect_right(numbers, bound)]
            move = move.fill(*rng.choices(near or numbers[:1], k=values.count))
        with suppress(IllegalMove):
            after = game.play(move)
            # Hardly anybody ends a game in which nothing was scored yet.
            if after.compute_outcome() is None or any(after.totals) or attempt >= MIN_EARLY_END:
                replay.steps.append(PlayedStep(move, game, after, replay.seating, replay.seating))
    raise RuntimeError(f"{name} does not end")


def show_result(replay: Replay, dialog: ScoreSheetDialog | ResultCodesDialog | None = None) -> ScreenState:
    """Build the screen of a finished game.

    Args:
        replay: all steps of the game, which must be over; at least one.
        dialog: score sheet, or codes, whose open page is shown; None: the result is shown.

    Raises:
        IndexError: the game has no steps.
    """
    names = replay.players
    lines = tuple(replay.describe(step) for step in replay.steps)
    own = (*make_referee_offers(over=True), *list_sheet_offers(replay), *list_code_offers())
    offers = dialog.list_offers() if dialog else own
    return show_game(
        replay.definition,
        replay.game,
        names,
        soft_keys=build_soft_keys(offers, SEAT_BUTTONS),
        players=tuple(Player(SEATS[i], name, SEAT_BUTTONS[i]) for i, name in enumerate(names)),
        last_move=lines[-1],
        played=build_played_move(replay, len(lines), Visibility()),
        details=lines,
        round_points=compute_rounds(replay),
        score_sheet=dialog.sheet if isinstance(dialog, ScoreSheetDialog) else None,
        result_code=dialog.code if isinstance(dialog, ResultCodesDialog) else None,
    )


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    samples: dict[str, ScreenState] = {}
    for name in list_sample_games():
        counts = registry.find_game(name).player_counts
        for count in sorted({counts[0], counts[-1]}):
            samples[f"{name}_{count}"] = show_result(play_to_end(name, count))
        replay = play_to_end(name, counts[-1])
        if len(compute_rounds(replay)) > 1:
            samples[f"{name}_table"] = show_result(replay, open_score_sheet(replay, Command(CommandName.SCORE_SHEET)))
        for count in sorted({counts[0], counts[-1]}) if has_rolls(replay) else ():
            page = open_score_sheet(play_to_end(name, count), Command(CommandName.DICE_LUCK))
            samples[f"{name}_dice_{count}"] = show_result(page.replay, page)
        command = Command(CommandName.SCORE_SHEET, (2 % counts[-1],))
        samples[f"{name}_lines"] = show_result(replay, open_score_sheet(replay, command))
    for count, seed in TEAM_SEEDS.items():
        replay = play_to_end("score_keeper", count, seed, TEAM_RULES)
        samples[f"teams_{count}"] = show_result(replay)
        table = open_score_sheet(replay, Command(CommandName.SCORE_SHEET))
        samples[f"teams_table_{count}"] = show_result(replay, table)
    first = registry.find_first_game()
    page = open_score_sheet(play_to_end(first.name, 2), Command(CommandName.DICE_LUCK))
    if (dice := page.sheet.dice) is not None:
        players = (dice.players[0], RolledDice(LOW_COUNTS, LOW_LUCK))
        both = RolledDice(add_counts([player.counts for player in players]), Share(0.012, 0.006, 0.035))
        low = replace(dice, players=players, everybody=both)
        names = page.replay.players
        for name, fair in (("dice_low", FairDice()), ("dice_unlucky", FairDice(face_worth=(0, 2, 3, 4, 5, 6)))):
            shown = replace(low, worth=fair.worth, sentence=describe_luck(names, players, fair, striking=1))
            samples[name] = show_result(page.replay, replace(page, sheet=replace(page.sheet, dice=shown)))
    for name in (first.name, "score_keeper"):
        replay = play_to_end(name, 2)
        lines = _list_highlights(replay, has_name=not replay.definition.name_setting)
        samples[f"{name}_highlights"] = replace(show_result(replay), highlights=lines)
    three = play_to_end(first.name, 3)
    page = open_score_sheet(three, Command(CommandName.SCORE_SHEET, (1,)))
    samples["lines_none"] = show_result(three, replace(page, sheet=replace(page.sheet, lines=())))
    for count in (2, 6):
        replay = play_to_end(first.name, count)
        samples[f"code_link_{count}"] = show_codes(replay, "bg_stats")
        samples[f"code_text_{count}"] = show_codes(replay, "text")
    return samples | _build_history_samples()


def _list_highlights(replay: Replay, *, has_name: bool) -> tuple[str, ...]:
    """Describe a game as the last of several, of which one long ago was as good."""
    last, before, long_ago = START_TIMES
    game = _summarise(replay, 0, last)
    worse = game | {"scores": [score - 1 for score in game["scores"]], "begun": before, "ended": before}
    return describe_game(
        game, [game | {"begun": long_ago, "ended": long_ago}, worse, worse, worse], translate_title, has_name=has_name
    )


def show_codes(replay: Replay, kind: ResultCodeKind) -> ScreenState:
    """Build the screen of the first code of a finished game's result.

    Args:
        replay: all steps of the game, which must be over.
        kind: form of the result.
    """
    begun = Timestamp(wall=datetime.fromisoformat(START_TIMES[0]).timestamp(), monotonic=0.0, boot="")
    record = GameRecord(1, SAMPLE_UID, replay.setup.model_dump_json(), False, begun)
    clock = TimestampClock(lambda: begun.wall, lambda: 0.0, boot="")
    return show_result(replay, open_result_codes(record, replay, clock, kind, UTC, offers_film=True))


class SampleResultsCache(ResultsCache):
    """Results of past games that are in no journal.

    Args:
        summaries: of the games, oldest first.
    """

    unread_count = 0

    def __init__(self, summaries: list[dict[str, Any]]) -> None:
        self.player_names = PlayerNames()
        self.summaries = summaries


def _summarise_games() -> list[dict[str, Any]]:
    """Play the sample games and summarise them; of all but the first game one each is enough, as each takes time."""
    varied = registry.find_first_game().name
    return [
        _summarise(play_to_end(name, count, seed if name == varied else DEFAULT_SEED), number, start_time)
        for name in list_sample_games()
        for count in (registry.find_game(name).player_counts[0], registry.find_game(name).player_counts[-1])
        for number, (seed, start_time) in enumerate(enumerate(START_TIMES))
    ]


def _summarise(replay: Replay, number: int, start_time: str) -> dict[str, Any]:
    setup = replay.setup
    return {
        "id": number,
        "imported": False,
        "begun": start_time,
        "ended": start_time,
        "date_known": True,
        "game": setup.game,
        "title": replay.definition.title,
        "rules": "",
        "players": list(replay.players),
        **summarise_result(replay),
    }


def _build_history_samples() -> dict[str, ScreenState]:
    results = SampleResultsCache(_summarise_games())
    samples = {
        "history_games": _show_history_page(results, *history.START_PAGE),
        "history_game": _show_history_page(results, "game", registry.find_first_game().title),
        "history_players": _show_history_page(results, "players"),
        "history_player": _show_history_page(results, "player", "Maximilianna"),
        "history_sittings": _show_history_page(results, "results", "game", registry.find_first_game().title),
        "history_sittings_of": _show_history_page(results, "results", "player", "Wilhelmina"),
    }
    results.unread_count = 12
    samples["history_reading"] = _show_history_page(results, *history.START_PAGE)
    results.unread_count, results.summaries = 0, []
    samples["history_nothing"] = _show_history_page(results, *history.START_PAGE)
    return samples


def _show_history_page(results: ResultsCache, *address: str) -> ScreenState:
    page = history.build_page(results, address)
    return ScreenState(
        ScreenKind.HISTORY,
        title=_("History"),
        uses_camera=False,
        prompt=page.prompt,
        view=page.table,
        soft_keys=build_soft_keys(page.list_offers(), ()),
    )
