"""The Macroscope on the screen: every phase, fewest and most players, with and without a camera, dialogs, notices."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.api import Correction, Move, Seat, Visibility
from companion.api.game_state import number_places
from companion.events import (
    SEAT_BUTTONS,
    Button,
    ButtonPressed,
    ButtonReleased,
    CameraState,
    CameraStateChanged,
    DiceRead,
    LidRead,
    TokenTaken,
)
from companion.gallery import fixtures
from companion.gallery.camera_views import (
    OPEN_WINDOW,
    STEADY_VIEW,
    TABLE_IMAGE,
    TABLE_READING,
    list_view_problems,
    show_problem,
)
from companion.gallery.fixtures import (
    PLAYER_NAMES,
    SEATS,
    ButtonPresser,
    describe_move,
    make_referee_offers,
    open_dialog,
    parse_move,
    play_moves,
)
from companion.games.macroscope import GAME, Macroscope, Settings
from companion.games.macroscope.questions import ask_covered_windows, ask_unexpected_token
from companion.games.macroscope.state import Phase, get_start_phase
from companion.i18n import Translator, _
from companion.lobby import Lesson
from companion.referee.button_mapping import build_soft_keys, find_button
from companion.referee.dialogs.base import QuestionDialog
from companion.referee.dialogs.correction_menu import list_editors, open_list
from companion.referee.dialogs.large_picture import ENLARGE, add_enlarge_offer, open_camera_dialog
from companion.referee.dialogs.number_inputs import DigitsInput, open_number_correction
from companion.referee.dialogs.pause_menu import open_leave_question
from companion.referee.held_buttons import HOLD_SECONDS
from companion.referee.roll_question import play_or_ask
from companion.screen_state import CameraView, PlayedMove, RunningClock, ScreenState

_game = Translator("macroscope")

CRYSTALS = (4, 2, 11, 23, 7, 102)
"""By seat: crystals of the players in `make_game`."""
LAST_VALUE = 4
"""What a guess was worth in the round before `make_game`."""
LAST_VERDICT = Move("right", Seat(0))
"""How that round ended."""
CAMERA_VISIBILITY = Visibility(dice=True, tokens=True)
NO_VISIBILITY = Visibility()


def make_game(player_count: int = 6, round_number: int = 3, **settings: object) -> Macroscope:
    """Return a game in which seat 0 was right in the last round, is about to roll, and the players have `CRYSTALS`.

    Args:
        player_count: number of players, 2 to 6.
        round_number: number of the round in play, from 2; not checked.
        settings: house rules by name.

    Raises:
        ValueError: `player_count` or a setting is not allowed.
    """
    return _make_reveal(player_count, round_number, Settings.model_validate(settings)).play(LAST_VERDICT)


def _make_reveal(player_count: int, round_number: int, settings: Settings) -> Macroscope:
    """Return the game before `make_game`: the last seat and then seat 0 have guessed."""
    last = Seat(player_count - 1)
    crystals = [CRYSTALS[0] - LAST_VALUE, *CRYSTALS[1:last], CRYSTALS[last] + LAST_VALUE]
    return replace(
        Macroscope.create(player_count, last, settings),
        phase=Phase.REVEAL,
        guessers=(last, Seat(0)),
        frozen_value=LAST_VALUE,
        crystals=tuple(crystals),
        crystals_at_round_start=tuple(crystals),
        round_number=round_number - 1,
        cards_used=round_number - 1,
    )


def show_game(
    game: Macroscope,
    *moves: str,
    visibility: Visibility = CAMERA_VISIBILITY,
    can_undo: bool = True,
    names: Sequence[str] = PLAYER_NAMES,
    **fields: Any,
) -> ScreenState:
    """Build the screen of a game after moves, with the referee's keys and its keys for the camera picture.

    Args:
        moves: moves that are played before, as `play_moves` takes them; the last move of the screen is the last one.
            Without any it is the one with which `make_game` ends, at the start of a turn, and otherwise none.
        visibility: what the camera sees.
        can_undo: whether the key for undo is shown; if not, there is no last move.
        names: players' names by seat, one for each player.
        fields: further fields of `ScreenState`, or others in place of those built here.

    Raises:
        IllegalMove: a move is not legal.
        IndexError: there are fewer names.
        TypeError: `ScreenState` has no field of that name.
    """
    last_move, played = "", None
    if moves:
        before = play_moves(game, *moves[:-1])
        last_move = describe_move(GAME, before, parse_move(moves[-1]), names)
        game = play_moves(before, moves[-1])
    elif can_undo and game.phase is get_start_phase(game.settings):
        before = _make_reveal(game.player_count, game.round_number, game.settings)
        last_move = describe_move(GAME, before, LAST_VERDICT, names)
        prompt, start = GAME.format_prompt(before, names), before.crystals_at_round_start
        places = number_places([(False, -crystals) for crystals in start])
        played = PlayedMove(
            game.turn_number, before, last_move, prompt, round_start_scores=start, round_start_places=places
        )
    over = game.compute_outcome() is not None
    more = make_referee_offers(over=over)
    offers = (*GAME.list_offers(game, names, visibility), *(more if can_undo else more[:1]))
    if game.phase is Phase.ROLL and not visibility.dice:
        roll = next(move for move in game.list_moves() if move.kind == "roll")
        offers = (*DigitsInput("", roll).list_offers()[:6], *make_referee_offers())
    has_picture = visibility.dice and not over and game.phase is not Phase.COVER
    offers = tuple(add_enlarge_offer([*offers], picture_visible=has_picture))
    enlarge = next((find_button(offer.input, ()) for offer in offers if offer.action == ENLARGE), None)
    if has_picture:
        fields = {"camera_view": _see_lid(game), **fields}
    fields = {
        "clocks": (),
        "soft_keys": build_soft_keys(offers, SEAT_BUTTONS[: game.player_count]),
        "last_move": last_move,
        "played": played,
        "enlarge_button": enlarge,
        **fields,
    }
    return fixtures.show_game(GAME, game, names, visibility=visibility, **fields)


def _see_lid(game: Macroscope) -> CameraView:
    """Return a view whose reading has the tokens of `game` on the lid, as far as it has room for them."""
    lid = TABLE_READING.lid
    assert lid is not None, "the fixture has one"
    left, windows = list(game.tokens), []
    for i, window in enumerate(lid.windows):
        number = i // 2 + 1
        covered = left[number - 1] > 0
        left[number - 1] -= covered
        windows.append(replace(window, covered=covered, number=number if covered else None))
    return replace(STEADY_VIEW, reading=replace(TABLE_READING, lid=replace(lid, windows=tuple(windows))))


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    return (
        _build_turn_samples()
        | _build_guess_samples()
        | _build_scoring_samples()
        | _build_dialog_samples()
        | _build_notice_samples()
        | _build_lesson_samples()
    )


def _build_turn_samples() -> dict[str, ScreenState]:
    """The roll, and windows opened one by one (M10 to M22)."""
    game, two = make_game(), make_game(2)
    opened = play_moves(game, "roll 0 2 5")
    guessed_by_all = replace(play_moves(opened, "remove 0 2", "guess 0", "close 0", "cover"), guessers=SEATS)
    no_camera: dict[str, Any] = {"visibility": NO_VISIBILITY}
    return {
        "roll": show_game(game),
        "roll_two": show_game(two),
        "roll_all_wrong": show_game(guessed_by_all, "nobody"),
        "roll_entered": show_game(game, entered_numbers=(4,), camera_view=CameraView(CameraState.OFF), **no_camera),
        "roll_first": show_game(
            Macroscope.create(6, Seat(0), Settings.model_validate({})),
            can_undo=False,
            camera_view=CameraView(CameraState.ROLLING, None, TABLE_IMAGE),
        ),
        "open_first": show_game(game, "roll 0 2 5"),
        "open_scheme": show_game(game, "roll 0 2 5", **no_camera),
        "open_picture": show_game(opened, "remove 0 2"),
        "open_virtual": show_game(opened, "remove 0 2", visibility=Visibility(True, True, True)),
        "open_two": show_game(two, "roll 0 2 5", "remove 0 2"),
        "open_free": show_game(replace(game, tokens=(2, 0, 2, 2, 1, 2)), "roll 0 2 5"),
        "open_second": show_game(opened, "remove 0 2", "remove 0 5", **no_camera),
        "open_nodice": show_game(make_game(dice="off"), **no_camera),
        "open_easy": show_game(make_game(variant="easy"), "roll 0 3 3", "remove 0 3", **no_camera),
    }


def _build_guess_samples() -> dict[str, ScreenState]:
    """The others are asked (M23 to M32)."""
    opened = play_moves(make_game(), "roll 0 2 5", "remove 0 2")
    wished = play_moves(replace(play_moves(opened, "guess 0"), crystals=(4, 7, 7, 23, 7, 102)), "wish 2", "wish 1")
    two_players = play_moves(make_game(2), "roll 0 2 5", "remove 0 2")
    return {
        "asking": show_game(opened, "guess 0"),
        "asking_wishes": show_game(wished, "wish 4", visibility=NO_VISIBILITY),
        "asking_two": show_game(two_players, "stop 0"),
        "asking_meanwhile": show_game(opened, "ask 0"),
        "pick": show_game(wished, "wish 4", "close 0"),
        "called": show_game(wished, "wish 4", "close 0", "pick 0 2"),
        "called_two": show_game(two_players, "guess 0", "wish 1"),
    }


def _build_scoring_samples() -> dict[str, ScreenState]:
    """Windows are covered, the card is turned over (M40 to M50), and the result."""
    guessed = play_moves(make_game(), "roll 0 2 5", "remove 0 2", "guess 0")
    last_token = replace(make_game(3), tokens=(1, 0, 0, 0, 0, 0))
    points = tuple(tuple((r * 7 + seat * 5) % 23 - 11 for seat in range(6)) for r in range(10))
    end = play_moves(make_game(round_number=10), "roll 0 2 5", "remove 0 2", "guess 0", "close 0", "cover")
    result = show_game(end, "nobody")
    even = replace(make_game(2, round_number=10), crystals=(21, 24))
    even = play_moves(even, "roll 0 2 5", "remove 0 2", "guess 0", "close 0", "cover")
    even = replace(even, crystals=(even.crystals[1] - even.guess_value, even.crystals[1]))
    return {
        "cover": show_game(guessed, "close 0", camera_view=replace(STEADY_VIEW, state=CameraState.HAND)),
        "cover_virtual": show_game(guessed, "close 0", visibility=Visibility(True, True, True)),
        "cover_nobody": show_game(last_token, "roll 0 1 1", "remove 0 1"),
        "renew": show_game(
            replace(make_game(3), cards_used=199), "roll 0 2 5", "remove 0 2", "guess 0", "close 0", "cover", "nobody"
        ),
        "reveal": show_game(guessed, "wish 2", "close 0", "name 2", "close 0", "cover"),
        "reveal_six": show_game(replace(play_moves(guessed, "close 0"), guessers=SEATS), "cover"),
        "reveal_one": show_game(make_game(2), "roll 0 2 5", "remove 0 2", "guess 0", "close 0", "cover"),
        "result": result,
        "result_rounds": replace(result, round_points=points),
        "result_rounds_no_camera": replace(result, round_points=points[:5], uses_camera=False),
        "result_tie": show_game(even, "right 0", camera_view=STEADY_VIEW),
    }


def _build_dialog_samples() -> dict[str, ScreenState]:
    """Questions, menus, and the camera's picture enlarged."""
    game = make_game()
    opened = play_moves(game, "roll 0 2 5", "remove 0 2")
    state, unsure = (
        show_game(game, "roll 0 2 5", "remove 0 2"),
        show_game(game, camera_view=replace(STEADY_VIEW, state=CameraState.UNSURE)),
    )
    let_stand = Correction("let_stand", None, (3,))
    lid, guess = LidRead(10, (2, 1, 2, 2, 1, 2), 1.0), Move("guess", Seat(0))
    blank_lid, stop = LidRead(10, (2, 1, 2, 2, 1, 1), 1.0), Move("stop", Seat(0))
    roll = next(move for move in game.list_moves() if move.kind == "roll")
    question = play_or_ask(DiceRead((2, 5), 0.4, 1.0, ((3, 5),)), roll)
    assert isinstance(question, QuestionDialog), "a reading of low confidence is asked about"
    inputs = [
        (open_number_correction(label, target), target.seat)
        for target, label, _editor in list_editors(GAME, game, PLAYER_NAMES)
    ]
    totals = [(seat, replace(entry, value=1)) for entry, seat in inputs if seat is not None]
    return {
        "question": open_dialog(state, ask_unexpected_token(TokenTaken(4, 3, 0.99, 1.0), 3, let_stand)),
        "question_lid": open_dialog(state, ask_covered_windows(opened, lid, guess, (), lambda: guess)),
        "question_lid_blank": open_dialog(state, ask_covered_windows(opened, blank_lid, stop, (), lambda: stop)),
        "question_long": open_dialog(unsure, question),
        "question_digits": open_dialog(show_game(game), DigitsInput(_("Enter the roll"), roll, (6,))),
        "question_sure": open_dialog(state, open_leave_question()),
        "picture": _enlarge_picture(state, opened, OPEN_WINDOW),
        "picture_changed": _enlarge_picture(state, opened, OPEN_WINDOW, change=1),
        "picture_rolled": _enlarge_picture(show_game(game, "roll 0 2 5"), play_moves(game, "roll 0 2 5"), None),
        "picture_nothing": _enlarge_picture(show_game(game), game, None),
        "menu": open_dialog(show_game(game), open_list([(entry.title, entry) for entry, _seat in inputs], totals, 7)),
        "menu_spinner": open_dialog(
            show_game(game), max((entry for entry, _seat in inputs), key=lambda entry: entry.value)
        ),
    }


def _enlarge_picture(state: ScreenState, game: Macroscope, window: int | None, change: int = 0) -> ScreenState:
    """Open the camera's picture at a window of the lid; `change`: steps by which the value shown is changed."""
    dialog = open_camera_dialog(game, window)
    if change:
        dialog = dialog.step_value(change)
    state = replace(state, camera_view=STEADY_VIEW)
    return replace(open_dialog(state, dialog), enlarged=dialog.enlarged, enlarge_button=Button.NO)


def _build_notice_samples() -> dict[str, ScreenState]:
    """Notices, problems of the view, and clocks."""
    lost = ". ".join((_("The camera is gone: plug it in again"), _("The game goes on by buttons.")))
    opened = play_moves(make_game(), "roll 0 2 5", "remove 0 2")
    return {
        "notice": show_game(
            make_game(), visibility=NO_VISIBILITY, notice=lost, camera_view=CameraView(CameraState.LOST)
        ),
        **{
            f"view_{problem.kind.name.lower()}_{number}": show_game(
                make_game(), notice=problem.message, camera_view=show_problem(problem)
            )
            for number, problem in enumerate(list_view_problems())
        },
        "clock": show_game(
            make_game(),
            "roll 0 2 5",
            "remove 0 2",
            clocks=(RunningClock("turn 3", 12.4, 30.0, label=_game("Turn")),),
            pressed_buttons=frozenset({SEAT_BUTTONS[0], Button.OK}),
        ),
        "clock_soon": show_game(
            opened, "guess 0", clocks=(RunningClock("anyone else", 3.2, 10.0, label=_game("Anyone else?")),)
        ),
    }


def _build_lesson_samples() -> dict[str, ScreenState]:
    """The lesson step by step as somebody does it."""
    presser, rolled = ButtonPresser(), (2, 5)
    lesson = Lesson(GAME, presser.get_time)

    def show(*buttons: Button) -> ScreenState:
        if buttons:
            presser.press(lesson, *buttons)
        lesson.tick()
        return presser.show(lesson, view=STEADY_VIEW)

    lesson.receive(CameraStateChanged(CameraState.STEADY, presser.now, lid_known=True))
    samples = {"lesson_sit": show(), "lesson_roll": show(Button.SEAT2), "lesson_wrong": show(Button.SEAT5)}
    lesson.receive(DiceRead(rolled, 1.0, presser.now))
    samples["lesson_take"] = show(Button.SEAT5)
    lesson.receive(TokenTaken(0, rolled[0], 1.0, presser.now))
    samples |= {"lesson_guess": show(), "lesson_undo": show(Button.SEAT2)}
    lesson.receive(ButtonPressed(Button.NO, presser.now))
    presser.now += HOLD_SECONDS
    lesson.receive(ButtonReleased(Button.NO, presser.now))
    lesson.tick()
    presser.now += 1
    samples |= {"lesson_guess_again": show(), "lesson_answer": show(Button.SEAT2)}
    presser.press(lesson, Button.SEAT2)
    return samples | {"lesson_end": show(Button.OK)}
