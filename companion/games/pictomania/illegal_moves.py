"""Why a Pictomania move is refused: the rule (`docs/rules/pictomania.md`), the reason, the players concerned.

Messages about what only a program could try are in English: they are never shown at a table.
"""

from companion.api import IllegalMove, Move, Seat, first_reason
from companion.games.pictomania.settings import CLUE_COUNT
from companion.games.pictomania.state import MoveKind, Phase, PictomaniaState
from companion.i18n import N_, Translator

_ = Translator("pictomania")

_TABLE_MOVES: dict[str, tuple[str, str]] = {
    MoveKind.COLOUR: ("P10", N_("the difficulty is chosen before the cards are dealt")),
    MoveKind.DEAL: ("P12", N_("the cards are dealt already")),
    MoveKind.START: ("P14", N_("the start signal follows when all have read the clues")),
    MoveKind.GO: ("P14", N_("the drawing begins with the start signal")),
    MoveKind.STOP: ("P26", N_("nobody is drawing now")),
    MoveKind.SCORE: ("P30", N_("the piles are turned over when the drawing is over")),
    MoveKind.NEXT: ("P30", N_("no pile is being scored now")),
    MoveKind.BACK: ("P30", N_("there is no pile before this one")),
    MoveKind.NEXT_ROUND: ("P40", N_("the next round begins when all piles of this one are scored")),
}
"""Moves that belong to no seat: the rule that says when they are made, and the refusal at any other time."""
_OWNER_MOVES = (MoveKind.MISDRAWN, MoveKind.DRAWN, MoveKind.NUMBER)


def explain_refusal(state: PictomaniaState, move: Move) -> IllegalMove:
    """Return (not raise) the error that explains why `move` is not legal in `state`.

    `move` must not be legal: of a legal one the reason would be wrong. The error holds the number of the rule that
    forbids it, the translated reason and the seats concerned.
    """
    if move.kind not in list(MoveKind):
        return IllegalMove("P20", f"'{move.kind}' is not a move of this game")
    if state.phase is Phase.OVER:
        rounds = state.settings.rounds
        message = _.plural("the game is over after {n} round", "the game is over after {n} rounds", rounds)
        return IllegalMove("P40", message)
    if move.kind in _TABLE_MOVES:
        return _explain_table_move(state, move)
    if move.seat is None or not 0 <= move.seat < state.player_count:
        return IllegalMove("P1", f"{move.kind} needs one of the {state.player_count} seats, not {move.seat}")
    if move.kind == MoveKind.TAKE:
        return _explain_take(state, move.seat)
    if state.pile_owner is None:
        return IllegalMove("P30", _("no pile is being scored now"))
    if move.kind in _OWNER_MOVES:
        return _explain_owner_move(state, move, move.seat, state.pile_owner)
    return _explain_guesser_move(state, move, move.seat, state.pile_owner)


def _explain_table_move(state: PictomaniaState, move: Move) -> IllegalMove:
    if move.seat is not None or move.value:
        return IllegalMove("P1", f"{move.kind} belongs to no seat, and has no value")
    if move.kind == MoveKind.COLOUR and state.phase is Phase.DIFFICULTY:
        return IllegalMove("V1", _("this game is played with {colour} cards only"), colour=_(state.colour))
    rule, message = _TABLE_MOVES[move.kind]
    return IllegalMove(rule, _(message))


def _explain_take(state: PictomaniaState, seat: Seat) -> IllegalMove:
    is_drawing = state.phase is Phase.DRAWING
    reasons = (
        (
            state.phase is Phase.STOP and not state.tokens_left,
            "P25",
            _("the last bonus token is taken, the drawing is over"),
        ),
        (not is_drawing, "P24", _("bonus tokens are taken while everybody draws")),
        (seat not in state.round_seats, "P24", _("{who} takes part from the next round on")),
        (
            is_drawing and state.bonus_stars[seat],
            "P24",
            _("{who} has taken a bonus token and is finished"),
        ),
        (state.away[seat], "P24", _("{who} is away")),
        (True, "P24", _("the best token that is left is taken, and no value is named")),
    )
    return first_reason(*((applies, IllegalMove(rule, text, {"who": seat})) for applies, rule, text in reasons))


def _explain_owner_move(state: PictomaniaState, move: Move, seat: Seat, owner: Seat) -> IllegalMove:
    number, own_number = _get_card_number(move), state.owner_numbers[owner]
    dealt_to = Seat(state.owner_numbers.index(number)) if number in state.owner_numbers else owner
    reasons = (
        (seat != owner, "P30", _("it is {owner}'s pile that is being scored, not {who}'s")),
        (move.kind == MoveKind.DRAWN, "P31", _("nobody has said that {owner} drew another clue")),
        (state.drew_wrong_clue[owner], "P31", _("all cards have gone back from {owner}'s pile")),
        (move.kind == MoveKind.MISDRAWN, "P31", "a wrong drawing has no value"),
        (number is None, "P12", _("a number card has a number from 1 to {most}")),
        (own_number, "P12", _("{owner}'s number is a {own_number}")),
        (number in state.owner_numbers, "P12", _("{dealt_to} was dealt the {number}")),
        (True, "P21", _("somebody's {number} lies on another pile, and cannot be right here")),
    )
    seats = {"owner": owner, "who": seat, "dealt_to": dealt_to}
    values = {"number": number, "own_number": own_number, "most": CLUE_COUNT}
    return first_reason(*((applies, IllegalMove(rule, text, seats, **values)) for applies, rule, text in reasons))


def _explain_guesser_move(state: PictomaniaState, move: Move, seat: Seat, owner: Seat) -> IllegalMove:
    kind, card, number = move.kind, state.find_card(seat), _get_card_number(move)
    if kind == MoveKind.RIGHT:
        number = state.owner_numbers[owner]
    elsewhere = None if number is None else state.find_pile_with(seat, number)
    is_card = kind == MoveKind.CARD
    reasons = (
        (seat == owner, "P21", _("{who} cannot guess at an own drawing")),
        (seat not in state.round_seats, "P21", _("{who} takes part from the next round on")),
        (state.drew_wrong_clue[owner], "P31", _("all cards have gone back from {owner}'s pile")),
        (card and kind in (MoveKind.RIGHT, MoveKind.CARD), "P21", _("{who} has a card on this pile already")),
        (not card and kind == MoveKind.OFF, "P21", _("{who} has no card on this pile")),
        (is_card and not state.owner_numbers[owner], "P22", _("turn over {owner}'s number card first")),
        (is_card and number is None, "P1", _("a guess card has a number from 1 to {most}")),
        (
            move.value and not is_card,
            "P22",
            f"only a card that is entered as such has a number, not '{kind}'",
        ),
        (kind == MoveKind.OFF, "P21", _("{who}'s card was right; say first that it was wrong")),
        (card and kind == MoveKind.WRONG, "P32", _("{who}'s card is wrong already")),
        (kind == MoveKind.WRONG, "P32", _("{who} has no card on this pile")),
        (True, "P21", _("{who} has put the {number} on {elsewhere}'s pile")),
    )
    seats = {"who": seat, "owner": owner, "elsewhere": owner if elsewhere is None else elsewhere}
    values = {"number": number, "most": CLUE_COUNT}
    return first_reason(*((applies, IllegalMove(rule, text, seats, **values)) for applies, rule, text in reasons))


def _get_card_number(move: Move) -> int | None:
    """Return the number of the card that `move` enters; None: it has none, or no card has it."""
    return move.value[0] if len(move.value) == 1 and 1 <= move.value[0] <= CLUE_COUNT else None
