"""Texts of a Secret Number match: short, for a screen that is read from three metres. No text holds a card's value."""

from collections.abc import Sequence

from companion.api import CommonCorrection, Correctable, Correction, Move, Seat
from companion.games.secret_number.rules import SecretNumber
from companion.games.secret_number.settings import Settings
from companion.games.secret_number.state import CorrectionKind, MoveKind, Phase
from companion.i18n import N_, Translator, format_number, join_and

_ = Translator("secret_number")

PREPARE_PROMPTS = (
    N_("Lay round card 1 out. Choose a calculation"),
    N_("Set the pile aside with its card, lay round card 2 out"),
    N_("Set this pile on the other one, lay round card 3 out"),
)
"""S11 to S13: what is to be done before each round."""
_PROMPTS: dict[str, str] = {
    Phase.DEAL: N_("Game {game} of {games}: deal the cards"),
    Phase.SHOW: N_("3, 2, 1: all show at once!"),
    Phase.ROUND: N_("Lay a card and press your button"),
    Phase.REVEAL: N_("{who}: turn your card. All check: is it the secret number?"),
    Phase.FIX: N_("Is the pile right at card {n}?"),
    Phase.BONUS: N_("{who}: your bonus, 1, 2 or 3?"),
    Phase.RESULT: N_("Game {game} of {games} is scored"),
}
"""What to do in a phase, unless `format_prompt` knows more."""
_MOVE_TEXTS: dict[str, str] = {
    MoveKind.DEALT: N_("Game {game} begins"),
    MoveKind.AGAIN: N_("Somebody holds two zeros: dealt again"),
    MoveKind.READY: N_("All have chosen what to show"),
    MoveKind.WAIT: N_("The countdown is cancelled"),
    MoveKind.GO: N_("All show it: round {round} begins"),
    MoveKind.BONUS: N_("{who} has a bonus of {bonus}"),
    MoveKind.NEXT: N_("Game {game}: {scores}"),
    MoveKind.RIGHT: N_("Card {card}, {who}: right"),
    MoveKind.WRONG: N_("Card {card}, {who}: wrong"),
    MoveKind.FIX: N_("The pile is being corrected"),
    MoveKind.INSERT: N_("A card of {who} was overlooked: it is card {card}"),
    MoveKind.REMOVE: N_("There is no card {card} of {who}"),
    MoveKind.EARLIER: N_("Back to card {earlier}"),
    MoveKind.BACK: N_("The pile is right"),
}
"""Moves that are always described in the same way."""
_CORRECTABLE_LABELS: dict[str, str] = {
    CommonCorrection.AWAY: N_("{who} is away"),
    CommonCorrection.GAME: N_("{who} in game {game}"),
    CorrectionKind.BONUS: N_("{who}'s display bonus"),
    CorrectionKind.TOTAL: N_("{who}'s points"),
    CorrectionKind.CURRENT_ROUND: N_("the round"),
    CorrectionKind.CARD: N_("card {n} of {who}"),
    CorrectionKind.CARD_ROUND: N_("round of card {n} of {who}"),
    CorrectionKind.OWNER: N_("who laid card {n}"),
}


def format_prompt(game: SecretNumber, names: Sequence[str]) -> str:
    """Return one translated sentence for the screen: who is to act and what to do now; after the end, who has won.

    Args:
        game: current game.
        names: players' names by seat.

    Raises:
        IndexError: a player in the sentence has no name.
    """
    match game.phase:
        case Phase.PREPARE:
            return _(PREPARE_PROMPTS[game.round_number - 1])
        case Phase.ROUND if not game.seats_able_to_lay:
            return _("All cards are laid: hold OK to stop")
        case Phase.REVEAL if game.next_card is not None and not game.cards_right:
            return _(
                "{who}: turn the secret and your card. All check: are they the same?", who=names[game.next_card[1]]
            )
        case Phase.FIX if game.next_card is None:
            return _("Whose card lies at the end of the pile?")
        case Phase.OVER:
            winners, points = join_and([names[q] for q in game.leaders]), max(game.totals)
            shared, alone = N_("{names} share the victory with {points}"), N_("{who} wins with {points}")
            return _(shared if len(game.leaders) > 1 else alone, names=winners, who=winners, points=points)
        case phase:
            addressed = get_addressed_seat(game)
            who, card = "" if addressed is None else names[addressed], len(game.cards_right) + 1
            return _(_PROMPTS[phase], who=who, n=card, game=game.game_number, games=game.settings.games)


def get_addressed_seat(game: SecretNumber) -> Seat | None:
    """Return the seat of the player whose name the prompt begins with; None: the prompt is for all."""
    if game.phase is Phase.REVEAL and game.next_card is not None:
        return game.next_card[1]
    return game.bonus_seat


def describe_move(before: SecretNumber, what: Move | Correction, after: SecretNumber, names: Sequence[str]) -> str:
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
    who, card = "" if what.seat is None else names[what.seat], len(before.cards_right) + 1
    if what.kind == MoveKind.LAY:
        count = len(after.current_pile)
        return _.plural(
            "{who} lays a card, {n} card on the pile", "{who} lays a card, {n} cards on the pile", count, who=who
        )
    if what.kind == MoveKind.END:
        return _describe_round_end(before)
    line = _(
        _MOVE_TEXTS[what.kind],
        who=who,
        card=card,
        earlier=card - 1,
        game=before.game_number,
        round=before.round_number,
        bonus=what.value[0] if what.value else 0,
        scores=", ".join(f"{names[q]} {format_number(tally.total)}" for q, tally in enumerate(before.tallies)),
    )
    # S35: cards that need not be asked about any more.
    first, last = card + 1, len(after.cards_right)
    if what.kind not in (MoveKind.RIGHT, MoveKind.WRONG) or first > last:
        return line
    if first < last:
        return _("{line}, cards {first} to {last} are wrong", line=line, first=first, last=last)
    return _("{line}, card {last} is wrong", line=line, last=last)


def _describe_round_end(before: SecretNumber) -> str:
    r, count = before.round_number, len(before.current_pile)
    if not count:
        return _("Round {round} is over, no cards on the pile", round=r)
    return _.plural(
        "Round {round} is over, {n} card on the pile", "Round {round} is over, {n} cards on the pile", count, round=r
    )


def describe_changes(what: Move | Correction, after: SecretNumber, names: Sequence[str]) -> str:
    """Return the changes of the totals, for the end of the log line: " (Ada +3, Bob -1)"; empty: none to report.

    Args:
        what: move or correction that led to `after`; most corrections report nothing here.
        after: game after it.
        names: players' names by seat.

    Raises:
        IndexError: a player concerned has no name.
    """
    changes = [f"{names[q]} {format_number(f'{change:+d}')}" for q, change in enumerate(after.changes) if change]
    return f" ({', '.join(changes)})" if changes and isinstance(what, Move) else ""


def label_correctable(game: SecretNumber, what: Correctable | Correction, names: Sequence[str]) -> str:
    """Return the translated name of an entry that may be corrected, for the menu and the log ("Ada's points").

    Args:
        what: entry of `list_correctables`, or a correction of one.
        names: players' names by seat.

    Raises:
        IndexError: the player concerned has no name.
        KeyError: no entry has this kind.
    """
    n = what.index[0] if what.index else 0
    seat = what.seat
    if seat is None and n:
        seat = game.cards_in_order[n - 1][1]
    return _(_CORRECTABLE_LABELS[what.kind], who="" if seat is None else names[seat], n=n, game=n)


def label_values(game: SecretNumber, what: Correctable, names: Sequence[str]) -> Sequence[str]:
    """Return translated labels for the values that may be entered for `what`, one for each, lowest value first.

    Args:
        game: current game.
        what: entry of `list_correctables`.
        names: players' names by seat.

    Returns:
        Names of players, or wrong and right; empty: the values are shown as numbers.
    """
    if what.kind == CorrectionKind.OWNER:
        return tuple(names[: game.player_count])
    return (_("wrong"), _("right")) if what.kind == CorrectionKind.CARD else ()


def _describe_correction(before: SecretNumber, what: Correction, names: Sequence[str]) -> str:
    entry = before.find_correctable(what)
    assert entry is not None, "it has been made"
    (old,), (new,) = entry.current_value, what.value
    thing = label_correctable(before, what, names)
    match what.kind, what.seat:
        case CommonCorrection.AWAY, int() as seat:
            return _("{who} is away", who=names[seat]) if new else _("{who} is back", who=names[seat])
        case CorrectionKind.CARD, _seat:
            message = (
                N_("Corrected: card {n} of {who} is right") if new else N_("Corrected: card {n} of {who} is wrong")
            )
            (n,) = what.index
            return _(message, n=n, who=names[before.cards_in_order[n - 1][1]])
        case CorrectionKind.OWNER, _seat:
            return _("Corrected: {thing}, {new} and not {old}", thing=thing, new=names[new], old=names[old])
        case _:
            return _("Corrected: {thing}, {old} to {new}", thing=thing, old=old, new=new)


def list_preparations(_settings: Settings, player_count: int) -> Sequence[str]:
    """Return the translated steps of setting up the table, one line each, in order (S1 to S3).

    How to deal is not in it: the first screen of each game says so.

    Args:
        _settings: not used.
        player_count: number of players, 2 to 5; it is not checked.
    """
    return (
        _("Number cards 0 to {most}, two of each", most=player_count),
        _("Answer cards 0 to {most}, a colour each", most=player_count),
        _("Each: 2 display cards, cover, symbol"),
        _("Round cards 1 to 3, the fastest card"),
    )
