"""A user's own languages: found by their files, used as far as they are right, before what comes with the program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import catalogues
from companion.api import Seat, registry
from companion.catalogues import MAX_FILE_BYTES, MAX_NAME_LETTERS, use_language_folder
from companion.i18n import LANGUAGES, N_, Translator, _, find_system_language, set_language

HEAD = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n"X-Language-Name: {name}\\n"\n\n'
WORD = N_("Next")


@pytest.fixture
def languages(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    use_language_folder(None)


def write(folder: Path, language: str, messages: str, name: str = "Klingon", domain: str = "companion") -> Path:
    file = folder / language / f"{domain}.po"
    file.parent.mkdir(exist_ok=True)
    file.write_text(HEAD.format(name=name) + messages, encoding="utf-8")
    use_language_folder(folder)
    return file


def test_a_file_is_a_language(languages: Path) -> None:
    write(languages, "tlh", f'msgid "{WORD}"\nmsgstr "taH"\n', "tlhIngan Hol")
    assert LANGUAGES["tlh"] == "tlhIngan Hol"
    assert find_system_language({"LANG": "tlh.UTF-8"}) == "tlh"
    set_language("tlh")
    assert (_(WORD), _("Skip all")) == ("taH", "Skip all")
    assert _.in_language("de", WORD) != "taH"
    assert _.plural("{n} crystal", "{n} crystals", 0) == "0 crystals", "English rules for English words"


def test_a_users_own_words_come_before_those_that_come_with_the_program(languages: Path) -> None:
    set_language("de")
    before = _("Skip all")
    write(languages, "de", f'msgid "{WORD}"\nmsgstr "Los"\n', "Deutsch")
    assert (_(WORD), _("Skip all")) == ("Los", before)
    assert LANGUAGES["de"] == "Deutsch"


def test_a_country_has_a_language_of_its_own(languages: Path) -> None:
    write(languages, "pt_BR", "", "Português")
    assert find_system_language({"LANG": "pt_BR.UTF-8"}) == "pt_BR"
    assert find_system_language({"LANG": "pt_PT.UTF-8"}) == "en"


@pytest.mark.parametrize("name", ["", "x" * (MAX_NAME_LETTERS + 1), "two\x1blines"])
def test_without_a_name_the_code_is_shown(languages: Path, name: str) -> None:
    write(languages, "tlh", "", name)
    assert LANGUAGES["tlh"] == "tlh"


@pytest.mark.parametrize("name", ["x", "x" * MAX_NAME_LETTERS])
def test_short_and_long_names_are_shown(languages: Path, name: str) -> None:
    write(languages, "tlh", "", name)
    assert LANGUAGES["tlh"] == name


def test_other_folders_are_no_languages(languages: Path) -> None:
    for name in ("klingon", "TLH", "en", "tlh.old", "x"):
        write(languages, name, "")
    (languages / "eo").mkdir()
    (languages / "file.po").write_text("")
    before = list(LANGUAGES)
    use_language_folder(None)
    assert before == list(LANGUAGES)
    use_language_folder(languages / "file.po")
    assert before == list(LANGUAGES)


def test_a_folder_that_cannot_be_read_is_named(languages: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = languages / "tlh"
    folder.symlink_to(folder)
    use_language_folder(languages)
    assert "tlh" not in LANGUAGES
    assert f"{folder} cannot be read" in caplog.text


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'msgid "Start"\nmsgstr Los', "line 2"),
        ('msgid "Next"\nmsgstr "Nächster"'.encode("latin-1"), "not in UTF-8"),
        (b"#" * (MAX_FILE_BYTES + 1), "too long"),
        (b'msgid ""\nmsgstr "plural-forms: rubbish\\n"', "Plural-Forms is wrong"),
        (b'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=2;\\n"', "Plural-Forms is wrong"),
    ],
)
def test_a_bad_file_is_named_and_left_out(
    languages: Path, content: bytes, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    file = write(languages, "de", "")
    file.write_bytes(content)
    use_language_folder(languages)
    set_language("de")
    assert _(WORD) != WORD, "what comes with the program stays"
    assert str(file) in caplog.text
    assert reason in caplog.text
    assert file.read_bytes() == content


@pytest.mark.parametrize(
    "header",
    [
        "Plural-Forms: nplurals = 2; plural = (n != 1);",
        "plural-forms: nplurals=2; plural=(n != 1)",
        'Content-Type: text/plain; charset=ISO-8859-1\\n"\n"content-type: text/plain; charset=none',
    ],
)
def test_headers_are_read_as_people_write_them(languages: Path, header: str) -> None:
    file = write(languages, "tlh", "")
    words = 'msgid "{n} crystal"\nmsgid_plural "{n} crystals"\nmsgstr[0] "{n} qut"\nmsgstr[1] "{n} qutmey"\n'
    file.write_text(f'msgid ""\nmsgstr "{header}\\n"\n\n{words}', encoding="utf-8")
    set_language("tlh")
    numbers = (1, -1, 2, 1001)
    texts = [_.plural("{n} crystal", "{n} crystals", n) for n in numbers]
    assert texts == ["1 qut", "−1 qut", "2 qutmey", "1001 qutmey"]


def test_a_rule_of_plurals_that_fails_for_a_large_number_is_asked_for_small_ones(languages: Path) -> None:
    words = 'msgid "{n} crystal"\nmsgid_plural "{n} crystals"\nmsgstr[0] "{n} qut"\nmsgstr[1] "{n} qutmey"\n'
    file = write(languages, "tlh", words)
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("(n > 1)", "n % 100 / (n - 5000) == 0"), encoding="utf-8")
    set_language("tlh")
    assert _.plural("{n} crystal", "{n} crystals", 5000) == "5000 qutmey"


def test_a_wrong_translation_is_named_and_left_out(languages: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(languages, "tlh", f'msgid "{{who}} wins"\nmsgstr "{{wer}} Qap"\n\nmsgid "{WORD}"\nmsgstr "taH"\n')
    set_language("tlh")
    assert (_("{who} wins", who="Ada"), _(WORD)) == ("Ada wins", "taH")
    assert "companion.po, line 6" in caplog.text


def test_a_plugin_and_games_in_files_are_translated_too(languages: Path) -> None:
    write(languages, "tlh", 'msgid "Stone Race"\nmsgstr "nagh"\n', domain="stone_race")
    own = 'msgid "Yacht"\nmsgstr "bIQ"\n\nmsgid "4 alike"\nmsgstr "loS rap"\n'
    write(languages, "tlh", own, domain="shipped_games")
    set_language("tlh")
    assert Translator("stone_race")("Stone Race") == "nagh"
    yacht = registry.find_game("yacht")
    assert yacht.translated_title == "bIQ"
    rules = yacht.create_game(2, Seat(0), yacht.settings_model()).rules
    assert rules.translate("4 alike") == "loS rap"
    set_language("de")
    assert rules.translate("4 alike") == "4 gleiche"


def test_a_language_that_comes_with_the_program_need_not_be_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "locale" / "de"
    folder.mkdir(parents=True)
    write(folder, "LC_MESSAGES", f'msgid "{WORD}"\nmsgstr "Los"\n')
    monkeypatch.setattr(catalogues, "files", lambda _package: tmp_path)
    use_language_folder(None)
    try:
        set_language("de")
        assert _(WORD) == "Los"
    finally:
        monkeypatch.undo()
        use_language_folder(None)
