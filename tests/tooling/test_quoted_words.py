"""What documents quote is what the program prints and shows: messages, words on the screen, and settings."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from companion.config.settings import Settings
from companion.config.settings_file import load_settings
from companion.po_file import parse_po
from tests.conftest import REPOSITORY
from tests.tooling.pages import CODE, PAGES, format_path, join_lines, remove_blocks

SETTING = re.compile(r'(?:\[(\w+)\] )?([a-z_]+ = (?:"[^"]*"|\d+|true|false))')
GUIDES = ("build/README.md", "build/first-table.md", "build/troubleshooting.md")
"""Pages of docs whose reader looks for a message of the program."""
MESSAGE = re.compile(r"[A-Za-z][\w'-]*(,? [\w'.-]+)+\.?")
COMMANDS = re.compile(r"(sudo|make|git|ls|companion|man|echo|usbip)\b|.* (-b|--)")
FOREIGN_MESSAGES = {"can't open device"}
"""Of avrdude."""
NOT_SETTINGS = re.compile(r"docs/(design/.*|game-files|rules/.*|your-own-game)\.md")
"""Pages whose keys belong to a game's file, or to Python."""
OF_WINDOWS = {'[box] port = "COM3"'}


@cache
def list_texts() -> list[str]:
    """Return the texts of the program, without docstrings; a value in a text is "\\0"."""
    found = []
    for file in (file for folder in ("companion", "hardware") for file in (REPOSITORY / folder).rglob("*.py")):
        nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
        # a text that is a statement is a docstring; the parts of a text with values are not texts of their own
        inner = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        inner |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in nodes:
            if isinstance(node, ast.JoinedStr):
                values = (part.value if isinstance(part, ast.Constant) else "\0" for part in node.values)
                found.append("".join(map(str, values)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
                found.append(re.sub(r"\{\w*\}", "\0", node.value))
    return found


def is_printed(message: str) -> bool:
    """Return whether a message is in a text of the program, or is a text with a word in place of each value."""
    if any(message in text for text in list_texts()):
        return True
    # "{} of {}" would match too much
    texts = [text.strip(" ,.:") for text in list_texts() if "\0" in text and sum(map(str.isalpha, text)) > 4]
    return any(re.fullmatch(re.escape(text).replace("\0", r"\S+"), message) for text in texts)


def test_a_message_is_found_in_what_is_printed() -> None:
    assert is_printed("is used by another program")
    assert is_printed("camera csi")
    assert not is_printed("camera of somebody")
    assert not is_printed("The texts of the program")


@pytest.mark.parametrize("page", GUIDES)
def test_messages_are_those_of_the_program(page: str) -> None:
    codes = CODE.findall(remove_blocks((REPOSITORY / "docs" / page).read_text("utf-8")))
    quoted = {code for code in codes if MESSAGE.fullmatch(code) and not COMMANDS.match(code)}
    assert [message for message in quoted - FOREIGN_MESSAGES if not is_printed(message)] == [], "the program's words?"


def test_words_of_the_screen_are_messages() -> None:
    """Those that the page of the games quotes or slants, with a capital."""
    catalogues = REPOSITORY / "companion/locale/de/LC_MESSAGES"
    entries = [entry for file in catalogues.glob("*.po") for entry in parse_po(file.read_text("utf-8")).entries]
    shown = "\n".join(entry.message for entry in entries).lower()
    page = CODE.sub("", join_lines(REPOSITORY / "docs/playing.md"))
    words = re.findall(r'"([A-Z][^"]{2,60})"', page) + re.findall(r"(?<!\*)\*([A-Z][^*]{2,60})\*(?!\*)", page)
    assert words
    assert [each for each in words if each.rstrip(".,:;").lower() not in shown] == [], "as the screen has them?"


def test_settings_in_sentences_are_understood(tmp_path: Path) -> None:
    file, found = tmp_path / "companion.toml", 0
    for page in (page for page in PAGES if not NOT_SETTINGS.fullmatch(format_path(page))):
        for code in CODE.findall(remove_blocks(page.read_text("utf-8"))):
            if (match := SETTING.fullmatch(code)) and code not in OF_WINDOWS:
                problems = []
                for section in [match[1]] if match[1] else Settings.model_fields:
                    file.write_text(f"[{section}]\n{match[2]}\n", encoding="utf-8")
                    problems.append(load_settings(file).problems)
                assert () in problems, f"{page}: {code}"
                found += 1
    assert found > 10
