"""What is spoken of a change of the screen, by level."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from companion.api import Outcome, PicturedRule, Seat
from companion.display.sound.speech import MAX_LETTERS
from companion.display.sound.spoken_lines import SpeechLevel, compose_lines, join_lines, make_speakable
from companion.events import Button
from companion.gallery import load_sample_builders
from companion.gallery.finished_games import build_samples
from companion.guide import Guide
from companion.i18n import LANGUAGES, current_language, set_language
from companion.lobby.first_player_draw import FirstPlayerView
from companion.lobby.lesson_stage import LessonView
from companion.lobby_views import HistoryRow, HistoryTable, WizardPage, WizardView
from companion.screen_state import (
    HelpView,
    Menu,
    Player,
    Question,
    ResultCode,
    ScoreLine,
    ScoreSheet,
    ScreenKind,
    ScreenState,
    SoftKey,
)
from companion.testing.screens import SampleStates

ADA, BO = Player(Seat(0), "Ada", Button.SEAT1), Player(Seat(1), "Bo", Button.SEAT3)
OK = SoftKey(Button.OK, "Stop", awaited=True)
PAUSE, UNDO = SoftKey(Button.MINUS, "Pause"), SoftKey(Button.NO, "Hold: undo", is_hold=True)
GUESS = tuple(SoftKey(player.button, "I guess") for player in (ADA, BO))
VIEW = SampleStates(load_sample_builders()["macroscope"])["roll_two"].view
PLAY = ScreenState(
    ScreenKind.PLAY,
    "macroscope",
    "Macroscope",
    prompt="Ada: roll the dice",
    addressed=ADA.seat,
    view=VIEW,
    players=(ADA, BO),
    scores=(2, 2),
    soft_keys=(PAUSE,),
)
LOBBY = ScreenState(ScreenKind.LOBBY, "macroscope", "Macroscope", prompt="Press your buttons", players=(ADA,))


def hear(before: ScreenState | None, after: ScreenState, level: str = "everything") -> list[str]:
    return list(compose_lines(before, after, SpeechLevel(level)))


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("Ada throws 6 6 2", "Ada throws 6, 6, 2"),
        ("Ada −4, Bo +1", "Ada minus 4, Bo plus 1"),
        ("A to B–C 1/8", "A to B to C 1 of 8"),
        ("2 → 4 · dice", "2, 4, dice"),
        ("4+", "4 and more"),
        ("took 1:08", "took 1 minute 8 seconds"),
        ("5:00 left", "5 minutes left"),
        ("0:00", "0 seconds"),
        ("_", ""),
    ],
)
def test_signs_become_words(text: str, spoken: str) -> None:
    assert make_speakable(text) == spoken


@pytest.mark.parametrize("level", SpeechLevel)
def test_a_move_with_numbers_is_spoken_at_each_level_but_off(level: SpeechLevel) -> None:
    after = replace(PLAY, last_move="Ada rolls 2 and 5")
    assert hear(PLAY, after, level) == ([] if level is SpeechLevel.OFF else ["Ada rolls 2 and 5"])


def test_moments_are_scores_turns_questions_and_the_winner() -> None:
    passed = replace(PLAY, last_move="Ada passes")
    assert hear(PLAY, passed, "moments") == []
    scored = replace(PLAY, last_move="Ada was right", scores=(9, 2), prompt="Bo: roll the dice", addressed=BO.seat)
    assert hear(PLAY, scored, "moments") == ["Ada was right", "Ada 9", "Bo: roll the dice"]
    assert hear(PLAY, replace(PLAY, prompt="Ada: open a 2"), "moments") == []
    asked = replace(PLAY, question=Question("Is it 2 and 5?", "No other"))
    assert hear(PLAY, asked, "moments") == ["Is it 2 and 5?"]
    assert hear(asked, replace(asked, question=Question("Still here?")), "moments") == ["Still here?"]
    assert hear(PLAY, replace(PLAY, notice="The camera is gone"), "moments") == []
    result = replace(scored, kind=ScreenKind.RESULT, prompt="Ada wins with 9", addressed=None)
    assert hear(PLAY, result, "moments") == ["Ada was right", "Ada wins with 9", "Ada 9, Bo 2"]
    lowest = replace(result, outcome=Outcome((BO.seat,), "Few points win", lowest_wins=True))
    assert hear(PLAY, lowest, "moments")[-2:] == ["Few points win", "Bo 2, Ada 9"]
    assert hear(LOBBY, replace(LOBBY, players=(ADA, BO)), "moments") == []


def test_everything_has_the_new_sentence_for_the_same_player_and_the_keys() -> None:
    after = replace(PLAY, prompt="Ada: open a 2 or a 5", soft_keys=(*GUESS, OK, PAUSE, UNDO))
    assert hear(PLAY, after) == ["Ada: open a 2 or a 5", "OK: Stop", "Buttons 1, 3: I guess", "NO: Hold: undo"]
    assert hear(after, replace(after, soft_keys=(GUESS[0], OK, PAUSE, UNDO))) == ["OK: Stop", "Button 1: I guess"]


def test_an_undo_is_spoken_once() -> None:
    rolled = replace(PLAY, last_move="Ada rolls 2 and 5")
    undone = replace(PLAY, last_move="Bo was right", notice="Undone: Ada rolls 2 and 5")
    assert hear(rolled, undone) == ["Undone: Ada rolls 2 and 5"]
    assert hear(rolled, undone, "moments") == []
    assert hear(undone, replace(rolled, notice="Redone: Ada rolls 2 and 5")) == ["Redone: Ada rolls 2 and 5"]


def test_a_refusal_is_spoken_each_time_that_it_is_shown() -> None:
    refused = replace(PLAY, notice="It is Ada's turn, not Bo's")
    again = replace(refused, pressed_buttons=frozenset({Button.SEAT1}))
    assert hear(refused, again) == ["It is Ada's turn, not Bo's"], "the press has cut the same answer short"
    assert hear(again, refused) == []
    moved = replace(again, last_move="Ada rolls 5")
    assert hear(refused, moved) == ["Ada rolls 5"], "a notice that stays does not drown what happens"
    assert hear(PLAY, refused) == ["It is Ada's turn, not Bo's"]
    assert hear(refused, PLAY) == []


def test_a_second_move_of_the_same_words_is_spoken() -> None:
    states = SampleStates(load_sample_builders()["macroscope"])
    before = replace(PLAY, last_move="Dealt again", view=states["roll_two"].view)
    assert "Dealt again" in hear(before, replace(before, view=states["open_two"].view))


def test_a_question_has_its_answers_and_going_back_the_sentence_and_keys_of_before() -> None:
    asked = replace(
        PLAY, question=Question("Is it 2 and 5?", "It cannot be read"), soft_keys=(SoftKey(Button.OK, "2 and 5"),)
    )
    assert hear(PLAY, asked) == ["Is it 2 and 5?", "It cannot be read", "OK: 2 and 5"]
    assert hear(asked, PLAY) == ["Ada: roll the dice", "Minus: Pause"]


def test_a_menu_has_its_numbered_lines_then_the_selected_one_then_the_value() -> None:
    menu = Menu("Settings", ("Rules", "Names", "Past games"), 0, numbered=2)
    lines = tuple(SoftKey(button, "Line", is_number=True) for button in (Button.SEAT1, Button.SEAT2))
    opened = replace(LOBBY, menu=menu, soft_keys=lines)
    assert hear(LOBBY, opened) == ["Settings", "1: Rules; 2: Names", "Rules"]
    assert hear(opened, replace(opened, menu=replace(menu, selected=2))) == ["Past games"]
    value = replace(LOBBY, menu=Menu("Rounds", (), 0, "9"))
    assert hear(opened, value) == ["Rounds", "9"]
    assert hear(value, replace(value, menu=Menu("Rounds", (), 0, "−1"))) == ["minus 1"]


def test_numbers_that_are_entered_are_spoken() -> None:
    assert hear(PLAY, replace(PLAY, entered_numbers=(4, 2))) == ["4, 2"]


def test_the_lobby_says_who_sits_where_and_which_game_it_is() -> None:
    assert hear(LOBBY, replace(LOBBY, players=(ADA, BO))) == ["Bo, button 3"]
    assert hear(LOBBY, replace(LOBBY, players=())) == ["Ada stands up"]
    assert hear(LOBBY, replace(LOBBY, title="StarFall", game_name="starfall")) == ["StarFall"]
    assert hear(None, LOBBY) == ["Macroscope", "Press your buttons"]


def test_who_begins_and_what_to_lay_out_are_spoken() -> None:
    steps = ("Cups here", "Dice there", "Cards away")
    draw = replace(LOBBY, kind=ScreenKind.FIRST, prompt="Who begins?", view=FirstPlayerView(ADA.seat, False, 0, 2))
    draw = replace(draw, details=steps)
    assert hear(LOBBY, draw) == ["Who begins?", "Cups here; Dice there"]
    assert hear(draw, replace(draw, view=FirstPlayerView(BO.seat, False, 0, 2))) == [], "the light runs in silence"
    drawn = replace(draw, prompt="Bo: you begin", view=FirstPlayerView(BO.seat, True, 0, 2))
    assert hear(draw, drawn) == ["Bo: you begin", "Cups here; Dice there"]
    assert hear(drawn, replace(drawn, view=FirstPlayerView(BO.seat, True, 2, 3))) == ["Cards away"]


@pytest.mark.parametrize("level", ["moments", "everything"])
def test_the_end_has_its_reason_once(level: str) -> None:
    result = replace(PLAY, kind=ScreenKind.RESULT, prompt="Ada wins with 2", addressed=None, last_move="Ada stops")
    tied = replace(result, outcome=Outcome((ADA.seat,), "Both have 2: Ada has more windows."))
    heard = hear(PLAY, tied, level)
    assert [line for line in heard if line in ("Ada wins with 2", tied.outcome.reason, "Ada 2, Bo 2")] == [
        *("Ada wins with 2", "Both have 2: Ada has more windows.", "Ada 2, Bo 2")
    ]
    sheet = replace(tied, score_sheet=ScoreSheet(ADA.seat, (ScoreLine(1, "right", 4, 6),)))
    assert "Both have 2" not in " ".join(hear(sheet, tied, level)), "not again after each page"
    helped = replace(tied, help=HelpView(0, 1))
    assert tied.outcome.reason in hear(tied, helped, level)


def test_the_scores_of_a_team_are_spoken_as_one() -> None:
    ended = SampleStates(build_samples)["teams_4"]
    assert compose_lines(replace(ended, kind=ScreenKind.PLAY), ended, SpeechLevel.MOMENTS)[-3:] == (
        *("Bo and Ada win with 111", "The highest score wins: 111 points."),
        "Bo and Ada 111, Wilhelmina and Maximilianna minus 73",
    )


def test_the_pages_of_a_result_and_of_the_history_are_spoken() -> None:
    result = replace(PLAY, kind=ScreenKind.RESULT, prompt="Ada wins")
    sheet = ScoreSheet(ADA.seat, (ScoreLine(1, "right", 4, 6), ScoreLine(2, "wrong", -1, 5)))
    assert hear(result, replace(result, score_sheet=sheet)) == ["right: plus 4, 6"]
    code = replace(result, result_code=ResultCode("http://x", "Opens BG Stats"))
    assert hear(result, code) == ["Opens BG Stats"]
    table = HistoryTable(("games", "won"), (HistoryRow("Ada", ("4", "2"), "in June"),))
    history = replace(LOBBY, kind=ScreenKind.HISTORY, prompt="Players", view=table)
    assert hear(LOBBY, history) == ["Players", "Ada; games 4; won 2; in June"]
    assert hear(history, replace(history, view=replace(table, rows=()))) == []


@pytest.mark.parametrize("level", ["moments", "everything"])
def test_the_help_says_who_sits_where_the_scores_and_what_can_be_done(level: str) -> None:
    shown = replace(PLAY, soft_keys=(OK, PAUSE, UNDO))
    opened = replace(shown, help=HelpView(0, 2))
    assert hear(shown, opened, level)[:-1] == [
        *("Ada, button 1: 2", "Bo, button 3: 2", "Ada: roll the dice"),
        *("OK: Stop", "Minus: Pause", "NO: Hold: undo"),
    ]
    rules = replace(shown, help=HelpView(1, 2, (PicturedRule("Roll two dice.", "die_2"),), "Ten rounds."))
    assert hear(opened, rules, level) == ["Roll two dice.", "Ten rounds."]
    assert hear(rules, shown, level)[:2] == ([] if level == "moments" else ["Ada: roll the dice", "OK: Stop"])
    played = replace(shown, last_move="Ada stops with 4")
    assert hear(opened, played, level) == ["Ada stops with 4"], "an own button acts beside the help"
    assert hear(shown, opened, "off") == []


def test_what_stands_in_the_picture_alone_is_spoken() -> None:
    step = replace(PLAY, prompt="Step 2 of 7", guide=Guide(sentence="Click the tray"))
    assert hear(PLAY, step) == ["Step 2 of 7", "Click the tray"]
    assert "Click the tray" in hear(step, replace(step, help=HelpView(0, 1)))
    lesson = replace(LOBBY, kind=ScreenKind.LESSON, prompt="Step 1", view=LessonView("Sit down"))
    assert hear(LOBBY, lesson) == ["Step 1", "Sit down"]
    assert hear(lesson, replace(lesson, prompt="The end", view=LessonView("", ("Rings", "Keys"))))[1] == "Rings; Keys"
    screen = replace(LOBBY, kind=ScreenKind.SETUP, view=WizardView(WizardPage.SCREEN), details=("1 m", "7 inches"))
    assert hear(screen, replace(screen, details=("2 m", "7 inches"))) == ["2 m"]


def test_a_new_round_is_counted() -> None:
    after = replace(PLAY, view=replace(VIEW, round_number=VIEW.round_number + 1))
    assert f"Round {VIEW.round_number + 1} of 10" in hear(PLAY, after)


@pytest.mark.full
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_screen_has_a_sign_that_a_voice_skips_or_more_words_than_are_spoken(language: str) -> None:
    before = current_language()
    set_language(language)
    try:
        for build_samples in load_sample_builders().values():
            for name, state in SampleStates(build_samples).items():
                for shown in (state, replace(state, help=HelpView(0, 2))):
                    text = join_lines(compose_lines(None, shown, SpeechLevel.EVERYTHING))
                    assert not re.findall(r"[^\w\s.,;:?!'’()%°\"/-]", text), (name, text)
                    assert 0 < len(text) <= MAX_LETTERS, (name, text)
    finally:
        set_language(before)
