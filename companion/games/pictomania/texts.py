"""Texts of a Pictomania game: short, for a screen that is read from three metres."""

from collections.abc import Sequence

from companion.api import CommonCorrection, Correctable, Correction, Move, Seat
from companion.games.pictomania.rules import Pictomania
from companion.games.pictomania.settings import CLUE_COUNT, Settings
from companion.games.pictomania.state import CorrectionKind, MoveKind, Phase
from companion.i18n import N_, Translator, format_number, join_and

_ = Translator("pictomania")

_PROMPTS = {
    Phase.DIFFICULTY: N_("How difficult this round?"),
    Phase.READING: N_("Deal each a hidden number and symbol card. Read, do not talk"),
    Phase.START: N_("At the signal look at your hidden cards, lay them face down"),
    Phase.DRAWING: N_("Draw and guess, no letters, no talk! Finished? Press your button"),
    Phase.STOP: N_("Pens down! Tokens that are left stay in the middle"),
    Phase.ROUND: N_("No black sheep in this round"),
}
"""What to do in a phase, unless `format_prompt` knows more."""
_MOVE_TEXTS: dict[str, str] = {
    MoveKind.COLOUR: N_("Difficulty: {colour}"),
    MoveKind.DEAL: N_("Round {round}: {colour} cards are dealt"),
    MoveKind.START: N_("The start signal is given"),
    MoveKind.GO: N_("Drawing and guessing begins"),
    MoveKind.SCORE: N_("The piles are turned over"),
    MoveKind.MISDRAWN: N_("{who} drew another clue: all cards go back"),
    MoveKind.DRAWN: N_("{who} drew the right clue after all"),
    MoveKind.NUMBER: N_("{who}'s number card is turned over"),
}
"""Moves that are always described in the same way."""
_CORRECTABLE_LABELS: dict[str, str] = {
    CommonCorrection.ACTIVE: N_("whose pile is open"),
    CommonCorrection.AWAY: N_("{who} is away"),
    CommonCorrection.ROUND: N_("{who}'s round {round}"),
    CorrectionKind.DIFFICULTY: N_("the difficulty"),
    CorrectionKind.MARKER: N_("the round"),
    CorrectionKind.BONUS: N_("{who}'s bonus token"),
    CorrectionKind.TOTAL: N_("{who}'s total"),
}


def format_prompt(game: Pictomania, names: Sequence[str]) -> str:
    """Return one translated sentence for the screen: who is to act and what to do now; after the end, who has won.

    Args:
        game: current game.
        names: players' names by seat.

    Raises:
        IndexError: a player in the sentence has no name.
    """
    match game.phase:
        case Phase.DIFFICULTY if game.round_number > 1 and len(game.available_colours) == 1:
            return _("Tokens and cards back, word cards away, boards wiped. Deal {colour}", colour=_(game.colour))
        case Phase.DIFFICULTY if game.round_number > 1:
            return _("Tokens and cards back, word cards away, boards wiped. How difficult?")
        case Phase.DIFFICULTY if len(game.available_colours) == 1:
            return _("Deal the {colour} cards", colour=_(game.colour))
        case Phase.READING if game.settings.word_cards_per_round == 1:
            return _("Deal each a hidden number card. Read the word card, do not talk")
        case Phase.STOP if not game.tokens_left:
            left = [names[q] for q in game.seats_without_token if not game.away[q]]
            last = _("Pens down! The last token is taken")
            return _("Pens down, {who}! The last token is taken", who=left[0]) if left else last
        case Phase.SCORING:
            return _format_scoring_prompt(game, names)
        case Phase.ROUND if (seat := game.black_sheep) is not None:
            return _("{who}: you are the black sheep", who=names[seat])
        case Phase.OVER:
            winners, points = join_and([names[q] for q in game.leaders]), max(game.totals)
            shared, alone = N_("{names} share the victory with {points}"), N_("{who} wins with {points}")
            return _(shared if len(game.leaders) > 1 else alone, names=winners, who=winners, points=points)
        case phase:
            return _(_PROMPTS[phase])


def _format_scoring_prompt(game: Pictomania, names: Sequence[str]) -> str:
    owner = game.participants[game.pile_index]
    message = _("{who}: who else guessed right?", who=names[owner])
    if game.drew_wrong_clue[owner]:
        message = _("{who}: another clue was drawn, all cards go back", who=names[owner])
    elif len(game.piles[owner]) == len(game.participants) - 1:
        message = _("{who}: all guesses are entered", who=names[owner])
    elif not game.piles[owner]:
        message = _("{who}: turn your pile over. Who guessed right, in order?", who=names[owner])
    return message


def get_addressed_seat(game: Pictomania) -> Seat | None:
    """Return whose name the prompt begins with: the owner of the open pile, or the black sheep; None: nobody."""
    return game.black_sheep if game.phase is Phase.ROUND else game.pile_owner


def describe_move(before: Pictomania, what: Move | Correction, after: Pictomania, names: Sequence[str]) -> str:
    """Return one translated line for the log on a move or correction, without the changes of scores.

    Args:
        before: game before it.
        what: the move or correction, which was legal in `before`.
        after: game after it.
        names: players' names by seat.

    Raises:
        IndexError: a player concerned has no name.
    """
    if isinstance(what, Correction):
        return _describe_correction(before, what, names)
    who = "" if what.seat is None else names[what.seat]
    match what.kind:
        case kind if kind in _MOVE_TEXTS:
            return _(_MOVE_TEXTS[kind], who=who, round=after.round_number, colour=_(after.colour))
        case MoveKind.STOP:
            count = len(before.tokens_left)
            return _.plural("Stop: {n} token stays in the middle", "Stop: {n} tokens stay in the middle", count)
        case MoveKind.NEXT if after.phase is Phase.ROUND:
            best_first = sorted(after.score_lines, key=lambda line: (-line.total, line.seat))
            scores = ", ".join(f"{names[line.seat]} {format_number(line.total)}" for line in best_first)
            return _("Round {round} is scored: {scores}", round=after.round_number, scores=scores)
        case MoveKind.NEXT:
            return _("{who}'s pile is scored", who=names[before.participants[before.pile_index]])
        case MoveKind.BACK:
            return _("Back to {who}'s pile", who=names[after.participants[after.pile_index]])
        case MoveKind.NEXT_ROUND:
            is_over = after.phase is Phase.OVER
            message = N_("After round {round} the game is over") if is_over else N_("Round {round} begins")
            return _(message, round=after.round_number)
    assert what.seat is not None, f"{what} belongs to a seat"
    return (
        _describe_take(after, what.seat, who) if what.kind == MoveKind.TAKE else _describe_card(after, what.seat, names)
    )


def _describe_take(after: Pictomania, seat: Seat, who: str) -> str:
    stars = after.bonus_stars[seat]
    if after.phase is Phase.STOP:
        return _.plural(
            "{who} takes the bonus token with {n} star: stop!",
            "{who} takes the bonus token with {n} stars: stop!",
            stars,
            who=who,
        )
    return _.plural(
        "{who} takes the bonus token with {n} star", "{who} takes the bonus token with {n} stars", stars, who=who
    )


def _describe_card(after: Pictomania, seat: Seat, names: Sequence[str]) -> str:
    owner = after.participants[after.pile_index]
    texts = {"owner": names[owner], "who": names[seat]}
    card = after.find_card(seat)
    if card is None:
        return _("{owner}'s pile: no card of {who}", **texts)
    if not card.is_right:
        return _("{owner}'s pile: {who} is wrong, card to the middle", **texts)
    stars = after.list_stars_earned(owner)[after.piles[owner].index(card)]
    return _.plural(
        "{owner}'s pile: {who} is right, {n} star", "{owner}'s pile: {who} is right, {n} stars", stars, **texts
    )


def explain_score(before: Pictomania, after: Pictomania, seat: Seat) -> str:
    """Return the parts of the points of `seat` in the round just scored (P36): "guessed 4, kept -1, bonus 2".

    Empty if the step from `before` to `after` scored no round, or the seat did not take part in it.
    """
    if before.phase is not Phase.SCORING or after.phase is not Phase.ROUND:
        return ""
    for line in after.score_lines:
        if line.seat == seat:
            return _("guessed {plus}, kept {minus}, bonus {bonus}", plus=line.plus, minus=-line.minus, bonus=line.bonus)
    return ""


def label_correctable(_game: Pictomania, what: Correctable | Correction, names: Sequence[str]) -> str:
    """Return the translated name of an entry that may be corrected, for the menu and the log ("Ada's points").

    Args:
        what: entry of `list_correctables`, or a correction of one.
        names: players' names by seat.

    Raises:
        IndexError: the player concerned has no name.
        KeyError: no entry has this kind.
    """
    who = "" if what.seat is None else names[what.seat]
    return _(_CORRECTABLE_LABELS[what.kind], who=who, round=what.index[0] if what.index else 0)


def label_values(game: Pictomania, what: Correctable, _names: Sequence[str]) -> Sequence[str]:
    """Return translated labels for the values that may be entered for `what`, one for each, lowest value first.

    Args:
        game: current game.
        what: entry of `list_correctables`.
        _names: not used.

    Returns:
        Numbers of stars, or colours; empty: the values are shown as numbers.
    """
    match what.kind:
        case CorrectionKind.BONUS:
            stars = (_.plural("{n} star", "{n} stars", count) for count in range(1, what.value_range.high + 1))
            return (_("none"), *stars)
        case CorrectionKind.DIFFICULTY:
            return tuple(_(colour) for colour in game.available_colours)
        case _:
            return ()


def _describe_correction(before: Pictomania, what: Correction, names: Sequence[str]) -> str:
    entry = before.find_correctable(what)
    assert entry is not None, "it has been made"
    (old,), (new,) = entry.current_value, what.value
    match what.kind, what.seat:
        case CommonCorrection.ACTIVE, _:
            return _("Back to {who}'s pile", who=names[new])
        case CommonCorrection.AWAY, int() as seat:
            return _("{who} leaves", who=names[seat]) if new else _("{who} is back", who=names[seat])
    labels, low = label_values(before, entry, names), entry.value_range.low
    was, now = (labels[value - low] if labels else str(value) for value in (old, new))
    return _("Corrected: {thing}, {old} to {new}", thing=label_correctable(before, what, names), old=was, new=now)


def list_preparations(settings: Settings, player_count: int) -> Sequence[str]:
    """Return the translated steps of setting up the table, one line each, in order (P1 to P3, P11, V1, V2).

    Args:
        settings: house rules of the game.
        player_count: number of players, 3 to 6.

    Raises:
        KeyError: `player_count` is not 3 to 6.
    """
    own = ", ".join(str(stars) for stars in settings.scoring_tokens[player_count])
    middle = ", ".join(str(stars) for stars in settings.bonus_tokens[player_count])
    colours = [_(colour) for colour in settings.difficulty_colours]
    cards = settings.word_cards_per_round
    decks = _("Word cards: {colours}; {n} a round", colours=join_and(colours), n=cards)
    if settings.variant == "only_green":
        decks = _("Word cards: only {colour}; {n} a round", colour=colours[0], n=cards)
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
