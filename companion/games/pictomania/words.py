"""A Pictomania game in words: short, for a screen that is read from three metres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.game import Correctable, Correction, Move, Seat
from companion.games.pictomania.rules import Pictomania
from companion.games.pictomania.settings import NUMBERS, Settings
from companion.games.pictomania.view import Phase


def sentence(game: Pictomania, names: Sequence[str]) -> str:
    """Who, and what now."""
    match game.phase:
        case Phase.DIFFICULTY:
            return "How difficult this round?" if len(game.colours) > 1 else f"Deal the {game.colour} cards"
        case Phase.READING:
            clues = "the word card" if game.settings.cards == 1 else "the word cards"
            return f"Read {clues}, do not talk. Then give the start signal"
        case Phase.START:
            return "Hands on your hidden cards"
        case Phase.DRAWING:
            return "Draw and guess! Who is finished presses their button"
        case Phase.STOP if game.left:
            return "Pens down! Tokens that are left stay in the middle"
        case Phase.STOP:
            return f"Pens down, {names[game.without_token[0]]}! The last token is taken"
        case Phase.SCORING:
            return _scoring(game, names, game.taking_part[game.at])
        case Phase.ROUND:
            sheep = game.black_sheep
            return "No black sheep in this round" if sheep is None else f"{names[sheep]} is the black sheep"
        case Phase.OVER:
            return _result(game, names)


def tell(before: Pictomania, what: Move | Correction, after: Pictomania, names: Sequence[str]) -> str:
    """One line on what was played."""
    if isinstance(what, Correction):
        return _corrected(before, what, names)
    return _of_nobody(before, what, after, names) if what.seat is None else _of_seat(what, what.seat, after, names)


def correctable_words(game: Pictomania, names: Sequence[str]) -> Mapping[tuple[str, Seat | None], str]:
    """A line of the menu for each thing that may be corrected now."""
    return {(c.kind, c.seat): _thing(c.kind, c.seat, names) for c in game.correctables()}


def value_words(game: Pictomania, what: Correctable, _names: Sequence[str]) -> Sequence[str]:
    """Words for the values of what may be corrected, from the lowest up; empty: the numbers themselves."""
    match what.kind:
        case "bonus":
            return ("none", *(_stars(count) for count in range(1, what.range.high + 1)))
        case "difficulty":
            return game.colours
        case _:
            return ()


def preparation(settings: Settings, players: int) -> Sequence[str]:
    """P1 to P3, P11, V1, V2: what is to be laid out, a line each."""
    own = ", ".join(str(stars) for stars in settings.scoring_tokens[players])
    middle = ", ".join(str(stars) for stars in settings.bonus_tokens[players])
    colours = settings.difficulty_colours
    decks = f"Word cards: only {colours[0]}" if settings.variant == "only_green" else f"Word cards: {_both(colours)}"
    hidden = "number cards only" if settings.variant == "one_card" else "number cards and symbol cards"
    return (
        f"Each: board, marker, eraser, guess cards 1 to {NUMBERS}",
        f"Each: own scoring tokens, stars {own}",
        f"Middle: black bonus tokens, stars {middle}",
        f"{decks}; {settings.cards} a round",
        f"To be dealt: {hidden}",
    )


def _scoring(game: Pictomania, names: Sequence[str], owner: Seat) -> str:
    if game.misdrawn[owner]:
        return f"{names[owner]}: another clue was drawn, all cards go back"
    if not game.piles[owner]:
        return f"{names[owner]}: turn your pile over. Who guessed, in order?"
    return f"{names[owner]}: who else? Press again if wrong"


def _result(game: Pictomania, names: Sequence[str]) -> str:
    outcome = game.outcome()
    winners = [names[q] for q in outcome.winners] if outcome else []
    return f"{_both(winners)} {'share the victory' if len(winners) > 1 else 'wins'} with {max(game.totals)}"


def _of_nobody(before: Pictomania, move: Move, after: Pictomania, names: Sequence[str]) -> str:
    match move.kind:
        case "colour":
            return f"Difficulty: {after.colour}"
        case "deal":
            return f"Round {after.marker}: {after.colour} cards are dealt"
        case "start":
            return "The start signal is given"
        case "go":
            return "Drawing and guessing begins"
        case "stop":
            return f"Stop: {_tokens(len(before.left))} in the middle"
        case "score":
            return "The piles are turned over"
        case "next" if after.phase is Phase.ROUND:
            return f"Round {after.marker}: {_round(after, names)}"
        case "next":
            return f"{names[before.taking_part[before.at]]}'s pile is scored"
        case "back":
            return f"Back to {names[after.taking_part[after.at]]}'s pile"
        case _ if after.phase is Phase.OVER:
            return f"After round {after.marker} the game is over"
        case _:
            return f"Round {after.marker} begins"


def _of_seat(move: Move, seat: Seat, after: Pictomania, names: Sequence[str]) -> str:
    who = names[seat]
    match move.kind:
        case "take":
            stop = ": stop!" if after.phase is Phase.STOP else ""
            return f"{who} takes the bonus token with {_stars(after.bonus[seat])}{stop}"
        case "misdrawn":
            return f"{who} drew another clue: all cards go back"
        case "drawn":
            return f"{who} drew the right clue after all"
        case "number":
            return f"{who}'s number card is turned over"
    owner = after.taking_part[after.at]
    card = after.card_of(seat)
    if card is None:
        return f"{names[owner]}'s pile: no card of {who}"
    if not card.right:
        return f"{names[owner]}'s pile: {who} is wrong"
    stars = after.earned(owner)[after.piles[owner].index(card)]
    return f"{names[owner]}'s pile: {who} is right, {_stars(stars)}"


def _round(game: Pictomania, names: Sequence[str]) -> str:
    """Best first: "Bob 6, Ada 4, Cleo -2"."""
    best = sorted(game.lines, key=lambda line: (-line.total, line.seat))
    return ", ".join(f"{names[line.seat]} {line.total}" for line in best)


def _corrected(before: Pictomania, what: Correction, names: Sequence[str]) -> str:
    entry = next(c for c in before.correctables() if (c.kind, c.seat) == (what.kind, what.seat))
    (old,), (new,) = entry.current, what.value
    match what.kind:
        case "active":
            return f"Back to {names[new]}'s pile"
        case "away" if what.seat is not None:
            return f"{names[what.seat]} {'leaves' if new else 'is back'}"
        case _:
            words = value_words(before, entry, names)
            was, now = (words[v - entry.range.low] if words else str(v) for v in (old, new))
            return f"Corrected: {_thing(what.kind, what.seat, names)}, {was} to {now}"


def _thing(kind: str, seat: Seat | None, names: Sequence[str]) -> str:
    if seat is not None:
        who = names[seat]
        match kind:
            case "bonus":
                return f"{who}'s bonus token"
            case "away":
                return f"{who} is away"
            case "total":
                return f"{who}'s total"
            case _:
                return f"{who}'s {kind}"
    match kind:
        case "active":
            return "whose pile is open"
        case "difficulty":
            return "the difficulty"
        case _:
            return "the round"


def _stars(count: int) -> str:
    return "1 star" if count == 1 else f"{count} stars"


def _tokens(count: int) -> str:
    return "1 token stays" if count == 1 else f"{count} tokens stay"


def _both(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
