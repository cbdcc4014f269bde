"""Translations: damaged catalogues, and the system's language."""

from __future__ import annotations

import ctypes
import shutil
import sys
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion import catalogues, i18n
from companion.i18n import (
    Translator,
    capitalize_first_letter,
    find_system_language,
    format_day,
    format_day_of_year,
    join_and,
    join_label,
    join_or,
    set_language,
)


@pytest.mark.parametrize("kept_share", [0.0, 0.001, 0.02, 0.5, 0.99])
@pytest.mark.parametrize("is_scrambled", [False, True])
def test_damaged_catalogue_leaves_the_messages_english(
    tmp_path: Path,
    kept_share: float,
    is_scrambled: bool,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    name = Path("de", "LC_MESSAGES", "companion.mo")
    shutil.copytree(str(files("companion") / "locale"), tmp_path / "locale")
    data = (tmp_path / "locale" / name).read_bytes()
    (tmp_path / "locale" / name).write_bytes((b"\xff" if is_scrambled else b"") + data[: int(len(data) * kept_share)])
    monkeypatch.setattr(catalogues, "files", lambda package: tmp_path)
    catalogues.load_catalogue.cache_clear()
    set_language("de")
    try:
        assert Translator("companion")("Start") == "Start"
        assert Translator("companion").plural("{n} crystal", "{n} crystals", 3) == "3 crystals"
    finally:
        set_language("en")
        catalogues.load_catalogue.cache_clear()
    assert "damaged" in caplog.text


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "it_CH@euro"}, "it"),
        ({"LANG": "de"}, "de"),
        ({"LC_ALL": "it_IT.UTF-8", "LC_MESSAGES": "de_DE", "LANG": "en_US"}, "it"),
        ({"LC_ALL": "", "LC_MESSAGES": "de_DE", "LANG": "en_US"}, "de"),
        ({"LANG": "fi_FI.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "\udcff!"}, "en"),
        ({}, "en"),
    ],
)
def test_the_systems_language_is_found(environment: dict[str, str], language: str) -> None:
    assert find_system_language(environment) == language


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "it is over: iX", "It is over: iX"),
        ("tr", "iX bitti", "İX bitti"),
        ("tr", "ıslak", "Islak"),
        ("ka", "მზად", "მზად"),
        ("de", "", ""),
    ],
)
def test_a_sentence_begins_with_the_capital_of_its_language(
    language: str, text: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(i18n, "_language", language)
    assert capitalize_first_letter(text) == expected


@pytest.mark.parametrize(("language", "expected"), [("en", "Ada: 24"), ("fr", "Ada\N{NO-BREAK SPACE}: 24")])
def test_a_label_has_the_colon_of_its_language(language: str, expected: str) -> None:
    set_language(language)
    assert join_label("Ada", "24") == expected


def test_the_last_two_digits_of_a_large_number_choose_its_plural(tmp_path: Path) -> None:
    header = '"Plural-Forms: nplurals=2; plural=(n%10!=1 || n%100==11);\\n"'
    words = 'msgid "{n} crystal"\nmsgid_plural "{n} crystals"\nmsgstr[0] "{n} qut"\nmsgstr[1] "{n} qutmey"\n'
    (tmp_path / "tlh").mkdir()
    (tmp_path / "tlh" / "companion.po").write_text(f'msgid ""\nmsgstr {header}\n\n{words}', encoding="utf-8")
    catalogues.use_language_folder(tmp_path)
    try:
        set_language("tlh")
        texts = [i18n._.plural("{n} crystal", "{n} crystals", n) for n in (21, 1000, 1001, 1009, 1011, 5021, -5021)]
    finally:
        set_language("en")
        catalogues.use_language_folder(None)
    assert texts == ["21 qut", "1000 qutmey", "1001 qut", "1009 qutmey", "1011 qutmey", "5021 qut", "−5021 qut"]


@pytest.mark.parametrize(("month", "day", "text"), [(1, 1, "1 Jan"), (5, 9, "9 May"), (12, 31, "31 Dec")])
def test_a_day_has_the_name_of_its_month(month: int, day: int, text: str) -> None:
    date = datetime(2026, month, day, tzinfo=UTC)
    assert (format_day_of_year(date), format_day(date)) == (text, f"{text} 2026")


def test_names_are_joined_as_in_a_sentence() -> None:
    set_language("de")
    joined = [join_and(names) for names in ([], ["Ada"], ["Ada", "Bob"], ["Ada", "Bob", "Cleo"])]
    assert joined == ["", "Ada", "Ada und Bob", "Ada, Bob und Cleo"]
    assert join_or(["2", "5"]) == "2 oder 5"


@pytest.mark.parametrize(("number", "language"), [(0x0407, "de"), (0x0C07, "de"), (0x0410, "it"), (0xFFFF, "en")])
def test_the_language_of_windows_is_found(number: int, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: number)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    assert find_system_language({}) == language
    assert find_system_language({"LANG": "it_IT"}) == "it", "a variable comes first"


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_an_empty_message_is_not_the_header_of_a_catalogue(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i18n, "_language", language)
    assert Translator("score_keeper")("") == ""
