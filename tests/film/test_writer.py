"""Which form a film has: MP4 by the system's ffmpeg, else animated WebP, and why."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pygame
import pytest

from companion.film import ffmpeg, writer
from companion.journal.database import JOURNAL_FILE, Journal
from tests.film.test_pictures import SIZE, begin, play


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Journal:
    """A journal with one game of three moves, and a film of few frames."""
    pygame.font.init()
    monkeypatch.setattr(writer, "WEBP_FRAME_RATE", 1)
    monkeypatch.setattr(writer, "FRAME_RATE", 1)
    return make_journal(tmp_path)


def make_journal(folder: Path) -> Journal:
    made = Journal(folder / JOURNAL_FILE)
    saved_game = begin(made, "pig")
    while len(saved_game.replay.steps) < 3:
        play(saved_game, Random(1))
    return made


def install_ffmpeg(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program in the place of ffmpeg."""
    program = folder / "bin" / "ffmpeg"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")


def is_webp(file: Path) -> bool:
    content = file.read_bytes()
    return (content[:4], content[8:12]) == (b"RIFF", b"WEBP") and len(content) == 8 + int.from_bytes(
        content[4:8], "little"
    )


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="there is no ffmpeg here")
def test_with_ffmpeg_it_is_an_mp4_that_starts_fast(journal: Journal, tmp_path: Path) -> None:
    shares: list[float] = []
    film = writer.write_film(journal, 1, tmp_path, SIZE, report=shares.append)
    assert (film.file.suffix, film.no_mp4) == (".mp4", None)
    content = film.file.read_bytes()
    assert content[4:8] == b"ftyp"
    assert 0 < content.find(b"moov") < content.find(b"mdat"), "the index comes first"
    assert b"avc1" in content
    assert film.file.stat().st_mode & 0o777 == 0o644
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_without_ffmpeg_it_is_a_webp(journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    film = writer.write_film(journal, 1, tmp_path / "film.mp4", SIZE)
    assert film.file == tmp_path / "film.webp"
    assert film.no_mp4 == "there is no ffmpeg on this system"
    assert is_webp(film.file)


@pytest.mark.parametrize(
    "script",
    [
        "echo no encoder >&2; exit 1",
        "echo no encoder >&2",
        "echo no encoder >&2; head -c 99999 > /dev/null; kill -9 $$",
    ],
)
def test_an_ffmpeg_that_fails_is_replaced(
    script: str, journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_ffmpeg(tmp_path, script, monkeypatch)
    film = writer.write_film(journal, 1, tmp_path, SIZE)
    assert film.no_mp4 == "ffmpeg has failed (no encoder)"
    assert is_webp(film.file)
    assert not list(tmp_path.glob("*.mp4"))


def test_an_ffmpeg_that_takes_nothing_is_killed(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ffmpeg, "MAX_WAIT_SECONDS", 0.1)
    install_ffmpeg(tmp_path, "exec sleep 600", monkeypatch)
    film = writer.write_film(journal, 1, tmp_path, SIZE)
    assert film.no_mp4 == "ffmpeg has failed (exit status -9)"
    assert is_webp(film.file)


@pytest.mark.parametrize("name", ["film.mp4", "film.webp"])
def test_a_folder_that_is_missing_is_reported_before_the_film_is_drawn(
    name: str, journal: Journal, tmp_path: Path
) -> None:
    shares: list[float] = []
    with pytest.raises(FileNotFoundError):
        writer.write_film(journal, 1, tmp_path / "missing" / name, SIZE, report=shares.append)
    assert shares == []


def test_a_webp_is_written_where_one_is_asked_for(journal: Journal, tmp_path: Path) -> None:
    film = writer.write_film(journal, 1, tmp_path / "film.webp", SIZE)
    assert (film.file, film.no_mp4) == (tmp_path / "film.webp", None)
    assert is_webp(film.file)


def test_films_of_two_boxes_stand_beside_each_other(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has played Pig as its first game of the evening, and both have one stick."""
    monkeypatch.setenv("PATH", str(tmp_path))  # without ffmpeg
    (stick := tmp_path / "stick").mkdir()
    for box in (journal, make_journal(tmp_path / "other")):
        writer.write_film(box, 1, stick, SIZE)
    assert len([*stick.iterdir()]) == 2
