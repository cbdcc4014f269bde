"""Words in every language: all there, with the same places, and in English where there is no translation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from companion import i18n
from companion.i18n import LANGUAGES, Translator, join_and, join_or, set_language
from companion.po_file import PoEntry, PoFile, format_po, parse_po
from tests.conftest import REPOSITORY
from tools import translations as catalogues


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    set_language("en")


def test_catalogues_are_complete_and_compiled() -> None:
    assert catalogues.check_catalogues(write=False) == []


def test_no_message_is_hidden_in_an_f_string() -> None:
    """Python 3.11 reads an f-string as one token, so that messages in its braces are not extracted."""
    hidden = [
        f"{path}:{call.lineno}"
        for path in catalogues.PACKAGE.rglob("*.py")
        if catalogues.mentions_message(path.read_text("utf-8"))
        for text in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant)
        if ast.unparse(call.func) in catalogues.KEYWORDS or ast.unparse(call.func).endswith(".plural")
    ]
    assert not hidden


def test_no_french_line_begins_with_a_sign() -> None:
    """The space before ":", "?", "!" and ";" is a no-break space."""
    files = [path for folder in ("companion", "examples") for path in (REPOSITORY / folder).rglob("fr/**/*.po")]
    texts = [text for path in files for entry in parse_po(path.read_text("utf-8")).entries for text in entry.texts]
    assert len(texts) > 1000
    assert [text for text in texts if re.search(r" [:?!;]", text)] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_a_name_of_its_own(code: str) -> None:
    assert LANGUAGES[code] != code, "X-Language-Name is missing in companion.po"


def test_headers_of_a_translator_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three plural forms in Polish, and the name; the file does not change with the version of Babel."""
    monkeypatch.setattr(catalogues, "LOCALE", tmp_path)
    rule = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"
    headers = {"Plural-Forms": rule, "X-Language-Name": "Polski", "X-Generator": "Poedit"}
    own = PoFile(headers, (PoEntry("a tile", "{n} tiles", ("płytka", "{n} płytki", "{n} płytek")),))
    file = catalogues.get_catalogue_path("pl", "companion", "po")
    file.parent.mkdir(parents=True)
    file.write_text(format_po(own), encoding="utf-8")
    template = Catalog(domain="companion")
    template.add(("a tile", "{n} tiles"), locations=[("a.py", 1)])
    po, _mo = catalogues.encode_catalogue(catalogues.update_catalogue("pl", "companion", template))
    updated = parse_po(po.decode())
    assert [updated.headers.get(name) for name in headers] == [rule, "Polski", None]
    assert updated.entries[0].texts == own.entries[0].texts


@pytest.mark.parametrize(
    ("code", "all_three", "one_of_two"),
    [("en", "A, B and C", "A or B"), ("it", "A, B e C", "A o B"), ("de", "A, B und C", "A oder B")],
)
def test_lists(code: str, all_three: str, one_of_two: str) -> None:
    set_language(code)
    assert join_and(["A", "B", "C"]) == all_three
    assert join_or(["A", "B"]) == one_of_two
    assert join_and(["A"]) == "A"
    assert join_and([]) == ""


def test_what_is_not_translated_is_said_in_english() -> None:
    set_language("de")
    assert Translator("companion")("No such message for {who}", who="Ada") == "No such message for Ada"
    assert Translator("a game of somebody else")("Hello") == "Hello"


def test_a_name_with_braces_is_a_name() -> None:
    assert Translator("companion")("{who} wins", who="{who} {0}") == "{who} {0} wins"


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match=", ".join(LANGUAGES)):
        set_language("tlh")
    assert i18n.current_language() == "en"
