"""Words in three languages: all there, with the same places, and in English where there is no translation."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from companion import i18n
from companion.i18n import LANGUAGES, Translator, join_and, join_or, set_language
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


def test_the_languages_of_the_catalogues_are_those_spoken() -> None:
    assert {"en", *catalogues.LANGUAGES} == set(LANGUAGES)


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
    with pytest.raises(ValueError, match="en, it, de"):
        set_language("fr")
    assert i18n.current_language() == "en"


@pytest.mark.parametrize(("text", "wanted"), [("{a} and {b}", {"a", "b"}), ("none", set()), ("{{a}}", set())])
def test_places_of_a_message(text: str, wanted: set[str]) -> None:
    assert catalogues.find_placeholders(text) == wanted
