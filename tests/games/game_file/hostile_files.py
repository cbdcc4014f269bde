"""Hostile games' files by seed: mutated good files, noise, huge, deep and wrongly typed values, evil expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from companion.api.registry import SHIPPED_GAME_FOLDER
from companion.games.game_file.reader import MAX_FILE_BYTES

GOOD_FILES: Sequence[bytes] = tuple(path.read_bytes() for path in sorted(SHIPPED_GAME_FOLDER.glob("*.toml")))
WRONG_VALUES: Sequence[str] = (
    *('""', '"x"', "0", "-1", "1.5", "nan", "-inf", "true", "[]", "{}", "[[1]]", "{a = 1}", "1979-05-27", "07:32:00"),
    *("1979-05-27T07:32:00Z", "9" * 4000, "9" * 5000, "-" + "9" * 30, "0x" + "f" * 6000, "1e999", "0b1", "0o7"),
    *('"' + "x" * 5000 + '"', '"\\u0000"', '"\\uffff"', '"\U0001f3b2"', '"""\n\n"""', "'''x'''", "[1, 'a', {b = 2}]"),
    *(
        "[" * 300 + "]" * 300,
        "{a = " * 300 + "1" + "}" * 300,
        "[" + "1, " * 9000 + "]",
        "{" + ".".join("a" * 3000) + " = 1}",
    ),
)
EVIL_EXPRESSIONS: Sequence[str] = (
    *("__import__('os').system('true')", "().__class__", "eval(1)", "sum.__globals__", "lambda: 1", "1 if 1 else 2"),
    *("9**9**9", "9999999 * 9999999 * 9999999 * 9999999", "1 // 0", "1 % 0", "1 // (1 - 1)", "sum(dice", "sum(", ")"),
    *("(" * 150 + "1" + ")" * 149, "(" * 29 + "1" + ")" * 29, "-" * 299 + "1", "not " * 70 + "1", "1" + " + 1" * 74),
    *(
        "min(" * 70 + "1",
        "if(1, if(1, if(1, 2, 3), 4), 5)",
        "best(dice, 9999999)",
        "best(dice, -1)",
        "count(dice, dice)",
    ),
    *(
        "dcie",
        "sum(dise)",
        "score = 1",
        "1 / 2",
        "\u00b2",
        "\u0663",
        "d\u0456ce",
        "\x00",
        "1\n+1",
        "'",
        "1 1",
        "a b",
        "  ",
    ),
    *(
        "1 < 2 < 3",
        "and",
        "or 1",
        "sum()",
        "sum(1)",
        "len(dice, 1)",
        "99999999",
        "if(1)",
        "max(dice, dice)",
        "all_",
        "x",
    ),
)


def _mutate(random: Random) -> bytes:
    """Change a good file at a few places: bytes, lines, words, values."""
    data = bytearray(random.choice(GOOD_FILES))
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(data) + 1)
        match random.randrange(5):
            case 0:
                data[at:at] = bytes([random.randrange(256)])
            case 1:
                del data[at : at + random.randint(1, 40)]
            case 2:
                data[at : at + 1] = random.choice((b'"', b"[", b"]", b"=", b"\n", b"{", b"#", b"\\", b".", b"'", b"\0"))
            case 3:
                other = random.choice(GOOD_FILES)
                start = random.randrange(len(other))
                data[at:at] = other[start : start + random.randint(1, 300)]
            case _:
                lines = bytes(data).split(b"\n")
                random.shuffle(lines)
                data = bytearray(b"\n".join(lines[: random.randint(1, len(lines))]))
        if not data:
            return b""
    return bytes(data)


def _change_value(random: Random, choose: Callable[[str], str]) -> bytes:
    """Put another value after one of the keys of a good file."""
    lines = random.choice(GOOD_FILES).decode().split("\n")
    keys = [i for i, line in enumerate(lines) if " = " in line]
    at = random.choice(keys)
    key, _equals, value = lines[at].partition(" = ")
    lines[at] = f"{key} = {choose(value)}"
    return "\n".join(lines).encode("utf-8", errors="surrogatepass")


def _change_type(random: Random) -> bytes:
    return _change_value(random, lambda _old: random.choice(WRONG_VALUES))


def _change_number(random: Random) -> bytes:
    lines = random.choice(GOOD_FILES).decode().split("\n")
    numbers = [i for i, line in enumerate(lines) if line.rpartition(" = ")[2].isdigit()]
    for at in random.sample(numbers, min(len(numbers), random.randint(1, 3))):
        number = random.choice((0, 1, 2, 7, 40, 41, 99, 100, 9999, 10000, 99_999, -1, -9999, 10**18, 10**30))
        lines[at] = f"{lines[at].rpartition(' = ')[0]} = {number}"
    return "\n".join(lines).encode()


def _misspell(random: Random) -> bytes:
    """Change a letter of a key or of a section's name."""
    lines = random.choice(GOOD_FILES).decode().split("\n")
    at = random.choice([i for i, line in enumerate(lines) if " = " in line or line.startswith("[")])
    key = lines[at].partition(" = ")[0]
    place = random.randrange(len(key))
    lines[at] = lines[at][:place] + random.choice("abcdefghijklmnopqrstuvwxyz_-. ") + lines[at][place + 1 :]
    return "\n".join(lines).encode()


def _change_expression(random: Random) -> bytes:
    """Put an evil expression, or pieces of some, where the file has an expression."""
    lines = random.choice(GOOD_FILES).decode().split("\n")
    names = {"score", "points", "when", "bust", "end", "turn_ends", "lose_all", "joker", "must", "next", "takes"}
    names |= {"passes", "total", "rank", "out", "most", "restart"}
    places = [i for i, line in enumerate(lines) if line.partition(" = ")[0] in names]
    if not places:
        return _misspell(random)
    text = random.choice(EVIL_EXPRESSIONS)
    if random.random() < 0.5:
        words = " ".join(random.choice(EVIL_EXPRESSIONS) for _ in range(random.randint(1, 4))).split(" ")
        text = random.choice((" ", "")).join(random.sample(words, min(len(words), random.randint(1, 20))))
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\x00", "\\u0000")
    at = random.choice(places)
    lines[at] = f'{lines[at].partition(" = ")[0]} = "{quoted}"'
    return "\n".join(lines).encode()


def _make_noise(random: Random) -> bytes:
    size = random.choice((0, 1, 10, 1000, MAX_FILE_BYTES - 1, MAX_FILE_BYTES + 1))
    if random.random() < 0.5:
        return random.randbytes(size)
    return "".join(random.choices("abc_ =[]{}\"'\n#.,0123456789\\\u00e4\U0001f3b2", k=size // 2)).encode()


def _make_huge(random: Random) -> bytes:
    """Fill a file up to the limit with one thing, after a good beginning."""
    unit, end = random.choice(
        (
            ("a.", "a = 1"),
            ("[a]\n", ""),
            ("[[a]]\n", ""),
            ("[[translations.de.x]]\n", ""),
            ("x" * 40 + "\n", ""),
            ("#", ""),
            ("\n", ""),
            ("a = [", ""),
            ("{", ""),
            ('"', ""),
            ("'''\n", ""),
            ("\\", ""),
            ("= ", ""),
            ("\u00e4", ""),
            ('[[points.entries]]\nid = "a"\nname = "b"\n', ""),
            ('[[dice.categories]]\nid = "a"\nname = "b"\npoints = "1"\n', ""),
        )
    )
    start = random.choice((b"", b"title = ", b"[dice]\n", b"[", b"[translations.de.", b'rules = ["', *GOOD_FILES[:2]))
    room = random.choice((2000, MAX_FILE_BYTES)) - len(start) - len(end)
    many = unit * max(1, room // len(unit.encode()))
    if random.random() < 0.3:
        # As many different keys or words.
        many = "".join(f"{unit.strip()[:20]}{i} = {i}\n" for i in range(room // 30))
    return start + many.encode() + end.encode()


def _make_deep(random: Random) -> bytes:
    depth = random.choice((19, 20, 21, 100, 900, 1100, 10_000, 30_000))
    opening, closing = random.choice((("[", "]"), ("{a=", "}"), ("[{a=", "}]")))
    key = random.choice(("x", "title", "rules", "dice", "translations", "translations.de", "dice.count"))
    shape = random.randrange(4)
    if shape == 0:
        text = f"{key} = {opening * depth}1{closing * depth}"
    elif shape == 1:
        text = f"{key}{'.a' * depth} = 1"
    elif shape == 2:
        text = f"[{key}{'.a' * depth}]\nb = 1"
    else:
        text = f"{key} = {{ {'a.' * depth}a = 1 }}"
    good = random.choice(GOOD_FILES).decode() if random.random() < 0.5 else ""
    return (f"{text}\n{good}" if random.random() < 0.5 else f"{good}\n{text}").encode()[: MAX_FILE_BYTES + 1]


KINDS: Sequence[Callable[[Random], bytes]] = (
    *(_mutate, _change_type, _change_number, _misspell, _change_expression, _make_noise, _make_huge, _make_deep),
)


def make_hostile_file(seed: int) -> bytes:
    """Return the content of a file that is meant to break the reader; some are right nevertheless."""
    return KINDS[seed % len(KINDS)](Random(seed))
