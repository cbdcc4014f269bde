"""A Pictomania game in words: short, for a screen that is read from three metres."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.game import Correctable, Correction, Move, Seat
from companion.games.pictomania.rules import Pictomania
from companion.games.pictomania.settings import CLUE_COUNT, Settings
from companion.games.pictomania.view import Phase
from companion.i18n import Translator, join_and

_ = Translator("pictomania")


def build_prompt(game: Pictomania, names: Sequence[str]) -> str:
    """Who, and what now."""
    match game.phase:
        case Phase.DIFFICULTY if len(game.available_colours) > 1:
            return _("How difficult this round?")
        case Phase.DIFFICULTY:
            return _("Deal the {colour} cards", colour=_(game.colour))
        case Phase.READING if game.settings.word_cards_per_round == 1:
            return _("Read the word card, do not talk. Then give the start signal")
        case Phase.READING:
            return _("Read the word cards, do not talk. Then give the start signal")
        case Phase.START:
            return _("Hands on your hidden cards")
        case Phase.DRAWING:
            return _("Draw and guess! Who is finished presses their button")
        case Phase.STOP if game.tokens_left:
            return _("Pens down! Tokens that are left stay in the middle")
        case Phase.STOP:
            return _("Pens down, {who}! The last token is taken", who=names[game.seats_without_token[0]])
        case Phase.SCORING:
            return _format_scoring_prompt(game, names, game.participants[game.pile_index])
        case Phase.ROUND:
            sheep = game.black_sheep
            if sheep is None:
                return _("No black sheep in this round")
            return _("{who} is the black sheep", who=names[sheep])
        case Phase.OVER:
            return _format_result(game, names)


def describe(before: Pictomania, what: Move | Correction, after: Pictomania, names: Sequence[str]) -> str:
    """One line on what was played."""
    if isinstance(what, Correction):
        return _describe_correction(before, what, names)
    return (
        _describe_table_move(before, what, after, names)
        if what.seat is None
        else _describe_seat_move(what, what.seat, after, names)
    )


def explain_score(before: Pictomania, after: Pictomania, seat: Seat) -> str:
    """P36: what a player's round was made of, once it is scored."""
    if before.phase is not Phase.SCORING or after.phase is not Phase.ROUND:
        return ""
    line = next((line for line in after.score_lines if line.seat == seat), None)
    if line is None:
        return ""
    return _("guessed {plus}, kept {minus}, bonus {bonus}", plus=line.plus, minus=-line.minus, bonus=line.bonus)


def label_correctable(_game: Pictomania, what: Correctable | Correction, names: Sequence[str]) -> str:
    """Return the name of what may be corrected, for the menu and the log."""
    return _label_correctable(what.stored_kind, what.seat, names)


def label_values(game: Pictomania, what: Correctable, _names: Sequence[str]) -> Sequence[str]:
    """Words for the values of what may be corrected, from the lowest up; empty: the numbers themselves."""
    match what.stored_kind:
        case "bonus":
            stars = (_.plural("{n} star", "{n} stars", count) for count in range(1, what.value_range.high + 1))
            return (_("none"), *stars)
        case "difficulty":
            return tuple(_(colour) for colour in game.available_colours)
        case _:
            return ()


def list_setup_steps(settings: Settings, players: int) -> Sequence[str]:
    """P1 to P3, P11, V1, V2: what is to be laid out, a line each."""
    own = ", ".join(str(stars) for stars in settings.scoring_tokens[players])
    middle = ", ".join(str(stars) for stars in settings.bonus_tokens[players])
    colours = [_(colour) for colour in settings.difficulty_colours]
    decks = _("Word cards: {colours}; {n} a round", colours=join_and(colours), n=settings.word_cards_per_round)
    if settings.variant == "only_green":
        decks = _("Word cards: only {colour}; {n} a round", colour=colours[0], n=settings.word_cards_per_round)
    dealt = _("To be dealt: number cards and symbol cards")
    if settings.variant == "one_card":
        dealt = _("To be dealt: number cards only")
    return (
        _("Each: board, marker, eraser, guess cards 1 to {most}", most=CLUE_COUNT),
        _("Each: own scoring tokens, stars {stars}", stars=own),
        _("Middle: black bonus tokens, stars {stars}", stars=middle),
        decks,
        dealt,
    )


def _format_scoring_prompt(game: Pictomania, names: Sequence[str], owner: Seat) -> str:
    if game.drew_wrong_clue[owner]:
        return _("{who}: another clue was drawn, all cards go back", who=names[owner])
    if not game.piles[owner]:
        return _("{who}: turn your pile over. Who guessed, in order?", who=names[owner])
    return _("{who}: who else? Press again if wrong", who=names[owner])


def _format_result(game: Pictomania, names: Sequence[str]) -> str:
    outcome = game.compute_outcome()
    winners = [names[q] for q in outcome.winners] if outcome else []
    if len(winners) > 1:
        return _("{names} share the victory with {points}", names=join_and(winners), points=max(game.totals))
    return _("{who} wins with {points}", who=join_and(winners), points=max(game.totals))


def _describe_table_move(before: Pictomania, move: Move, after: Pictomania, names: Sequence[str]) -> str:
    match move.kind:
        case "colour":
            return _("Difficulty: {colour}", colour=_(after.colour))
        case "deal":
            return _("Round {round}: {colour} cards are dealt", round=after.round_number, colour=_(after.colour))
        case "start":
            return _("The start signal is given")
        case "go":
            return _("Drawing and guessing begins")
        case "stop":
            return _.plural(
                "Stop: {n} token stays in the middle", "Stop: {n} tokens stay in the middle", len(before.tokens_left)
            )
        case "score":
            return _("The piles are turned over")
        case "next" if after.phase is Phase.ROUND:
            return _("Round {round}: {scores}", round=after.round_number, scores=_format_round_scores(after, names))
        case "next":
            return _("{who}'s pile is scored", who=names[before.participants[before.pile_index]])
        case "back":
            return _("Back to {who}'s pile", who=names[after.participants[after.pile_index]])
        case _ if after.phase is Phase.OVER:
            return _("After round {round} the game is over", round=after.round_number)
        case _:
            return _("Round {round} begins", round=after.round_number)


def _describe_seat_move(move: Move, seat: Seat, after: Pictomania, names: Sequence[str]) -> str:
    who = names[seat]
    match move.kind:
        case "take" if after.phase is Phase.STOP:
            return _.plural(
                "{who} takes the bonus token with {n} star: stop!",
                "{who} takes the bonus token with {n} stars: stop!",
                after.bonus_stars[seat],
                who=who,
            )
        case "take":
            return _.plural(
                "{who} takes the bonus token with {n} star",
                "{who} takes the bonus token with {n} stars",
                after.bonus_stars[seat],
                who=who,
            )
        case "misdrawn":
            return _("{who} drew another clue: all cards go back", who=who)
        case "drawn":
            return _("{who} drew the right clue after all", who=who)
        case "number":
            return _("{who}'s number card is turned over", who=who)
    owner = after.participants[after.pile_index]
    card = after.find_card(seat)
    if card is None:
        return _("{owner}'s pile: no card of {who}", owner=names[owner], who=who)
    if not card.right:
        return _("{owner}'s pile: {who} is wrong", owner=names[owner], who=who)
    stars = after.list_stars_earned(owner)[after.piles[owner].index(card)]
    return _.plural(
        "{owner}'s pile: {who} is right, {n} star",
        "{owner}'s pile: {who} is right, {n} stars",
        stars,
        owner=names[owner],
        who=who,
    )


def _format_round_scores(game: Pictomania, names: Sequence[str]) -> str:
    """Best first: "Bob 6, Ada 4, Cleo -2"."""
    best = sorted(game.score_lines, key=lambda line: (-line.total, line.seat))
    return ", ".join(f"{names[line.seat]} {line.total}" for line in best)


def _describe_correction(before: Pictomania, what: Correction, names: Sequence[str]) -> str:
    entry = next(c for c in before.list_correctables() if (c.kind, c.seat) == (what.stored_kind, what.seat))
    (old,), (new,) = entry.current_value, what.value
    match what.stored_kind:
        case "active":
            return _("Back to {who}'s pile", who=names[new])
        case "away" if what.seat is not None:
            return _("{who} leaves", who=names[what.seat]) if new else _("{who} is back", who=names[what.seat])
        case _:
            words = label_values(before, entry, names)
            was, now = (words[v - entry.value_range.low] if words else str(v) for v in (old, new))
            thing = _label_correctable(what.stored_kind, what.seat, names)
            return _("Corrected: {thing}, {old} to {new}", thing=thing, old=was, new=now)


def _label_correctable(kind: str, seat: Seat | None, names: Sequence[str]) -> str:
    if seat is not None:
        who = names[seat]
        match kind:
            case "bonus":
                return _("{who}'s bonus token", who=who)
            case "away":
                return _("{who} is away", who=who)
            case "total":
                return _("{who}'s total", who=who)
            case _:
                return _("{who}'s round {round}", who=who, round=kind.removeprefix("round "))
    match kind:
        case "active":
            return _("whose pile is open")
        case "difficulty":
            return _("the difficulty")
        case _:
            return _("the round")
