"""The Macroscope on the screen: every phase, fewest and most players, with and without a camera, dialogs, notices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.events import SEAT_BUTTONS, Button, CameraState, DiceRead, TokenTaken
from companion.gallery.fixtures import (
    PLAYER_NAMES,
    SEATS,
    STEADY_VIEW,
    TABLE_IMAGE,
    list_view_problems,
    make_referee_offers,
    open_dialog,
    with_camera_state,
)
from companion.games.api.game import Correction, Move, Seat
from companion.games.api.offers import Command, Visibility
from companion.games.macroscope import GAME, Macroscope, Settings
from companion.games.macroscope.view import Phase
from companion.i18n import Translator
from companion.referee.buttons import find_button
from companion.referee.dialogs.base import CorrectionMenu, DigitsInput, QuestionDialog, ValueInput, ask_confirmation
from companion.referee.dialogs.camera_view import ENLARGE, CameraDialog, add_enlarge_offer, open_camera_dialog
from companion.referee.dialogs.correction_menu import capitalise
from companion.referee.macroscope_readings import ask_unexpected_token, handle_dice
from companion.referee.screen import build_game_state
from companion.screen_state import CameraView, RunningClock, ScreenState

_ = Translator("companion")

CRYSTALS = (4, 2, 11, 23, 7, 102)
CAMERA_VISIBILITY = Visibility(dice=True, tokens=True)
NO_VISIBILITY = Visibility()


def make_game(count: int = 6, marker: int = 3, **settings: object) -> Macroscope:
    """A game in its third round, about to roll."""
    game = Macroscope.create(count, Seat(0), Settings.model_validate(settings))
    return replace(
        game,
        crystals=CRYSTALS[:count],
        crystals_at_round_start=CRYSTALS[:count],
        round_number=marker,
        cards_used=marker,
    )


def play_moves(game: Macroscope, *moves: str) -> Macroscope:
    """Moves as written at the table: "roll 2 5" (the active player's), "wish/1" (of seat 1), "close"."""
    for text in moves:
        kind, *numbers = text.split()
        kind, _slash, seat = kind.partition("/")
        owner = Seat(int(seat)) if seat else game.active_seat
        made = Move(kind, None if kind in {"cover", "nobody"} else owner, tuple(int(n) for n in numbers))
        game = game.play(made)
    return game


def show_game(
    game: Macroscope, sight: Visibility = CAMERA_VISIBILITY, *, undo: bool = True, names: Sequence[str] = PLAYER_NAMES
) -> ScreenState:
    """What the referee would show."""
    outcome = game.compute_outcome()
    more = make_referee_offers(over=outcome is not None)
    offers = (*GAME.list_offers(game, names, sight), *(more if undo else more[:1]))
    if game.phase is Phase.ROLL and not sight.dice:
        roll = next(move for move in game.list_moves() if move.kind == "roll")
        offers = (*DigitsInput("", roll).list_offers()[:6], *make_referee_offers())
    seen = sight.dice and outcome is None and game.phase is not Phase.COVER
    offers = tuple(add_enlarge_offer(offers, picture_visible=seen))
    return replace(
        build_game_state(GAME, game, names[: game.player_count], SEAT_BUTTONS[: game.player_count], offers, sight),
        last_move=GAME.describe(*_guessed_right(), names),
        enlarge_button=next(
            (find_button(o.input, ()) for o in offers if o.action == ENLARGE), Button.MINUS if seen else None
        ),
    )


def _guessed_right() -> tuple[Macroscope, Move, Macroscope]:
    """The longest line on what was played last: a right guess, a wrong one, and what both brought."""
    before = play_moves(make_game(), "roll 2 5", "remove 2", "guess", "wish/2", "close", "name/2", "close", "cover")
    move = Move("right", SEATS[2])
    return before, move, before.play(move)


def build_samples() -> dict[str, ScreenState]:
    """All states, by name."""
    found = {**_turn(), **_guesses(), **_ends(), **_dialogs(), **_notices()}
    # Who can make the picture large sees one.
    return {
        n: replace(s, camera_view=STEADY_VIEW) if s.enlarge_button and s.camera_view.picture is None else s
        for n, s in found.items()
    }


def _turn() -> dict[str, ScreenState]:
    found: dict[str, ScreenState] = {}
    roll = show_game(make_game())
    found["roll"] = replace(roll, camera_view=STEADY_VIEW)
    found["roll_two"] = show_game(make_game(2))
    by_hand = show_game(make_game(), NO_VISIBILITY)
    found["roll_entered"] = replace(by_hand, entered_numbers=(4,), camera_view=CameraView(CameraState.OFF))
    found["roll_first"] = replace(
        show_game(make_game(), undo=False), camera_view=CameraView(CameraState.ROLLING, None, TABLE_IMAGE)
    )

    opened = play_moves(make_game(), "roll 2 5")
    found["open_scheme"] = show_game(opened, NO_VISIBILITY)
    after = replace(play_moves(opened, "remove 2"), changes=(1, -2, 0, 10, 0, -12))
    found["open_picture"] = replace(show_game(after), camera_view=STEADY_VIEW)
    found["open_two"] = replace(show_game(play_moves(make_game(2), "roll 2 5", "remove 2")), camera_view=STEADY_VIEW)
    free = replace(make_game(), tokens=(2, 0, 2, 2, 1, 2))
    found["open_free"] = replace(show_game(play_moves(free, "roll 2 5")), camera_view=STEADY_VIEW)
    found["open_second"] = replace(show_game(play_moves(opened, "remove 2", "remove 5"), NO_VISIBILITY))
    found["open_nodice"] = show_game(make_game(dice="off"), NO_VISIBILITY)
    easy = replace(play_moves(make_game(variant="easy"), "roll 3 3", "remove 3"))
    found["open_easy"] = show_game(easy, NO_VISIBILITY)
    return found


def _guesses() -> dict[str, ScreenState]:
    found: dict[str, ScreenState] = {}
    opened = play_moves(make_game(), "roll 2 5", "remove 2")
    guessed = play_moves(opened, "guess")
    found["asking"] = replace(show_game(guessed), camera_view=STEADY_VIEW)
    even = replace(guessed, crystals=(4, 7, 7, 23, 7, 102))
    wishes = play_moves(even, "wish/2", "wish/1", "wish/4")
    found["asking_wishes"] = show_game(wishes, NO_VISIBILITY)
    found["asking_two"] = show_game(play_moves(make_game(2), "roll 2 5", "remove 2", "stop"))
    found["asking_meanwhile"] = replace(show_game(play_moves(opened, "ask")), camera_view=STEADY_VIEW)
    pick = play_moves(wishes, "close")
    found["pick"] = replace(show_game(pick), camera_view=STEADY_VIEW)
    found["called"] = replace(show_game(play_moves(pick, "pick 2")), camera_view=STEADY_VIEW)
    found["called_two"] = show_game(play_moves(make_game(2), "roll 2 5", "remove 2", "guess", "wish/1", "close"))
    return found


def _ends() -> dict[str, ScreenState]:
    found: dict[str, ScreenState] = {}
    guessed = play_moves(make_game(), "roll 2 5", "remove 2", "guess")
    cover = play_moves(guessed, "close")
    found["cover"] = replace(show_game(cover), camera_view=with_camera_state(STEADY_VIEW, CameraState.HAND))
    nobody = play_moves(make_game(3), "roll 2 5", "remove 2", "stop", "close")
    found["cover_nobody"] = show_game(nobody)
    found["renew"] = show_game(replace(make_game(3), cards_used=200))
    found["reveal"] = show_game(play_moves(guessed, "wish/2", "close", "name/2", "close", "cover"))
    everyone = replace(play_moves(cover, "cover"), guessers=SEATS)
    found["reveal_six"] = show_game(everyone)
    found["reveal_one"] = show_game(play_moves(make_game(2), "roll 2 5", "remove 2", "guess", "close", "cover"))

    points = tuple(tuple((r * 7 + seat * 5) % 23 - 11 for seat in range(6)) for r in range(10))
    over = _over(replace(make_game(marker=10), crystals=CRYSTALS))
    lines = tuple(show_game(make_game()).last_move or "" for _round in range(10))
    found["result"] = replace(show_game(over), details=lines)
    found["result_rounds"] = replace(found["result"], round_points=points)
    found["result_rounds_no_camera"] = replace(found["result"], round_points=points[:5], uses_camera=False)
    tie = _over(replace(make_game(2, marker=10), crystals=(21, 24)), right=0)
    found["result_tie"] = replace(show_game(tie), details=lines[:2], camera_view=STEADY_VIEW)
    return found


def _over(game: Macroscope, right: int = 5) -> Macroscope:
    """The last round is scored."""
    game = play_moves(game, "roll 2 5", "remove 2", "guess", "close", "cover")
    if right:
        return game.play(Move("nobody"))
    game = replace(game, crystals=(game.crystals[1] - game.guess_value, *game.crystals[1:]))
    return game.play(Move("right", SEATS[0]))


def _dialogs() -> dict[str, ScreenState]:
    found: dict[str, ScreenState] = {}
    game = make_game()
    opened = play_moves(game, "roll 2 5", "remove 2")
    wrong = replace(show_game(opened), camera_view=STEADY_VIEW)
    let_stand = Correction("let_stand", None, (3,))
    found["question"] = open_dialog(wrong, ask_unexpected_token(TokenTaken(4, 3, 0.99, 1.0), 3, let_stand))
    roll = next(move for move in game.list_moves() if move.kind == "roll")
    unsure = handle_dice(DiceRead((2, 5), 0.4, 1.0, ((3, 5),)), roll)
    assert isinstance(unsure, QuestionDialog)
    found["question_long"] = open_dialog(
        replace(show_game(game), camera_view=with_camera_state(STEADY_VIEW, CameraState.UNSURE)), unsure
    )
    found["question_digits"] = open_dialog(
        replace(show_game(game), camera_view=CameraView(CameraState.OFF)), DigitsInput(_("Enter the roll"), roll, (6,))
    )
    found["question_sure"] = open_dialog(wrong, ask_confirmation(_("Put this game away?"), let_stand))
    entries = [
        (what, capitalise(GAME.correctable_label(game, what, PLAYER_NAMES))) for what in game.list_correctables()
    ]
    spinners = [(line, ValueInput(line, what, what.current_value[0])) for what, line in entries]
    totals = tuple((what.seat, ValueInput(line, what, 1)) for what, line in entries if what.seat is not None)
    found["picture"] = _enlarged(wrong, opened, 4)
    found["picture_changed"] = _enlarged(wrong, opened, 4, by=1)
    found["picture_rolled"] = _enlarged(wrong, play_moves(game, "roll 2 5"), None)
    found["picture_nothing"] = _enlarged(wrong, game, None)
    found["menu"] = open_dialog(show_game(game), CorrectionMenu(tuple(spinners), totals, 7))
    crystals = max((spinner for _line, spinner in spinners), key=lambda spinner: spinner.value)
    found["menu_spinner"] = open_dialog(show_game(game), crystals)
    return found


def _enlarged(at: ScreenState, game: Macroscope, window: int | None, by: int = 0) -> ScreenState:
    """The camera's picture large; something changed `by`."""
    dialog = open_camera_dialog(game, window)
    if by:
        changed = dialog.handle(Command("change", (by,)))
        assert isinstance(changed, CameraDialog)
        dialog = changed
    return replace(open_dialog(at, dialog), enlarged=dialog.enlarged, enlarge_button=Button.NO)


def _notices() -> dict[str, ScreenState]:
    found: dict[str, ScreenState] = {}
    roll = show_game(make_game())
    gone = f"{_('The camera is gone: plug it in again')}. {_('The game goes on by buttons.')}"
    found["notice"] = replace(
        show_game(make_game(), NO_VISIBILITY), notice=gone, camera_view=CameraView(CameraState.LOST)
    )
    for number, problem in enumerate(list_view_problems()):
        name = f"view_{problem.kind.name.lower()}_{number}"
        found[name] = replace(roll, notice=problem.message, camera_view=replace(STEADY_VIEW, problem=problem))
    opened = play_moves(make_game(), "roll 2 5", "remove 2")
    clock = (RunningClock("turn 3", 12.4, 30.0),)
    heard = frozenset({SEAT_BUTTONS[0], Button.OK})
    found["clock"] = replace(show_game(opened), clocks=clock, pressed_buttons=heard, camera_view=STEADY_VIEW)
    asking = show_game(play_moves(opened, "guess"))
    found["clock_soon"] = replace(asking, clocks=(RunningClock("anyone else", 3.2, 10.0),), camera_view=STEADY_VIEW)
    return found
