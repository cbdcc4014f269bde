"""The reveal of Secret Number: the card in question between the others, and what help there is."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.display.api import (
    INK,
    TEXT_EM,
    TITLE_EM,
    Canvas,
    Player,
    Rect,
    Typeface,
    format_signed,
    split_grid,
    split_left,
    split_right,
)
from companion.games.secret_number.display.cards import (
    CARD_ASPECT_RATIO,
    draw_card_back,
    draw_card_face,
    draw_round_card,
    lay_out_cards,
)
from companion.games.secret_number.state import Phase, SecretNumberState, _

MAX_REVEALED_CARD_WIDTH = 19.0
"""Width of a card at the reveal at most, in units."""
MAX_REVEALED_CARDS = 8
"""Cards beside the one in question at most: more would be too small to be seen from afar."""


def draw_reveal(
    canvas: Canvas, rect: Rect, view: SecretNumberState, players: Sequence[Player], flip: float = 1.0
) -> None:
    """Draw the card in question as large as there is room, beside it the cards before and after it in their order.

    Round cards stand before the cards of their rounds.

    Args:
        flip: how far the card in question has come to the front, 0 to 1.

    Raises:
        IndexError: a seat in the view has no player.
    """
    played = {card.round_number for card in view.laid_cards}
    rounds = [r for r in range(1, len(view.settings.round_bonus) + 1) if r in played]
    if not rounds:
        canvas.draw_text(rect, _("No card was laid"), TITLE_EM, INK, face=Typeface.DISPLAY, align=0.5)
        return
    asked, is_asked = len(view.cards_right), len(view.cards_right) < len(view.laid_cards)
    items = _list_revealed(view, rounds)
    middle = next((i for i, item in enumerate(items) if item.place == asked), len(items))
    first = max(0, min(middle - MAX_REVEALED_CARDS // 2, len(items) - MAX_REVEALED_CARDS))
    items = items[first : first + MAX_REVEALED_CARDS]
    whole, large = rect, Rect(rect)
    if is_asked:
        large, rect = split_left(rect, min(rect.h * 9 // 10, rect.w // 3), canvas.px(3))
        large = large.inflate(-canvas.px(1), -canvas.px(1))  # its edge reaches beyond it
        large.w = min(large.w, round(large.h * CARD_ASPECT_RATIO))
        left = large.right + canvas.px(4)
        rect = Rect(left, rect.top, rect.right - left, rect.h)
    slots = lay_out_cards(canvas, rect, len(items), MAX_REVEALED_CARD_WIDTH)
    # A few cards stand in the middle, together with the one in question.
    shift = (whole.right - max(slot.right for slot in slots)) // 2
    if is_asked:
        card = Rect(large.left, large.top, max(1, round(large.w * max(0.08, flip))), large.h)
        card.centerx = large.centerx + shift
        draw_card_back(canvas, card, players[view.laid_cards[asked].seat], is_marked=flip >= 1.0)
    for item, slot in zip(items, slots, strict=True):
        slot.x += shift
        if item.place is None:
            draw_round_card(canvas, slot, item.round_number, view.settings.round_bonus[item.round_number - 1])
            continue
        laid = view.laid_cards[item.place]
        if item.place < asked:
            draw_card_face(canvas, slot, players[laid.seat], laid)
        else:
            draw_card_back(canvas, slot, players[laid.seat], is_marked=item.place == asked)


class _Revealed(NamedTuple):
    """A card of the reveal: a round's own, or one with its place in the order of turning, from 0."""

    round_number: int
    place: int | None


def _list_revealed(view: SecretNumberState, rounds: Sequence[int]) -> list[_Revealed]:
    """List each round's card and after it the cards that were laid in the round."""
    items: list[_Revealed] = []
    index = 0
    for r in rounds:
        items.append(_Revealed(r, None))
        for _card in (card for card in view.laid_cards if card.round_number == r):
            items.append(_Revealed(r, index))
            index += 1
    return items


def draw_reveal_help(canvas: Canvas, rect: Rect, view: SecretNumberState, players: Sequence[Player]) -> None:
    """Draw help for the reveal: who has the fastest card, how to correct a pile (S25), where the bonus is (S34).

    Raises:
        IndexError: a seat in the view has no player.
    """
    text = ""
    match view.phase:
        case Phase.FIX:
            text = _("Press your button: your card lies before the marked one")
            if view.next_card is None:
                text = _("Press your button: your card lies at the end")
            if not view.seats_able_to_insert:
                text = _("All answer cards lie in the pile")
        case Phase.BONUS if view.settings.bonus_table:
            _draw_bonus_table(canvas, rect, view)
        case Phase.BONUS:
            text = _("The bonus is on your display card: press 1, 2 or 3")
        case _ if not view.cards_right:
            text = _("This pile onto the others, turn all over as one block: the first card lies on top")
        case _:
            label = _("Fastest card {points}:", points=format_signed(view.settings.fastest_bonus))
            drawn = canvas.draw_text(rect, label, TEXT_EM, INK, face=Typeface.DISPLAY)
            rest = split_left(rect, drawn.w, canvas.px(2))[1]
            name = _("nobody yet")
            if view.fastest_seat is not None:
                player = players[view.fastest_seat]
                name = player.name
                rest = canvas.draw_badge_left(rest, player.button, min(canvas.px(6), rect.h), gap=1.5)
            count = _("Card {n} of {count}", n=len(view.cards_right) + 1, count=len(view.laid_cards))
            width = canvas.text_width(count, face=Typeface.DISPLAY)
            has_room = width + canvas.px(2) + canvas.text_width(name, face=Typeface.DISPLAY) <= rest.w
            if len(view.cards_right) < len(view.laid_cards) and has_room:
                place, rest = split_right(rest, width, canvas.px(2))
                canvas.draw_text(place, count, TEXT_EM, INK, face=Typeface.DISPLAY, align=1.0)
            canvas.draw_text(rest, name, TEXT_EM, INK, face=Typeface.DISPLAY)
    if text and canvas.preferences.has_keys:  # a film asks for nothing
        lines = 3 if canvas.is_portrait else 2
        canvas.draw_text(rect, text, TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=lines)


def _draw_bonus_table(canvas: Canvas, rect: Rect, view: SecretNumberState) -> None:
    """Draw which results give which bonus, for display cards that do not say it."""
    listed = [" ".join(map(str, results)) or "–" for _bonus, results in view.settings.bonus_table]
    cells = split_grid(rect, 1 if canvas.is_portrait else len(listed), len(listed) if canvas.is_portrait else 1, 0)
    for (bonus, _results), results, cell in zip(view.settings.bonus_table, listed, cells, strict=True):
        drawn = canvas.draw_text(cell, format_signed(bonus), TITLE_EM, INK, face=Typeface.DISPLAY)
        rest = split_left(cell, drawn.w, canvas.px(1.2))[1]
        canvas.draw_text(rest, results, TEXT_EM, INK, face=Typeface.DISPLAY, max_lines=2)
