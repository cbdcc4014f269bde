"""Sample screens of what players keep, take and enter page by page: games of the shelf in which it happens."""

from companion.api import Move, Seat
from companion.api.registry import find_game
from companion.gallery import fixtures
from companion.gallery.fixtures import PLAYER_NAMES, make_correction_menu, open_dialog, play_moves
from companion.games.game_file.points.game import PointsGame
from companion.referee.dialogs.amount_input import AmountInput
from companion.referee.dialogs.base import open_numbered_menu
from companion.screen_state import ScreenState


def _new_game(name: str, players: int, **options: int) -> PointsGame:
    definition = find_game(name)
    game = definition.create_game(players, Seat(0), definition.settings_model.model_validate(options))
    assert isinstance(game, PointsGame)
    return game


def _enter(game: PointsGame, *numbers: tuple[int, ...]) -> PointsGame:
    """Enter the numbers of each player, from the first."""
    for seat, own in enumerate(numbers):
        for number in own:
            game = play_moves(game, f"enter {seat} {number}")
    return game


def _enter_next(game: PointsGame, *numbers: int) -> PointsGame:
    """Enter numbers of the player who has the turn."""
    return _enter(game, *((),) * game.active_seat, numbers)


def _open_input(name: str, game: PointsGame, seat: int, amount: int = 0) -> ScreenState:
    """Build the screen on which a player enters a number, or chooses one by its name."""
    definition = find_game(name)
    move = next(each for each in game.list_moves() if each.seat == seat and each.value_range is not None)
    title = definition.format_input_title(game, move, PLAYER_NAMES)
    choices = definition.label_input_values(game, move)
    items = [(label, Move(move.kind, move.seat, (number,))) for number, label in choices.items()]
    dialog = open_numbered_menu(title, items) if items else AmountInput(title, move, amount)
    return open_dialog(fixtures.show_game(definition, game), dialog)


def build_shelf_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    phases, catan = find_game("phase_10"), find_game("catan")
    hands = ((1, 0), (0, 85), (1, 15), (0, 120), (1, 5), (0, 45))
    six = _enter(_enter(_new_game("phase_10", 6), *hands), *reversed(hands))
    island = _enter(_new_game("catan", 4), (1, 1), (2, 0), (0, 2), (1, 0))
    spades = _enter(_enter(_new_game("spades", 4), (4,), (3,), (2,), (2,)), (7,), (6,))
    bids = _enter(spades, (5,), (3,), (0,), (4,))
    wonders = _enter(_new_game("seven_wonders", 3), (-2, 7, 15, 10), (18, 3, 3, 8, 5, 0, 2, 2, 1))
    logs = _enter(_new_game("molkky", 3), (0,), (12,), (7,))
    for _round in range(2):
        logs = _enter(logs, (0,), (3,), (9,)) if not logs.is_out(Seat(0)) else logs
    match = _new_game("darts_501", 3, goal=301, legs=3)
    for own in ((180,), (85,), (100,), (121, 1), (60,)):
        match = _enter_next(match, *own)
    return {
        "kept_six": fixtures.show_game(phases, play_moves(six, "enter 2 1", "enter 2 20")),
        "kept_menu": open_dialog(fixtures.show_game(catan, island), make_correction_menu(catan, island, PLAYER_NAMES)),
        "flags": fixtures.show_game(catan, island),
        "teams_bid": fixtures.show_game(find_game("spades"), bids),
        "teams": fixtures.show_game(find_game("spades"), play_moves(bids, "enter 2 1", "enter 0 6")),
        "choices": _open_input("tichu", _new_game("tichu", 4), 1),
        "pages": fixtures.show_game(find_game("seven_wonders"), wonders),
        "page_amount": _open_input("seven_wonders", wonders, 0, 12),
        "legs": fixtures.show_game(find_game("darts_501"), match),
        "out": fixtures.show_game(find_game("molkky"), logs),
    }
