"""A user's own languages on a USB stick."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.stick_swap import swap_with_sticks
from companion.catalogues import use_language_folder
from companion.i18n import LANGUAGES, _, set_language
from companion.system import language_files
from companion.system.language_files import STICK_FOLDER, take_languages

POLISH = 'msgid ""\nmsgstr "X-Language-Name: Polski\\n"\n\nmsgid "Play"\nmsgstr "Graj"\n'


@pytest.fixture(autouse=True)
def _no_folder_and_english() -> Iterator[None]:
    yield
    set_language("en")
    use_language_folder(None)


def write(path: Path, text: str = POLISH) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_stick_brings_a_language_that_is_there_at_once(tmp_path: Path) -> None:
    stick, own = tmp_path / "stick", tmp_path / "data" / "languages"
    write(stick / STICK_FOLDER / "pl" / "companion.po")
    games = tmp_path / "data" / "games"
    assert swap_with_sticks(games, own, [stick])[0].startswith("New here: Polski. ")
    assert LANGUAGES["pl"] == "Polski"
    set_language("pl")
    assert _("Play") == "Graj"
    assert swap_with_sticks(games, own, [stick])[0].startswith(_("Nothing new for this device."))
    write(stick / STICK_FOLDER / "pl" / "companion.po", POLISH.replace("Graj", "Zagraj"))
    assert take_languages(stick, own) == (["Polski"], [])
    assert _("Play") == "Zagraj", "the newer file replaces the older one"


def test_what_cannot_be_used_stays_on_the_stick_and_is_named(tmp_path: Path) -> None:
    stick, own = tmp_path / "stick", tmp_path / "languages"
    folder = stick / STICK_FOLDER
    write(folder / "pl" / "companion.po", "no catalogue\n")
    write(folder / "cs" / "companion.po", POLISH.replace("Polski", "x\\nPlural-Forms: nplurals=2; plural=n/0;"))
    kept = write(own / "pl" / "companion.po").read_text("utf-8")
    assert swap_with_sticks(tmp_path / "games", own, [stick])[0].startswith("Nothing new for this device.")
    names, problems = take_languages(stick, own)
    assert not names
    assert [line.partition(": ")[0] for line in problems] == ["cs/companion.po", "pl/companion.po"]
    assert (own / "pl" / "companion.po").read_text("utf-8") == kept
    assert not (own / "cs").exists()


def test_links_other_names_and_too_many_files_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stick, own, secret = tmp_path / "stick", tmp_path / "languages", write(tmp_path / "secret" / "companion.po")
    folder = stick / STICK_FOLDER
    for name in ("Polish/companion.po", "pl/companion.toml", "pl/a.b.po", "companion.po"):
        write(folder / name)
    (folder / "pl" / "secret.po").symlink_to(secret)
    (folder / "cs").symlink_to(secret.parent)
    assert take_languages(stick, own) == ([], [])
    assert not own.exists()
    other = tmp_path / "other"
    other.mkdir()
    (other / STICK_FOLDER).symlink_to(folder)
    for number in range(5):
        write(folder / "pl" / f"game_{number}.po")
    assert take_languages(other, own) == ([], [])
    monkeypatch.setattr(language_files, "MAX_FILES", 3)
    assert take_languages(stick, own) == (["pl"], [])
    assert len(list((own / "pl").iterdir())) == 3


def test_a_stick_without_languages_brings_none(tmp_path: Path) -> None:
    assert take_languages(tmp_path, tmp_path / "languages") == ([], [])
