"""The Macroscope's stage: movements end, and the dominant figure is large."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import pygame
import pytest

from companion.api import Move, Seat
from companion.api.game_state import number_places
from companion.display import Screen
from companion.display.scenes.acts import ANSWER_SECONDS, QUESTION_SECONDS, STANDINGS_SECONDS
from companion.display.toolkit import Canvas
from companion.display.toolkit.preferences import DisplayPreferences
from companion.events import CameraState
from companion.gallery.camera_views import TABLE_READING
from companion.gallery.fixtures import SEATS, play_moves
from companion.games.macroscope import Macroscope
from companion.games.macroscope.display.lid import NUMBER_UNKNOWN, list_places
from companion.games.macroscope.display.table import draw_dice
from companion.games.macroscope.samples import build_samples, make_game, show_game
from companion.games.macroscope.state import Phase
from companion.screen_state import CameraView, PlayedMove, RunningClock, ScreenKind, ScreenState
from companion.testing.screens import SampleStates, draw_texts

SIZE = (800, 480)
SAMPLES = SampleStates(build_samples)


class Clock:
    """A clock that is set by hand, in seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def draw(screen: Screen, surface: pygame.Surface, state: ScreenState) -> bytes:
    screen.draw(surface, state)
    return bytes(pygame.image.tobytes(surface, "RGB"))


@pytest.mark.parametrize("name", ["open_scheme", "open_picture", "roll_first"])
def test_dice_tumble_for_a_finite_time(name: str) -> None:
    clock = Clock()
    screen, surface = Screen(SIZE, monotonic=clock), pygame.Surface(SIZE)
    first = draw(screen, surface, SAMPLES[name])
    clock.now = 0.5
    assert draw(screen, surface, SAMPLES[name]) != first
    assert screen.is_animating
    clock.now = 3.0
    last = draw(screen, surface, SAMPLES[name])
    assert not screen.is_animating
    assert last == bytes(pygame.image.tobytes(Screen(SIZE).render(SAMPLES[name]), "RGB"))


@pytest.mark.parametrize(
    ("name", "changes", "is_drawn"),
    [
        ("open_picture", {}, True),
        ("open_virtual", {}, False),
        ("open_virtual", {"is_demo": True}, True),
        ("open_virtual", {"uses_camera": False}, True),
    ],
    ids=["real table", "simulated table", "demo", "film"],
)
def test_no_second_lid_is_drawn_beside_a_simulated_one(
    monkeypatch: pytest.MonkeyPatch, name: str, changes: dict[str, Any], is_drawn: bool
) -> None:
    """People touched it in vain."""
    drawn: list[str] = []

    def note_art(_canvas: Canvas, art: str, rect: pygame.Rect, **_: object) -> pygame.Rect:
        drawn.append(art)
        return rect

    monkeypatch.setattr(Canvas, "draw_art", note_art)
    Screen(SIZE).render(replace(SAMPLES[name], **changes))
    assert ("lid" in drawn) is is_drawn


@pytest.mark.parametrize("size", [(300, 100), (100, 230)], ids=["side by side", "one over the other"])
def test_tumbling_dice_are_not_cut_at_the_top_of_their_place(size: tuple[int, int]) -> None:
    canvas, place = Canvas((800, 480)), pygame.Rect((100, 100), size)
    for step in range(24):
        canvas.surface.fill("black")
        draw_dice(canvas, place, (2, 5), (False, False), step / 24)
        assert pygame.surfarray.array3d(canvas.surface)[:, : place.top].max() < 128, step


def test_dice_lie_still_before_the_roll_and_while_it_is_entered() -> None:
    entered = replace(SAMPLES["roll_entered"], camera_view=CameraView(CameraState.ROLLING))
    for state in (SAMPLES["roll"], entered):
        screen = Screen(SIZE, monotonic=Clock())
        draw(screen, pygame.Surface(SIZE), state)
        assert not screen.is_animating


def test_the_camera_is_said_to_read_the_dice_only_until_it_cannot() -> None:
    screen, surface, shown = Screen(SIZE), pygame.Surface(SIZE), SAMPLES["view_no_dice_9"]
    dark = SAMPLES["view_dark_0"].camera_view.problem
    for problem, is_said in ((shown.camera_view.problem, True), (dark, False), (None, True)):
        draw(screen, surface, replace(shown, camera_view=replace(shown.camera_view, problem=problem)))
        assert ("The camera reads them: no key" in [text.text for text in screen.drawn_texts()]) is is_said


@pytest.mark.parametrize("name", ["open_scheme", "asking", "called", "pick"])
@pytest.mark.parametrize("size", [SIZE, (1920, 1080)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_value_of_a_guess_is_more_than_a_quarter_of_the_height(name: str, size: tuple[int, int]) -> None:
    screen = Screen(size)
    screen.render(SAMPLES[name])
    figures = [text for text in screen.drawn_texts() if text.is_figure]
    assert [figure.text for figure in figures] == [str(SAMPLES[name].view.guess_value)]
    assert figures[0].ink_rect.h >= size[1] * 0.27


@pytest.mark.parametrize("name", ["roll", "open_scheme", "asking"])
def test_a_clock_is_the_dominant_figure_with_the_value_under_it(name: str) -> None:
    screen = Screen(SIZE)
    screen.render(replace(SAMPLES[name], clocks=(RunningClock("turn", 12.4, 30.0),)))
    texts = screen.drawn_texts()
    (figure,) = [text for text in texts if text.is_figure]
    assert figure.text == "0:13"
    assert figure.ink_rect.h >= SIZE[1] * 0.14
    assert str(SAMPLES[name].view.guess_value) in [text.text for text in texts if not text.is_figure]


def test_the_lid_shows_its_tokens_where_the_camera_sees_them() -> None:
    view = SAMPLES["asking"].view
    assert TABLE_READING.lid is not None
    first, second, third, *others = TABLE_READING.lid.windows
    hidden = replace(second, covered=None, number=None)
    windows = (replace(first, covered=True, number=6), hidden, replace(third, covered=False, number=None), *others)
    places = list_places(view, replace(TABLE_READING, lid=replace(TABLE_READING.lid, windows=windows)))
    assert places[:3] == (6, NUMBER_UNKNOWN, None)
    assert len(places) == 12


def test_without_a_camera_the_lid_shows_its_tokens_by_number() -> None:
    view = replace(SAMPLES["asking"].view, tokens=(2, 1, 0, 2, 2, 2))
    assert list_places(view, None) == (1, 1, 2, None, None, None, 4, 4, 5, 5, 6, 6)


def test_no_photograph_stands_on_the_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[object] = []
    screen = Screen(SIZE)
    monkeypatch.setattr(screen.canvas, "draw_image", lambda image, rect: drawn.append(image))
    for name in ("open_picture", "asking", "pick", "called"):
        assert SAMPLES[name].camera_view.picture is not None
        screen.render(SAMPLES[name])
    assert drawn == []


# The verdict -----------------------------------------------------------------------------------------------------

GUESSED = play_moves(make_game(), "roll 0 2 5", "remove 0 2", "guess 0", "wish 2", "close 0", "name 2", "close 0")
REVEALED = play_moves(GUESSED, "cover")
RIGHT, NOBODY = REVEALED.play(Move("right", SEATS[2])), REVEALED.play(Move("nobody"))
VERDICT_ENDS = QUESTION_SECONDS + ANSWER_SECONDS


def show_answer(game: Macroscope, before: Macroscope = REVEALED) -> ScreenState:
    """Return the screen after the answer who was right."""
    start = before.crystals_at_round_start
    places = number_places([(False, -crystals) for crystals in start])
    played = PlayedMove(9, before, prompt="Was it so?", round_start_scores=start, round_start_places=places)
    return show_game(game, played=played)


class Table:
    """A screen with a clock that is set by hand, on which a card has been revealed and its guessers are shown."""

    def __init__(self, *, moves: bool = True, size: tuple[int, int] = SIZE) -> None:
        self.clock = Clock()
        self.screen = Screen(size, DisplayPreferences(animations=moves), self.clock)
        self.surface = pygame.Surface(size, 0, 32)
        self.show(show_game(REVEALED))
        self.clock.now += 10.0

    def show(self, state: ScreenState) -> bytes:
        return draw(self.screen, self.surface, state)

    @property
    def texts(self) -> list[str]:
        return [text.text for text in self.screen.drawn_texts()]


def end_of(state: ScreenState) -> bytes:
    return bytes(pygame.image.tobytes(Screen(SIZE).render(state), "RGB"))


@pytest.mark.parametrize(
    ("game", "verdict", "figure"), [(RIGHT, "Right!", ["+11"]), (NOBODY, "Nobody was right", [])], ids=["one", "nobody"]
)
def test_question_answer_and_standings_are_shown_and_then_the_next_turn(
    game: Macroscope, verdict: str, figure: list[str]
) -> None:
    table, after = Table(), show_answer(game)
    table.show(after)
    assert "Was it so?" in table.texts
    for seconds in (QUESTION_SECONDS + 0.1, VERDICT_ENDS - 0.1):
        table.clock.now = 10.0 + seconds
        table.show(after)
        assert verdict in table.texts, seconds
        assert [text.text for text in table.screen.drawn_texts() if text.is_figure] == figure
    table.clock.now = 10.0 + VERDICT_ENDS + 0.1
    table.show(after)
    assert verdict not in table.texts
    assert {player.name for player in after.players} <= set(table.texts)
    assert table.screen.is_animating
    table.clock.now = 10.0 + VERDICT_ENDS + STANDINGS_SECONDS
    table.show(after)
    assert table.show(after) == end_of(after)
    assert not table.screen.is_animating


def test_while_the_acts_go_on_the_keys_are_those_of_the_next_turn() -> None:
    table, after = Table(), show_answer(RIGHT)
    for seconds in (0.0, 1.0, 4.0):
        table.clock.now = 10.0 + seconds
        table.show(after)
        assert "Was right" not in table.texts
        assert "Enter roll" in table.texts


def test_the_answer_is_heard_when_it_is_seen() -> None:
    table, after = Table(), show_answer(RIGHT)
    table.show(after)
    assert table.screen.choose_heard_state(after) is None
    table.clock.now += QUESTION_SECONDS + 0.1
    table.show(after)
    assert table.screen.choose_heard_state(after) is after
    ended = replace(after, kind=ScreenKind.RESULT)
    table.show(ended)
    heard = table.screen.choose_heard_state(ended)
    assert heard is not None
    assert (heard.kind, heard.soft_keys) == (ScreenKind.PLAY, ()), "nobody has won yet, and no key says so"


@pytest.mark.parametrize("held", [0.05, 1.0, 4.0])
def test_a_press_that_does_something_ends_the_acts_and_the_crystals_in_flight(held: float) -> None:
    table, after = Table(), show_answer(RIGHT)
    table.show(after)
    table.clock.now += held
    table.show(after)
    lit = next(key.button for key in after.soft_keys if key.label and not key.is_hold)
    pressed = replace(after, pressed_buttons=frozenset({lit}))
    assert table.show(pressed) == end_of(pressed)
    assert not table.screen.is_animating


def test_dice_that_are_read_end_the_acts() -> None:
    table = Table()
    table.show(show_answer(RIGHT))
    rolled = show_game(RIGHT.play(Move("roll", SEATS[1], (3, 4))), played=PlayedMove(10, RIGHT))
    table.show(rolled)
    assert "Was it so? ." not in table.texts
    assert rolled.view.phase is Phase.OPEN


def test_a_dialog_that_opens_is_shown_in_place_of_the_acts() -> None:
    table, after = Table(), show_answer(RIGHT)
    table.show(after)
    asked = replace(after, question=SAMPLES["question"].question)
    table.show(asked)
    assert asked.question is not None
    assert asked.question.title in " ".join(table.texts)
    assert "Was it so? ." not in table.texts


def test_without_motion_the_next_turn_is_shown_at_once() -> None:
    table, after = Table(moves=False), show_answer(RIGHT)
    assert table.show(after) == end_of(after)


def test_a_correction_an_undo_and_a_screen_that_begins_have_no_acts() -> None:
    fresh, surface = Screen(SIZE, monotonic=Clock()), pygame.Surface(SIZE, 0, 32)
    assert draw(fresh, surface, show_answer(RIGHT)) == end_of(show_answer(RIGHT))
    for changed in (replace(show_answer(RIGHT), played=None), replace(show_game(REVEALED), played=None)):
        table = Table()
        table.show(show_answer(RIGHT))
        table.clock.now += 0.1
        table.show(changed)
        table.clock.now += 3.0  # the dice may tumble, and scores count
        assert table.show(changed) == end_of(changed)


@pytest.mark.parametrize("size", [SIZE, (1920, 1080), (480, 800)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("guessers", [SEATS[:1], SEATS[:2], SEATS], ids=len)
@pytest.mark.parametrize("move", [Move("right", SEATS[0]), Move("nobody")], ids=["right", "nobody"])
def test_no_two_texts_of_the_verdict_overlap(size: tuple[int, int], guessers: tuple[Seat, ...], move: Move) -> None:
    revealed = replace(REVEALED, guessers=guessers)
    table, after = Table(size=size), show_answer(revealed.play(move), revealed)
    for seconds in (0.0, QUESTION_SECONDS, QUESTION_SECONDS + 2.0):
        table.clock.now = 10.0 + seconds
        table.show(after)
        assert "…" not in table.texts, "a name is shortened to nothing"
        for one, other in combinations(table.screen.drawn_texts(), 2):
            assert not one.ink_rect.colliderect(other.ink_rect), (one.text, other.text)


def test_the_card_is_looked_at_before_it_is_put_away() -> None:
    """M40, M45: it stood under the steps before the question who was right that the card goes into the box."""
    said = " ".join(text.text for text in draw_texts(SAMPLES["cover"], (800, 480)))
    assert said.index("Cover all windows") < said.index("Pull the top card") < said.index("Look at its picture")
    assert "box" not in said


def test_the_card_of_who_was_right_can_be_touched() -> None:
    table, state = Table(), show_game(REVEALED)
    table.show(state)
    areas = [each for region in table.screen.canvas.regions.values() for each in region.touch_areas]
    for seat in REVEALED.guessers:
        button = state.players[seat].button
        cards = [rect for rect, touched in areas if touched is button]
        assert len(cards) == 2, "the key and the card"
        assert all(table.screen.button_at(rect.center) is button for rect in cards)
