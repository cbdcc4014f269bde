"""Every game at its end, played at random from a seed: the result, the score sheet, and the history they leave."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from companion.events import SEAT_BUTTONS
from companion.gallery.fixtures import NAMES, table_offers
from companion.games import registry
from companion.games.api.game import IllegalMove, Seat
from companion.games.api.offers import Command
from companion.i18n import Words
from companion.journal.entry import Setup
from companion.journal.replay import Replay, Step
from companion.journal.statistics import rounds_of
from companion.journal.summary import result
from companion.lobby import history
from companion.lobby.results_cache import Past
from companion.referee.buttons import keys_of
from companion.referee.dialogs.score_sheet import SHEET, Account, account, opening
from companion.screen_state import Place, Player, Shown

_ = Words("companion")
SEED = 7
BEGUN = ("2026-11-20T21:04:00+00:00", "2026-09-06T20:15:00+00:00", "2025-12-24T18:30:00+00:00")
MOST = 5000
"""Moves after which a game that does not end is given up."""


@cache
def ended(name: str, players: int, seed: int = SEED) -> Replay:
    """That game, played to its end by `players` who do anything.

    Raises:
        RuntimeError: it does not end.
    """
    kit = registry.find(name)
    rng = Random(seed)
    start = kit.new(players, Seat(0), kit.settings())
    setup = Setup(
        game=name,
        players=NAMES[:players],
        buttons=SEAT_BUTTONS[:players],
        settings=kit.settings().model_dump(mode="json"),
    )
    replay = Replay(kit, setup, start)
    while replay.game.outcome() is None:
        game = replay.game
        move = rng.choice(list(game.moves()))
        if move.open is not None:
            move = move.filled(*(rng.randint(move.open.low, move.open.high) for _ in range(move.open.count)))
        with suppress(IllegalMove):
            replay.steps.append(Step(move, game, game.play(move)))
        if len(replay.steps) > MOST:
            raise RuntimeError(f"{name} does not end")
    return replay


def shown(replay: Replay, page: Account | None = None) -> Shown:
    """The result, or a page of its score sheet, as the referee has it told."""
    kit, names, game = replay.kit, replay.setup.players, replay.game
    scores = game.scores()
    offers = page.offers() if page else (*table_offers(over=True), *opening(replay))
    people = zip(names, SEAT_BUTTONS, strict=False)
    lines = tuple(replay.words(step) for step in replay.steps)
    return Shown(
        Place.RESULT,
        game=kit.name,
        title=kit.title,
        camera=kit.camera,
        sentence=kit.sentence(game, names),
        view=game.view(),
        players=tuple(Player(Seat(i), name, button) for i, (name, button) in enumerate(people)),
        scores=tuple(scores[Seat(i)] for i in range(len(names))),
        keys=keys_of(offers, SEAT_BUTTONS),
        last=lines[-1],
        details=lines,
        rounds=rounds_of(replay),
        sheet=page.sheet if page else None,
    )


def samples() -> dict[str, Shown]:
    """Name of the state to what is shown."""
    found: dict[str, Shown] = {}
    for name in registry.names():
        players = registry.find(name).players
        for count in sorted({players[0], players[-1]}):
            found[f"{name}_{count}"] = shown(ended(name, count))
        most = ended(name, players[-1])
        if most.kit.round_of(most.game) > 1:
            found[f"{name}_table"] = shown(most, account(most, Command(SHEET)))
        found[f"{name}_lines"] = shown(most, account(most, Command(SHEET, (2 % players[-1],))))
    first = ended("macroscope", 3)
    nothing = Account(first, replace(account(first, Command(SHEET, (0,))).sheet, lines=()))
    found["lines_none"] = shown(first, nothing)
    return found | {f"history_{name}": state for name, state in _history().items()}


class _Played(Past):
    """A history that was never in a journal."""

    def __init__(self) -> None:
        self.unread = 0
        self.sittings = [
            _told(ended(name, count, seed), number, day)
            for name in registry.names()
            for count in (registry.find(name).players[0], registry.find(name).players[-1])
            for number, (seed, day) in enumerate(enumerate(BEGUN))
        ]

    @property
    def left(self) -> int:
        return self.unread


def _told(replay: Replay, number: int, begun: str) -> dict[str, Any]:
    setup, kit = replay.setup, replay.kit
    head = {"id": number, "begun": begun, "game": setup.game, "title": kit.title, "players": list(setup.players)}
    return head | result(replay)


def _history() -> Mapping[str, Shown]:
    past = _Played()
    pages = {
        "games": history.START,
        "game": ("game", "Secret Number"),
        "players": ("players",),
        "player": ("player", "Maximilianna"),
        "sittings": ("sittings", "game", "Macroscope"),
        "sittings_of": ("sittings", "player", "Wilhelmina"),
    }
    found = {name: _page(history.page(past, where)) for name, where in pages.items()}
    past.unread = 12
    found["reading"] = _page(history.page(past, history.START))
    past.unread, past.sittings = 0, []
    found["nothing"] = _page(history.page(past, history.START))
    return found


def _page(page: history.Page) -> Shown:
    return Shown(
        Place.HISTORY,
        title=_("History"),
        camera=False,
        sentence=page.sentence,
        view=page.table,
        keys=keys_of(page.offers(), ()),
    )
