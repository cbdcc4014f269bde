"""Count the presses of a turn in the best case: nothing is doubtful, and people press only what they must.

    python tools/bench_turns.py

Each turn is played through the real referee and journal. With a camera what lies on the table is read for certain.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from results import record

from companion.api import registry
from companion.events import SEAT_BUTTONS, Button, CupLifted, CupPlaced, DieShown, MemoColour
from companion.games.starfall.state import Phase
from companion.testing.table import TableUnderTest

OK, PLUS, NO = Button.OK, Button.PLUS, Button.NO
ADA, BOB, CLEO = Button.SEAT1, Button.SEAT2, Button.SEAT3
COMMAND = "python tools/bench_turns.py"
HANDS = ((11, 2, 3, 0, 4, 1), (7, 1, 0, 1, 1, 4, 3), (7, 3, 2, 2, 0, 0), (9, 2, 1, 3, 3, 5, 4))
"""StarFall: what each of four players enters in the count."""


class CountedTable(TableUnderTest):
    """A table that counts the presses.

    Attributes:
        presses: number of presses so far.
    """

    presses = 0

    def press(self, *buttons: Button) -> None:
        """Press buttons one after the other."""
        self.presses += len(buttons)
        super().press(*buttons)


def pass_on(table: CountedTable) -> None:
    """Macroscope: Ada takes two tokens and hands the dice on; Bob throws."""
    open_windows(table)
    table.roll(3, 4)
    assert table.game.active_seat == 1


def open_windows(table: CountedTable) -> None:
    """Macroscope: Ada throws 2 and 5, and takes both tokens."""
    table.roll(2, 5)
    table.take_token(2)
    table.take_token(5, window=4)


def guess(table: CountedTable) -> None:
    """Macroscope: Ada guesses, nobody challenges, the windows are covered, Ada was right."""
    open_windows(table)
    table.press(ADA)
    table.cover()
    table.press(ADA)
    assert table.game.round_number == 2


def guess_and_challenge(table: CountedTable) -> None:
    """Macroscope: Ada guesses, Cleo challenges and says another picture, which is right."""
    open_windows(table)
    table.press(ADA, CLEO)
    table.cover()
    table.press(CLEO, CLEO)
    assert table.game.round_number == 2


def open_by_hand(table: CountedTable) -> None:
    """Macroscope without a camera: both dice, both tokens, and nobody wants to guess."""
    table.press(Button.SEAT2, Button.SEAT5, Button.SEAT2, PLUS, NO)
    assert table.game.active_seat == 1


def cover_a_die(table: CountedTable) -> None:
    """Memo Dice: a die is rolled and covered."""
    table.send(DieShown(0, MemoColour.RED, 0.99, table.clock.now))
    table.send(CupPlaced(0, MemoColour.RED, 0.99, table.clock.now))
    assert len(table.game.cup_row) == 1


def lift_a_cup(table: CountedTable) -> None:
    """Memo Dice: of two dice both are covered; the first cup is lifted, and was named rightly."""
    cover_a_die(table)
    table.send(DieShown(1, MemoColour.BLUE, 0.99, table.clock.now))
    table.send(CupPlaced(1, MemoColour.GOLD, 0.99, table.clock.now))
    table.send(CupLifted(0, 0.99, table.clock.now))
    table.press(OK)
    assert table.game.cup_row[0].owner is not None


def fill_a_box(table: CountedTable) -> None:
    """Yacht: three throws, and the best box."""
    for _throw in range(3):
        table.roll(6, 6, 6, 2, 1)
    table.press(ADA)
    assert table.game.active_seat == 1


def throw_and_stop(table: CountedTable) -> None:
    """Pig: three throws, and enough; Bob throws."""
    for die in (5, 4, 6):
        table.roll(die)
    table.press(OK)
    table.roll(3)
    assert table.game.active_seat == 1


def count_hands(table: CountedTable) -> None:
    """StarFall: at the end of a session four count what they own, by symbol."""
    table.press(OK, OK, CLEO, OK)
    table.presses = 0
    for seat, hand in enumerate(HANDS):
        if table.game.phase is Phase.CHOOSE:
            table.press(SEAT_BUTTONS[seat])
        for number in hand:
            table.press(*[PLUS] * ((number - 1) // 6 if number else 0))  # pages of six numbers
            table.press(list(Button)[(number - 1) % 6] if number else OK)
    table.press(OK)
    assert table.game.compute_outcome() is not None


TURNS: dict[str, tuple[str, Callable[[CountedTable], None], dict[str, object]]] = {
    "turn presses macroscope pass": ("macroscope", pass_on, {}),
    "turn presses macroscope guess": ("macroscope", guess, {}),
    "turn presses macroscope challenge": ("macroscope", guess_and_challenge, {}),
    "turn presses macroscope by hand": ("macroscope", open_by_hand, {"camera": False}),
    "turn presses memo dice die": ("memo_dice", cover_a_die, {}),
    "turn presses memo dice cup": ("memo_dice", lift_a_cup, {"dice": 2}),
    "turn presses yacht": ("yacht", fill_a_box, {}),
    "turn presses pig": ("pig", throw_and_stop, {}),
    "turn presses starfall count": ("starfall", count_hands, {"players": 4, "tiles_removed": {"4": 25}}),
}
"""By name of the figure: the game, its turn, and house rules or the camera."""


def count_presses(name: str, folder: Path) -> int:
    """Play a turn of `TURNS` in a folder for its journal; return its presses.

    Raises:
        AssertionError: the turn did not lead where it should.
    """
    game, play, options = TURNS[name]
    table = CountedTable(folder, definition=registry.find_game(game), **options)  # type: ignore[arg-type]  # by name
    play(table)
    table.journal.close()
    return table.presses


def main() -> None:
    """Print and record all turns."""
    with tempfile.TemporaryDirectory() as folder:
        counts = {name: count_presses(name, Path(folder, name)) for name in TURNS}
    for name, count in counts.items():
        print(f"{name.removeprefix('turn presses '):24}{count:3}")
    record(counts, COMMAND)


if __name__ == "__main__":
    main()
