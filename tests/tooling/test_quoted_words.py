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

BLOCK = re.compile(r"^ *(```|~~~).*?^ *\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
SETTING = re.compile(r'(?:\[(\w+)\] )?([a-z_]+ = (?:"[^"]*"|\d+|true|false))')
GUIDES = ("build/README.md", "build/first-table.md", "build/troubleshooting.md", "build/wiring.md", "raspberry-pi.md")
"""Pages of docs whose reader looks for a message of the program."""
MESSAGE = re.compile(r"[A-Za-z][\w'-]*(,? [\w'.-]+)+[.…]?")
COMMANDS = re.compile(r"(sudo|make|git|ls|companion|man|echo|usbip)\b|.* (-b|--)")
FOREIGN_MESSAGES = {"can't open device", "not in sync"}
"""Of avrdude."""
WITH_VALUES = {"but ok is lit": "is lit", "camera 0": "camera ", "camera csi": "camera ", "up, after 2…": "up, after "}
"""Messages with a value in them: the part that the program's text has."""
FOREIGN_WORDS = {"Interface Options", "SPI", "Even Better TOML", "NeoPixel"}
"""Words of other programs, and of shops."""
OWN_WORDS = {"Resolution", "Bob", "Robert", "Winter cup", "Simulated table", "Arduino Uno"}
"""Of a table's column, names in an example, and a name that is not translated."""
NOT_SETTINGS = {"docs/game-files.md", "docs/your-own-game.md"}
"""Pages whose keys belong to a game's file, or to Python."""
OF_WINDOWS = {'[box] port = "COM3"'}


@cache
def read_strings() -> str:
    """Return all texts of the program, one a line; a value in a text is a gap."""
    found = []
    for folder in ("companion", "hardware"):
        for file in (REPOSITORY / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.JoinedStr):
                    parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
                    found.append("".join(map(str, parts)))
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.append(node.value)
    return "\n".join(found)


@pytest.mark.parametrize("page", GUIDES)
def test_messages_are_those_of_the_program(page: str) -> None:
    codes = CODE.findall(BLOCK.sub("", (REPOSITORY / "docs" / page).read_text("utf-8")))
    quoted = {code for code in codes if MESSAGE.fullmatch(code) and not COMMANDS.match(code)}
    lost = {code for code in quoted - FOREIGN_MESSAGES if WITH_VALUES.get(code, code) not in read_strings()}
    assert not lost


def list_words(page: Path) -> set[str]:
    """Return what a page quotes as words on the screen: in quotes or slanted, with a capital."""
    text = " ".join(CODE.sub("", BLOCK.sub("", page.read_text("utf-8"))).split())
    found = re.findall(r'"([A-Z][^"]{2,60})"|(?<!\*)\*([A-Z][^*]{2,60})\*(?!\*)', text)
    return {(quoted or slanted).rstrip(".,:;") for quoted, slanted in found} - FOREIGN_WORDS - OWN_WORDS


def test_words_of_the_screen_are_messages() -> None:
    catalogues = REPOSITORY / "companion/locale/de/LC_MESSAGES"
    messages = [
        entry.message.lower() for file in catalogues.glob("*.po") for entry in parse_po(file.read_text("utf-8")).entries
    ]
    pages = [REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md"), *(REPOSITORY / "docs/build").glob("*.md")]
    found = {page.name: list_words(page) for page in pages}
    assert sum(map(len, found.values())) > 15
    lost = {(page, words) for page, all_ in found.items() for words in all_ if not _is_shown(words.lower(), messages)}
    assert not lost


def _is_shown(words: str, messages: list[str]) -> bool:
    """Return whether a message is these words or holds them; a value in a message may have any."""
    if any(words in message for message in messages):
        return True
    start = words.partition(":")[0] + ": {"
    return any(message.startswith(start) for message in messages)


def test_settings_in_sentences_are_understood(tmp_path: Path) -> None:
    file, found = tmp_path / "companion.toml", 0
    for page in [
        REPOSITORY / "README.md",
        *(REPOSITORY / "docs").glob("*.md"),
        *(REPOSITORY / "docs/build").glob("*.md"),
    ]:
        if str(page.relative_to(REPOSITORY)) in NOT_SETTINGS:
            continue
        for code in CODE.findall(BLOCK.sub("", page.read_text("utf-8"))):
            if (match := SETTING.fullmatch(code)) and code not in OF_WINDOWS:
                problems = []
                for section in [match[1]] if match[1] else Settings.model_fields:
                    file.write_text(f"[{section}]\n{match[2]}\n", encoding="utf-8")
                    problems.append(load_settings(file).problems)
                assert () in problems, f"{page}: {code}"
                found += 1
    assert found > 10
