"""Every game with the real referee and random players who press, correct, leave and come back, undo, wait until the
clocks expire, and pull the plug at any moment. However odd it gets, the game stays playable and comes to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from companion.events import SEAT_BUTTONS, Button
from companion.games import registry
from companion.games.api.game import BadCorrection, Correction, Move, Seat
from companion.games.api.offers import Command, CommandName, ConsolePress, HoldSeatPress, Offer
from companion.games.starfall import SkyTile
from companion.journal.replay import SavedGame
from companion.referee.button_mapping import find_button
from companion.referee.dialogs.correction_menu import open_value_editor
from companion.referee.dialogs.inputs import NumberInput
from companion.screen_state import ScreenKind
from tests.games.game_checks import is_legal, label_all
from tests.referee.harness import TableUnderTest

Tables = Callable[..., TableUnderTest]

STEPS = 120
LONGEST = 6_000
"""Presses within which any game comes to its end."""
WAITS = (0.3, 5.0, 40.0, 2_000.0)
LIKED = {CommandName.CONTINUE: 3.0, CommandName.ANSWER: 1.0, CommandName.DIGIT: 1.0, CommandName.PAUSE: 0.02}
"""The referee's own commands, by how much people like them; those that are not here are left alone."""


def tokens(random: Random) -> dict[int, tuple[int, ...]]:
    return {players: tuple(random.randint(1, 9) for _ in range(players - 1)) for players in range(3, 7)}


def box(random: Random) -> tuple[dict[str, int], ...]:
    return tuple({name: random.choice((0, 0, 1, 2, 20)) for name in SkyTile.model_fields} for _ in range(27))


EXTREMES: Mapping[str, Callable[[Random], Mapping[str, tuple[Any, ...]]]] = {
    "macroscope": lambda _: {"rounds": (1, 3), "dice": ("on", "off"), "ask_seconds": (0, 5), "variant": ("easy",)},
    "memo_dice": lambda _: {
        "start_square": (0, 1),
        "target_square": (2, 20),
        "gold_value": (0, 10),
        "cups_per_colour": (1, 2, 3),
        "dice": (2, 3, 9),
        "memorise_seconds": (0.5, 120),
        "answer_seconds": (0.5, 600),
    },
    "pictomania": lambda random: {
        "variant": ("only_green", "one_card"),
        "rounds": (1, 2, 5),
        "bonus_tokens": (tokens(random),),
        "scoring_tokens": (tokens(random),),
        "reading_seconds": (1, 600),
        "drawing_seconds": (1, 1800),
    },
    "score_keeper": lambda _: {
        "turn_order": ("clockwise", "auction"),
        "target_points": (1, 50, 9999),
        "by_rounds": (True,),
        "rounds": (1, 9),
        "lowest_wins": (True,),
        "teams": (True,),
        "clock": ("turn", "chess"),
        "turn_seconds": (5, 3600),
        "bank_seconds": (30, 35999),
        "delay_seconds": (0, 300),
        "overtime_seconds": (0, 600),
        "time_up": ("next_player",),
    },
    "secret_number": lambda _: {
        "games": (1, 3),
        "round_seconds": (15, 900),
        "show_seconds": (0, 10),
        "fastest_bonus": (0, 9),
        "round_bonus": ((0, 0, 0), (9, 9, 9)),
        "card_points": ((-9, 9), (0, 0)),
        "choose_seconds": (1, 3600),
    },
    "starfall": lambda random: {
        "start_dust": (1, 7, 200),
        "tiles_removed": ({2: 25, 3: 25, 4: 25}, {2: 0, 3: 0, 4: 0}),
        "board_max_tiles": (2, 3),
        "top_space": (3, 11),
        "stars_tie": ("none",),
        "stars_all_equal": ("as_tied",),
        "tile_pays": ("space_number",),
        "token_change": (False,),
        "running_score": (True,),
        "turn_seconds": (1, 600),
        "catalogue": (box(random), box(random)[:7]),
    },
}
"""By game: house rules at their extremes. Each is used now and then."""


class People:
    """Random players at one table."""

    def __init__(self, table: Tables, name: str, seed: int) -> None:
        self.random = Random(f"{name} {seed}")
        kit = registry.find_game(name)
        rules = {
            rule: self.random.choice(values)
            for rule, values in EXTREMES[name](self.random).items()
            if self.random.random() < 0.3
        }
        plain = kit.settings_model.model_validate(rules).model_dump(mode="json")
        buttons = self.random.sample(SEAT_BUTTONS, len(SEAT_BUTTONS))
        self.table = table(
            self.random.choice(kit.player_counts), definition=kit, camera=False, buttons=buttons, **plain
        )
        self.at = f"{name}, seed {seed}"

    def play(self) -> None:
        for i in range(STEPS):
            if self.table.referee.exit:
                break
            self.look(f"{self.at}, step {i}")
            self.do_anything()
        assert SavedGame(self.table.journal, self.table.saved_game.id, self.table.definition).game == self.table.game
        self.end()

    def end(self) -> None:
        """Play to the end by sensible presses alone."""
        for _ in range(LONGEST):
            table = self.table
            if table.referee.exit or (table.state.kind is ScreenKind.RESULT and table.referee.dialog is None):
                return
            self.look(f"{self.at}, on the way to its end")
            self.press_what_is_offered()
        pytest.fail(f"{self.at}: no end; {self.table.state.prompt}; {self.table.referee.dialog}")

    # What they do -------------------------------------------------------------------------------------------------

    def do_anything(self) -> None:
        table, random = self.table, self.random
        chance = random.random()
        if chance < 0.04:
            table.hold(Button.NO)
        elif chance < 0.06 and table.saved_game.can_redo and table.referee.dialog is None:
            table.correct("Redo")
        elif chance < 0.10:
            table.wait(random.choice(WAITS))
        elif chance < 0.13:
            table.press(random.choice(list(Button)))
        elif chance < 0.14:
            table.restart()
        elif chance < 0.24:
            self.correct(chance < 0.18)
        else:
            self.press_what_is_offered()

    def correct(self, presence: bool) -> None:
        """Correct anything that the menu lists, to any value that can be entered; impossible values are refused."""
        game = self.table.game
        listed = [c for c in game.list_correctables() if not presence or c.kind == "away"]
        if not listed:
            return
        what = self.random.choice(listed)
        low, high = what.value_range.low, what.value_range.high
        wild = tuple(self.random.choice((low, high, self.random.randint(low, high))) for _ in what.current_value)
        try:
            game.correct(what.make_correction(*wild))
        except BadCorrection:
            return
        self.table.referee._apply(what.make_correction(*wild))

    def press_what_is_offered(self) -> None:
        liked = [(offer, self.liking(offer)) for offer in self.table.referee.list_offers()]
        liked = [(offer, liking) for offer, liking in liked if liking]
        self.table.wait(0.5)
        if not liked:
            self.table.press(Button.NO)
            return
        (offer,) = self.random.choices([offer for offer, _ in liked], [liking for _, liking in liked])[:1]
        button = find_button(offer.input, self.table.saved_game.setup.buttons)
        assert button is not None
        is_held = offer.input is ConsolePress.HOLD_OK or isinstance(offer.input, HoldSeatPress)
        (self.table.hold if is_held else self.table.press)(button)

    def liking(self, offer: Offer) -> float:
        if find_button(offer.input, self.table.saved_game.setup.buttons) is None:
            return 0.0
        match offer.action:
            case Move():
                return self.table.definition.bot_weight(self.table.game, offer) + 0.02
            case Correction():
                return 0.3
            case Command(CommandName.ANSWER) if offer.input is ConsolePress.NO:
                return 0.3
            case Command(name):
                return LIKED.get(name, 0.0)

    # What must be so at every moment ------------------------------------------------------------------------------

    def look(self, at: str) -> None:
        self.check_offers(at)
        self.check_clocks(at)
        self.check_corrections(at)
        shown = self.table.state
        assert shown.prompt, at
        assert "None" not in shown.prompt, at
        assert "seat " not in (shown.notice or ""), (at, shown.notice)

    def check_offers(self, at: str) -> None:
        table = self.table
        buttons: dict[Button, Offer] = {}
        for offer in table.referee.list_offers():
            assert offer.label, (at, offer)
            if isinstance(offer.action, Move) and offer.action.value_range is None:
                assert is_legal(table.game, offer.action), (at, offer)
            if offer.input is ConsolePress.HOLD_NO or isinstance(offer.input, HoldSeatPress):
                continue
            button = find_button(offer.input, table.saved_game.setup.buttons)
            if button is not None:
                assert buttons.setdefault(button, offer).action == offer.action, (at, "two on one button", offer)
        assert buttons, (at, "nothing can be pressed")

    def check_clocks(self, at: str) -> None:
        for clock in self.table.game.list_clocks():
            assert clock.seconds > 0, at
            assert clock.on_expiry is None or is_legal(self.table.game, clock.on_expiry), (at, clock)

    def check_corrections(self, at: str) -> None:
        table, names = self.table, self.table.saved_game.setup.players
        words = label_all(table.definition, table.game, names)
        listed = table.game.list_correctables()
        assert len({words[c.stored_kind, c.seat] for c in listed}) == len(listed), (
            at,
            "two lines of the menu are the same",
        )
        for what in listed:
            assert what.current_value in what.value_range, (at, what)
            said = table.definition.value_labels(table.game, what, names)
            dialog = open_value_editor("", what, names, said)
            if isinstance(dialog, NumberInput) and said:
                assert len(said) == what.value_range.high - what.value_range.low + 1, (at, what)
            assert dialog.list_offers(), (at, what)


@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("name", sorted(EXTREMES))
def test_random_players_break_no_invariant(table: Tables, name: str, seed: int) -> None:
    People(table, name, seed).play()


@pytest.mark.proof
@pytest.mark.parametrize("name", sorted(EXTREMES))
def test_two_hundred_random_games_break_no_invariant(table: Tables, name: str) -> None:
    for seed in range(100, 300):
        People(table, name, seed).play()


def test_every_installed_game_is_covered() -> None:
    assert set(EXTREMES) == set(registry.list_game_names())


def test_any_player_may_leave_and_come_back_in_every_phase(table: Tables) -> None:
    """Except for the last players that a game needs; a player who comes back has the same state as before."""
    for name in sorted(EXTREMES):
        kit = registry.find_game(name)
        t = table(kit.player_counts[-1], definition=kit, camera=False)
        for q in range(t.game.player_count):
            for gone in (1, 0):
                t.saved_game.correct(Correction("away", Seat(q), (gone,)))
                (now,) = [c.current_value for c in t.game.list_correctables() if (c.kind, c.seat) == ("away", q)]
                assert now == (gone,)
