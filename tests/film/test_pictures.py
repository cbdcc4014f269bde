"""The pictures of a film: what the table saw, without keys and without commands."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pygame
import pytest

from companion.api import IllegalMove, Move, Seat, registry
from companion.display.toolkit import DisplayPreferences
from companion.display.widgets.standings import list_standings
from companion.events import SEAT_BUTTONS
from companion.film import Film, MomentKind, write_film
from companion.film.moments import TITLE_SECONDS
from companion.film.shots import ShotList
from companion.film.title import draw_title
from companion.gallery.finished_games import play_to_end
from companion.i18n import set_language
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.die_pictures import DiePictures
from companion.journal.entry import GameSetup
from companion.journal.replay import Replay
from companion.journal.saved_game import SavedGame
from companion.screen_state import ScreenKind
from tests.journal.play import act, random_move

SIZE = (800, 480)
DAY = datetime(2026, 11, 23)  # noqa: DTZ001 - a day in local time
NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Fay")
FRAME_RATE = 1.0
GAMES = ["counting_tray", "hearts", "macroscope", "memo_dice", "pictomania", "score_keeper", "starfall", "yacht"]


@pytest.fixture(autouse=True)
def fonts() -> None:
    pygame.font.init()


def begin(journal: Journal, game: str) -> SavedGame:
    definition = registry.find_game(game)
    count = min(definition.player_counts)
    setup = GameSetup(
        game=game,
        players=NAMES[:count],
        buttons=SEAT_BUTTONS[:count],
        settings=definition.settings_model().model_dump(mode="json"),
    )
    return SavedGame.begin(journal, setup, definition)


def play(saved_game: SavedGame, rng: Random) -> bool:
    """Play a random move; return whether one was played."""
    if saved_game.game.compute_outcome() is not None:
        return False
    try:
        saved_game.play_move(random_move(rng, saved_game.game))
    except IllegalMove:  # the range of a value is not all there is to it
        return False
    return True


def make_film(replay: Replay) -> Film:
    return Film(replay, DAY, SIZE, "dark", FRAME_RATE)


@pytest.mark.parametrize("game", GAMES)
def test_no_shot_asks_anybody_for_anything(game: str, tmp_path: Path) -> None:
    rng = Random(game)
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = begin(journal, game)
        for _i in range(60):
            play(saved_game, rng)
        states = [shot.state for shot in ShotList(saved_game.replay, DAY).build_shots()]
        assert len(states) > 2
        definition = saved_game.definition
        for state in states:
            assert not any(key.label for key in state.soft_keys)
            if state.kind is ScreenKind.PLAY and not state.prompt.endswith("?"):
                assert state.prompt != definition.format_prompt(state.view, NAMES)
                assert state.prompt != definition.format_virtual_prompt(state.view, NAMES)


def test_corrections_and_undone_moves_are_not_shown(tmp_path: Path) -> None:
    rng = Random(3)
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = begin(journal, "macroscope")
        for _i in range(45):
            act(rng, saved_game)
        kinds = {entry.what.kind.value for entry, _step in saved_game.replay.history}
        assert {"move", "undo", "redo", "correction"} <= kinds
        moves = [
            shot.state.played.before for shot in ShotList(saved_game.replay, DAY).build_shots() if shot.state.played
        ]
        counted = [step.before for step in saved_game.replay.steps] + [step.after for step in saved_game.replay.steps]
        assert all(before in counted for before in moves)


def test_an_unfinished_game_does_not_end_with_the_words_of_a_correction(tmp_path: Path) -> None:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = begin(journal, "score_keeper")
        play(saved_game, Random(1))
        wrong = next(each for each in saved_game.game.list_correctables() if len(each.value_range.numbers) > 9)
        saved_game.correct(wrong.make_correction(7))
        *_shots, last = ShotList(saved_game.replay, DAY).build_shots()
        assert (last.state.kind, last.state.prompt) == (ScreenKind.PLAY, "")


@pytest.mark.parametrize(
    ("game", "moves", "prompt", "addressed"),
    [
        (
            "macroscope",
            (
                Move("roll", Seat(0), (2, 5)),
                Move("remove", Seat(0), (2,)),
                Move("guess", Seat(0)),
                Move("close", Seat(0)),
            ),
            "Nobody else wants to guess",
            0,
        ),
        ("counting_tray", (Move("threshold", None, (6,)),), "It counts: Only 6", 0),
    ],
    ids=["of a player", "of the table"],
)
def test_a_move_that_begins_with_no_name_is_that_of_its_player_or_in_the_turn_of_one(
    game: str, moves: tuple[Move, ...], prompt: str, addressed: int, tmp_path: Path
) -> None:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = begin(journal, game)
        for move in moves:
            saved_game.play_move(move)
        *_shots, last = ShotList(saved_game.replay, DAY).build_shots()
        assert (last.state.prompt, last.state.addressed) == (prompt, addressed)


def test_all_frames_are_drawn_and_the_last_is_the_result(tmp_path: Path) -> None:
    rng = Random(1)
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = begin(journal, "pig")
        while saved_game.game.compute_outcome() is None:
            play(saved_game, rng)
        film = make_film(saved_game.replay)
        pictures = list(film.draw_pictures())
        assert sum(picture.frames for picture in pictures) == film.frame_count
        assert 10 <= film.frame_count <= 20
        bottom = pictures[-1].pixels[-40:]
        assert bottom.std() > 20, "there is no empty bar where the keys are"


def test_the_title_appears_out_of_the_dark_and_then_stands_still(tmp_path: Path) -> None:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        film = Film(begin(journal, "pig").replay, DAY, SIZE, "dark", frame_rate=10.0)
        first, second, whole = islice(film.draw_pictures(), 3)
    assert (first.frames, second.frames, whole.frames) == (1, 1, round(10 * TITLE_SECONDS) - 2)
    for picture, share in ((first, 1 / 3), (second, 2 / 3)):
        assert np.abs(picture.pixels - share * whole.pixels).max() <= 1


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_move_that_ends_no_game_is_shown_before_and_after(tmp_path: Path, language: str) -> None:
    """French has a space between the name and the colon."""
    set_language(language)
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = begin(journal, "score_keeper")
        while not any(saved_game.game.totals):
            play(saved_game, Random(1))
        _title, before, after, *_rest = [shot.state for shot in ShotList(saved_game.replay, DAY).build_shots()]
        assert not any(before.scores)
        assert any(after.scores)
        assert after.addressed is not None
        assert after.prompt
        assert not after.prompt.startswith((*NAMES, ":", "\N{NO-BREAK SPACE}"))


def test_the_title_names_game_players_and_day_in_the_language_of_the_box(tmp_path: Path) -> None:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        replay = begin(journal, "score_keeper").replay
        titles = []
        for language in ("en", "de"):
            set_language(language)
            try:
                state = next(ShotList(replay, DAY).build_shots()).state
                titles.append(pygame.surfarray.array3d(draw_title(SIZE, DisplayPreferences(), state)))
            finally:
                set_language("en")
            assert [player.name for player in state.players] == list(replay.players)
        assert not np.array_equal(*titles)


@pytest.mark.parametrize("size", [SIZE, SIZE[::-1]], ids=["landscape", "portrait"])
def test_the_title_has_the_names_of_six_players_to_their_last_letter(size: tuple[int, int]) -> None:
    state = next(ShotList(play_to_end("macroscope", 6), DAY).build_shots()).state

    def draw(letter: str) -> bytes:
        players = tuple(replace(player, name=f"Maximiliann{letter}") for player in state.players)
        return pygame.image.tobytes(draw_title(size, DisplayPreferences(), replace(state, players=players)), "RGB")

    assert draw("a") != draw("e")


def test_a_team_takes_the_lead_together(tmp_path: Path) -> None:
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = begin(journal, "tichu")
        for cards in (60, 20, 50):
            for seat, number in ((0, 0), (1, 0), (2, 0), (3, 0), (0, 0), (0, cards), (1, 0), (1, 100 - cards)):
                saved_game.play_move(Move("enter", Seat(seat), (number,)))
        kinds = {moment.kind for moment in ShotList(saved_game.replay, DAY).moments}
    assert MomentKind.LAST_LEAD in kinds


def test_nobody_leads_by_what_only_pays_for_things() -> None:
    """In StarFall the scores are dust until all is counted."""
    kinds = {moment.kind for moment in ShotList(play_to_end("starfall", 4), DAY).moments}
    assert not kinds & {MomentKind.LEAD, MomentKind.LAST_LEAD}


def test_what_a_count_brings_is_shown_by_the_standings() -> None:
    """In StarFall's count the stage asks for the next symbol, of which nothing is known yet."""
    replay = play_to_end("starfall", 4)
    shots = ShotList(replay, DAY)
    gains = {moment.step for moment in shots.moments if moment.kind is MomentKind.GAIN}
    assert gains
    told = [shot.state.played for shot in shots.build_shots() if shot.state.played and shot.state.outcome is None]
    assert len(told) == len(gains)
    assert all(played.round_start_scores == played.before.totals for played in told)


@pytest.mark.parametrize("seed", [2, 18])
def test_the_last_change_of_the_lead_is_seen_although_small_steps_made_it(seed: int, tmp_path: Path) -> None:
    """The standings begin when somebody else led: in Macroscope what dice cost comes between two reveals."""
    rng = Random(seed)
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = begin(journal, "macroscope")
        for _i in range(400):
            play(saved_game, rng)
        shots = ShotList(saved_game.replay, DAY)
        (lead,) = [moment for moment in shots.moments if moment.kind is MomentKind.LAST_LEAD]
        step = saved_game.replay.steps[lead.step]
        assert step.before.leaders == step.after.leaders
        played = [shot.state for shot in shots.build_shots() if shot.state.played]
        (told,) = [state for state in played if state.played and state.played.round_start_scores]
        (leader,) = [row for row in list_standings(told) if row.is_leader]
        assert not leader.led_before


@pytest.mark.full
def test_pictures_of_the_camera_are_not_used(tmp_path: Path) -> None:
    """Memo Dice stores pictures of its dice beside the journal."""
    rng = Random(2)
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        saved_game = begin(journal, "memo_dice")
        while sum(play(saved_game, rng) for _i in range(4)) and len(saved_game.replay.steps) < 5:
            pass
        before = write_film(journal, saved_game.id, tmp_path / "before.webp", SIZE).file
        dice = DiePictures(journal.path, journal.get_game(saved_game.id).uid)
        for cup in range(1, 13):
            dice.save(f"1-{cup}", b"\xff\xd8\xff\xe0 a picture")
        assert dice.list_names()
        after = write_film(journal, saved_game.id, tmp_path / "after.webp", SIZE).file
        assert before.read_bytes() == after.read_bytes()
