"""The referee's state as the display is told it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.game import Seat
from companion.referee.keys import keys_of
from companion.shown import Eyes, Place, Player, Shown

if TYPE_CHECKING:
    from companion.referee.referee import Referee


def players_of(referee: Referee) -> tuple[Player, ...]:
    """The seats, clockwise."""
    setup = referee.sitting.setup
    seats = zip(setup.players, referee.sitting.buttons, strict=True)
    return tuple(Player(Seat(i), name, button) for i, (name, button) in enumerate(seats))


def shown_of(referee: Referee, eyes: Eyes) -> Shown:
    """One state of the screen."""
    sitting, dialog = referee.sitting, referee.dialog
    game, kit, names = sitting.game, sitting.kit, sitting.setup.players
    scores = game.scores()
    over = game.outcome() is not None
    missing = next(iter(referee.missing.values()), None)
    return Shown(
        place=Place.RESULT if over else Place.PLAY,
        game=kit.name,
        title=kit.title,
        sentence=kit.sentence(game, names),
        view=game.view(),
        players=players_of(referee),
        scores=tuple(scores[Seat(i)] for i in range(len(names))),
        keys=keys_of(referee.offers(), sitting.buttons),
        question=dialog.question if dialog else None,
        menu=dialog.menu if dialog else None,
        notice=referee.notice or missing,
        last=sitting.last_line,
        heard=referee.heard.now(),
        clocks=referee.clocks.running(),
        eyes=eyes,
        details=tuple(sitting.lines()) if over else (),
        entered=dialog.entered if dialog else referee.entered,
    )
