"""`companion gallery`: the files that it writes, and their names."""

from __future__ import annotations

import re
from pathlib import Path

import pygame
import pytest

from companion.cli import main
from companion.command_examples import EXAMPLES
from companion.commands import gallery
from companion.display.toolkit.theme import PALETTES
from companion.gallery import load_sample_builders
from companion.gallery.colour_blindness import DEFICIENCY_MATRICES
from companion.i18n import current_language
from companion.testing.screens import SIZES
from tests.full_disk import limit_file_size


def pictures(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.png"))


def test_one_state_with_default_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gallery", str(tmp_path), "--only", "macroscope", "--state", "roll_t", "--size", "800x480"]) == 0
    assert pictures(tmp_path) == ["macroscope-roll_two-800x480.png"]
    assert pygame.image.load(tmp_path / "macroscope-roll_two-800x480.png").get_size() == (800, 480)
    assert "1 pictures" in capsys.readouterr().out


def test_unusual_options_are_in_the_file_name(tmp_path: Path) -> None:
    ways = ["--language", "en", "de", "--palette", "light", "--seen-as", "deuteranopia", "--size", "480x800"]
    assert main(["gallery", str(tmp_path), "--only", "lobby", "--state", "resume", *ways]) == 0
    assert pictures(tmp_path) == [
        "lobby-resume-480x800-de-light-deuteranopia.png",
        "lobby-resume-480x800-light-deuteranopia.png",
    ]
    one, other = (pygame.image.load(tmp_path / name).get_buffer().raw for name in pictures(tmp_path))
    assert one != other, "each in its language"
    assert current_language() == "en", "and what was spoken before is spoken again"


def test_a_full_disk_keeps_the_page_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The pictures are left out: each says itself that it cannot be written."""
    monkeypatch.setattr("companion.display.save_png", lambda _picture, _path: None)
    what = ["gallery", str(tmp_path), "--only", "lobby", "--state", "resume", "--size", "800x480"]
    assert main(what) == 0
    page = tmp_path / "index.html"
    before = page.read_bytes()
    with limit_file_size(100):
        assert main(what) == 1
    assert f"{page}: File too large" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == {page: before}


@pytest.mark.full
def test_the_far_layout_has_larger_letters(tmp_path: Path) -> None:
    what = ["gallery", str(tmp_path), "--only", "lobby", "--state", "resume", "--size", "800x480"]
    for option in ([], ["--far"]):
        assert main([*what, *option]) == 0
    near, far = "lobby-resume-800x480.png", "lobby-resume-800x480-far.png"
    assert set(pictures(tmp_path)) == {near, far}
    one, other = (pygame.image.load(tmp_path / name).get_buffer().raw for name in (near, far))
    assert one != other


def test_the_page_shows_every_picture_and_nothing_else(tmp_path: Path) -> None:
    assert main(["gallery", str(tmp_path), "--only", "starfall", "--state", "pay", "--size", "320x240", "800x480"]) == 0
    reported = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert sorted(re.findall(r'src="([^"]+)"', reported)) == pictures(tmp_path)
    assert len(pictures(tmp_path)) > 4


def test_the_games_of_the_examples_have_pictures() -> None:
    named = re.findall(r"--only (\w+)", " ".join(line for line, _what in EXAMPLES["gallery"]))
    assert set(named) & load_sample_builders().keys() == set(named) != set()


def test_an_unknown_game_is_reported_with_the_known_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gallery", str(tmp_path), "--only", "chess"]) == 2
    assert "There is no chess here, but " in capsys.readouterr().err
    assert pictures(tmp_path) == []


def test_states_that_no_game_has_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gallery", str(tmp_path), "--only", "starfall", "--size", "800x480", "--state", "no-such"]) == 2
    assert "no-such" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["800", "800x", "0x600", "800x480x3", "99999x99999"])
def test_a_bad_size_is_refused(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["gallery", "/nowhere", "--size", size])
    assert "is no size such as 800x480" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way")
    assert main(["gallery", str(tmp_path / "file"), "--only", "setup", "--size", "800x480"]) == 1
    assert "file" in capsys.readouterr().err


def test_options_match_the_screens() -> None:
    assert tuple(PALETTES) == gallery.PALETTES
    assert set(DEFICIENCY_MATRICES) == set(gallery.COLOUR_DEFICIENCIES)
    assert tuple(f"{w}x{h}" for w, h in SIZES) == gallery.SCREEN_SIZES


@pytest.mark.full
@pytest.mark.parametrize("game", load_sample_builders())
def test_state_names_are_valid_file_names(game: str) -> None:
    assert all(re.fullmatch(r"[a-z0-9_]+", name) for name in load_sample_builders()[game]())
