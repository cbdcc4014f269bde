"""Every game at its end, played at random from a seed: the result, the score sheet, and the history they leave."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from companion.events import SEAT_BUTTONS
from companion.gallery.fixtures import PLAYER_NAMES, make_referee_offers
from companion.games import registry
from companion.games.api.game import IllegalMove, Seat
from companion.games.api.offers import Command
from companion.i18n import Translator
from companion.journal.entry import GameSetup
from companion.journal.replay import PlayedStep, Replay
from companion.journal.statistics import compute_rounds
from companion.journal.summary import summarise_result
from companion.lobby import history
from companion.lobby.results_cache import ResultsCache
from companion.referee.buttons import build_soft_keys
from companion.referee.dialogs.score_sheet import SCORE_SHEET, ScoreSheetDialog, list_sheet_offers, open_score_sheet
from companion.screen_state import Player, ScreenKind, ScreenState

_ = Translator("companion")
SEED = 7
START_TIMES = ("2026-11-20T21:04:00+00:00", "2026-09-06T20:15:00+00:00", "2025-12-24T18:30:00+00:00")
MAX_MOVES = 5000
"""Moves after which a game that does not end is given up."""


@cache
def play_to_end(name: str, players: int, seed: int = SEED) -> Replay:
    """That game, played to its end by `players` who do anything.

    Raises:
        RuntimeError: it does not end.
    """
    kit = registry.find_game(name)
    rng = Random(seed)
    start = kit.create_game(players, Seat(0), kit.settings_model())
    setup = GameSetup(
        game=name,
        players=PLAYER_NAMES[:players],
        buttons=SEAT_BUTTONS[:players],
        settings=kit.settings_model().model_dump(mode="json"),
    )
    replay = Replay(kit, setup, start)
    while replay.game.compute_outcome() is None:
        game = replay.game
        move = rng.choice(list(game.list_moves()))
        if move.value_range is not None:
            move = move.fill(
                *(rng.randint(move.value_range.low, move.value_range.high) for _ in range(move.value_range.count))
            )
        with suppress(IllegalMove):
            replay.steps.append(PlayedStep(move, game, game.play(move)))
        if len(replay.steps) > MAX_MOVES:
            raise RuntimeError(f"{name} does not end")
    return replay


def show_result(replay: Replay, page: ScoreSheetDialog | None = None) -> ScreenState:
    """The result, or a page of its score sheet, as the referee has it told."""
    kit, names, game = replay.definition, replay.setup.players, replay.game
    scores = game.compute_scores()
    offers = page.list_offers() if page else (*make_referee_offers(over=True), *list_sheet_offers(replay))
    people = zip(names, SEAT_BUTTONS, strict=False)
    lines = tuple(replay.describe(step) for step in replay.steps)
    return ScreenState(
        ScreenKind.RESULT,
        game_name=kit.name,
        title=kit.title,
        uses_camera=kit.uses_camera,
        prompt=kit.prompt(game, names),
        view=game.build_view(),
        players=tuple(Player(Seat(i), name, button) for i, (name, button) in enumerate(people)),
        scores=tuple(scores[Seat(i)] for i in range(len(names))),
        soft_keys=build_soft_keys(offers, SEAT_BUTTONS),
        last_move=lines[-1],
        details=lines,
        round_points=compute_rounds(replay),
        score_sheet=page.sheet if page else None,
    )


def build_samples() -> dict[str, ScreenState]:
    """Name of the state to what is shown."""
    found: dict[str, ScreenState] = {}
    for name in registry.list_game_names():
        players = registry.find_game(name).player_counts
        for count in sorted({players[0], players[-1]}):
            found[f"{name}_{count}"] = show_result(play_to_end(name, count))
        most = play_to_end(name, players[-1])
        if most.definition.round_number(most.game) > 1:
            found[f"{name}_table"] = show_result(most, open_score_sheet(most, Command(SCORE_SHEET)))
        found[f"{name}_lines"] = show_result(most, open_score_sheet(most, Command(SCORE_SHEET, (2 % players[-1],))))
    first = play_to_end("macroscope", 3)
    nothing = ScoreSheetDialog(first, replace(open_score_sheet(first, Command(SCORE_SHEET, (0,))).sheet, lines=()))
    found["lines_none"] = show_result(first, nothing)
    return found | {f"history_{name}": state for name, state in _build_history_samples().items()}


class _SampleResultsCache(ResultsCache):
    """A history that was never in a journal."""

    def __init__(self) -> None:
        self.unread = 0
        self.summaries = [
            _summarise(play_to_end(name, count, seed), number, day)
            for name in registry.list_game_names()
            for count in (registry.find_game(name).player_counts[0], registry.find_game(name).player_counts[-1])
            for number, (seed, day) in enumerate(enumerate(START_TIMES))
        ]

    @property
    def unread_count(self) -> int:
        return self.unread


def _summarise(replay: Replay, number: int, begun: str) -> dict[str, Any]:
    setup, kit = replay.setup, replay.definition
    head = {"id": number, "begun": begun, "game_name": setup.game, "title": kit.title, "players": list(setup.players)}
    return head | summarise_result(replay)


def _build_history_samples() -> Mapping[str, ScreenState]:
    past = _SampleResultsCache()
    pages = {
        "games": history.START_PAGE,
        "game_name": ("game", "Secret Number"),
        "players": ("players",),
        "player": ("player", "Maximilianna"),
        "sittings": ("sittings", "game", "Macroscope"),
        "sittings_of": ("sittings", "player", "Wilhelmina"),
    }
    found = {name: _show_history_page(history.build_page(past, where)) for name, where in pages.items()}
    past.unread = 12
    found["reading"] = _show_history_page(history.build_page(past, history.START_PAGE))
    past.unread, past.summaries = 0, []
    found["nothing"] = _show_history_page(history.build_page(past, history.START_PAGE))
    return found


def _show_history_page(page: history.HistoryPage) -> ScreenState:
    return ScreenState(
        ScreenKind.HISTORY,
        title=_("History"),
        uses_camera=False,
        prompt=page.prompt,
        view=page.table,
        soft_keys=build_soft_keys(page.list_offers(), ()),
    )
