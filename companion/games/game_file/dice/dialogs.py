"""Dialogs of games with dice that a file describes: marking dice to set aside, and the pages of a score sheet.

Both leave the game's own picture on the screen: it shows the marks, and the boxes that the number keys choose.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.api import MIN_SHOWN_SECONDS, Command, CommandName, ConsolePress, Move, NumberPress
from companion.games.game_file.dice.game import DiceGame
from companion.games.game_file.dice.moves import Bank, Choose, Claim, Keep
from companion.games.game_file.dice.state import PROPOSALS, Phase, format_dice
from companion.i18n import _
from companion.referee.dialogs.base import NUMBER_KEYS, Answer, Dialog, Step, ask_question, back_answer
from companion.screen_state import Question


@dataclass(frozen=True)
class DiceMarking(Dialog):
    """Dice on the table are marked one by one; OK sets the marked ones aside together.

    Attributes:
        marked: places of the marked dice on the table, from 1, ascending; at least one.
    """

    game: DiceGame
    names: tuple[str, ...]
    marked: tuple[int, ...]

    @property
    def move(self) -> Move:
        """The move that sets the marked dice aside, legal or not."""
        dice = sorted((self.game.table[place - 1] for place in self.marked), reverse=True)
        return Move(Keep.kind, self.game.active_seat, tuple(dice))

    @property
    def refusal(self) -> str:
        """Why the marked dice cannot be set aside, in the current language; empty: they can be."""
        refusal = self.game.find_refusal(self.move)
        return refusal.describe(self.names) if refusal else ""

    @property
    def prompt(self) -> str:
        """Main line of the screen: how to go on, or why the marked dice alone cannot be set aside."""
        return self.refusal or _("Mark the dice to keep, then OK")

    @property
    def marked_dice(self) -> tuple[int, ...]:
        """Places of the marked dice."""
        return self.marked

    def list_answers(self) -> Sequence[Answer]:
        """List a number key for each die, OK if the marked ones may be set aside, and NO to go back."""
        label = _("Keep")
        if self.game.rules.model.keep == "scoring":
            label = _("Keep {n}", n=self.game.compute_aside_points((*self.game.aside, *self.move.value)) or 0)
        done = [] if self.refusal else [Answer(ConsolePress.OK, label, self.move, awaited=True)]
        return [
            *(
                Answer(NumberPress(place), self._label(place, value), self._toggle(place))
                for place, value in enumerate(self.game.table, 1)
            ),
            *done,
            back_answer(),
        ]

    def _label(self, place: int, value: int) -> str:
        return _("Leave the {n}", n=value) if place in self.marked else _("Keep the {n}", n=value)

    def _toggle(self, place: int) -> Step:
        marked = tuple(sorted({*self.marked} ^ {place}))
        return replace(self, marked=marked) if marked else None


@dataclass(frozen=True, slots=True)
class BoxPage(Dialog):
    """A page of the open boxes of a score sheet: the three best ones (page 0), or the others in their order.

    Attributes:
        page: number of the page; pages after the last one begin again.
    """

    game: DiceGame
    page: int

    @property
    def _pages(self) -> tuple[tuple[int, ...], ...]:
        ranked = self.game.ranked_boxes
        others = sorted(ranked[PROPOSALS:])
        pages = (others[i : i + NUMBER_KEYS] for i in range(0, len(others), NUMBER_KEYS))
        return (ranked[:PROPOSALS], *map(tuple, pages))

    @property
    def prompt(self) -> str:
        """Main line of the screen."""
        return _("Choose a box")

    @property
    def choices(self) -> tuple[int, ...]:
        """Indexes of the boxes on the number keys, from 0."""
        return self._pages[self.page % len(self._pages)]

    def list_answers(self) -> Sequence[Answer]:
        """List a number key for each box of the page, PLUS for the next page, and NO to go back."""
        rules, seat = self.game.rules, self.game.active_seat
        more = (
            []
            if len(self._pages) < 2
            else [Answer(ConsolePress.PLUS, _("More boxes"), replace(self, page=(self.page + 1) % len(self._pages)))]
        )
        return [
            *(
                Answer(
                    NumberPress(key),
                    rules.label_category_key(index),
                    Move(Choose.kind, seat, (index + 1,)),
                    awaited=True,
                )
                for key, index in enumerate(self.choices, 1)
            ),
            *more,
            back_answer(),
        ]


def open_dice_choice(game: DiceGame, names: Sequence[str], command: Command) -> Dialog | None:
    """Open what a game with dice offers behind a command.

    Args:
        game: the game in play.
        command: MARK_DIE with the place of a die on the table, BOXES with the number of a page, or CLAIM.

    Returns:
        The dialog; None: there is no such die.
    """
    if command.name is CommandName.CLAIM:
        return _ask_whose_throw(game, names)
    number = command.value[0]
    if command.name is CommandName.BOXES:
        return BoxPage(game, number)
    return DiceMarking(game, tuple(names), (number,)) if number <= len(game.table) else None


def _ask_whose_throw(game: DiceGame, names: Sequence[str]) -> Dialog | None:
    """Ask whether the last throw was the next player's (G51).

    If not, that player's press ends the turn with it; after the turn, or while a box is chosen, it does nothing.
    """
    seats = game.list_seats(Claim.kind)
    if not seats:
        return None
    end: Step = None
    if game.list_seats(Bank.kind):
        end = Move(Bank.kind, game.active_seat)
    elif game.has_sheet and game.throw_count and game.phase is not Phase.CHOOSE:
        end = BoxPage(game, 0)
    return ask_question(
        Question(_("Was {dice} {who}'s throw?", dice=format_dice(game.last_throw), who=names[seats[0]])),
        (ConsolePress.OK, _("Yes"), Move(Claim.kind, seats[0])),
        (ConsolePress.NO, _("No") if end is None else game.translate("My turn"), end),
        shown_seconds=MIN_SHOWN_SECONDS,
    )
