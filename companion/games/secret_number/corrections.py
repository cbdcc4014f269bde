"""Corrections of a Secret Number match, in the order of the menu: recent entries, totals, then what is rare."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.api import (
    N_,
    Away,
    BadCorrection,
    CommonCorrection,
    Correctable,
    Correction,
    CorrectionKind,
    EarlierRound,
    Score,
    Seat,
    adjust,
    replace_at,
    replace_in_round,
)
from companion.games.secret_number.settings import DISPLAY_BONUSES, ROUNDS_PER_GAME
from companion.games.secret_number.state import (
    REVEAL_PHASES,
    ROUND_PHASES,
    Phase,
    SecretNumberState,
    _,
    advance_reveal,
    group_cards,
)

MAX_POINTS = 999
"""Highest points of a game or total that may be entered, and with a minus sign the lowest; no match gives as many."""


class CardCorrection(CorrectionKind[SecretNumberState]):
    """Something about a card on the pile; its index is the card's number from 1."""

    phases: tuple[Phase, ...] = REVEAL_PHASES

    def format_label(self, game: SecretNumberState, what: Correctable | Correction, names: Sequence[str]) -> str:
        (n,) = what.index
        return _(self.label, n=n, who=names[game.cards_in_order[n - 1][1]])


class CardRight(CardCorrection):
    """Whether a card is right; S35: a right card makes the same player's other cards wrong."""

    kind = "card"
    label = N_("card {n} of {who}")

    def list_entries(self, game: SecretNumberState) -> Iterator[Correctable]:
        for i in range(len(game.cards_right) - 1, -1, -1):
            yield self.make_entry(game.cards_right[i], 0, 1, index=(i + 1,))

    def apply(self, game: SecretNumberState, correction: Correction) -> SecretNumberState:
        i, is_right = correction.index[0] - 1, bool(correction.value[0])
        owner = game.cards_in_order[i][1]
        others = (
            mark and not (is_right and game.cards_in_order[place][1] == owner)
            for place, mark in enumerate(game.cards_right)
        )
        return advance_reveal(replace(game, cards_right=replace_at(tuple(others), i, is_right)))

    def label_values(
        self, game: SecretNumberState, what: Correctable | Correction, names: Sequence[str]
    ) -> Sequence[str]:
        return (_("wrong"), _("right"))

    def describe(self, before: SecretNumberState, what: Correction, old: Correctable, names: Sequence[str]) -> str:
        right, wrong = N_("Corrected: card {n} of {who} is right"), N_("Corrected: card {n} of {who} is wrong")
        (n,) = what.index
        return _(right if what.value[0] else wrong, n=n, who=names[before.cards_in_order[n - 1][1]])


class CardOwner(CardCorrection):
    """Who laid a card: in a round the last one, at the reveal all up to the next one."""

    kind = "who laid card"
    label = N_("who laid card {n}")

    phases = (*ROUND_PHASES, *REVEAL_PHASES)

    def list_entries(self, game: SecretNumberState) -> Iterator[Correctable]:
        cards = game.cards_in_order
        known = list_known(game) if game.phase in REVEAL_PHASES else range(len(cards))[-1:]
        for i in known:
            yield self.make_entry(cards[i][1], 0, game.player_count - 1, index=(i + 1,))

    def apply(self, game: SecretNumberState, correction: Correction) -> SecretNumberState:
        cards, i, seat = game.cards_in_order, correction.index[0] - 1, Seat(correction.value[0])
        who = {"who": seat}
        if seat not in game.participants:
            raise BadCorrection("S3", _("{who} has no cards in this game"), who)
        if cards[i][1] == seat:
            return advance_reveal(game)
        if game.count_cards_laid(seat) >= game.hand_size:
            raise BadCorrection("S22", _("{who} has laid all {n} cards of this game"), who, n=game.hand_size)
        if game.cards_right[i : i + 1] == (True,) and seat in game.seats_right:
            raise BadCorrection("S35", _("{who} has a right card already"), who)
        return advance_reveal(replace(game, piles=group_cards(replace_at(cards, i, (cards[i][0], seat)))))

    def label_values(
        self, game: SecretNumberState, what: Correctable | Correction, names: Sequence[str]
    ) -> Sequence[str]:
        return tuple(names[: game.player_count])

    def describe(self, before: SecretNumberState, what: Correction, old: Correctable, names: Sequence[str]) -> str:
        (was,), (now,) = old.current_value, what.value
        thing = self.format_label(before, what, names)
        return _("Corrected: {thing}, {new} and not {old}", thing=thing, new=names[now], old=names[was])


class CardRound(CardCorrection):
    """In which round a card was laid. It stays in its place, so only the round cards around it can lie elsewhere."""

    kind = "round of card"
    label = N_("round of card {n} of {who}")

    def list_entries(self, game: SecretNumberState) -> Iterator[Correctable]:
        cards = game.cards_in_order
        for i in list_known(game):
            low = cards[i - 1][0] if i else 1
            high = cards[i + 1][0] if i + 1 < len(cards) else ROUNDS_PER_GAME
            if low < high:
                yield self.make_entry(cards[i][0], low, high, index=(i + 1,))

    def apply(self, game: SecretNumberState, correction: Correction) -> SecretNumberState:
        i = correction.index[0] - 1
        cards = replace_at(game.cards_in_order, i, (correction.value[0], game.cards_in_order[i][1]))
        return advance_reveal(replace(game, piles=group_cards(cards)))


class DisplayBonus(CorrectionKind[SecretNumberState]):
    """S34: the bonus on a player's display card."""

    kind = "bonus"
    label = N_("{who}'s display bonus")

    phases = REVEAL_PHASES

    def list_entries(self, game: SecretNumberState) -> Iterator[Correctable]:
        for seat in game.seats_right:
            if bonus := game.display_bonuses[seat]:
                yield self.make_entry(bonus, DISPLAY_BONUSES[0], DISPLAY_BONUSES[-1], seat=seat)

    def apply(self, game: SecretNumberState, correction: Correction) -> SecretNumberState:
        bonuses = replace_at(game.display_bonuses, correction.player, correction.value[0])
        return advance_reveal(replace(game, display_bonuses=bonuses))


class CurrentRound(CorrectionKind[SecretNumberState]):
    """Another round is being played than the ledger says; cards laid since then lie in it."""

    kind = "round"
    label = N_("the round")

    phases = ROUND_PHASES

    def list_entries(self, game: SecretNumberState) -> Iterator[Correctable]:
        yield self.make_entry(game.round_number, 1, ROUNDS_PER_GAME)

    def apply(self, game: SecretNumberState, correction: Correction) -> SecretNumberState:
        (number,) = correction.value
        if number >= game.round_number:
            return replace(game, round_number=number)
        cards = [(min(r, number), seat) for r, seat in game.cards_in_order]
        return replace(game, round_number=number, piles=group_cards(cards))


CORRECTIONS: tuple[CorrectionKind[SecretNumberState], ...] = (
    *(CardRight(), CardOwner(), CardRound()),
    # Before all else that belongs to a seat: in the menu, a player's own button leads to the first of these.
    Score(
        "total",
        N_("{who}'s points"),
        -MAX_POINTS,
        MAX_POINTS,
        lambda game: game.totals,
        # The difference is kept beside the sums of the games.
        lambda game, totals: replace(game, total_adjustments=adjust(game.total_adjustments, game.totals, totals)),
    ),
    DisplayBonus(),
    EarlierRound(
        N_("{who} in game {n}"),
        -MAX_POINTS,
        MAX_POINTS,
        lambda game: game.earlier_scores,
        lambda game, seat, place, score: replace(
            game, earlier_scores=replace_in_round(game.earlier_scores, place, seat, score)
        ),
        CommonCorrection.GAME,
    ),
    *(CurrentRound(), Away()),
)


def list_known(game: SecretNumberState) -> range:
    """Return the indices of the cards turned and of the next one, the latest first."""
    return range(min(len(game.cards_right) + 1, len(game.cards_in_order)) - 1, -1, -1)
