"""Offers of each state: which input plays which move, under which label."""

import pytest

from companion.api import ConsolePress, Correction, IllegalMove, Move, NumberPress, Seat, SeatPress, Visibility
from companion.games.memo_dice import GAME
from companion.games.memo_dice.state import Phase
from companion.testing.checks import label_all
from tests.games.memo_dice.positions import NAMES, answer, new, roll, standing

RED, BLUE, BLACK = NumberPress(6), NumberPress(1), NumberPress(3)


def offers(game):
    return GAME.list_offers(game, NAMES, Visibility())


def table(game):
    """Return labels and swatches by input; with a star where the table waits for it."""
    return {o.input: f"{o.label}{'*' * o.awaited} {o.swatch_colour}".strip() for o in offers(game)}


def find_action(game, pressed):
    return next(o.action for o in offers(game) if o.input == pressed)


def test_covering():
    assert table(new()) == {RED: "Red* red", BLUE: "Blue* blue", BLACK: "Black* black"}
    assert find_action(new(), BLACK) == Move("die", Seat(0), (3,))


def test_a_colour_without_a_cup_says_so():
    game = roll(new(), "RBRR")
    assert table(game)[RED] == "Golden cup* red"
    assert table(game)[BLUE] == "Blue* blue"
    assert find_action(game, RED) == Move("gold", Seat(1))


def test_two_colours_without_a_cup_are_one_and_the_same_move():
    """D14: the game does not record the colour."""
    game = roll(new(), "RBRRBB")
    assert find_action(game, RED) == find_action(game, BLUE) == Move("gold", Seat(0))


def test_the_last_die_is_one_press():
    """D12: its colour is not asked."""
    game = roll(new(), "RRBBKKRB")
    assert table(game) == {ConsolePress.OK: "Golden cup*"}
    assert find_action(game, ConsolePress.OK) == Move("gold", Seat(2))
    assert table(roll(new(cups_per_colour=1), "RBK")) == {ConsolePress.OK: "Golden cup*"}


def test_looking():
    game = new(memorise_seconds=5).play(Move("die", Seat(0), (2,)))
    assert table(game) == {ConsolePress.OK: "Cover it*"}
    game = roll(new(memorise_seconds=5), "RRR").play(Move("gold", Seat(0)))
    assert table(game) == {ConsolePress.OK: "Cover it*"}


def test_uncovering():
    game = roll(new(), "RRRR")
    assert table(game) == {ConsolePress.OK: "Correct*", ConsolePress.NO: "Wrong*"}
    assert find_action(game, ConsolePress.NO) == Move("miss", Seat(0))
    game = answer(roll(new(answer_seconds=15), "RRRR"), "-")
    assert table(game)[SeatPress(Seat(1))] == "I know*"
    game = game.play(find_action(game, SeatPress(Seat(1))))
    assert table(game) == {ConsolePress.OK: "Correct*", ConsolePress.NO: "Wrong*"}


def test_scored_and_over():
    game = answer(roll(new(), "RRRR"), "++++")
    assert table(game) == {ConsolePress.OK: "Next round*"}
    assert table(answer(roll(standing(new(2), 1, 18), "RRRR"), "++++")) == {}


def over():
    return answer(roll(standing(new(3), 18, 18, 9), "RRRBBBB"), "+++++--")


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (new(), "Ada: roll a die, press its symbol's colour"),
        (roll(new(), "RRBBKKRB"), "Cleo: roll the last die, it gets the golden cup"),
        (roll(new(cups_per_colour=1), "RBK"), "Ada: roll a die, it gets the golden cup"),
        (
            new(memorise_seconds=5).play(Move("die", Seat(0), (1,))),
            "Ada: let all see the symbol, then put a red cup over it",
        ),
        (
            roll(new(memorise_seconds=5), "RRR").play(Move("gold", Seat(0))),
            "Ada: let all see the symbol, then put the golden cup over it",
        ),
        (roll(new(), "RRRR"), "Ada: what is under cup 1? Say it, then lift it"),
        (answer(roll(new(), "RRRR"), "+-+"), "Bob: what is under the golden cup? Say it, then lift it"),
        (roll(new(answer_seconds=9), "RRRR").play(Move("call", Seat(0))), "Ada: lift cup 1. Right or wrong?"),
        (
            roll(new(), "RRRR").correct(Correction.from_stored("unknown 1", None, (1,))),
            "Ada: cup 1's die was knocked over, the table decides",
        ),
        (answer(roll(new(), "RRRR"), "+++-"), "Bob: move the pieces, put dice and cups back, then you start"),
        (over(), "Ada wins on square 23"),
        (
            answer(roll(standing(new(2), 18, 19), "RRRR"), "--+-"),
            "Ada and Bob share the victory on square 21",
        ),
    ],
)
def test_prompts(game, words):
    assert GAME.format_prompt(game, NAMES) == words


A, B, C = Seat(0), Seat(1), Seat(2)
LOOKING = new(memorise_seconds=5)
LAST_RED = roll(LOOKING, "RRR")
NAMING = roll(new(answer_seconds=5), "RRRR")
LAST_CUP = answer(NAMING, "+--")
WITHOUT_BOB = roll(new(), "RRRR").correct(Correction("away", B, (1,)))


@pytest.mark.parametrize(
    ("game", "move", "line"),
    [
        (new(), Move("die", A, (1,)), "Ada covers die 1 with a red cup"),
        (LOOKING, Move("die", A, (3,)), "Ada rolls die 1: a black cup"),
        (LOOKING.play(Move("die", A, (3,))), Move("cover", A), "Ada covers die 1 with a black cup"),
        (LAST_RED, Move("gold", A), "Ada rolls die 4: it gets the golden cup"),
        (LAST_RED.play(Move("gold", A)), Move("cover", A), "Ada covers die 4 with the golden cup"),
        (roll(new(), "RRR"), Move("gold", A), "Ada covers die 4 with the golden cup"),
        (NAMING, Move("call", A), "Ada has named a symbol for cup 1"),
        (NAMING, Move("right", A), "Ada is right about cup 1"),
        (NAMING, Move("miss", A), "Ada loses cup 1 to Bob"),
        (WITHOUT_BOB, Move("miss", A), "Ada loses cup 1 to Cleo"),  # D23: the next player at the table
        (roll(new(2), "RRRR"), Move("lift", B), "Cup 1 is lifted"),
        (LAST_CUP, Move("right", C), "Cleo is right about the golden cup: Cleo +3, Ada +1, Bob +1"),
        (LAST_CUP, Move("miss", C), "Cleo loses the golden cup to Ada: Ada +3, Bob +1, Cleo +1"),
        (answer(LAST_CUP, "-"), Move("next"), "Round 2 begins: Ada starts"),
    ],
)
def test_describing_moves(game, move, line):
    assert GAME.describe(game, move, game.play(move), NAMES) == line


@pytest.mark.parametrize(
    ("answers", "reasons"),
    [
        ("+++-+--", ["1 cup", "the golden cup", "3 cups", "2 cups"]),
        ("++-+-++", ["2 cups and the golden one", "", "2 cups", "2 cups"]),
        ("--+-+--", ["2 cups", "2 cups", "1 cup", "1 cup and the golden one"]),
    ],
)
def test_the_score_sheet_names_the_cups_that_each_player_won(answers, reasons):
    """D30."""
    before = answer(roll(new(4), "RBKRBRR"), answers[:-1])
    after = answer(before, answers[-1])
    assert [GAME.explain_score(before, after, Seat(q)) for q in range(4)] == reasons
    assert GAME.explain_score(new(4), before, Seat(2)) == "", "the round is not scored yet"


def test_the_prompt_with_a_camera_puts_the_die_into_the_row():
    assert GAME.format_camera_prompt(new(), NAMES) == "Ada: roll a die, put it at the end of the row"
    for game in (roll(new(), "RRBBKKRB"), roll(new(), "RRRR"), new().play(Move("show", Seat(0), (1,))), over()):
        assert GAME.format_camera_prompt(game, NAMES) == GAME.format_prompt(game, NAMES)


def test_the_prompt_is_for_the_active_player_until_the_end():
    assert GAME.get_addressed_seat(roll(new(), "R")) == 1
    assert GAME.get_addressed_seat(over()) is None


def test_a_seats_button_usually_names_the_symbol_and_a_number_key_enters_a_colour():
    assert GAME.get_default_move(new(), Seat(2)) == Move("call", Seat(2))
    assert GAME.get_number_move(roll(new(), "R"), 3) == Move("die", Seat(1), (3,))


UNCOVERING = answer(roll(new(), "RBKRBKBB"), "+-")
KNOCKED_OVER = UNCOVERING.correct(Correction.from_stored("unknown 3", None, (1,)))


@pytest.mark.parametrize(
    ("game", "kind", "value", "seat", "line"),
    [
        (UNCOVERING, "cup 3", 1, None, "Corrected: colour of cup 3, black to red"),
        (UNCOVERING, "swap", 3, None, "Corrected: cups 3 and 4 change places"),
        (UNCOVERING, "taker 2", 0, None, "Corrected: who has cup 2, Cleo to Ada"),
        (UNCOVERING, "active", 1, None, "Corrected: whose turn, Cleo to Bob"),
        (UNCOVERING, "unknown 3", 1, None, "Corrected: die 3 was knocked over"),
        (KNOCKED_OVER, "unknown 3", 0, None, "Corrected: die 3 is as it was rolled"),
        (UNCOVERING, "square", 9, B, "Corrected: Bob's square, 1 to 9"),
        (UNCOVERING, "away", 1, B, "Bob is away"),
        (UNCOVERING.correct(Correction("away", B, (1,))), "away", 0, B, "Bob is back"),
        (answer(UNCOVERING, "++++++"), "round 1", 3, C, "Corrected: Cleo's points in round 1, 8 to 3"),
        (LOOKING.play(Move("die", A, (1,))), "open", 2, None, "Corrected: the open die's colour, red to blue"),
    ],
)
def test_describing_corrections(game, kind, value, seat, line):
    what = Correction.from_stored(kind, seat, (value,))
    assert GAME.describe(game, what, game.correct(what), NAMES) == line


def test_labels_of_the_menu():
    game = roll(answer(roll(new(), "RRRR"), "++-+").play(Move("next")), "RBKRBKRB")
    expected = {
        ("square", B): "Bob's square",
        ("round 1", B): "Bob's points in round 1",
        ("cup 2", None): "colour of cup 2",
        ("away", A): "Ada is away",  # the menu says here or away
    }
    assert label_all(GAME, game, NAMES).items() >= expected.items()


def test_values_have_labels_where_numbers_mean_nothing():
    game = answer(roll(new(), "RBKRBKB" + "B"), "+-")
    said = {c.stored_kind: GAME.label_values(game, c, NAMES) for c in game.list_correctables() if c.seat is None}
    assert said["cup 3"] == ("red", "blue", "black")
    assert said["taker 2"] == NAMES[:3]
    assert said["unknown 3"] == ("no", "yes")
    assert said["swap"] == ("none", "3 and 4", "4 and 5", "5 and 6", "6 and 7")
    for each in game.list_correctables():
        words = GAME.label_values(game, each, NAMES)
        assert len(words) in (0, each.value_range.high - each.value_range.low + 1), each


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (new(), "D10: it is seat 0's turn to roll, not seat 2's"),
        (roll(new(), "RRRR"), "D20: it is seat 0's turn to name the symbol, not seat 2's"),
        (answer(roll(new(), "RRRR"), "--"), "D21: name the symbol, then lift the cup; OK if it is right, NO if not"),
        (answer(roll(new(), "RRRR"), "++++"), "D33: this round is over; OK begins the next one"),
        (over(), "D32: the game is over, square 20 is reached"),
    ],
)
def test_a_press_of_the_own_button_that_does_nothing_is_explained(game, why):
    with pytest.raises(IllegalMove) as refusal:
        game.play(GAME.get_default_move(game, Seat(2)))
    assert str(refusal.value) == why


def test_bot_weights_make_a_plausible_game():
    game = roll(new(), "RRRR")
    weights = {o.label: GAME.get_bot_weight(game, o) for o in offers(game)}
    right, wrong = weights["Correct"], weights["Wrong"]
    assert right / (right + wrong) == pytest.approx(0.6), "six symbols of ten are named correctly"
    seen = new().play(Move("show", Seat(0), (2,)))
    for each in (new(), seen):
        assert {GAME.get_bot_weight(each, o) for o in offers(each)} == {1.0}


def test_rounds_are_counted():
    game = new()
    assert list(GAME.player_counts) == [2, 3, 4]
    assert GAME.get_round_number(game) == 1
    game = answer(roll(game, "RRRR"), "++++")
    assert GAME.get_round_number(game) == 1
    assert GAME.get_round_number(game.play(Move("next"))) == 2
    assert over().phase is Phase.OVER
    assert GAME.get_round_number(over()) == 1
