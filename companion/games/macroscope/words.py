"""A Macroscope game in words: short, for a screen that is read from three metres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.game import Correction, Move, Seat
from companion.games.macroscope.rules import Macroscope
from companion.games.macroscope.settings import Settings
from companion.games.macroscope.view import Asking, Phase


def sentence(game: Macroscope, names: Sequence[str]) -> str:
    """Who, and what now."""
    active = names[game.active]
    match game.phase:
        case Phase.ROLL | Phase.OPEN if game.may_renew and game.deck_empty:
            return "The device is empty: turn the pile over and put it in"
        case Phase.ROLL:
            return f"{active}: roll the dice"
        case Phase.OPEN:
            return f"{active}: {_open(game)}"
        case Phase.ASKING:
            return _ask(game, names)
        case Phase.PICK:
            return f"{active}: who goes first, {_either([names[q] for q in game.first_in_queue])}?"
        case Phase.CALLED if game.called is not None:
            return f"{names[game.called]}: say what you see"
        case Phase.COVER if not game.guessers:
            return "Nobody guessed: cover all windows, then pull the top card"
        case Phase.COVER:
            return "Cover all windows, then pull the top card"
        case Phase.REVEAL:
            return "Who was right?" if len(game.guessers) > 1 else f"Was {names[game.guessers[0]]} right?"
        case _:
            return _result(game, names)


def preparation(settings: Settings, players: int) -> Sequence[str]:
    """M2 to M6: what is to be laid out."""
    lines = [
        "Cards in the device, the lid closed"
        if settings.dice == "off"
        else "Cards in the device, the lid closed; two dice",
        f"All {settings.windows} windows covered with tokens",
        "The marker on round 1 of the track",
    ]
    if settings.start_crystals:
        lines.insert(1, f"{settings.start_crystals} crystals for each of the {players} players")
    return lines


def tell(before: Macroscope, what: Move | Correction, after: Macroscope, names: Sequence[str]) -> str:
    """One line on what was played."""
    if isinstance(what, Correction):
        return _corrected(before, what, after, names)
    line = _played(before, what, names)
    changes = _changes(after, names)
    if what.kind == "remove" and not after.covered:
        line += ": the last one, and nobody has guessed"
    if what.kind in ("right", "nobody"):
        return f"{line}: {changes}" if changes else line
    return f"{line} ({changes})" if changes else line


def correctable_words(game: Macroscope, names: Sequence[str]) -> Mapping[tuple[str, Seat | None], str]:
    """A line of the menu for each thing that may be corrected now."""
    return {(c.kind, c.seat): _thing(c.kind, c.seat, names) for c in game.correctables()}


def _open(game: Macroscope) -> str:
    if not game.opened:
        if game.settings.dice == "off":
            return "open one or two windows"
        return f"open {_numbers(game.takeable)}"
    if game.takeable:
        return f"guess, stop, or open {_numbers(game.takeable)}"
    return "guess or stop?"


def _numbers(numbers: Sequence[int]) -> str:
    return "any" if len(numbers) > 3 else _either([f"a {n}" for n in numbers])


def _ask(game: Macroscope, names: Sequence[str]) -> str:
    price = f" {game.cost} crystals each" if game.cost else ""
    if game.asking is Asking.CHALLENGE:
        return f"Who wants to challenge?{price}"
    who = "Who else" if game.guessers else "Who"
    return f"{who} wants to guess?{price}"


def _result(game: Macroscope, names: Sequence[str]) -> str:
    outcome = game.outcome()
    winners = [names[q] for q in outcome.winners] if outcome else []
    return f"{_both(winners)} {'share the victory' if len(winners) > 1 else 'wins'} with {max(game.crystals)}"


def _played(before: Macroscope, move: Move, names: Sequence[str]) -> str:
    who = names[before.active if move.seat is None else move.seat]
    match move.kind:
        case "roll":
            return f"{who} rolls {_both([str(n) for n in move.value])}"
        case "renew":
            return "The deck is turned over"
        case "remove":
            return f"{who} opens a {move.value[0]}"
        case "guess":
            return f"{who} guesses for {before.covered}"
        case "stop":
            return f"{who} stops"
        case "ask":
            return f"{who} asks the others"
        case "wish":
            return f"{who} wants to guess"
        case "withdraw":
            return f"{who} does not guess after all"
        case "close":
            return "The asking is closed" if before.wishes else "Nobody wants to guess"
        case "pick":
            return f"{who} lets {names[move.value[0]]} go first"
        case "name":
            return f"{who} {'challenges' if before.asking is Asking.CHALLENGE else 'guesses'} for {before.value}"
        case "cover":
            return "All windows are covered"
        case "right":
            return f"{who} was right"
        case _:
            return "Nobody was right"


def _corrected(before: Macroscope, what: Correction, after: Macroscope, names: Sequence[str]) -> str:
    if what.kind == "let_stand":
        changes = _changes(after, names)
        return f"{names[before.active]} opens a {what.value[0]}, let stand{f' ({changes})' if changes else ''}"
    old = next((c.current for c in before.correctables() if (c.kind, c.seat) == (what.kind, what.seat)), ())
    thing = _thing(what.kind, what.seat, names)
    if what.kind == "away" and what.seat is not None:
        changes = _changes(after, names)
        return f"{names[what.seat]} {'is away' if what.value[0] else 'is back'}{f' ({changes})' if changes else ''}"
    if what.kind == "active":
        return f"Corrected: {thing}, {names[old[0]]} to {names[what.value[0]]}"
    return f"Corrected: {thing}, {_listed(old)} to {_listed(what.value)}"


def _thing(kind: str, seat: Seat | None, names: Sequence[str]) -> str:
    match kind:
        case "crystals" if seat is not None:
            return f"{names[seat]}'s crystals"
        case _ if kind.startswith("round ") and seat is not None:
            return f"{kind}, {names[seat]}"
        case "away" if seat is not None:
            return f"{names[seat]}, here or away"
        case "dice":
            return "the dice"
        case "token":
            return "the token just taken"
        case "tokens":
            return "tokens of 1 to 6 left"
        case "value":
            return "value of a guess"
        case "marker":
            return "the round"
        case _:
            return "whose turn"


def _changes(game: Macroscope, names: Sequence[str]) -> str:
    """Gains first, then losses: "Bob +9, Ada -4"."""
    moved = sorted(((d, q) for q, d in enumerate(game.changes) if d), key=lambda item: (-item[0], item[1]))
    return ", ".join(f"{names[q]} {d:+d}" for d, q in moved)


def _listed(values: Sequence[int]) -> str:
    return " ".join(str(v) for v in values)


def _either(words: Sequence[str]) -> str:
    return _joined(words, "or")


def _both(words: Sequence[str]) -> str:
    return _joined(words, "and")


def _joined(words: Sequence[str], last: str) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
