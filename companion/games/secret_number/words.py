"""A Secret Number match in words: short, for a screen that is read from three metres. No value is ever in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.game import Correction, Move, Seat
from companion.games.secret_number.corrections import CARD, OF_ROUND, OWNER
from companion.games.secret_number.rules import SecretNumber
from companion.games.secret_number.settings import Settings
from companion.games.secret_number.view import Phase

CHOOSE = (
    "choose a calculation, cover its result",
    "choose a number or the sign to show",
    "choose what you did not show yet",
)
"""S11 to S13: what is to be done before each round."""
SIGNAL = "3, 2, 1: all show at once!"


def sentence(game: SecretNumber, names: Sequence[str]) -> str:
    """Who, and what now."""
    match game.phase:
        case Phase.DEAL:
            return f"Game {game.game} of {game.settings.games}: deal the cards"
        case Phase.PREPARE:
            return f"Round {game.round}: {CHOOSE[game.round - 1]}"
        case Phase.SHOW:
            return SIGNAL
        case Phase.ROUND:
            return "Lay a card and press your button"
        case Phase.REVEAL if game.next_card is not None:
            return f"{names[game.next_card[1]]}: right or wrong?"
        case Phase.FIX:
            return _fix(game)
        case Phase.BONUS if game.asked is not None:
            return f"{names[game.asked]}: your bonus, 1, 2 or 3?"
        case Phase.RESULT:
            return f"Game {game.game} of {game.settings.games} is scored"
        case _:
            return _result(game, names)


def _fix(game: SecretNumber) -> str:
    if game.next_card is None:
        return "Whose card lies at the end of the pile?"
    return f"Is the pile right at card {len(game.marks) + 1}?"


def _result(game: SecretNumber, names: Sequence[str]) -> str:
    outcome = game.outcome()
    winners = [names[q] for q in outcome.winners] if outcome else []
    return f"{_joined(winners)} {'share the victory' if len(winners) > 1 else 'wins'} with {max(game.totals)}"


def preparation(settings: Settings, players: int) -> Sequence[str]:
    """S1 to S3: what is to be laid out, a line each. How it is dealt stands on the page at the start of each game."""
    return (
        f"Number cards 0 to {players}, two of each",
        f"Answer cards 0 to {players}, a colour each",
        "Each: 2 display cards, cover, symbol",
        "Round cards 1 to 3, the fastest card",
    )


def tell(before: SecretNumber, what: Move | Correction, after: SecretNumber, names: Sequence[str]) -> str:
    """One line on what was played."""
    if isinstance(what, Correction):
        return _corrected(before, what, after, names)
    line = _played(before, what, after, names)
    changes = [f"{names[q]} {d:+d}" for q, d in enumerate(after.changes) if d]
    return f"{line} ({', '.join(changes)})" if changes else line


def _played(before: SecretNumber, move: Move, after: SecretNumber, names: Sequence[str]) -> str:
    who = "" if move.seat is None else names[move.seat]
    card = len(before.marks) + 1
    match move.kind:
        case "dealt":
            return f"Game {before.game} begins"
        case "again":
            return "Somebody holds two zeros: dealt again"
        case "ready":
            return "All have chosen what to show"
        case "wait":
            return "The countdown is called off"
        case "go":
            return f"All show it: round {before.round} begins"
        case "lay":
            return f"{who} lays a card, {_cards(len(after.pile))} on the pile"
        case "end":
            return f"Round {before.round} is over, {_cards(len(before.pile))} on the pile"
        case "right" | "wrong":
            return f"Card {card}, {who}: {move.kind}{_sure(card + 1, len(after.marks))}"
        case "fix":
            return "The pile is put right"
        case "insert":
            return f"A card of {who} was overlooked: it is card {card}"
        case "remove":
            return f"There is no card {card} of {who}"
        case "earlier":
            return f"Back to card {card - 1}"
        case "back":
            return "The pile is right"
        case "bonus":
            return f"{who} has a bonus of {move.value[0]}"
        case _:
            return _scored(before, names)


def _sure(first: int, last: int) -> str:
    """S35: cards that need not be asked about any more."""
    if last < first:
        return ""
    return f", card {last} is wrong" if first == last else f", cards {first} to {last} are wrong"


def _scored(before: SecretNumber, names: Sequence[str]) -> str:
    scores = ", ".join(f"{names[q]} {t.total}" for q, t in enumerate(before.tallies))
    return f"Game {before.game}: {scores}"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count or 'no'} cards"


# Corrections -----------------------------------------------------------------------------------------------------


def correctable_words(game: SecretNumber, names: Sequence[str]) -> Mapping[tuple[str, Seat | None], str]:
    """A line of the menu for each thing that may be corrected now."""
    return {(c.kind, c.seat): _thing(game, c.kind, c.seat, names) for c in game.correctables()}


def _thing(game: SecretNumber, kind: str, seat: Seat | None, names: Sequence[str]) -> str:
    if seat is not None:
        match kind:
            case "away":
                return f"{names[seat]} is away"
            case "bonus":
                return f"{names[seat]}'s display bonus"
            case "total":
                return f"{names[seat]}'s points"
            case _:
                return f"{names[seat]} in {kind}"
    if kind == "round":
        return "the round"
    number = int(kind.rsplit(" ", 1)[1])
    owner = names[game.cards[number - 1][1]]
    if kind.startswith(CARD):
        return f"card {number} of {owner}: 1 right, 0 wrong"
    return f"round of card {number} of {owner}" if kind.startswith(OF_ROUND) else f"who laid card {number}"


def _corrected(before: SecretNumber, what: Correction, after: SecretNumber, names: Sequence[str]) -> str:
    if what.kind == "values":
        return f"All cards are read: {sum(after.marks)} right"
    old = next((c.current for c in before.correctables() if (c.kind, c.seat) == (what.kind, what.seat)), (0,))
    (then,), (now,) = old, what.value
    if what.kind == "away" and what.seat is not None:
        return f"{names[what.seat]} is {'away' if now else 'back'}"
    thing = _thing(before, what.kind, what.seat, names)
    if what.kind.startswith(OWNER):
        return f"Corrected: {thing}, {names[now]} and not {names[then]}"
    if what.kind.startswith(CARD):
        return f"Corrected: {thing.split(':')[0]} is {'right' if now else 'wrong'}"
    return f"Corrected: {thing}, {then} to {now}"


def _joined(words: Sequence[str]) -> str:
    return "".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} and {words[-1]}"
