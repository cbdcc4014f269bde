"""`companion translate`: the files that it writes, and what it says about them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.catalogues import LANGUAGE_FOLDER, find_packaged_folder, use_language_folder
from companion.commands import gallery, translation_templates
from companion.commands.translate import describe_file, describe_letters
from companion.config.data_folder import default_data_folder
from companion.i18n import LANGUAGES
from companion.po_file import PoEntry, PoFile, parse_po
from tests.commands.command_line import run_main

TEMPLATE = PoFile(
    {},
    (
        PoEntry("{who} wins", comments=("#: a.py",)),
        PoEntry("{n} tile", "{n} tiles", ("", ""), ("#: b.py",)),
        PoEntry("Yes", texts=("Hija'",)),
    ),
)


@pytest.fixture(autouse=True)
def _no_own_languages() -> Iterator[None]:
    yield
    use_language_folder(None)


@pytest.fixture
def templates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two small catalogues in place of those of the program, whose messages take a while to read."""
    monkeypatch.setattr(
        "companion.commands.translate.list_templates", lambda _language: [("companion", TEMPLATE), ("toy", TEMPLATE)]
    )


def translate(folder: Path, *words: str) -> int:
    return run_main("translate", "tlh", "--folder", str(folder), *words)


@pytest.mark.full
@pytest.mark.usefixtures("templates")
def test_files_are_written_filled_and_brought_up_to_date(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert translate(tmp_path) == 0
    said = capsys.readouterr().out
    assert "companion.po: 1 of 3\n" in said
    assert 'not translated: "{who} wins"' in said
    assert "The language has no name yet" in said
    file = tmp_path / "tlh" / "companion.po"
    text = file.read_text(encoding="utf-8")
    text = text.replace("X-Language-Name: ", "X-Language-Name: Hol").replace(
        "nplurals=2; plural=(n != 1);", "nplurals=1; plural=0;"
    )
    text = text.replace('msgid "{who} wins"\nmsgstr ""', '# mine\nmsgid "{who} wins"\nmsgstr "Qap {who} \u06de"')
    text = text.replace('msgstr[0] ""\nmsgstr[1] ""', 'msgstr[0] "{n} ngogh"')
    file.write_text(text + '\nmsgid "Gone"\nmsgstr "ghoSpu\'"\n', encoding="utf-8")
    assert translate(tmp_path) == 0
    said = capsys.readouterr().out
    assert "companion.po: 4 of 4\n" in said
    assert "no font here draws them: \u06de" in said
    assert LANGUAGES["tlh"] == "Hol"
    po = parse_po(file.read_text(encoding="utf-8"))
    assert [entry.texts for entry in po.entries] == [("Qap {who} \u06de",), ("{n} ngogh",), ("Hija'",), ("ghoSpu'",)]
    assert po.entries[0].comments == ("# mine", "#: a.py")
    assert po.entries[3].comments == (translation_templates.UNUSED,)
    other = parse_po((tmp_path / "tlh" / "toy.po").read_text(encoding="utf-8"))
    assert other.headers["Plural-Forms"] == "nplurals=1; plural=0;", "as the first file has it"
    before = file.stat()
    assert translate(tmp_path) == 0
    assert file.stat() == before, "it has not been written again"


@pytest.mark.usefixtures("templates")
@pytest.mark.parametrize("content", [b'msgid "Yes"\nmsgstr Hija', b"\xff"])
def test_a_file_that_cannot_be_read_is_named_and_stays(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tlh" / "companion.po"
    file.parent.mkdir()
    file.write_bytes(content)
    assert translate(tmp_path) == 1
    assert f"{file}: " in capsys.readouterr().err
    assert file.read_bytes() == content


@pytest.mark.usefixtures("templates")
def test_the_gallery_is_drawn_in_the_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    monkeypatch.setattr("companion.commands.translate.draw_gallery", lambda *words: drawn.append(words))
    assert translate(tmp_path, "--gallery", str(tmp_path / "pictures")) == 0
    assert drawn == [(tmp_path / "pictures", [gallery.GalleryVariant("800x480", "tlh", "dark", "", False)], None, None)]


@pytest.mark.usefixtures("templates")
def test_the_other_commands_know_the_language_from_then_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    settings = tmp_path / "companion.toml"
    settings.write_text(f'[data]\nfolder = "{data}"\n', encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_SETTINGS", str(settings))
        words = ["gallery", str(tmp_path), "--only", "setup", "--state", "page_lang", "--size", "800x480"]
        words += ["--language", "tlh"]
        assert run_main(*words) == 2
        assert run_main("translate", "tlh") == 0
        assert run_main(*words) == 0
    assert (tmp_path / "setup-page_language-800x480-tlh.png").is_file()
    assert (data / LANGUAGE_FOLDER / "tlh" / "companion.po").is_file()


@pytest.mark.parametrize("code", ["en", "français", "FR", "../fr", "pt-BR"])
def test_what_is_no_code_is_refused(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main("translate", code) == 2
    assert "is no code of another language" in capsys.readouterr().err


@pytest.mark.full
def test_all_messages_are_there_and_a_known_language_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main("translate", "de") == 0
    assert "not translated" not in capsys.readouterr().out
    written = {file.name for file in (default_data_folder() / LANGUAGE_FOLDER / "de").iterdir()}
    assert written == {file.name for file in find_packaged_folder("de", "companion").iterdir() if ".po" in file.name}


def test_wrong_and_missing_messages_are_counted_once() -> None:
    wrong = PoEntry("{n} tile", "{n} tiles", ("{x} ngogh", ""), line=9)
    lines = list(describe_file("a.po", PoFile({}, (wrong, PoEntry("Yes", texts=("Hija'",), line=12)))))
    assert lines[0] == "a.po: 1 of 2"
    assert sum("line 9" in line for line in lines) == 2


def test_a_script_from_right_to_left_is_named() -> None:
    lines = describe_letters([PoFile({}, (PoEntry("Yes", texts=("כן",)),))])
    assert next(lines) == "Text from right to left cannot be drawn: its words would stand in the wrong order."


def test_letters_of_the_typefaces_are_not_listed() -> None:
    assert (
        list(describe_letters([PoFile({}, (PoEntry("Yes", texts=("Où ça\xa0? ¡Sí! Grüße, Łódź, Ελλάδα, Да",)),))]))
        == []
    )
