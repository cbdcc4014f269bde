"""Self-play step by step: simulated time, its pictures and reports, and a game that never ends."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from companion.api import Outcome, Seat, registry
from companion.app.self_play import ScreenshotRecorder, SelfPlay, StuckGame
from companion.app.session import SessionConfig
from companion.camera.camera_reader import make_watcher
from companion.display.screen import Screen
from companion.journal.database import Journal
from companion.screen_state import Menu, Question, ScreenKind, ScreenState
from hardware.cameras.live_camera import Frame


class NoFrames:
    """A camera that gives no frames."""

    name = "no frames"

    def read(self) -> Frame | None:
        return None

    def close(self) -> None:
        pass


def make_game(
    journal: Journal, name: str, players: tuple[str, ...] = (), *, is_watched: bool = True
) -> tuple[SelfPlay, list[str]]:
    """Make a game that plays itself without frames, and the list of its reports."""
    definition, reported = registry.find_game(name), list[str]()
    watcher = make_watcher(definition.camera) if definition.camera and is_watched else None
    config = SessionConfig(definition, players, definition.settings_model(), 1)
    return SelfPlay(config, journal, watcher, reported.append, wrap_camera=lambda _: NoFrames()), reported


@pytest.mark.parametrize(
    ("name", "is_watched", "seconds"),
    [
        ("macroscope", True, 1 / 15),
        ("memo_dice", True, 1 / 15),
        ("memo_dice", False, 0.2),
        ("macroscope", False, 0.2),
        ("pictomania", True, 0.2),
    ],
    ids=["dice and lid", "cups", "cups by buttons", "lid by buttons", "no camera"],
)
def test_a_step_is_a_frame_of_the_camera_or_a_fifth_of_a_second(
    journal: Journal, name: str, is_watched: bool, seconds: float
) -> None:
    game, _ = make_game(journal, name, is_watched=is_watched)
    assert game.clock.now == 0.0
    for _ in range(3):
        game.step()
    assert game.clock.now == pytest.approx(3 * seconds)


def test_three_play_and_each_move_is_reported_once(journal: Journal) -> None:
    game, reported = make_game(journal, "pictomania")
    scores = game.play()
    saved_game = game.session.saved_game
    assert len(saved_game.setup.players) == len(scores) == 3, "if none are named"
    assert reported[:-2] == list(saved_game.describe_steps())
    assert reported[-1].startswith("Final scores: ")
    after = game.clock.now, len(reported)
    game.step()
    assert (game.clock.now > after[0], len(reported)) == (True, after[1])


def test_the_named_players_play(journal: Journal) -> None:
    game, _ = make_game(journal, "pictomania", ("Ada", "Ben", "Cleo", "Dan"))
    while game.session.saved_game is None:
        game.step()
    assert game.session.saved_game.setup.players == ("Ada", "Ben", "Cleo", "Dan")


@pytest.mark.parametrize(
    ("outcome", "standing"),
    [
        (Outcome((Seat(1),), "Scored."), "Ben 7, Ada 3, Cy 3"),
        (Outcome((Seat(0), Seat(2)), "Scored.", lowest_wins=True), "Ada 3, Cy 3, Ben 7"),
        (Outcome((Seat(2),), "Scored.", places=(2, 3, 1)), "Cy 3, Ada 3, Ben 7"),
    ],
    ids=["highest wins", "lowest wins, shared", "something else decides"],
)
def test_the_winners_are_named_and_everybody_stands_at_their_place(
    journal: Journal, outcome: Outcome, standing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, reported = make_game(journal, "pictomania")
    over = SimpleNamespace(compute_outcome=lambda: outcome)
    saved = SimpleNamespace(game=over, players=("Ada", "Ben", "Cy"))
    monkeypatch.setattr(game, "session", SimpleNamespace(saved_game=saved))
    monkeypatch.setattr(game, "step", lambda: ScreenState(ScreenKind.RESULT, scores=(3, 7, 3), prompt="Who wins"))
    assert game.play() == (3, 7, 3)
    assert reported == ["Scored. Who wins.", f"Final scores: {standing}"]


def test_a_game_without_an_end_is_given_up_after_four_hours(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = make_game(journal, "pictomania")

    def step() -> ScreenState:
        game.clock.now += 3600.0
        return ScreenState(ScreenKind.PLAY, prompt="Ada: roll the dice")

    monkeypatch.setattr(game, "step", step)
    with pytest.raises(StuckGame, match="no end after 4 simulated hours; the screen says: Ada: roll the dice"):
        game.play()
    assert game.clock.now == 4 * 3600.0


class BlankScreen(Screen):
    """A screen that draws nothing."""

    def render(self, state: ScreenState) -> pygame.Surface:
        return pygame.Surface((4, 4))


def a_state(phase: str, round_number: int = 1, asking_reason: str | None = None, **values: Any) -> ScreenState:
    view = SimpleNamespace(phase=phase, round_number=round_number, asking_reason=asking_reason)
    return ScreenState(ScreenKind.PLAY, game_name="macroscope", view=view, **values)


def test_a_picture_is_saved_of_each_kind_of_state_once(tmp_path: Path) -> None:
    recorder = ScreenshotRecorder(tmp_path, BlankScreen((400, 300)))
    lobby, roll = ScreenState(ScreenKind.LOBBY, game_name="macroscope"), a_state("roll")
    for state in (
        *(lobby, lobby),
        *(roll, a_state("roll", 2)),
        a_state("roll", asking_reason="meanwhile"),
        a_state("roll", question=Question("Really?")),
        a_state("roll", menu=Menu("Fix", ("the roll",), 0)),
        *(a_state("reveal", 1), a_state("reveal", 1), a_state("reveal", 2)),
        replace(roll, kind=ScreenKind.RESULT),
    ):
        recorder.record(state)
    assert [path.name for path in recorder.saved] == [
        "001-macroscope-lobby.png",
        "002-macroscope-play-roll.png",
        "003-macroscope-play-roll.png",
        "004-macroscope-play-roll-question.png",
        "005-macroscope-play-roll-menu.png",
        "006-macroscope-play-reveal.png",
        "007-macroscope-play-reveal.png",
        "008-macroscope-result-roll.png",
    ]
    assert sorted(tmp_path.iterdir()) == recorder.saved


def test_the_view_of_another_packages_game_needs_no_rounds(tmp_path: Path) -> None:
    recorder = ScreenshotRecorder(tmp_path, BlankScreen((400, 300)))
    for _ in range(2):
        recorder.record(ScreenState(ScreenKind.PLAY, game_name="another", view=SimpleNamespace(phase="reveal")))
    assert [path.name for path in recorder.saved] == ["001-another-play-reveal.png"]
