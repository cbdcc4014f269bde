"""Offers of Pictomania: buttons, labels and prompts."""

import pytest

from companion.api import ConsolePress, Correction, Move, Offer, Seat, SeatPress
from companion.gallery.fixtures import parse_move, play_moves
from companion.games.pictomania import GAME
from companion.games.pictomania.samples import new_game, play_round, start_drawing, start_scoring
from companion.games.pictomania.state import Phase
from companion.testing.checks import is_legal, list_bot_shares, list_keys
from tests.games.pictomania.positions import NAMES, NO_VISIBILITY


def table(game):
    """Return labels by input; a label ends in a star where the table waits for it."""
    return {o.input: o.label + "*" * o.awaited for o in GAME.list_offers(game, NAMES, NO_VISIBILITY)}


def offer(game, means):
    return next(o for o in GAME.list_offers(game, NAMES, NO_VISIBILITY) if o.input == means)


def test_the_difficulty_goes_through_the_colours():
    game = new_game()
    assert table(game) == {ConsolePress.OK: "Deal green*", ConsolePress.PLUS: "Next: orange*"}
    assert (offer(game, ConsolePress.OK).swatch_colour, offer(game, ConsolePress.PLUS).swatch_colour) == (
        "green",
        "orange",
    )
    assert table(new_game(variant="only_green")) == {ConsolePress.OK: "Deal green*"}


def test_reading_and_the_start_signal():
    assert table(play_moves(new_game(), "deal")) == {ConsolePress.OK: "Start*"}
    assert table(play_moves(new_game(), "deal, start")) == {ConsolePress.PLUS: "Start now"}


def test_drawing_one_press_is_the_best_token_and_the_key_goes_dark():
    game = start_drawing(3)
    assert table(game) == {
        SeatPress(0): "Done*",
        SeatPress(1): "Done*",
        SeatPress(2): "Done*",
        ConsolePress.HOLD_OK: "Hold: stop",
    }
    game = play_moves(game, "take 1")
    assert table(game) == {
        SeatPress(0): "Done*",
        SeatPress(2): "Done*",
        ConsolePress.HOLD_OK: "Hold: stop",
    }


def test_scoring_press_by_press():
    game = start_scoring(3)
    assert table(game) == {
        SeatPress(1): "Was right*",
        SeatPress(2): "Was right*",
        ConsolePress.HOLD_OK: "Hold: empty*",
        ConsolePress.PLUS: "Wrong clue",
    }
    game = play_moves(game, "right 1")
    assert table(game)[SeatPress(1)] == "Was wrong"
    assert table(play_moves(game, "wrong 1"))[SeatPress(1)] == "Remove card"
    game = play_moves(game, "next")
    assert table(game)[ConsolePress.NO] == "Back"
    assert table(play_moves(game, "next, right 0"))[ConsolePress.OK] == "Add up*"


def test_a_wrong_drawing_is_asked_before_it_counts():
    """P31, A7: sparingly; a question instead of a long press, for NO held is undo and nothing else is held."""
    game = start_scoring(3)
    wrong = offer(game, ConsolePress.PLUS)
    assert (wrong.action, wrong.label) == (parse_move("misdrawn 0"), "Wrong clue")
    assert wrong.confirm_question == "Did Ada obviously draw another clue? Then all cards go back."
    assert table(play_moves(game, "misdrawn 0")) == {
        ConsolePress.OK: "Next pile*",
        ConsolePress.PLUS: "Right clue",
    }


def test_the_rounds_page_and_the_last_one():
    page = play_moves(start_scoring(3), "next, next, next")
    assert table(page) == {ConsolePress.OK: "Next round*", ConsolePress.NO: "Back"}
    last = play_moves(start_scoring(3, rounds=1), "next, next, next")
    assert table(last)[ConsolePress.OK] == "Final result*"
    assert table(play_moves(last, "next_round")) == {}


def test_default_moves():
    assert GAME.get_default_move(start_drawing(), Seat(1)) == Move("take", Seat(1))
    assert GAME.get_default_move(start_scoring(), Seat(0)) == Move("right", Seat(0))


def test_thirty_cards_of_six_players_in_well_under_a_minute():
    """Each card one press, each pile one more: 36 presses, and one more for each wrong card."""
    game, presses = start_scoring(6), 0
    for _ in range(6):
        for q in range(6):
            if q != game.pile_owner:
                game = game.play(offer(game, SeatPress(Seat(q))).action)
                presses += 1
        game = game.play(offer(game, ConsolePress.OK).action)
        presses += 1
    assert (game.phase, presses) == (Phase.ROUND, 36)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (
            play_moves(start_scoring(3, variant="only_green"), "next, next, next, next_round"),
            "Tokens and cards back, word cards away, boards wiped. Deal green",
        ),
        (
            play_moves(new_game(word_cards=1), "deal"),
            "Word card: side by chance. Deal each a number, hidden. Read, do not talk",
        ),
        (
            play_moves(new_game(word_cards=2), "deal"),
            "Word cards: side by chance. Deal each number and symbol, hidden. Read, do not talk",
        ),
        (new_game(), "How difficult this round?"),
        (new_game(variant="only_green"), "Deal the green cards"),
        (
            play_moves(play_round([2, 6, 4], ["", "", ""], ""), "next_round"),
            "Tokens and cards back, word cards away, boards wiped. How difficult?",
        ),
        (
            play_moves(new_game(), "deal"),
            "Word cards: side by chance. Deal each number and symbol, hidden. Read, do not talk",
        ),
        (
            play_moves(new_game(variant="one_card"), "deal"),
            "Word card: side by chance. Deal each a number, hidden. Read, do not talk",
        ),
        (play_moves(new_game(), "deal, start"), "At the signal look at your hidden cards, lay them face down"),
        (start_drawing(), "Draw and guess, no letters, no talk! Finished? Press your button"),
        (play_moves(start_drawing(), "take 2, take 0"), "Pens down, Bob! The last token is taken"),
        (play_moves(start_drawing(), "take 2, stop"), "Pens down! Tokens that are left stay in the middle"),
        (start_scoring(), "Ada: turn your pile over. Who guessed right, in order?"),
        (play_moves(start_scoring(), "right 1"), "Ada: who else guessed right?"),
        (play_moves(start_scoring(3), "right 1, right 2, wrong 2"), "Ada: all guesses are entered"),
        (play_moves(start_scoring(), "misdrawn 0"), "Ada: another clue was drawn, all cards go back"),
        (play_round([2, 6, 4], ["B2 C2", "C1 A6", "A4 B4"], "CA"), "Cleo: you are the black sheep"),
        (play_round([2, 6, 4], ["B2 C5", "C6 A3", ""], "BC"), "No black sheep in this round"),
        (
            play_moves(start_scoring(rounds=1), "right 1, next, next, next, next_round"),
            "Ada and Bob share the victory with −1",
        ),
        (play_moves(start_scoring(takes="AB", rounds=1), "right 1, next, next, next, next_round"), "Ada wins with 1"),
    ],
)
def test_sentences(game, words):
    assert GAME.format_prompt(game, NAMES) == words


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        (new_game(), "colour", "Difficulty: orange"),
        (new_game(), "deal", "Round 1: green cards are dealt"),
        (play_moves(new_game(), "deal"), "start", "The start signal is given"),
        (play_moves(new_game(), "deal, start"), "go", "Drawing and guessing begins"),
        (start_drawing(), "take 1", "Bob takes the bonus token with 2 stars"),
        (play_moves(start_drawing(), "take 1"), "take 0", "Ada takes the bonus token with 1 star: stop!"),
        (start_drawing(), "stop", "Stop: 2 tokens stay in the middle"),
        (play_moves(start_drawing(4), "take 0, take 1"), "stop", "Stop: 1 token stays in the middle"),
        (play_moves(start_drawing(), "stop"), "score", "The piles are turned over"),
        (start_scoring(), "right 1", "Ada's pile: Bob is right, 2 stars"),
        (play_moves(start_scoring(), "right 1"), "right 2", "Ada's pile: Cleo is right, 1 star"),
        (play_moves(start_scoring(), "right 1"), "wrong 1", "Ada's pile: Bob is wrong, card to the middle"),
        (play_moves(start_scoring(), "right 1, wrong 1"), "off 1", "Ada's pile: no card of Bob"),
        (start_scoring(), "misdrawn 0", "Ada drew another clue: all cards go back"),
        (play_moves(start_scoring(), "misdrawn 0"), "drawn 0", "Ada drew the right clue after all"),
        (start_scoring(), "next", "Ada's pile is scored"),
        (play_moves(start_scoring(), "right 1, next, next"), "next", "Round 1 is scored: Ada −1, Bob −1, Cleo −3"),
        (play_moves(start_scoring(), "next"), "back", "Back to Ada's pile"),
        (play_moves(start_scoring(), "next, next, next"), "next_round", "Round 2 begins"),
        (play_moves(start_scoring(rounds=1), "next, next, next"), "next_round", "After round 1 the game is over"),
    ],
)
def test_descriptions_of_moves(game, text, words):
    move = parse_move(text)
    assert is_legal(game, move)
    assert GAME.describe(game, move, game.play(move), NAMES) == words


def test_the_colour_key_repeats_while_it_is_held():
    assert list_keys(GAME, new_game(), NAMES) == {ConsolePress.OK: "Deal green*", ConsolePress.PLUS: "Next: orange*~"}


def test_the_keys_that_the_prompt_asks_for_are_awaited_and_no_others():
    awaited = [
        {o.label for o in GAME.list_offers(game, NAMES, NO_VISIBILITY) if o.awaited}
        for game in (new_game(), start_drawing(), play_moves(start_drawing(), "stop"), start_scoring())
    ]
    assert awaited == [{"Deal green", "Next: orange"}, {"Done"}, {"Turn piles"}, {"Was right", "Hold: empty"}]
    judged = play_moves(start_scoring(4), "right 1, right 2, wrong 2")
    keys = table(judged)
    assert [keys[SeatPress(q)] for q in (1, 2, 3)] == ["Was wrong", "Remove card", "Was right*"]


@pytest.mark.parametrize(
    ("game", "shares"),
    [
        (new_game(), {"Deal green": 71.4, "Next: orange": 28.6}),
        (start_drawing(3), {"Done": 32.3, "Hold: stop": 3.2}),
        (
            play_moves(start_scoring(3), "right 1, next"),
            {"Hold: empty": 8.8, "Back": 1.3, "Wrong clue": 1.8, "Was right": 44.1},
        ),
        (
            play_moves(start_scoring(4), "right 1, right 2, wrong 2"),
            {"Next pile": 42.3, "Wrong clue": 1.4, "Was wrong": 17.6, "Remove card": 3.5, "Was right": 35.2},
        ),
        (play_moves(start_scoring(3), "misdrawn 0"), {"Next pile": 50.0, "Right clue": 50.0}),
        (play_moves(start_scoring(3), "next, next, next"), {"Next round": 97.1, "Back": 2.9}),
    ],
)
def test_how_often_bots_choose_a_key(game, shares):
    """In percent: bots guess mostly right, and games go on; the more cards on a pile, the sooner the next one."""
    assert list_bot_shares(GAME, game, NAMES) == shares


def test_bots_seldom_cut_the_countdown_short_and_choose_corrections_as_usual_moves():
    weights = {o.label: GAME.get_bot_weight(new_game(), o) for o in GAME.list_offers(new_game(), NAMES, NO_VISIBILITY)}
    game = play_moves(new_game(), "deal, start")
    assert GAME.get_bot_weight(game, offer(game, ConsolePress.PLUS)) == pytest.approx(weights["Deal green"] / 5)
    correction = Offer(Correction("marker", None, (2,)), ConsolePress.OK, "Round")
    assert GAME.get_bot_weight(new_game(), correction) == GAME.get_bot_weight(start_scoring(), correction) == 1.0


def test_drawings_are_shown_from_the_first_line_to_the_last_pile():
    labels = ("Show drawing", "Hide it")
    games = {
        "difficulty": (new_game(), None),
        "reading": (play_moves(new_game(), "deal"), None),
        "start": (play_moves(new_game(), "deal, start"), None),
        "drawing": (start_drawing(), labels),
        "stop": (play_moves(start_drawing(), "stop"), labels),
        "scoring": (start_scoring(), labels),
        "round": (play_moves(start_scoring(), "next, next, next"), None),
    }
    assert {phase: GAME.get_live_picture_labels(game) for phase, (game, _) in games.items()} == {
        phase: expected for phase, (_, expected) in games.items()
    }


def test_nobody_begins_and_the_history_counts_rounds():
    game = play_moves(start_scoring(), "next, next, next, next_round")
    assert (GAME.has_first_player, GAME.get_round_number(game)) == (False, 2)


def test_the_winner_of_several_rounds_is_announced():
    game = play_moves(
        new_game(rounds=2), *["deal, start, go, take 1, stop, score, next, right 0, next, next, next_round"] * 2
    )
    outcome = game.compute_outcome()
    assert (outcome.winners, outcome.reason) == ((1,), "All rounds are scored; 2 points are the most.")
