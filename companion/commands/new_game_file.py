"""`companion rules --new NAME`: ask ten questions, and write a game's file with comments that passes the check."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.api import registry
from companion.commands import CommandError
from companion.commands.common import report_errors
from companion.games.game_file.dice_model import MAX_CATEGORIES, MAX_DICE_TO_KEEP, MAX_SIDES_TO_KEEP, fits_on_key
from companion.games.game_file.expressions import LIST_PREFIXES
from companion.games.game_file.file_part import MAX_NUMBER, RESERVED_IDS
from companion.games.game_file.model import MAX_LINE_LENGTH, MAX_PLAYERS
from companion.games.game_file.points_model import MAX_ENTRIES
from companion.games.game_file.reader import parse_game_file
from companion.system.atomic_file import write_atomic

KINDS = {
    "rounds": "everybody enters points after each round, as in Hearts",
    "tricks": "bids before the round, tricks after it, as in Wizard",
    "count": "points are counted once, kind by kind, as in 7 Wonders",
    "race": "one after the other adds points, as in Mölkky",
    "dice": "dice and a sheet of boxes, as in Yacht",
}
"""Kinds of games that a first file may describe, and what they are like."""
MAX_TITLE_LETTERS = 24
MAX_NAME_LETTERS = 24
_RESERVED = RESERVED_IDS | {"bid"}
"""Words that are no ids; the files that are written have a bid of their own."""
_SINGLE_DIE_BOXES = ("ones", "twos", "threes", "fours", "fives", "sixes")


@dataclass(frozen=True, slots=True)
class Interview:
    """Questions at the terminal, each asked again until its answer can be used.

    Attributes:
        read: prints a question and returns the line that is typed, as `input`; EOFError: there is none any more.
        say: prints why an answer cannot be used.
    """

    read: Callable[[str], str]
    say: Callable[[str], None] = print

    def ask(self, question: str, default: str, find_fault: Callable[[str], str]) -> str:
        """Return the answer, or the default for an empty line.

        Args:
            find_fault: returns what an answer should be; empty: it is right.
        """
        while True:
            typed = filter(str.isprintable, self.read(f"{question} [{default}]? ").replace("\t", " "))
            answer = " ".join("".join(typed).split()) or default
            fault = find_fault(answer)
            if not fault:
                return answer
            self.say(f"    {fault}, please.")

    def ask_text(self, question: str, default: str, most_letters: int) -> str:
        """Ask for a text of at most so many letters."""
        fault = f"At most {most_letters} letters"
        return self.ask(question, default, lambda text: fault if len(text) > most_letters else "")

    def ask_number(self, question: str, default: int, low: int, high: int) -> int:
        """Ask for a whole number from `low` to `high`."""

        def find_fault(text: str) -> str:
            is_right = re.fullmatch(r"[+-]?\d{1,7}", text) and low <= int(text) <= high
            return "" if is_right else f"A whole number from {low} to {high}"

        return int(self.ask(question, str(default), find_fault))

    def ask_choice(self, question: str, choices: Iterable[str]) -> str:
        """Ask for one of these words; the first one is the default."""
        words = tuple(choices)
        fault = f"One of {', '.join(words)}"
        return self.ask(question, words[0], lambda text: "" if text in words else fault)

    def ask_names(self, question: str, default: str, most: int, *, on_keys: bool = False) -> list[str]:
        """Ask for at most so many names, with commas between them."""

        def find_fault(text: str) -> str:
            names = _split_names(text)
            if not 0 < len(names) <= most or len(set(_make_ids(names))) < len(names):
                return f"1 to {most} different names with commas between them"
            if on_keys and not all(map(fits_on_key, names)):
                return "At most two words of nine letters in each name"
            return f"At most {MAX_NAME_LETTERS} letters in a name" if max(map(len, names)) > MAX_NAME_LETTERS else ""

        return _split_names(self.ask(question, default, find_fault))


def write_new_game(path: Path, interview: Interview) -> Path:
    """Ask how a game is played, write its file, and return its path.

    Args:
        path: the file, with or without ".toml"; its name is that of the game.

    Raises:
        CommandError: the name is not possible or the file is there already (status 2), it cannot be written, or the
            questions are not answered; then nothing is written.
    """
    name = path.name.removesuffix(".toml")
    path = path.parent / f"{name}.toml"
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name):
        raise CommandError(f"{name!r}: a game's name is lower case letters, digits and _, a letter first.", status=2)
    if name in registry.list_game_names():
        raise CommandError(f"There is a game {name} already: choose another name.", status=2)
    if path.exists():
        raise CommandError(f"{path} is there already: choose another name.", status=2)
    if not path.parent.is_dir():
        raise CommandError(f"{path.parent} is no folder: create it first.", status=2)
    try:
        text = make_file_text(path.stem, interview)
    except EOFError:
        raise CommandError("Not all questions were answered: nothing was written.") from None
    parse_game_file(text, path.name)
    with report_errors():
        write_atomic(path, text.encode(), 0o666)
    return path


def make_file_text(name: str, interview: Interview) -> str:
    """Ask ten questions and return the file of the game that they describe.

    >>> answers = iter(["Golf", "", "", "", "cards, penalty", "-10", "", "fewest", "9 rounds", ""])
    >>> "lowest_wins = true" in make_file_text("golf", Interview(lambda question: next(answers)))
    True

    Raises:
        EOFError: there are no more answers.
    """
    title = interview.ask_text(
        "1. What is the game called", name.replace("_", " ").capitalize()[:MAX_TITLE_LETTERS], MAX_TITLE_LETTERS
    )
    fewest = interview.ask_number("2. How many players at least", 2, 1, MAX_PLAYERS)
    most = interview.ask_number("3. How many players at most", MAX_PLAYERS, fewest, MAX_PLAYERS)
    kinds = "".join(f"\n    {kind:8}{what}" for kind, what in KINDS.items())
    kind = interview.ask_choice(f"4. Which kind of game is it:{kinds}\n  Its first word", KINDS)
    body = _ask_dice(interview) if kind == "dice" else _ask_points(kind, interview)
    rule = interview.ask_text("10. The rules in a sentence", "Write here how it is played.", MAX_LINE_LENGTH)
    return "\n".join(
        (
            f"# {title}: explained in docs/game-files.md. This is a beginning: change it as the game is played.",
            f"#   companion rules --check {name}.toml    says what is wrong",
            f"#   companion rules --import {name}.toml   puts it among the games",
            f'name = "{name}"',
            f"title = {_quote(title)}",
            'author = ""   # your name, if you pass the file on',
            'version = "1.0"   # raise it with each change: a higher version replaces a lower one',
            f"players_min = {fewest}",
            f"players_max = {most}",
            f"rules = [{_quote(rule)}]   # sentences, on a page of the pause menu",
            'setup = ["What is laid out before the game"]',
            "",
            *body,
            "",
        )
    )


def _ask_points(kind: str, interview: Interview) -> list[str]:
    usual = {"rounds": "points", "tricks": "tricks", "count": "red cards, blue cards, coins", "race": "points"}[kind]
    question = "What do they bid on and take" if kind == "tricks" else "What does each enter, with commas"
    names = interview.ask_names(f"5. {question}", usual, 1 if kind == "tricks" else MAX_ENTRIES)
    low = interview.ask_number("6. What is the lowest number of it", 0, -MAX_NUMBER, MAX_NUMBER)
    usual_high = max(low, {"tricks": 13, "race": 12}.get(kind, 100))
    high = interview.ask_number("7. And the highest", usual_high, low, MAX_NUMBER)
    is_lowest = interview.ask_choice("8. Who wins: whoever has the most points, or the fewest", ("most", "fewest"))
    usual_end = {"rounds": "100 points", "tricks": "10 rounds", "count": "1 round", "race": "50 points"}[kind]
    end = interview.ask("9. When does it end: 100 points, 9 rounds", usual_end, _find_fault_of_end)
    number, unit = end.split()
    ids = _make_ids(names)
    lines = ["[points]"]
    if kind == "race":
        lines.append('order = "turns"   # one after the other; without this line all enter after a round')
    if is_lowest == "fewest":
        lines.append("lowest_wins = true")
    lines.append(f"rounds = {number}" if unit.startswith("round") else f'end = "score >= {number}"')
    if kind == "tricks":
        (own,) = ids
        lines.append(f'score = "if({own} == bid, 10 + {own}, -abs({own} - bid))"   # right: 10, and 1 for each')
        lines += _make_entry("bid", "your bid", low, high, "before_play = true   # all enter it before the round")
    else:
        lines.append(f'score = "{" + ".join(ids)}"   # what is added to the score')
    for own, name in zip(ids, names, strict=True):
        lines += _make_entry(own, name, low, high)
    if kind == "tricks":
        lines += ["", "# [[points.checks]]   # what is true of a round that is entered rightly"]
        lines += [f'# when = "sum(all_{own}) == {high}"', f'# text = "There are {high} in all"']
    return lines


def _ask_dice(interview: Interview) -> list[str]:
    count = interview.ask_number("5. How many dice", 5, 1, MAX_DICE_TO_KEEP)
    sides = interview.ask_number("6. How many sides has a die", 6, 2, MAX_SIDES_TO_KEEP)
    throws = interview.ask_number("7. How many throws has a turn", 3, 1, 9)
    names = interview.ask_names("8. The boxes, with commas", "Ones, Twos, Chance", MAX_CATEGORIES, on_keys=True)
    bonus = interview.ask_number("9. Points for a sheet of 63 or more (0: none)", 0, 0, MAX_NUMBER)
    ids = _make_ids(names)
    lines = ["[dice]", f"count = {count}", f"sides = {sides}", f"throws = {throws}"]
    if throws > 1:
        lines.append('keep = "any"   # dice may be set aside between two throws')
    for own, name in zip(ids, names, strict=True):
        value = _SINGLE_DIE_BOXES.index(name.lower()) + 1 if name.lower() in _SINGLE_DIE_BOXES else 0
        points = f"{value} * count(dice, {value})" if value else "sum(dice)"
        lines += ["", "[[dice.categories]]", f'id = "{own}"', f"name = {_quote(name)}"]
        lines.append(f'points = "{points}"   # other formulas: "Arithmetic" in docs/game-files.md')
    if bonus:
        lines += ["", "[[dice.bonuses]]", 'name = "Bonus"', f'when = "{" + ".join(ids)} >= 63"', f'points = "{bonus}"']
    return lines


def _make_entry(own: str, name: str, low: int, high: int, *more: str) -> Sequence[str]:
    return "", "[[points.entries]]", f'id = "{own}"', f"name = {_quote(name)}", f"low = {low}", f"high = {high}", *more


def _find_fault_of_end(text: str) -> str:
    found = re.fullmatch(r"(\d{1,6}) (rounds?|points?)", text)
    most = {"r": 99, "p": MAX_NUMBER}[found[2][0]] if found else 0
    return "" if found and 0 < int(found[1]) <= most else 'A number of points or rounds, such as "100 points"'


def _split_names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _make_ids(names: Sequence[str]) -> list[str]:
    """Return the names as ids: lower case letters, digits and underscores, and no word of the formulas."""
    words = [re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") for name in names]
    return [
        word if re.match("[a-z]", word) and word not in _RESERVED and not word.startswith(LIST_PREFIXES) else f"n{i}"
        for i, word in enumerate(words, 1)
    ]


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
