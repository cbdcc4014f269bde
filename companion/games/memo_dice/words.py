"""A Memo Dice game in words: short, for a screen that is read from three metres.

No line names a symbol, nor the colour of the die under the golden cup (D14): lines stay on the screen and in the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.game import Correctable, Correction, Move, Seat
from companion.games.memo_dice.rules import MemoDice
from companion.games.memo_dice.settings import Settings
from companion.games.memo_dice.view import SYMBOLS, Colour, Phase

PIECES = ("white", "purple", "orange", "green")
"""D2, by seat."""


def sentence(game: MemoDice, names: Sequence[str]) -> str:
    """Who, and what now."""
    active = names[game.active]
    match game.phase:
        case Phase.COVER if game.last_die:
            return f"{active}: roll the last die, it gets the golden cup"
        case Phase.COVER if not game.coverable:
            return f"{active}: roll a die, it gets the golden cup"
        case Phase.COVER:
            return f"{active}: roll a die, press its colour"
        case Phase.LOOK if game.looking is not None:
            return f"{active}: let all look, then cover it with {_cup(game.looking)}"
        case Phase.UNCOVER:
            return f"{active}: {_uncover(game)}"
        case Phase.SCORED:
            return f"{active}: you start the next round. Move the pieces first"
        case _:
            outcome = game.outcome()
            winners = [names[q] for q in outcome.winners] if outcome else []
            verb = "share the victory" if len(winners) > 1 else "wins"
            return f"{_both(winners)} {verb} on square {max(game.squares)}"


def sighted(game: MemoDice, names: Sequence[str]) -> str:
    """Who, and what now, where the camera reads the dice and sees the cups."""
    if game.phase is Phase.COVER and game.coverable:
        return f"{names[game.active]}: roll a die, put it at the end of the row"
    return sentence(game, names)


def tell(before: MemoDice, what: Move | Correction, after: MemoDice, names: Sequence[str]) -> str:
    """One line on what was played."""
    if isinstance(what, Correction):
        return _corrected(before, what, after, names)
    who = names[before.active if what.seat is None else what.seat]
    match what.kind:
        case "die" | "gold" | "show" | "show gold" if after.looking is not None:
            return f"{who} rolls die {len(before.row) + 1}: {_cup(after.looking)}"
        case "die":
            return f"{who} covers die {len(after.row)} with {_cup(after.row[-1].colour)}"
        case "gold" | "cover" if after.stage is Phase.UNCOVER:
            return f"{who} covers die {len(after.row)} with the golden cup and begins to guess"
        case "cover":
            return f"{who} covers die {len(after.row)} with {_cup(after.row[-1].colour)}"
        case "call":
            return f"{who} has named a symbol for {_which(before)}"
        case "lift":
            return f"{_which(before).capitalize()} is lifted"
        case "right":
            return f"{who} is right about {_which(before)}{_scored(after, names)}"
        case "miss":
            return f"{who} loses {_which(before)} to {names[after.row[before.next_cup or 0].taker or 0]}" + _scored(
                after, names
            )
        case _:
            return f"Round {after.round} begins: {names[after.active]} starts"


def correctable_words(game: MemoDice, names: Sequence[str]) -> Mapping[tuple[str, Seat | None], str]:
    """A line of the menu for each thing that may be corrected now."""
    return {(c.kind, c.seat): _thing(c.kind, c.seat, names) for c in game.correctables()}


def value_words(game: MemoDice, what: Correctable, names: Sequence[str]) -> Sequence[str]:
    """Words for the values of what may be corrected, from the lowest up; empty: the numbers themselves."""
    match what.kind.partition(" ")[0]:
        case "open" | "cup":
            return tuple(colour.word for colour in SYMBOLS)
        case "taker":
            return tuple(names[: game.players])
        case "unknown":
            return ("no", "yes")
        case "swap":
            first, last = what.range.low + 1, what.range.high
            return ("none", *(f"{i} and {i + 1}" for i in range(first, last + 1)))
        case _:
            return ()


def preparation(settings: Settings, players: int) -> Sequence[str]:
    """D1, D2: what to lay out, a line each."""
    each = settings.cups_per_colour
    return (
        f"Cups: {each} red, {each} blue, {each} black and the golden one",
        f"{settings.dice} dice within everybody's reach",
        f"Pieces on square {settings.start_square}: {_both(PIECES[:players])}",
    )


def _uncover(game: MemoDice) -> str:
    i = game.next_cup
    assert i is not None, "a cup is down"
    if game.row[i].unknown:
        return f"{_which(game)}'s die was knocked over, the table decides"
    if game.lifted:
        return f"{_which(game)} is lifted. Right or wrong?"
    if game.called:
        return f"lift {_which(game)}. Right or wrong?"
    return f"what is under {_which(game)}?"


def _which(game: MemoDice) -> str:
    i = game.next_cup
    assert i is not None, "a cup is down"
    return "the golden cup" if game.row[i].colour is Colour.GOLD else f"cup {i + 1}"


def _cup(colour: Colour) -> str:
    return "the golden cup" if colour is Colour.GOLD else f"a {colour.word} cup"


def _scored(after: MemoDice, names: Sequence[str]) -> str:
    """After the last cup: what the round brought."""
    if after.stage is not Phase.SCORED:
        return ""
    best_first = sorted(enumerate(after.rounds[-1]), key=lambda item: (-item[1], item[0]))
    return ": " + ", ".join(f"{names[q]} +{points}" for q, points in best_first if points)


def _corrected(before: MemoDice, what: Correction, after: MemoDice, names: Sequence[str]) -> str:
    kind, _, number = what.kind.partition(" ")
    (value,) = what.value
    old = next((c.current[0] for c in before.correctables() if (c.kind, c.seat) == (what.kind, what.seat)), 0)
    thing = _thing(what.kind, what.seat, names)
    match kind:
        case "away" if what.seat is not None:
            return f"{names[what.seat]} {'has left' if value else 'is at the table'}"
        case "swap":
            return f"Corrected: cups {value} and {value + 1} change places"
        case "unknown":
            return f"Corrected: die {number} {'was knocked over' if value else 'is as it was rolled'}"
        case "active" | "taker":
            return f"Corrected: {thing}, {names[old]} to {names[value]}"
        case "cup" | "open":
            return f"Corrected: {thing}, {Colour(old).word} to {Colour(value).word}"
    return f"Corrected: {thing}, {old} to {value}"


def _thing(kind: str, seat: Seat | None, names: Sequence[str]) -> str:
    what, _, number = kind.partition(" ")
    who = "" if seat is None else names[seat]
    match what:
        case "open":
            return "the open die's colour"
        case "active":
            return "whose turn"
        case "cup":
            return f"colour of cup {number}"
        case "swap":
            return "neighbours that change places"
        case "taker":
            return f"who has cup {number}"
        case "square":
            return f"{who}'s square"
        case "unknown":
            return f"die {number} was knocked over"
        case "round":
            return f"{who}'s points in round {number}"
        case _:
            return f"{who} is away"


def _both(words: Sequence[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
