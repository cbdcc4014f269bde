"""Acts at a real table: they follow from the referee, and delay neither press nor journal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from companion.api import Correction, Move, Seat
from companion.api.game_state import number_places
from companion.display import Screen
from companion.display.scenes import load_game_scene
from companion.display.scenes.acts import QUESTION_SECONDS, STANDINGS_SECONDS, WINNER_SECONDS, Act, find_act, plan_acts
from companion.display.toolkit import Canvas
from companion.display.toolkit.theme import BUTTON_COLOURS
from companion.display.widgets.podium import describe_next_step, plan_podium
from companion.display.widgets.standings import describe_best, describe_standings, draw_standings, list_standings
from companion.events import Button, ButtonPressed
from companion.games.macroscope import GAME
from companion.games.macroscope.samples import make_game, show_game
from companion.games.macroscope.state import Phase
from companion.games.score_keeper.samples import add_points
from companion.games.score_keeper.samples import new_game as new_keeper
from companion.games.score_keeper.samples import show_game as show_keeper
from companion.i18n import LANGUAGES
from companion.journal.entry import EntryKind
from companion.referee.button_mapping import find_button
from companion.screen_state import PlayedMove, ScreenKind, ScreenState
from companion.testing.screens import format_corner, use_language
from companion.testing.table import ManualClock, TableUnderTest

SIZE = (400, 240)
SCENE = load_game_scene("macroscope")


def play_to_reveal(table: TableUnderTest) -> None:
    """Play a round until it is asked who was right."""
    for move in ("roll 0 2 5", "remove 0 2", "guess 0", "close 0", "cover"):
        kind, *numbers = move.split()
        seat = Seat(int(numbers[0])) if numbers else None
        table.referee.play_move(Move(kind, seat, tuple(map(int, numbers[1:]))))
    assert table.game.phase is Phase.REVEAL


def answer(table: TableUnderTest) -> None:
    """Press that Ada was right."""
    offers = table.referee.list_offers()
    right = next(offer for offer in offers if offer.action == Move("right", Seat(0)))
    button = find_button(right.input, table.saved_game.buttons)
    assert button is not None
    table.wait(right.shown_seconds)
    table.send(ButtonPressed(button, table.clock.now))


@pytest.mark.parametrize("act", Act)
def test_a_press_in_an_act_is_handled_in_the_same_turn_of_the_loop(
    table: Callable[..., TableUnderTest], act: Act
) -> None:
    made = table(2, definition=GAME, camera=False, rounds=2 if act is Act.STANDINGS else 1)
    play_to_reveal(made)
    screen, onto = Screen(SIZE, monotonic=made.clock), pygame.Surface(SIZE, 0, 32)
    screen.draw(onto, made.state)
    answer(made)
    state = made.state
    last = list(made.journal.read_entries(made.saved_game.id))[-1].what
    assert last.kind is EntryKind.MOVE, "the journal has it before its first act"
    screen.draw(onto, state)
    for each, seconds in plan_acts(SCENE, state):
        if each is act:
            break
        made.clock.now += seconds
    made.clock.now += 0.5  # people need a moment to press again: see `PressGuard`
    screen.draw(onto, made.state)
    moment = find_act(screen.canvas, SCENE, made.state)
    assert moment is not None
    assert moment.act is act
    made.send(ButtonPressed(Button.MINUS, made.clock.now))
    pressed = made.state
    assert pressed.menu or pressed.question
    screen.draw(onto, pressed)
    assert not screen.is_animating
    assert pygame.image.tobytes(onto, "RGB") == pygame.image.tobytes(Screen(SIZE).render(pressed), "RGB")


def test_only_a_move_that_was_just_played_has_acts(table: Callable[..., TableUnderTest]) -> None:
    made = table(2, definition=GAME, camera=False, rounds=2)
    play_to_reveal(made)
    answer(made)
    played = made.state.played
    assert played is not None
    assert played.before.phase is Phase.REVEAL
    assert played.prompt == "Was Ada right?"
    assert played.text == made.state.last_move
    assert [act for act, _seconds in plan_acts(SCENE, made.state)] == [Act.QUESTION, Act.ANSWER, Act.STANDINGS]
    for change in (made.saved_game.undo, made.saved_game.redo):
        made.referee.change_game(change)
        assert made.state.played is None
        assert plan_acts(SCENE, made.state) == ()
    made.referee.change_game(lambda: made.saved_game.correct(Correction("crystals", Seat(0), (9,))))
    assert made.game.crystals[0] == 9
    assert made.state.played is None
    made.restart()
    assert made.state.played is None


def show_scores(before: tuple[int, ...], after: tuple[int, ...]) -> ScreenState:
    """Return a screen on which a round has just changed the scores from `before` to `after`."""
    game = replace(make_game(len(after)), crystals=after)
    return show_game(game, scores=after, played=end_round(game, before))


def end_round(game: Any, scores: tuple[int, ...], sign: int = -1) -> PlayedMove:
    """Return a move that has ended a round which began with these scores; `sign` 1: the lowest is the best."""
    places = number_places([(False, sign * score) for score in scores])
    return PlayedMove(1, game, round_start_scores=scores, round_start_places=places)


@pytest.mark.parametrize(
    ("before", "after", "order", "sentence"),
    [
        ((0, 0, 0), (1, 5, 3), [1, 2, 0], "Bo: now in the lead"),
        ((9, 5, 3), (9, 6, 8), [0, 2, 1], "Maximilianna: now ahead of Bo"),
        ((9, 5, 3), (9, 6, 4), [0, 1, 2], "Wilhelmina: still in the lead"),
        ((9, 5, 3), (9, 9, 4), [0, 1, 2], "Wilhelmina and Bo share the lead"),
        ((9, 5, 3), (2, 5, 3), [1, 2, 0], "Bo: now in the lead"),
    ],
)
def test_the_standings_say_who_leads_and_who_has_overtaken_whom(
    before: tuple[int, ...], after: tuple[int, ...], order: list[int], sentence: str
) -> None:
    rows = list_standings(show_scores(before, after))
    assert [row.players[0].seat for row in rows] == order
    assert describe_standings(rows, 1.0)[0] == sentence
    assert describe_standings(rows, 0.2) == ("Standings", None), "nothing shows it yet"


def test_the_standings_have_the_places_of_the_game_where_not_the_score_decides_and_say_so() -> None:
    shown = show_scores((9, 5, 3), (9, 6, 8))
    view: Any = SimpleNamespace(leaders=(Seat(2),), places=(3, 2, 1), lowest_wins=False, list_team=lambda seat: (seat,))
    rows = list_standings(replace(shown, view=view))
    assert [row.players[0].seat for row in rows] == [2, 1, 0]
    assert describe_standings(rows, 1.0)[0] == "Maximilianna: now in the lead"
    assert describe_best(replace(shown, view=view)) == "More than the score decides"
    view.places, view.lowest_wins = (1, 3, 2), True
    assert describe_best(replace(shown, view=view)) == "More than the score decides", "though the highest come first"


def test_a_team_overtakes_a_team_and_its_row_has_the_colours_of_both() -> None:
    game = add_points(new_keeper(6, teams=True, by_rounds=True), (10, 5, 7, 0, 0, 0))
    played = end_round(game, (10, 5, 0) * 2)
    shown = replace(show_keeper(game), scores=(10, 5, 7) * 2, played=played)
    rows = list_standings(shown)
    assert describe_standings(rows, 1.0)[0] == "Maximilianna and Zoë: now ahead of Bo and Ferdinand"
    canvas = Canvas(SIZE)
    with canvas.frame():
        draw_standings(canvas, pygame.Rect((0, 0), SIZE), rows, 1.0, shown.scores)
    second = [tuple(canvas.surface.get_at((x, SIZE[1] // 2)))[:3] for x in (3, SIZE[0] - 4)]
    assert second == [canvas.rgb(BUTTON_COLOURS[shown.players[seat].button]) for seat in (2, 5)]


def test_no_score_goes_back_from_the_answer_to_the_standings(table: Callable[..., TableUnderTest]) -> None:
    made = table(2, definition=GAME, camera=False, rounds=2)
    screen, onto = Screen(SIZE, monotonic=made.clock), pygame.Surface(SIZE, 0, 32)
    play_to_reveal(made)
    screen.draw(onto, made.state)
    answer(made)
    state = made.state
    screen.draw(onto, state)
    made.clock.now += sum(seconds for act, seconds in plan_acts(SCENE, state) if act is not Act.STANDINGS)
    screen.draw(onto, state)
    texts = [text.text for text in screen.drawn_texts()]
    assert "Standings" in texts
    assert str(state.scores[0]) in texts


def list_key_labels(screen: Screen) -> list[str]:
    keys = [part for name, part in screen.canvas.regions.items() if name.startswith("keys ")]
    return [text.text for part in keys for text in part.texts]


def test_no_key_says_anything_before_the_winner_is_known(table: Callable[..., TableUnderTest]) -> None:
    made = table(2, definition=GAME, camera=False, rounds=1)
    screen, onto = Screen(SIZE, monotonic=made.clock), pygame.Surface(SIZE, 0, 32)
    play_to_reveal(made)
    screen.draw(onto, made.state)
    answer(made)
    screen.draw(onto, made.state)
    acts = sum(seconds for act, seconds in plan_acts(SCENE, made.state) if act is not Act.PODIUM)
    for passed in (0.0, 1.0, acts - 1.1, plan_podium(made.state).won_at):
        made.clock.now += passed
        screen.draw(onto, made.state)
        assert list_key_labels(screen) == []
        assert screen.hides_keys
        heard = screen.choose_heard_state(made.state)
        assert heard is None or heard.kind is ScreenKind.PLAY, "nor does a sound"
    made.clock.now += 0.2
    screen.draw(onto, made.state)
    assert not screen.hides_keys
    heard = screen.choose_heard_state(made.state)
    assert heard is not None
    assert heard.kind is ScreenKind.RESULT, "now it is heard too"
    assert {"Play", "New"} <= {text.split()[0] for text in list_key_labels(screen)}


def test_each_ok_skips_a_step_until_the_winner_is_seen_for_a_second(table: Callable[..., TableUnderTest]) -> None:
    made = table(2, definition=GAME, camera=False, rounds=1)
    screen, onto, ok = Screen(SIZE, monotonic=made.clock), pygame.Surface(SIZE, 0, 32), {Button.OK}
    play_to_reveal(made)
    screen.draw(onto, made.state)
    assert not screen.skip_ending(ok), "the game goes on"
    answer(made)
    seen = []
    for _press in range(4):
        screen.draw(onto, made.state)
        moment = find_act(screen.canvas, SCENE, made.state)
        assert moment is not None
        seen.append((moment.act, describe_next_step(plan_podium(made.state), moment.passed)))
        assert screen.skip_ending(ok) == ok
    assert [act for act, _words in seen] == [Act.QUESTION, Act.ANSWER, Act.PODIUM, Act.PODIUM]
    assert [words for _act, words in seen[2:]] == ["Second place", "First place …"]
    for _press in range(3):  # by somebody who presses quickly
        screen.draw(onto, made.state)
        moment = find_act(screen.canvas, SCENE, made.state)
        assert moment is not None
        assert plan_podium(made.state).measure_rises(moment.passed) == (1.0, 1.0)
        assert screen.skip_ending({Button.OK, Button.NO}) == ok, "the other keys are there"
    screen.draw(onto, made.state)
    made.clock.now += WINNER_SECONDS
    screen.draw(onto, made.state)
    assert screen.is_animating
    assert not screen.skip_ending(ok), "the next OK plays again"


@pytest.mark.parametrize("steps", range(4))
def test_another_press_goes_on_to_the_winner_and_does_nothing_else(
    table: Callable[..., TableUnderTest], steps: int
) -> None:
    made = table(3, definition=GAME, camera=False, rounds=1)
    screen, onto, no = Screen(SIZE, monotonic=made.clock), pygame.Surface(SIZE, 0, 32), {Button.NO}
    play_to_reveal(made)
    screen.draw(onto, made.state)
    answer(made)
    screen.draw(onto, made.state)
    for _step in range(steps):
        screen.skip_ending({Button.OK})
        screen.draw(onto, made.state)
    assert list_key_labels(screen) == []
    assert screen.skip_ending(no) == no
    screen.draw(onto, made.state)
    moment = find_act(screen.canvas, SCENE, made.state)
    assert moment is not None
    assert moment.act is Act.PODIUM
    assert 0.0 < moment.passed - plan_podium(made.state).won_at < 0.1
    assert list_key_labels(screen)
    assert screen.skip_ending(no) == set(), "now it begins a new game"


def test_the_line_on_the_move_waits_for_the_answer(table: Callable[..., TableUnderTest]) -> None:
    made = table(2, definition=GAME, camera=False, rounds=2)
    screen, onto = Screen(SIZE, monotonic=made.clock), pygame.Surface(SIZE, 0, 32)
    play_to_reveal(made)
    screen.draw(onto, made.state)
    answer(made)
    seen = []
    for passed in (0.0, QUESTION_SECONDS + 0.1):
        made.clock.now += passed
        screen.draw(onto, made.state)
        seen.append(made.state.last_move in {text.text for text in screen.drawn_texts()})
    assert seen == [False, True]


def test_a_press_that_means_nothing_skips_one_step_and_a_key_of_the_game_all(
    table: Callable[..., TableUnderTest],
) -> None:
    made = table(2, definition=GAME, camera=False, rounds=2)
    play_to_reveal(made)
    before = made.state
    answer(made)
    state = replace(made.state, pressed_buttons=frozenset())
    lit = next(key.button for key in state.soft_keys if key.label and not key.is_hold)
    dark = next(key.button for key in state.soft_keys if not key.label)
    for button, expected in ((dark, [Act.ANSWER, Act.STANDINGS, None]), (lit, [None])):
        screen, onto = Screen(SIZE, monotonic=made.clock), pygame.Surface(SIZE, 0, 32)
        screen.draw(onto, before)
        screen.draw(onto, state)
        acts = []
        for _press in expected:
            screen.draw(onto, replace(state, pressed_buttons=frozenset({button})))
            screen.draw(onto, state)
            moment = find_act(screen.canvas, SCENE, state)
            acts.append(None if moment is None else moment.act)
        assert acts == expected, button


def test_equal_scores_are_no_change_of_rank() -> None:
    assert all(not row.overtaken and not row.fallen for row in list_standings(show_scores((0, 0), (2, 1))))
    first, last = list_standings(show_scores((3, 0), (3, 4)))
    assert [player.name for (player,) in first.overtaken] == ["Wilhelmina"]
    assert (first.old_place, first.new_place, last.fallen) == (1, 0, 1)


def test_a_round_without_points_has_no_standings() -> None:
    assert plan_acts(SCENE, show_scores((1, 2), (1, 2))) == []
    assert [act for act, _seconds in plan_acts(SCENE, show_scores((1, 2), (1, 3)))] == [Act.STANDINGS]


def test_standings_are_left_out_where_a_table_has_just_shown_the_same_scores() -> None:
    scene = load_game_scene("score_keeper")
    entered = add_points(new_keeper(2, by_rounds=True), (3, 5))
    for before, expected in ((entered, []), (new_keeper(2, by_rounds=True), [Act.STANDINGS])):
        played = end_round(before, (0, 0))
        state = replace(show_keeper(entered), scores=entered.totals, played=played)
        assert [act for act, _seconds in plan_acts(scene, state)] == expected
    assert plan_acts(SCENE, show_scores((0, 0), (3, 5))), "the strip's scores are no table"


def draw_standings_page(size: tuple[int, int], state: ScreenState) -> Screen:
    """Return a screen that shows the end of the standings."""
    clock = ManualClock()
    screen, onto = Screen(size, monotonic=clock), pygame.Surface(size, 0, 32)
    screen.draw(onto, replace(state, played=None))
    screen.draw(onto, state)
    clock.now += STANDINGS_SECONDS - 0.1
    screen.draw(onto, state)
    return screen


def test_the_standings_show_what_was_just_seen_and_not_what_the_round_has_changed_besides() -> None:
    before = replace(make_game(3), crystals=(9, 14, 2))
    state = show_scores((11, 10, 2), (0, 14, 2))
    state = replace(state, played=end_round(before, (11, 10, 2)))
    assert [(row.players[0].seat, row.change) for row in list_standings(state)] == [(1, 0), (2, 0), (0, -9)]
    texts = {text.text for text in draw_standings_page((800, 480), state).drawn_texts()}
    assert "−9" in texts
    assert not {"−11", "+4"} & texts


@pytest.mark.parametrize("count", range(2, 7))
@pytest.mark.parametrize("size", [(800, 480), (1920, 1080)], ids=format_corner)
def test_names_and_numbers_of_the_standings_share_one_line(size: tuple[int, int], count: int) -> None:
    state = show_scores((0,) * count, tuple(range(81, 81 + count)))
    players = (replace(state.players[0], name="Peggy"), *state.players[1:])  # its letters reach below the line
    main = draw_standings_page(size, replace(state, players=players)).canvas.regions["main"]
    # The middle of the capitals: what it lies above the baseline follows from the size.
    middles = {text.text: text.ink_rect.bottom - text.em_px / 3 for text in main.texts}
    for player in players[1:]:
        assert abs(middles[player.name] - middles[str(81 + player.seat)]) <= 2, player.name


def test_the_standings_say_what_to_do_next_and_that_the_lowest_score_wins() -> None:
    state = replace(show_scores((0, 0), (1, 5)), prompt="Bo: roll the dice", addressed=Seat(1))

    def read_status(state: ScreenState, size: tuple[int, int] = (800, 480)) -> str:
        return draw_standings_page(size, state).canvas.regions["status"].texts[-1].text

    assert read_status(state) == "Bo: roll the dice"
    assert read_status(replace(state, prompt="Bo: " + "roll the dice, " * 6)) == "Bo is next", "nothing is cut"
    keeper = add_points(new_keeper(2, by_rounds=True, lowest_wins=True), (5, 3))
    played = end_round(new_keeper(2, by_rounds=True, lowest_wins=True), (0, 0), sign=1)
    state = replace(show_keeper(keeper), scores=keeper.totals, played=played, prompt="Enter the points")
    assert read_status(state) == "The lowest score wins · Enter the points"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1920, 1080)], ids=format_corner)
def test_no_name_or_score_of_the_standings_is_cut_or_overlaps(size: tuple[int, int], code: str) -> None:
    with use_language(code):
        state = show_scores((120, 98, 0, 3, 77, 1), (119, 130, 12, 3, 111, 40))
        texts = draw_standings_page(size, state).drawn_texts()
    assert {player.name for player in state.players} <= {text.text for text in texts}
    for one, other in combinations(texts, 2):
        assert not one.ink_rect.colliderect(other.ink_rect), (one.text, other.text)
