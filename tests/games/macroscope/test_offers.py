"""Offers of each state: which input plays which move, under which label."""

from dataclasses import replace

import pytest

from companion.api import (
    NUMBER_ENTRY,
    Command,
    CommandName,
    ConsolePress,
    Correction,
    NumberPress,
    Seat,
    SeatPress,
    TableAction,
    Visibility,
)
from companion.games.macroscope import GAME
from companion.testing.checks import label_all

NAMES = ("Ada", "Bob", "Cleo", "Dan")
BLIND = Visibility()
SEES = Visibility(dice=True, tokens=True)


def table(game, visibility=BLIND):
    """Return labels by input; a label ends in a star where the table waits for it."""
    return {o.input: o.label + "*" * o.awaited for o in GAME.list_offers(game, NAMES, visibility)}


def find_action(game, pressed, visibility=BLIND):
    return next(o.action for o in GAME.list_offers(game, NAMES, visibility) if o.input == pressed)


def test_roll(at, move):
    game = at((2, 2))
    assert table(game) == {NUMBER_ENTRY: "Enter roll*"}
    assert table(game, SEES) == {TableAction("throw"): "Roll the dice*", ConsolePress.PLUS: "Enter roll"}
    assert find_action(game, NUMBER_ENTRY) == find_action(game, ConsolePress.PLUS, SEES) == game.list_moves()[0]


def test_renewal_has_a_button_only_when_the_deck_is_used_up(at):
    game = at((2, 2), {"deck_cards": 5}, cards_used=4)
    assert table(game)[TableAction("renew", in_menu=True)] == "Deck turned"
    assert table(at((2, 2), {"deck_cards": 5}, cards_used=5))[ConsolePress.OK] == "Deck turned*"


def test_first_token(at, play):
    game = play(at((2, 2)), "roll 0 2 5")
    assert table(game) == {NumberPress(2): "Open a 2*", NumberPress(5): "Open a 5*"}
    assert table(game, SEES) == {
        TableAction("take", 2): "Open a 2*",
        TableAction("take", 5): "Open a 5*",
        ConsolePress.PLUS: "Enter token",
    }
    assert find_action(game, ConsolePress.PLUS, SEES) == Command(CommandName.ENTER_TOKEN)


def test_after_the_first_token(at, play, move):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2")
    blind = {
        SeatPress(0): "I guess*",
        ConsolePress.OK: "Stop: +1",
        ConsolePress.NO: "Ask others",
        ConsolePress.PLUS: "Open a 5",
    }
    assert table(game) == blind
    assert table(game, SEES) == blind | {ConsolePress.PLUS: "Enter token", TableAction("take", 5): "Open a 5"}
    assert find_action(game, ConsolePress.PLUS) == move("remove 0 5")
    assert find_action(game, ConsolePress.PLUS, SEES) == Command(CommandName.ENTER_SECOND_TOKEN)
    assert find_action(game, ConsolePress.OK) == move("stop 0")


def test_after_the_second_token(at, play):
    game = play(at((2, 2)), "roll 0 2 5", "remove 0 2", "remove 0 5")
    assert table(game, SEES) == {SeatPress(0): "I guess*", ConsolePress.OK: "Stop: +2"}
    assert table(game)[ConsolePress.NO] == "Stop, no guess"
    assert find_action(game, ConsolePress.NO).kind == "stop for all"
    game = play(at((0, 0), {"variant": "easy"}), "roll 0 2 5", "remove 0 2")
    assert table(game)[ConsolePress.OK] == "Stop: +2"


def test_after_the_last_token_that_the_dice_allow(at, play, move):
    game = play(at((2, 2), {"match_dice": "at_roll"}, tokens=(2, 1, 2, 2, 2, 2)), "roll 0 2 2", "remove 0 2")
    assert find_action(game, ConsolePress.NO).kind == "stop for all"
    offers = GAME.list_offers(game, NAMES, BLIND)
    assert [offer.label for offer in offers if offer.input is ConsolePress.NO] == ["Stop, no guess"]
    assert game.find_refusal(move("ask 0")) is None


def test_asking(at, play, move):
    game = play(at((2, 4, 1, 4)), "roll 0 2 5", "remove 0 2", "stop 0")
    assert table(game) == {SeatPress(1): "I guess*", SeatPress(3): "I guess*", ConsolePress.OK: "Nobody*"}
    game = play(game, "wish 3")
    assert table(game) == {
        SeatPress(1): "I guess*",
        SeatPress(3): "I pass",
        ConsolePress.OK: "Continue*",
    }
    game = play(game, "close 0", "name 3")
    assert table(game)[ConsolePress.OK] == "Nobody else*"


def test_asking_between_the_tokens(at, play, move):
    game = play(at((2, 4)), "roll 0 2 5", "remove 0 2", "ask 0")
    assert table(game, SEES) == {
        SeatPress(0): "I guess",
        SeatPress(1): "I guess",
        ConsolePress.OK: "Nobody*",
        ConsolePress.NO: "Stop: +1",
        ConsolePress.PLUS: "Enter token",
        TableAction("take", 5): "Open a 5",
    }


def test_pick(at, play, move):
    game = play(at((2, 4, 4, 5)), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "wish 2", "wish 3", "close 0")
    assert table(game) == {SeatPress(1): "Goes first*", SeatPress(2): "Goes first*", SeatPress(3): "I pass"}
    assert find_action(game, SeatPress(2)) == move("pick 0 2")


def test_called(at, play, move):
    game = play(at((2, 4, 5, 6)), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "wish 2", "close 0")
    assert table(game) == {
        SeatPress(1): "Said it*",
        SeatPress(2): "I pass",
        SeatPress(3): "I guess",
        ConsolePress.NO: "Says nothing",
    }
    assert find_action(game, ConsolePress.NO) == move("withdraw 1")


def test_called_and_pick_between_the_tokens(at, play, move):
    game = play(at((2, 4, 4)), "roll 0 2 5", "remove 0 2", "ask 0", "wish 1", "wish 2", "close 0")
    active = {SeatPress(0): "I guess", ConsolePress.OK: "Stop: +1", ConsolePress.PLUS: "Open a 5"}
    assert table(game) == active | {SeatPress(1): "Goes first*", SeatPress(2): "Goes first*"}
    game = play(game, "pick 0 2")
    assert table(game) == active | {
        SeatPress(1): "I pass",
        SeatPress(2): "Said it*",
        ConsolePress.NO: "Says nothing",
    }


def test_a_called_player_pays_nothing_in_the_easier_variant(at, play):
    game = play(at((0, 0), {"variant": "easy"}), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1")
    assert table(game)[SeatPress(1)] == "Said it*"


def test_cover_and_reveal(at, play):
    game = play(at((2, 4)), "roll 0 2 5", "remove 0 2", "guess 0", "wish 1", "name 1")
    assert table(game) == {ConsolePress.OK: "Covered*"}
    assert table(game, SEES) == {ConsolePress.OK: "Covered*", TableAction("cover"): "Cover all windows*"}
    game = play(game, "cover")
    assert table(game) == {
        SeatPress(0): "Was right*",
        SeatPress(1): "Was right*",
        ConsolePress.NO: "Nobody",
    }
    game = play(at((2, 4)), "roll 0 2 5", "remove 0 2", "guess 0", "close 0", "cover")
    assert table(game) == {SeatPress(0): "Was right*", ConsolePress.NO: "Was wrong"}


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ((), "Ada: arrow away from you, roll the dice"),
        (("roll 0 2 5",), "Ada: open a 2 or a 5"),
        (("roll 0 2 5", "remove 0 2"), "Ada: guess, stop, or open a 5"),
        (("roll 0 2 5", "remove 0 2", "remove 0 5"), "Ada: guess or stop?"),
        (("roll 0 2 5", "remove 0 2", "guess 0"), "Another guess? Pay Ada 2 crystals"),
        (("roll 0 2 5", "remove 0 2", "stop 0"), "Who wants to guess? Pay Ada 2 crystals"),
        (("roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "wish 2", "close 0"), "Ada: who goes first, Bob or Cleo?"),
        (("roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "close 0"), "Bob: say what you see, pay Ada 2 crystals"),
        (
            ("roll 0 2 5", "remove 0 2", "guess 0", "wish 1", "close 0"),
            "Bob: say a new guess, pay Ada 2 crystals",
        ),
        (
            ("roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "close 0", "name 1"),
            "Who else wants to guess? Pay Ada 2 crystals",
        ),
        (("roll 0 2 5", "remove 0 2", "guess 0", "close 0"), "The round ends: three steps"),
        (("roll 0 2 5", "remove 0 2", "guess 0", "close 0", "cover"), "Was Ada right?"),
        (("roll 0 2 5", "remove 0 2", "guess 0", "wish 1", "close 0", "name 1", "close 0", "cover"), "Who was right?"),
    ],
)
def test_prompts(at, play, moves, words):
    assert GAME.format_prompt(play(at((4, 4, 4)), *moves), NAMES) == words


def test_the_set_up_removes_the_guard_card_last_of_all_cards() -> None:
    """M5: all windows get a token before the pizza card is pulled."""
    lines = GAME.list_setup_steps(GAME.settings_model(), 3)
    assert [lines.index(line) for line in lines if "pizza" in line or "token" in line] == [0, 1, 2]
    assert lines[1].startswith("A token at random")
    assert lines[2].startswith("Only then: is the pizza card on top?")


@pytest.mark.parametrize(
    ("rules", "crystals_and_marker"),
    [
        ({}, ["2 crystals for each of the 3 players", "The marker on round 1 of the track; two dice"]),
        (
            {"start_crystals": 1},
            ["1 crystal for each of the 3 players", "The marker on round 1 of the track; two dice"],
        ),
        ({"start_crystals": 0}, ["The marker on round 1 of the track; two dice"]),
        ({"dice": "off", "start_crystals": 0}, ["The marker on round 1 of the track"]),
    ],
)
def test_the_set_up_step_by_step(rules, crystals_and_marker):
    assert GAME.list_setup_steps(GAME.settings_model(**rules), 3) == [
        "The deck in the device, pizza card on top; lid on",
        "A token at random on each of the 12 windows",
        "Only then: is the pizza card on top? Pull it, into the box",
        *crystals_and_marker,
    ]


def test_a_seats_button_usually_guesses_and_after_the_reveal_says_who_was_right(at, play, move):
    game = at((4, 4))
    assert [GAME.get_default_move(game, Seat(q)) for q in (0, 1)] == [move("guess 0"), move("wish 1")]
    game = play(game, "roll 0 2 5", "remove 0 2", "guess 0", "close 0", "cover")
    assert [GAME.get_default_move(game, Seat(q)) for q in (0, 1)] == [move("right 0"), move("right 1")]


def test_a_number_key_usually_opens_a_window(at, move):
    assert GAME.get_number_move(at((4, 4), active_seat=Seat(1)), 3) == move("remove 1 3")


@pytest.mark.parametrize(
    ("tokens", "words"),
    [((0, 2, 2, 2, 0, 0), "Ada: open a 2, a 3 or a 4"), ((0, 2, 2, 2, 2, 0), "Ada: open any")],
)
def test_the_prompt_lists_up_to_three_tokens(at, play, tokens, words):
    assert GAME.format_prompt(play(at((2, 2), tokens=tokens), "roll 0 1 1"), NAMES) == words
    if words.endswith("any"):
        after = play(at((2, 2), tokens=tokens), "roll 0 1 1", "remove 0 2")
        assert GAME.format_prompt(after, NAMES) == "Ada: guess, stop, or open any"


def test_only_an_empty_deck_that_may_be_renewed_is_asked_for(at, play):
    used = at((2, 2), {"deck_cards": 4}, cards_used=3)
    assert GAME.format_prompt(used, NAMES) == "Ada: arrow away from you, roll the dice"
    assert GAME.get_addressed_seat(used) == 0
    empty = at((2, 2), {"deck_cards": 4}, cards_used=4)
    assert GAME.get_addressed_seat(empty) is None, "anybody may renew it"
    rolled = play(empty, "roll 0 2 5")
    assert GAME.format_prompt(rolled, NAMES) == "Ada: open a 2 or a 5", "too late to renew it"
    assert GAME.get_addressed_seat(rolled) == 0


def test_lines_on_the_deck_and_on_an_asking_that_ends(at, play, move):
    game = at((4, 4, 4), cards_used=3)
    assert GAME.describe(game, move("renew"), play(game, "renew"), NAMES) == "The deck is turned over"
    game = play(at((4, 4, 4)), "roll 0 2 5", "remove 0 2", "stop 0", "wish 1")
    assert GAME.describe(game, move("close 0"), play(game, "close 0"), NAMES) == "The others guess now"


def test_the_card_and_the_marker_are_moved_after_a_scored_round_and_not_after_a_void_one(at, play):
    scored = play(at((2, 2)), "roll 0 2 5", "remove 0 2", "guess 0", "close 0", "cover", "nobody")
    assert GAME.format_prompt(scored, NAMES) == "Bob: card away, back unseen, marker +1, roll the dice"
    last = replace(scored, tokens=(1, 0, 0, 0, 0, 0))
    void = play(last, "roll 1 1 1", "remove 1 1", "cover")
    assert GAME.format_prompt(void, NAMES) == "Ada: arrow away from you, roll the dice"
    empty = replace(void, settings=void.settings.model_copy(update={"deck_cards": 2}))
    assert GAME.format_camera_prompt(empty, NAMES) == "Old card in the box unseen, then renew the deck"


def test_a_virtual_table_has_no_card_to_pull(at, play):
    revealed = play(at((2, 2)), "roll 0 2 5", "remove 0 2", "guess 0", "close 0", "cover")
    assert GAME.format_camera_prompt(revealed, NAMES) == "Pull the card, look: was Ada right?"
    assert GAME.format_virtual_prompt(revealed, NAMES) == "Was Ada right?"


@pytest.mark.parametrize(("dice", "act"), [("on", "roll the dice"), ("off", "open a window")])
def test_the_card_is_put_away_before_the_deck_is_renewed(at, play, dice, act):
    """It is part of the pile that is turned over (D1): afterwards it is in the device."""
    begun = at((2, 2), {"dice": dice, "deck_cards": 3}, cards_used=2)
    guess = ("remove 0 2", "guess 0", "close 0", "cover", "nobody")
    scored = play(begun, *(("roll 0 2 5",) if dice == "on" else ()), *guess)
    assert GAME.format_prompt(scored, NAMES) == "Card away, back unseen, marker +1, then renew the deck"
    assert GAME.format_virtual_prompt(scored, NAMES) == "No cards left: renew the deck"
    assert "card away" not in GAME.format_prompt(play(scored, "renew"), NAMES)
    early = replace(scored, settings=scored.settings.model_copy(update={"deck_cards": 200}))
    assert GAME.format_prompt(early, NAMES) == f"Bob: card away, back unseen, marker +1, {act}"
    assert "card away" not in GAME.format_prompt(play(early, "renew"), NAMES)


def test_prompts_of_rarer_states(at, play):
    void = play(at((2, 2), tokens=(1, 0, 0, 0, 0, 0)), "roll 0 1 1", "remove 0 1")
    assert GAME.format_prompt(void, NAMES) == "Nobody guessed: three steps"
    empty = at((2, 2), {"deck_cards": 4}, cards_used=4)
    assert GAME.format_prompt(empty, NAMES) == "No cards left: renew the deck"
    free = play(at((2, 2), tokens=(0, 2, 2, 2, 2, 2)), "roll 0 1 1")
    assert GAME.format_prompt(free, NAMES) == "Ada: open any"
    assert (
        GAME.format_prompt(GAME.create_game(2, Seat(1), GAME.settings_model(dice="off")), NAMES)
        == "Bob: arrow away from you, open one or two"
    )
    over = play(at((2, 1), round_number=10), "roll 0 2 5", "remove 0 2", "guess 0", "cover", "right 0")
    assert GAME.format_prompt(over, NAMES) == "Ada wins with 13"


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        (("roll 0 2 5",), "Ada rolls 2 and 5"),
        (("roll 0 2 5", "remove 0 2"), "Ada opens a 2"),
        (("roll 0 2 5", "remove 0 2", "ask 0"), "Ada asks the others"),
        (("roll 0 2 5", "remove 0 2", "stop 0"), "Ada stops (Ada +1)"),
        (("roll 0 2 5", "remove 0 2", "guess 0"), "Ada guesses for 11"),
        (("roll 0 2 5", "remove 0 2", "guess 0", "wish 1"), "Bob wants to guess"),
        (("roll 0 2 5", "remove 0 2", "guess 0", "close 0"), "Nobody else wants to guess"),
        (("roll 0 2 5", "remove 0 2", "stop 0", "close 0"), "Nobody wants to guess"),
        (("roll 0 2 5", "remove 0 2", "guess 0", "wish 1", "withdraw 1"), "Bob does not guess after all"),
        (
            ("roll 0 2 5", "remove 0 2", "guess 0", "wish 1", "close 0", "name 1"),
            "Bob challenges for 11 (Ada +2, Bob −2)",
        ),
        (("roll 0 2 5", "remove 0 2", "stop 0", "wish 1", "wish 2", "close 0", "pick 0 2"), "Ada lets Cleo go first"),
        (
            ("roll 0 2 5", "remove 0 2", "stop 0", "wish 2", "close 0", "name 2"),
            "Cleo guesses for 11 (Ada +2, Cleo −2)",
        ),
        (
            (
                "roll 0 2 5",
                "remove 0 2",
                "stop 0",
                "wish 1",
                "wish 2",
                "close 0",
                "pick 0 1",
                "withdraw 2",
                "withdraw 1",
            ),
            "Bob does not guess after all",
        ),
        (("roll 0 2 5", "remove 0 2", "guess 0", "close 0", "cover"), "All windows are covered"),
        (("roll 0 2 5", "remove 0 2", "guess 0", "close 0", "cover", "nobody"), "Nobody was right (Ada −4)"),
        (
            ("roll 0 2 5", "remove 0 2", "guess 0", "wish 1", "close 0", "name 1", "close 0", "cover", "right 1"),
            "Bob was right (Bob +11, Ada −6)",
        ),
    ],
)
def test_describing_moves(at, play, move, moves, words):
    before = play(at((4, 4, 4)), *moves[:-1])
    last = move(moves[-1])
    assert GAME.describe(before, last, before.play(last), NAMES) == words


def test_describing_a_void_round(at, play, move):
    before = play(at((2, 1), tokens=(1, 0, 0, 0, 0, 0)), "roll 0 1 1")
    line = GAME.describe(before, move("remove 0 1"), play(before, "remove 0 1"), NAMES)
    assert line == "Ada opens the last one, a 1 (Ada +1)"


ROUND = {"round_scores": ((1, 2, 3),)}
LAST_TOKENS = {"tokens": (1, 1, 0, 0, 0, 0)}


@pytest.mark.parametrize(
    ("crystals", "settings", "fields", "moves", "correction", "line"),
    [
        ((2, 4), {}, {}, (), Correction("crystals", Seat(1), (7,)), "Corrected: Bob's crystals, 4 to 7"),
        ((2, 4), {}, {}, (), Correction("active", None, (1,)), "Corrected: whose turn, Ada to Bob"),
        ((2, 4), {}, {}, ("roll 0 2 5",), Correction("dice", None, (2, 6)), "Corrected: the dice, 2 5 to 2 6"),
        ((2, 4), {}, {}, ("roll 0 2 5",), Correction("let_stand", None, (3,)), "Ada opens a 3, let stand"),
        (
            *((2, 4), {"match_dice": "at_roll"}, LAST_TOKENS, ("roll 0 2 2", "remove 0 2")),
            *(Correction("let_stand", None, (1,)), "Ada opens a 1, let stand (Ada +2)"),
        ),
        ((2, 4, 2), {}, ROUND, (), Correction("round", Seat(2), (5,), (1,)), "Corrected: round 1, Cleo, 3 to 5"),
        ((2, 4, 2), {}, {"away": (False, True, False)}, (), Correction("away", Seat(1), (0,)), "Bob is back"),
        ((2, 4, 2), {}, ROUND, (), Correction("marker", None, (4,)), "Corrected: the round, 1 to 4"),
    ],
)
def test_describing_corrections(at, play, crystals, settings, fields, moves, correction, line):
    game = play(at(crystals, settings, **fields), *moves)
    assert GAME.describe(game, correction, game.correct(correction), NAMES) == line


def test_labels_of_the_menu(at, play):
    game = play(at((2, 4)), "roll 0 2 5", "remove 0 2")
    assert label_all(GAME, game, NAMES)[("crystals", Seat(1))] == "Bob's crystals"


def test_bots_never_renew_the_deck_and_seldom_guess(at, play):
    game = at((2, 2), {"dice": "off"}, cards_used=3)
    weights = {o.label: GAME.get_bot_weight(game, o) for o in GAME.list_offers(game, NAMES, BLIND)}
    assert weights["Deck turned"] == 0.0
    assert weights["Open a 1"] == 1.0
    game = play(game, "remove 0 1")
    weights = {o.label: GAME.get_bot_weight(game, o) for o in GAME.list_offers(game, NAMES, BLIND)}
    assert weights["Stop: +1"] == weights["Second token"] == 1.0
    assert 0.0 < weights["I guess"] < 1.0
