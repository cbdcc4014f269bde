"""A Secret Number match in words: short, for a screen that is read from three metres. No value is ever in them."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.game import Correctable, Correction, Move, Seat
from companion.games.secret_number.corrections import CARD, GAME, OF_ROUND, OWNER
from companion.games.secret_number.rules import SecretNumber
from companion.games.secret_number.settings import Settings
from companion.games.secret_number.view import Phase
from companion.i18n import N_, Translator, join_and

_ = Translator("secret_number")

PREPARE_PROMPTS = (
    N_("Round 1: choose a calculation, cover its result"),
    N_("Round 2: choose a number or the sign to show"),
    N_("Round 3: choose what you did not show yet"),
)
"""S11 to S13: what is to be done before each round."""


def build_prompt(game: SecretNumber, names: Sequence[str]) -> str:
    """Who, and what now."""
    match game.phase:
        case Phase.DEAL:
            return _("Game {game} of {games}: deal the cards", game=game.game_number, games=game.settings.games)
        case Phase.PREPARE:
            return _(PREPARE_PROMPTS[game.round_number - 1])
        case Phase.SHOW:
            return _("3, 2, 1: all show at once!")
        case Phase.ROUND:
            return _("Lay a card and press your button")
        case Phase.REVEAL if game.next_card is not None:
            return _("{who}: right or wrong?", who=names[game.next_card[1]])
        case Phase.FIX if game.next_card is None:
            return _("Whose card lies at the end of the pile?")
        case Phase.FIX:
            return _("Is the pile right at card {n}?", n=len(game.cards_right) + 1)
        case Phase.BONUS if game.bonus_seat is not None:
            return _("{who}: your bonus, 1, 2 or 3?", who=names[game.bonus_seat])
        case Phase.RESULT:
            return _("Game {game} of {games} is scored", game=game.game_number, games=game.settings.games)
        case _:
            return _format_result(game, names)


def _format_result(game: SecretNumber, names: Sequence[str]) -> str:
    outcome = game.compute_outcome()
    winners = [names[q] for q in outcome.winners] if outcome else []
    if len(winners) > 1:
        return _("{names} share the victory with {points}", names=join_and(winners), points=max(game.totals))
    return _("{who} wins with {points}", who=join_and(winners), points=max(game.totals))


def list_setup_steps(settings: Settings, players: int) -> Sequence[str]:
    """S1 to S3: what is to be laid out, a line each. How it is dealt stands on the page at the start of each game."""
    return (
        _("Number cards 0 to {most}, two of each", most=players),
        _("Answer cards 0 to {most}, a colour each", most=players),
        _("Each: 2 display cards, cover, symbol"),
        _("Round cards 1 to 3, the fastest card"),
    )


def describe(before: SecretNumber, what: Move | Correction, after: SecretNumber, names: Sequence[str]) -> str:
    """One line on what was played."""
    if isinstance(what, Correction):
        return _describe_correction(before, what, after, names)
    line = _describe_move(before, what, after, names)
    changes = [f"{names[q]} {d:+d}" for q, d in enumerate(after.changes) if d]
    return f"{line} ({', '.join(changes)})" if changes else line


def _describe_move(before: SecretNumber, move: Move, after: SecretNumber, names: Sequence[str]) -> str:
    who = "" if move.seat is None else names[move.seat]
    match move.kind:
        case "dealt":
            return _("Game {game} begins", game=before.game_number)
        case "again":
            return _("Somebody holds two zeros: dealt again")
        case "ready":
            return _("All have chosen what to show")
        case "wait":
            return _("The countdown is called off")
        case "go":
            return _("All show it: round {round} begins", round=before.round_number)
        case "lay":
            return _.plural(
                "{who} lays a card, {n} card on the pile",
                "{who} lays a card, {n} cards on the pile",
                len(after.current_pile),
                who=who,
            )
        case "end" if not before.current_pile:
            return _("Round {round} is over, no cards on the pile", round=before.round_number)
        case "end":
            return _.plural(
                "Round {round} is over, {n} card on the pile",
                "Round {round} is over, {n} cards on the pile",
                len(before.current_pile),
                round=before.round_number,
            )
        case "bonus":
            return _("{who} has a bonus of {bonus}", who=who, bonus=move.value[0])
        case "next":
            scores = ", ".join(f"{names[q]} {t.total}" for q, t in enumerate(before.tallies))
            return _("Game {game}: {scores}", game=before.game_number, scores=scores)
        case _:
            return _describe_card_move(before, move, after, who)


def _describe_card_move(before: SecretNumber, move: Move, after: SecretNumber, who: str) -> str:
    """What is said of the next card, or of the pile."""
    card = len(before.cards_right) + 1
    match move.kind:
        case "right":
            line = _("Card {card}, {who}: right", card=card, who=who)
        case "wrong":
            line = _("Card {card}, {who}: wrong", card=card, who=who)
        case "fix":
            return _("The pile is put right")
        case "insert":
            return _("A card of {who} was overlooked: it is card {card}", who=who, card=card)
        case "remove":
            return _("There is no card {card} of {who}", card=card, who=who)
        case "earlier":
            return _("Back to card {card}", card=card - 1)
        case _:
            return _("The pile is right")
    # S35: cards that need not be asked about any more.
    first, last = card + 1, len(after.cards_right)
    if first < last:
        return _("{line}, cards {first} to {last} are wrong", line=line, first=first, last=last)
    return _("{line}, card {last} is wrong", line=line, last=last) if first == last else line


# Corrections -----------------------------------------------------------------------------------------------------


def label_correctable(game: SecretNumber, what: Correctable | Correction, names: Sequence[str]) -> str:
    """Return the name of what may be corrected, for the menu and the log."""
    return _label_correctable(game, what.stored_kind, what.seat, names)


def label_values(_game: SecretNumber, what: Correctable, _names: Sequence[str]) -> Sequence[str]:
    """Words for the values of what may be corrected, from the lowest up; empty: the numbers themselves."""
    return (_("wrong"), _("right")) if what.seat is None and what.stored_kind.startswith(CARD) else ()


def _label_correctable(game: SecretNumber, kind: str, seat: Seat | None, names: Sequence[str]) -> str:
    if seat is not None:
        return _label_seat_correctable(kind, names[seat])
    if kind == "round":
        return _("the round")
    number, owner = _find_card(game, kind, names)
    if kind.startswith(CARD):
        return _("card {n} of {who}", n=number, who=owner)
    if kind.startswith(OF_ROUND):
        return _("round of card {n} of {who}", n=number, who=owner)
    return _("who laid card {n}", n=number)


def _find_card(game: SecretNumber, kind: str, names: Sequence[str]) -> tuple[int, str]:
    """Which card it is about, from 1, and whose it is."""
    number = int(kind.rsplit(" ", 1)[1])
    return number, names[game.cards_in_order[number - 1][1]]


def _label_seat_correctable(kind: str, who: str) -> str:
    match kind:
        case "away":
            return _("{who} is away", who=who)
        case "bonus":
            return _("{who}'s display bonus", who=who)
        case "total":
            return _("{who}'s points", who=who)
        case _:
            return _("{who} in game {game}", who=who, game=kind.removeprefix(GAME))


def _describe_correction(before: SecretNumber, what: Correction, after: SecretNumber, names: Sequence[str]) -> str:
    if what.stored_kind == "values":
        return _("All cards are read: {n} right", n=sum(after.cards_right))
    old = next(
        (c.current_value for c in before.list_correctables() if (c.kind, c.seat) == (what.stored_kind, what.seat)), (0,)
    )
    (then,), (now,) = old, what.value
    if what.stored_kind == "away" and what.seat is not None:
        return _("{who} is away", who=names[what.seat]) if now else _("{who} is back", who=names[what.seat])
    if what.seat is None and what.stored_kind.startswith(CARD):
        number, who = _find_card(before, what.stored_kind, names)
        if now:
            return _("Corrected: card {n} of {who} is right", n=number, who=who)
        return _("Corrected: card {n} of {who} is wrong", n=number, who=who)
    thing = _label_correctable(before, what.stored_kind, what.seat, names)
    if what.stored_kind.startswith(OWNER):
        return _("Corrected: {thing}, {new} and not {old}", thing=thing, new=names[now], old=names[then])
    return _("Corrected: {thing}, {old} to {new}", thing=thing, old=then, new=now)
