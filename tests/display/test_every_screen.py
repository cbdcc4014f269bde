"""Every state of the screen, at all supported sizes: nothing cut, nothing overlapping, nothing too small."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations, product
from math import ceil

import pygame
import pytest

from companion.display import Screen
from companion.display.toolkit.theme import BUTTON_COLOURS, PALETTES, SEAT_SHAPES
from companion.display.toolkit.type_sizes import TITLE_EM
from companion.display.widgets.clocks import format_clock
from companion.events import SEAT_BUTTONS
from companion.gallery import load_sample_builders
from companion.games.macroscope.display.scene import MacroscopeScene
from companion.games.macroscope.samples import build_samples
from companion.i18n import LANGUAGES, format_number
from companion.screen_state import ScreenKind, ScreenState
from companion.testing.screens import (
    ALL_CORNERS,
    SampleStates,
    build_states,
    check_screen,
    draw_texts,
    format_corner,
    get_screen,
    use_language,
)
from tests.display.corners import CORNERS, TELLING_CORNERS

SAMPLES = SampleStates(build_samples)


@pytest.mark.sampled(TELLING_CORNERS, full=24)
@pytest.mark.parametrize("of", load_sample_builders())
@pytest.mark.parametrize(("size", "code"), CORNERS, ids=format_corner)
def test_every_state(size: tuple[int, int], code: str, of: str) -> None:
    for name, shown in build_states(load_sample_builders()[of], code).items():
        check_screen(shown, size, code, note=name)


@pytest.mark.full
@pytest.mark.parametrize("of", load_sample_builders())
@pytest.mark.parametrize(("size", "code"), [((1280, 720), "de"), ((1024, 600), "fr")], ids=format_corner)
def test_every_state_at_the_sizes_between(size: tuple[int, int], code: str, of: str) -> None:
    for name, shown in build_states(load_sample_builders()[of], code).items():
        check_screen(shown, size, code, note=name)


@pytest.mark.proof
@pytest.mark.parametrize("of", load_sample_builders())
@pytest.mark.parametrize(("size", "code"), ALL_CORNERS, ids=format_corner)
def test_every_state_at_every_size_in_every_palette(size: tuple[int, int], code: str, of: str) -> None:
    for (name, shown), palette in product(build_states(load_sample_builders()[of], code).items(), PALETTES):
        check_screen(shown, size, code, palette, note=name)


@pytest.mark.parametrize("size", [(800, 600), (1024, 768)], ids=format_corner)
@pytest.mark.parametrize("code", LANGUAGES)
def test_the_greeting_fits_screens_of_4_to_3(size: tuple[int, int], code: str) -> None:
    check_screen(build_states(load_sample_builders()["greeting"], code)["choices"], size, code)


@pytest.mark.parametrize("name", ["open_picture", "question"])
def test_4k(name: str) -> None:
    check_screen(SAMPLES[name], (3840, 2160))


@pytest.mark.parametrize("size", [(320, 240), (200, 600)], ids=lambda s: f"{s[0]}x{s[1]}")
def test_odd_sizes_stay_on_the_screen(size: tuple[int, int]) -> None:
    for shown in SAMPLES.values():
        for text in draw_texts(shown, size):
            assert pygame.Rect((0, 0), size).contains(text.ink_rect), text


LACKING = {
    # The camera's picture has the place of the game.
    r"macroscope (picture|view)_?.*|counting_tray counted_page_code": {"scores", "names", "active", "prompt", "keys"},
    # A question, or a page to fill in, has the place of the scores.
    r"score_keeper (paused|end_question|who_.*|where_to)": {"scores", "names", "clocks"},
    r"starfall page.*|points enter_question|dice yacht_(choose|best|boxes|next_throw).*": {"scores", "names"},
    r"memo_dice question_clock|pictomania start_(paused|leave)": {"clocks"},
    # Everybody's clocks stand beside the names, and a table beside its rows.
    r"score_keeper (turn|bank.*)|memo_dice uncover_clock|macroscope clock.*": {"clocks"},
    r"secret_number result_.*|starfall table.*|score_keeper (bank_)?teams.*": {"names"},
    r"points (bids_played|teams_bid)": {"scores"},  # while the round is played the bids are large
    r"secret_number show_0": {"clocks"},  # "Show!" in place of 0
}
"""By sample, as a regular expression of part and name: what it does not show, or not as a title."""


def list_played(code: str) -> list[tuple[str, ScreenState, set[str]]]:
    """Return part and name, state, and what it need not show, of each sample that shows a game in play."""
    played = []
    for part, build in load_sample_builders().items():
        for name, shown in build_states(build, code).items():
            is_game = shown.kind is ScreenKind.PLAY and shown.menu is None and shown.help is None
            if is_game and not shown.shows_live_picture:
                lacking = (what for where, what in LACKING.items() if re.fullmatch(where, f"{part} {name}"))
                played.append((f"{part} {name}", shown, set().union(*lacking)))
    return played


@pytest.mark.sampled(TELLING_CORNERS, full=5)
@pytest.mark.parametrize(("size", "code"), CORNERS, ids=format_corner)
def test_important_texts_have_the_size_of_titles(size: tuple[int, int], code: str) -> None:
    title_px = get_screen(size).canvas.px_at_least(TITLE_EM)
    for name, shown, lacking in list_played(code):
        large = {text.text for text in draw_texts(shown, size, code) if text.em_px >= title_px}
        with use_language(code):
            scores = {format_number(score) for score in shown.scores}
        assert "scores" in lacking or scores <= large, name
        for clock in shown.clocks:
            assert "clocks" in lacking or {format_clock(clock), str(ceil(clock.seconds_left))} & large, name
        active = shown.addressed
        if active is None and shown.game_name == "macroscope":
            active = MacroscopeScene().find_active_seat(shown.view)
        assert "active" in lacking or active is None or shown.players[active].name in large, name


@pytest.mark.sampled(TELLING_CORNERS, full=5)
@pytest.mark.parametrize(("size", "code"), CORNERS, ids=format_corner)
def test_names_and_labels_of_keys_are_all_there(size: tuple[int, int], code: str) -> None:
    for name, shown, lacking in list_played(code):
        texts = [text.text for text in draw_texts(shown, size, code)]
        for player in () if "names" in lacking else shown.players:
            cut = [text[:-1].strip() for text in texts if text.endswith("…")]
            assert player.name in " ".join(texts) or any(map(player.name.startswith, cut)), (name, player.name)
        for key in () if "keys" in lacking else shown.soft_keys:
            # A notice that needs the whole line has it: what holding a button does is said again after it. What all may
            # hold their own buttons for is said by the help.
            if not (key.is_hold and (shown.notice or key.button in SEAT_BUTTONS)):
                assert all(word in " ".join(texts) for word in key.label.split()), (name, key.label)


@pytest.mark.parametrize("name", ["asking", "pick", "called", "open_picture"])
def test_the_value_of_a_guess_fills_the_stage(name: str) -> None:
    shown = SAMPLES[name]
    (figure,) = [text for text in draw_texts(shown, (800, 480)) if text.is_figure]
    assert figure.text == str(shown.view.guess_value)
    assert figure.em_px >= 0.3 * 480


@pytest.mark.parametrize("name", ["open_picture", "open_scheme", "roll_entered"])
def test_dice_are_a_tenth_of_the_height(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    screen = Screen((800, 480))
    die = screen.canvas.draw_die
    monkeypatch.setattr(
        screen.canvas, "draw_die", lambda v, at, size, used=False: (drawn.append(size), die(v, at, size))[1]
    )
    screen.render(SAMPLES[name])
    assert len(drawn) == 2
    assert min(drawn) >= 48


def test_a_long_name_is_cut_with_an_ellipsis_and_stays_in_its_place() -> None:
    shown = SAMPLES["open_two"]
    name = "Wolfeschlegelsteinhausenbergerdorff the Younger"
    shown = replace(shown, players=tuple(replace(p, name=name) for p in shown.players), prompt=f"{name}: guess or stop")
    texts = draw_texts(shown, (800, 480))
    assert any(text.text.endswith("…") for text in texts)
    for one, other in combinations(texts, 2):
        assert not one.ink_rect.colliderect(other.ink_rect), (one, other)


def test_a_name_of_controls_and_of_no_letters_is_drawn() -> None:
    shown = SAMPLES["roll_two"]
    for name in ("A\nB\x00C", "", " ", "日本", "🎲"):
        texts = draw_texts(replace(shown, players=tuple(replace(p, name=name) for p in shown.players)), (800, 480))
        assert all(text.text.isprintable() for text in texts)
        assert {str(score) for score in shown.scores} <= {text.text for text in texts}


def test_seats_have_different_colours_and_shapes() -> None:
    assert len({BUTTON_COLOURS[b] for b in SEAT_BUTTONS}) == len({SEAT_SHAPES[b] for b in SEAT_BUTTONS}) == 6
