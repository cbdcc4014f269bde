"""Which button plays what, in which words."""

import pytest

from companion.games.api.game import Move, Seat, legal
from companion.games.api.offers import Console, SeatPress
from companion.games.pictomania import KIT
from companion.games.pictomania.view import Phase
from tests.games.pictomania.positions import BLIND, NAMES, as_move, drawing, new, play, scoring, vector


def table(game):
    """Means to words; the words end in a star where the table waits for it."""
    return {o.means: o.words + "*" * o.awaited for o in KIT.offers(game, NAMES, BLIND)}


def offer(game, means):
    return next(o for o in KIT.offers(game, NAMES, BLIND) if o.means == means)


def test_the_difficulty_goes_through_the_colours():
    game = new()
    assert table(game) == {Console.OK: "Deal green*", Console.PLUS: "Take orange"}
    assert (offer(game, Console.OK).swatch, offer(game, Console.PLUS).swatch) == ("green", "orange")
    assert table(new(variant="only_green")) == {Console.OK: "Deal green*"}


def test_reading_and_the_start_signal():
    assert table(play(new(), "deal")) == {Console.OK: "Start signal*"}
    assert table(play(new(), "deal, start")) == {Console.PLUS: "Go at once"}


def test_drawing_one_press_is_the_best_token_and_the_key_goes_dark():
    game = drawing(3)
    assert table(game) == {
        SeatPress(0): "I take 2 stars",
        SeatPress(1): "I take 2 stars",
        SeatPress(2): "I take 2 stars",
        Console.OK: "All agree: stop",
    }
    assert offer(game, Console.OK).agreed_by == (0, 1, 2)
    game = play(game, "take 1")
    assert table(game) == {
        SeatPress(0): "I take 1 star",
        SeatPress(2): "I take 1 star",
        Console.OK: "All agree: stop",
    }
    assert offer(game, Console.OK).agreed_by == (0, 2), "A12: only those without a token are asked"


def test_scoring_press_by_press():
    game = scoring(3)
    assert table(game) == {
        SeatPress(1): "Guessed it",
        SeatPress(2): "Guessed it",
        Console.OK: "Next pile*",
        Console.PLUS: "Wrong drawing",
    }
    game = play(game, "right 1")
    assert table(game)[SeatPress(1)] == "No, wrong"
    assert table(play(game, "wrong 1"))[SeatPress(1)] == "No card"
    game = play(game, "next")
    assert table(game)[Console.NO] == "Pile before"
    assert table(play(game, "next"))[Console.OK] == "Add up*"
    known = play(scoring(4), "number 0 3, card 1 4, next, next, number 2 4")
    assert table(known)[SeatPress(1)] == "Wrong"


def test_a_wrong_drawing_is_asked_before_it_counts():
    """P31, A7: sparingly; a question instead of a long press, for NO held is undo and nothing else is held."""
    game = scoring(3)
    wrong = offer(game, Console.PLUS)
    assert (wrong.does, wrong.words) == (as_move("misdrawn 0"), "Wrong drawing")
    assert wrong.confirm == "Did Ada obviously draw another clue? Then all cards go back."
    assert table(play(game, "misdrawn 0")) == {Console.OK: "Next pile*", Console.PLUS: "Right after all"}


def test_the_rounds_page_and_the_last_one():
    page = play(scoring(3), "next, next, next")
    assert table(page) == {Console.OK: "Next round*", Console.NO: "Last pile"}
    last = play(scoring(3, rounds=1), "next, next, next")
    assert table(last)[Console.OK] == "Final result*"
    assert table(play(last, "next_round")) == {}


def test_what_a_press_usually_means():
    assert KIT.meant(drawing(), Seat(1)) == Move("take", Seat(1))
    assert KIT.meant(scoring(), Seat(0)) == Move("right", Seat(0))


def test_thirty_cards_of_six_players_in_well_under_a_minute():
    """Each card one press, each pile one more: 36 presses, and one more for each wrong card."""
    game, presses = scoring(6), 0
    for _ in range(6):
        for q in range(6):
            if q != game.owner:
                game = game.play(offer(game, SeatPress(Seat(q))).does)
                presses += 1
        game = game.play(offer(game, Console.OK).does)
        presses += 1
    assert (game.phase, presses) == (Phase.ROUND, 36)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (new(), "How difficult this round?"),
        (new(variant="only_green"), "Deal the green cards"),
        (play(new(), "deal"), "Read the word cards, do not talk. Then give the start signal"),
        (play(new(variant="one_card"), "deal"), "Read the word card, do not talk. Then give the start signal"),
        (play(new(), "deal, start"), "Hands on your hidden cards"),
        (drawing(), "Draw and guess! Who is finished presses their button"),
        (play(drawing(), "take 2, take 0"), "Pens down, Bob! The last token is taken"),
        (play(drawing(), "take 2, stop"), "Pens down! Tokens that are left stay in the middle"),
        (scoring(), "Ada: turn your pile over. Who guessed, in order?"),
        (play(scoring(), "right 1"), "Ada: who else? Press again if wrong"),
        (play(scoring(), "misdrawn 0"), "Ada: another clue was drawn, all cards go back"),
        (vector([2, 6, 4], ["B2 C2", "C1 A6", "A4 B4"], "CA"), "Cleo is the black sheep"),
        (vector([2, 6, 4], ["B2 C5", "C6 A3", ""], "BC"), "No black sheep in this round"),
        (play(scoring(rounds=1), "right 1, next, next, next, next_round"), "Ada and Bob share the victory with -1"),
        (play(scoring(takes="AB", rounds=1), "right 1, next, next, next, next_round"), "Ada wins with 1"),
    ],
)
def test_sentences(game, words):
    assert KIT.sentence(game, NAMES) == words


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        (new(), "colour", "Difficulty: orange"),
        (new(), "deal", "Round 1: green cards are dealt"),
        (play(new(), "deal"), "start", "The start signal is given"),
        (play(new(), "deal, start"), "go", "Drawing and guessing begins"),
        (drawing(), "take 1", "Bob takes the bonus token with 2 stars"),
        (play(drawing(), "take 1"), "take 0", "Ada takes the bonus token with 1 star: stop!"),
        (drawing(), "stop", "Stop: 2 tokens stay in the middle"),
        (play(drawing(4), "take 0, take 1"), "stop", "Stop: 1 token stays in the middle"),
        (play(drawing(), "stop"), "score", "The piles are turned over"),
        (scoring(), "right 1", "Ada's pile: Bob is right, 2 stars"),
        (play(scoring(), "right 1"), "right 2", "Ada's pile: Cleo is right, 1 star"),
        (play(scoring(), "right 1"), "wrong 1", "Ada's pile: Bob is wrong"),
        (play(scoring(), "right 1, wrong 1"), "off 1", "Ada's pile: no card of Bob"),
        (scoring(), "number 0 3", "Ada's number card is turned over"),
        (scoring(), "misdrawn 0", "Ada drew another clue: all cards go back"),
        (play(scoring(), "misdrawn 0"), "drawn 0", "Ada drew the right clue after all"),
        (scoring(), "next", "Ada's pile is scored"),
        (play(scoring(), "right 1, next, next"), "next", "Round 1: Ada -1, Bob -1, Cleo -3"),
        (play(scoring(), "next"), "back", "Back to Ada's pile"),
        (play(scoring(), "next, next, next"), "next_round", "Round 2 begins"),
        (play(scoring(rounds=1), "next, next, next"), "next_round", "After round 1 the game is over"),
    ],
)
def test_moves_in_words(game, text, words):
    move = as_move(text)
    assert legal(game, move)
    assert KIT.tell(game, move, game.play(move), NAMES) == words
