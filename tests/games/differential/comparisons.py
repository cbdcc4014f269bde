"""The games beside their scorers: house rules at random, moves in the scorers' words, and what is compared."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.api import Correctable, Move
from tests.games.differential import macroscope, memo_dice, pictomania, secret_number
from tests.games.differential.driver import Differential, Happening, check_end, presence
from tests.games.differential.starfall_comparison import STARFALL


def seats_of(game: Any, kind: str) -> set[int]:
    """Return the seats that may make a move of that kind now."""
    return {move.seat for move in game.list_moves() if move.kind == kind}


# Macroscope ----------------------------------------------------------------------------------------------------------


def draw_macroscope(random: Random) -> dict[str, Any]:
    """Return house rules of Macroscope."""
    drawn: dict[str, Any] = {
        "challenge_cost": random.choice((0, 1, 2, 2, 2, 4)),
        "rounds": random.randint(1, 6),
        "windows": random.choice((6, 12, 12, 18)),
        "others_may_guess_after_first_token": random.random() < 0.7,
        "silent_players_lose": random.random() < 0.3,
        "challenge_payee": random.choice(("active", "last_guesser")),
        "match_dice": random.choice(("at_use", "at_roll")),
        "void_round_pays_opener": random.random() < 0.7,
        "variant": random.choice(("basic", "basic", "easy")),
        "dice": random.choice(("on", "on", "off")),
    }
    return drawn | ({"start_crystals": random.randint(0, 9)} if random.random() < 0.7 else {})


def seat_macroscope(seats: int, first: int, settings: Any) -> macroscope.CrystalTable:
    """Return the scorer of Macroscope at the start."""
    rules = {
        "easy": settings.variant == "easy",
        "start": settings.start_crystals,
        "cost": settings.challenge_cost,
        "rounds": settings.rounds,
        "windows": settings.windows,
        "silent_lose": settings.silent_players_lose,
        "last_is_paid": settings.challenge_payee == "last_guesser",
        "void_pays": settings.void_round_pays_opener,
        "at_roll": settings.match_dice == "at_roll",
    }
    return macroscope.CrystalTable(seats, first, rules)


def translate_macroscope(_game: Any, move: Move, _table: Any) -> Sequence[Happening]:
    """Return what happened at the table of Macroscope."""
    seat = move.seat
    events: dict[str, Sequence[Happening]] = {
        "roll": [("roll", *move.value)],
        "remove": [("open", *move.value)],
        "guess": [("guess", seat)],
        "stop": [("stop",)],
        "stop for all": [("stop",), ("close",)],
        "wish": [("wish", seat)],
        "withdraw": [("withdraw", seat)],
        "close": [("close",)],
        "pick": [("pick", *move.value)],
        "name": [("guess", seat)],
        "right": [("reveal", seat)],
        "nobody": [("reveal", None)],
        "ask": [],
        "cover": [],
        "renew": [],
    }
    return events[str(move.kind)]


def compare_macroscope(game: Any, table: macroscope.CrystalTable) -> None:
    """Check turn order, crystals, the value of a guess, who may guess in which order, and the end."""
    assert list(game.totals) == table.crystals, "crystals"
    assert table.corrected or [list(scores) for scores in game.round_scores] == table.rounds, "rounds"
    moves = {str(move.kind) for move in game.list_moves()}
    if not table.over:
        assert game.active_seat == table.active, "turn"
        assert game.round_number == table.marker, "marker"
    if moves & {"right", "nobody"}:
        assert seats_of(game, "right") == set(table.guesses), "guesses"
        assert game.guess_value == table.value, "V"
    if moves & {"roll", "remove"} and "cover" not in moves:
        assert sum(game.tokens) == sum(table.tokens.values()), "covered"
    if "remove" in moves or "guess" in moves:
        taken = {move.value[0] for move in game.list_moves() if move.kind == "remove"}
        assert taken == table.list_tokens(), "M11"
    if moves & {"close", "name", "pick"}:
        wishing = {seat for seat in range(table.seats) if table.may_guess(seat)}
        assert seats_of(game, "wish") == wishing - table.wishes, "M23"
        queue = [table.crystals[seat] for seat in game.wish_queue]
        assert table.rules["easy"] or queue == sorted(queue), "M24"
        picked = {move.value[0] for move in game.list_moves() if move.kind == "pick"}
        assert picked == (table.called if len(table.called) > 1 else set()), "M24"
        assert seats_of(game, "name") == (table.called if len(table.called) == 1 else set()), "M24"
    check_end(game, macroscope.find_winners(table.crystals), over=table.over)


MACROSCOPE = Differential(
    "macroscope",
    draw_macroscope,
    seat_macroscope,
    translate_macroscope,
    {
        "crystals": lambda correction: ("crystals", correction.seat, *correction.value),
        "marker": lambda correction: ("marker", *correction.value),
        "value": lambda correction: ("worth", *correction.value),
        "active": lambda correction: ("active", *correction.value),
        "away": presence,
    },
    compare_macroscope,
    {"remove": 2.0, "guess": 0.6, "renew": 0.2},
)

# Memo Dice -----------------------------------------------------------------------------------------------------------

COLOURS = (1, 2, 3)
"""Red, blue and black, as the game's moves count them."""


def draw_memo_dice(random: Random) -> dict[str, Any]:
    """Return house rules of Memo Dice."""
    start = random.choice((0, 1, 1, 1, 5))
    return {
        "start_square": start,
        "target_square": start + random.randint(1, 25),
        "gold_value": random.choice((0, 2, 2, 2, 5)),
        "cup_value": random.choice((1, 1, 1, 3)),
        "cups_per_colour": random.choice((1, 2, 3, 3)),
        "dice": random.choice((2, 4, 7, 9, 9, 9)),
        "memorise_seconds": random.choice((0, 0, 5)),
        "answer_seconds": random.choice((0, 0, 15)),
    }


def seat_memo_dice(seats: int, first: int, settings: Any) -> memo_dice.CupTable:
    """Return the scorer of Memo Dice at the start."""
    rules = {
        "start": settings.start_square,
        "target": settings.target_square,
        "gold": settings.gold_value,
        "cup": settings.cup_value,
        "cups": settings.cups_per_colour,
        "dice": settings.dice,
    }
    return memo_dice.CupTable(seats, first, rules)


def translate_memo_dice(game: Any, move: Move, table: memo_dice.CupTable) -> Sequence[Happening]:
    """Return what happened at the table of Memo Dice; a die under the golden cup has any colour that needs it."""
    kind = str(move.kind)
    if kind in ("die", "show", "gold", "show gold"):
        gold = (colour for colour in COLOURS if table.find_cup(colour) == memo_dice.GOLD)
        colour = move.value[0] if move.value else next(gold)
        lies_open = kind.startswith("show") or game.settings.memorise_seconds
        return [("roll", colour)] if lies_open else [("roll", colour), ("cover",)]
    events: dict[str, Sequence[Happening]] = {
        "cover": [("cover",)],
        "right": [("call", True)],
        "miss": [("call", False)],
        "next": [("next",)],
    }
    return events.get(kind, [])


def compare_memo_dice(game: Any, table: memo_dice.CupTable) -> None:
    """Check turn order, which cup covers a die, points by round, squares and the end."""
    assert list(game.totals) == table.squares, "squares"
    assert [list(scores) for scores in game.round_scores] == table.rounds, "rounds"
    if not table.over:
        assert game.active_seat == table.turn, "turn"
    moves = game.list_moves()
    if any(move.kind in ("die", "gold") for move in moves):
        cups = [table.find_cup(colour) for colour in COLOURS]
        assert {move.value[0] for move in moves if move.kind == "die"} == set(cups) - {memo_dice.GOLD}, "D13"
        assert any(move.kind == "gold" for move in moves) == (memo_dice.GOLD in cups), "D12, D14"
    check_end(game, memo_dice.find_winners(table.squares), over=table.over)


MEMO_DICE = Differential(
    "memo_dice",
    draw_memo_dice,
    seat_memo_dice,
    translate_memo_dice,
    {
        "active": lambda correction: ("turn", *correction.value),
        "square": lambda correction: ("square", correction.seat, *correction.value),
        "cup": lambda correction: ("colour", correction.index[0] - 1, *correction.value),
        "open": lambda correction: ("open", correction.value[0] or memo_dice.GOLD),
        "swap": lambda correction: ("swap", correction.value[0] - 1),
        "round": lambda correction: ("round", correction.index[0] - 1, correction.seat, *correction.value),
        "taker": lambda correction: ("hand", correction.index[0] - 1, *correction.value),
        "away": presence,
    },
    compare_memo_dice,
    {"show": 0.3, "show gold": 0.3, "lift": 0.3, "call": 0.5},
    lambda game, entry: entry.kind != "taker" or game.stage == "uncover",
)

# Pictomania ----------------------------------------------------------------------------------------------------------


def draw_pictomania(random: Random) -> dict[str, Any]:
    """Return house rules of Pictomania."""

    def tokens() -> dict[int, tuple[int, ...]]:
        return {players: tuple(random.randint(1, 4) for _ in range(players - 1)) for players in range(3, 7)}

    drawn: dict[str, Any] = {
        "rounds": random.choice((1, 2, 3, 5)),
        "variant": random.choice(("basic", "basic", "only_green", "one_card")),
    }
    return drawn | ({"bonus_tokens": tokens(), "scoring_tokens": tokens()} if random.random() < 0.4 else {})


def seat_pictomania(seats: int, first: int, settings: Any) -> pictomania.DrawingTable:
    """Return the scorer of Pictomania at the start."""
    rules = {"rounds": settings.rounds, "bonus": settings.bonus_tokens, "scoring": settings.scoring_tokens}
    return pictomania.DrawingTable(seats, first, rules)


def translate_pictomania(game: Any, move: Move, _table: pictomania.DrawingTable) -> Sequence[Happening]:
    """Return what happened at the table of Pictomania."""
    owner, seat = game.pile_owner, move.seat
    match str(move.kind):
        case "go" | "take" | "misdrawn" | "drawn" as kind:
            return [(kind,) if seat is None else (kind, seat)]
        case "right" | "wrong" as kind:
            return [("card", owner, seat, kind == "right")]
        case "off":
            return [("off", owner, seat)]
        case "next" if owner == game.participants[-1]:
            return [("write",)]
        case "back" if owner is None:
            return [("erase",)]
        case "next_round":
            return [("next",)]
    return []


def compare_pictomania(game: Any, table: pictomania.DrawingTable) -> None:
    """Check bonus tokens, who may finish, points by round, totals and the end."""
    assert list(game.totals) == table.totals, "totals"
    assert [list(scores) for scores in game.round_scores] == table.rounds, "rounds"
    if game.phase == "drawing":
        assert seats_of(game, "take") == table.may_finish, "P24"
    if game.phase in ("drawing", "stop", "scoring"):
        assert list(game.tokens_left) == table.tokens_left, "P24"
    if game.phase == "round":
        assert table.written, "P36"
    check_end(game, pictomania.find_winners(table.totals), over=table.over)


def may_correct_pictomania(game: Any, entry: Correctable) -> bool:
    """Return whether the scorer knows what a correction of it means: a token for those who draw."""
    return entry.kind != "bonus" or game.phase in ("drawing", "stop", "scoring", "round")


PICTOMANIA = Differential(
    "pictomania",
    draw_pictomania,
    seat_pictomania,
    translate_pictomania,
    {
        "bonus": lambda correction: ("bonus", correction.seat, *correction.value),
        "total": lambda correction: ("total", correction.seat, *correction.value),
        "active": lambda _: ("reopen",),
        "marker": lambda correction: ("marker", *correction.value),
        "round": lambda correction: ("round", correction.index[0] - 1, correction.seat, *correction.value),
        "away": presence,
    },
    compare_pictomania,
    {"colour": 0.2, "stop": 0.15, "next": 0.7, "back": 0.15, "misdrawn": 0.1, "off": 0.3},
    may_correct_pictomania,
)

# Secret Number -------------------------------------------------------------------------------------------------------


def draw_secret_number(random: Random) -> dict[str, Any]:
    """Return house rules of Secret Number."""
    drawn: dict[str, Any] = {"games": random.randint(1, 4), "show_seconds": random.choice((0, 3))}
    if random.random() < 0.4:
        drawn["fastest_bonus"] = random.randint(0, 9)
        drawn["round_bonus"] = tuple(random.randint(0, 9) for _ in range(3))
        drawn["card_points"] = (random.randint(-9, 9), random.randint(-9, 9))
    return drawn


def seat_secret_number(seats: int, first: int, settings: Any) -> secret_number.CardTable:
    """Return the scorer of Secret Number at the start."""
    rules = {
        "games": settings.games,
        "fastest": settings.fastest_bonus,
        "round_bonus": settings.round_bonus,
        "card_points": settings.card_points,
    }
    return secret_number.CardTable(seats, first, rules)


def translate_secret_number(_game: Any, move: Move, _table: Any) -> Sequence[Happening]:
    """Return what happened at the table of Secret Number."""
    events: dict[str, Sequence[Happening]] = {
        "dealt": [("deal",)],
        "lay": [("lay", move.seat)],
        "end": [("end",)],
        "right": [("turn", True)],
        "wrong": [("turn", False)],
        "bonus": [("display", move.seat, *move.value)],
        "next": [("next",)],
        "insert": [("insert", move.seat)],
        "fix": [("fix",)],
        "remove": [("remove",)],
        "earlier": [("earlier",)],
        "back": [("done",)],
    }
    return events.get(str(move.kind), [])


def compare_secret_number(game: Any, table: secret_number.CardTable) -> None:
    """Check who may lay a card, points of each card and game, totals and the end."""
    assert list(game.totals) == table.totals, "totals"
    assert [list(scores) for scores in game.earlier_scores] == table.games, "games"
    if game.phase == "result":
        laid = [sum(card.points for card in game.laid_cards if card.seat == seat) for seat in range(table.seats)]
        assert [points + table.display.get(seat, 0) for seat, points in enumerate(laid)] == table.points, "S31 to S33"
    if game.phase == "round":
        assert seats_of(game, "lay") == table.may_lay, "S20 to S22"
        assert game.round_number == table.round, "round"
    check_end(game, secret_number.find_winners(table.totals), over=table.over)


SECRET_NUMBER = Differential(
    "secret_number",
    draw_secret_number,
    seat_secret_number,
    translate_secret_number,
    {
        "total": lambda correction: ("total", correction.seat, *correction.value),
        "card": lambda correction: ("mark", correction.index[0] - 1, bool(correction.value[0])),
        "who laid card": lambda correction: ("owner", correction.index[0] - 1, *correction.value),
        "round of card": lambda correction: ("round_of", correction.index[0] - 1, *correction.value),
        "round": lambda correction: ("round", *correction.value),
        "game": lambda correction: ("game", correction.index[0] - 1, correction.seat, *correction.value),
        "away": presence,
    },
    compare_secret_number,
    {"lay": 4.0, "again": 0.1, "wait": 0.2, "fix": 0.2, "insert": 0.6, "remove": 0.6, "wrong": 2.0},
)

ALL = (MACROSCOPE, MEMO_DICE, PICTOMANIA, SECRET_NUMBER, STARFALL)
"""All five games."""
