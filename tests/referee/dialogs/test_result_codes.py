"""The result as QR codes: one press from the result, as a link for BG Stats or as text, page by page."""

import json
from datetime import UTC
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest

from companion.api import Outcome, Seat
from companion.config.settings import ResultCodeKind
from companion.events import Button
from companion.gallery.finished_games import TEAM_RULES, play_to_end
from companion.journal.database import JOURNAL_FILE, Journal
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame
from companion.referee.dialogs.result_codes import (
    MAX_LINK_BYTES,
    ResultCodesDialog,
    format_result_lines,
    open_result_codes,
    split_text,
)
from companion.screen_state import ResultCode
from tests.referee.dialogs.test_score_sheet import SETUP, Table, play_to_the_end

OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS


def open_codes(saved_game: SavedGame, kind: ResultCodeKind = "bg_stats") -> ResultCodesDialog:
    journal = saved_game.journal
    return open_result_codes(journal.get_game(saved_game.id), saved_game.replay, journal.clock, kind, UTC)


def shown_code(table: Table) -> ResultCode:
    code = table.shown().result_code
    assert code is not None
    return code


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / JOURNAL_FILE)


def test_one_press_shows_the_link_with_exactly_the_result(journal: Journal) -> None:
    with journal:
        table = Table(journal)
        table.press(PLUS)
        link = urlparse(shown_code(table).text)
        assert (link.scheme, link.netloc, link.path) == ("https", "app.bgstatsapp.com", "/createPlay.html")
        play = json.loads(parse_qs(link.query, strict_parsing=True)["data"][0])
        game = table.saved_game.game
        outcome = game.compute_outcome()
        assert outcome is not None
        assert [(p["name"], p["score"], p["winner"]) for p in play["players"]] == [
            (name, game.totals[i], i in outcome.winners) for i, name in enumerate(("Ada", "Bob"))
        ]
        assert table.press(NO).result_code is None
        assert table.referee.exit is None


def test_plus_changes_between_link_and_text(journal: Journal) -> None:
    with journal:
        table = Table(journal)
        table.press(PLUS, PLUS)
        first, *lines = shown_code(table).text.split("\n")
        assert first.startswith("Macroscope, ")
        assert lines == format_result_lines(table.saved_game.replay)
        assert [line[:2] for line in lines] in (["1.", "2."], ["1.", "1."])
        table.press(PLUS)
        assert shown_code(table).text.startswith("https://")


def test_the_setting_chooses_what_is_shown_first(journal: Journal) -> None:
    with journal:
        dialog = open_codes(play_to_the_end(journal), "text")
        assert dialog.kind == "text"
        assert dialog.code.text.startswith("Macroscope, ")


def test_a_link_that_is_too_long_is_shown_as_text_and_nothing_is_lost(journal: Journal) -> None:
    names = tuple(f"{letter}{'ß' * 39}" for letter in "ABCDEF")
    setup = SETUP.model_copy(update={"players": names, "buttons": tuple(Button)[:6]})
    with journal:
        saved_game = play_to_the_end(journal, GameSetup.model_validate(setup.model_dump()))
        dialog = open_codes(saved_game)
        assert dialog.kind == "text"
        assert "BG Stats" not in [offer.label for offer in dialog.list_offers()]
        pages = [dialog]
        while isinstance(following := pages[-1].list_answers()[1].step, ResultCodesDialog):
            pages.append(following)
        assert len(pages) == dialog.code.page_count > 1
        lines = [line for page in pages for line in page.code.text.split("\n")[1:]]
        assert lines == format_result_lines(saved_game.replay)
        assert [name for name in names if sum(name in line for line in lines) != 1] == []


def test_the_pages_are_turned_by_ok_and_minus(journal: Journal) -> None:
    with journal:
        dialog = open_codes(play_to_the_end(journal), "text")
        codes = tuple(ResultCode(str(i), "", i, 3) for i in range(3))
        first = ResultCodesDialog("text", codes)
        assert [o.label for o in first.list_offers()] == ["Back", "Next code"]
        middle = ResultCodesDialog("text", codes, 1)
        assert [(a.label, getattr(a.step, "page", None)) for a in middle.list_answers()] == [
            ("Back", None), ("Next code", 2), ("Back one", 0)
        ]  # fmt: skip
        last = ResultCodesDialog("text", codes, 2, dialog.open_other)
        assert [o.label for o in last.list_offers()] == ["Back", "All right", "Back one", "BG Stats"]


def test_the_ranking_shares_ranks_and_follows_the_lowest_score(journal: Journal) -> None:
    with journal:
        replay = play_to_the_end(journal).replay
        outcome = replay.game.compute_outcome()
        assert outcome is not None
        best = max(replay.game.totals)
        lines = format_result_lines(replay)
        assert lines[0] == f"1. {replay.setup.players[replay.game.totals.index(best)]}: {best}"


def test_places_of_the_outcome_count_before_the_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    replay = play_to_end("score_keeper", 4, 7)
    totals = replay.game.totals
    worst_first = sorted(range(4), key=totals.__getitem__)
    places = tuple(1 + worst_first.index(seat) for seat in range(4))
    ended = Outcome((Seat(worst_first[0]),), "", places=places)
    monkeypatch.setattr("companion.referee.dialogs.result_codes.get_outcome", lambda _: ended)
    names = [line.partition(" ")[2].partition(":")[0] for line in format_result_lines(replay)]
    assert names == [replay.players[seat] for seat in worst_first]


def test_the_text_has_minus_signs_and_a_line_for_each_team() -> None:
    replay = play_to_end("score_keeper", 4, 7, TEAM_RULES)
    assert format_result_lines(replay) == ["1. Bo and Ada: 111", "2. Wilhelmina and Maximilianna: −73"]


@pytest.mark.parametrize(
    "names",
    [
        ("Wilhelmina", "Bartholomew", "Maximiliane", "Christopher", "Annabella", "Ferdinand"),
        ("Анна", "Борис", "Вера", "Глеб", "Дина", "Егор"),
    ],
)
def test_a_link_of_six_usual_names_fits(journal: Journal, names: tuple[str, ...]) -> None:
    setup = SETUP.model_copy(update={"players": names, "buttons": tuple(Button)[:6]})
    with journal:
        dialog = open_codes(play_to_the_end(journal, GameSetup.model_validate(setup.model_dump())))
        assert dialog.kind == "bg_stats"
        assert len(dialog.code.text.encode()) <= MAX_LINK_BYTES


def test_names_that_are_too_long_for_a_link_are_named(journal: Journal) -> None:
    names = tuple(f"{name} Александровна" for name in "АБВГДЕ")
    setup = SETUP.model_copy(update={"players": names, "buttons": tuple(Button)[:6]})
    with journal:
        dialog = open_codes(play_to_the_end(journal, GameSetup.model_validate(setup.model_dump())))
        assert (dialog.kind, dialog.open_other) == ("text", None)
        assert dialog.code.caption == "As text: these names are too long for BG Stats' code"


def test_a_line_is_never_split() -> None:
    assert split_text("Go", ["a" * 40, "b"], 20) == [f"Go (1/2)\n{'a' * 40}", "Go (2/2)\nb"]
    assert split_text("Go", []) == ["Go"]


def test_while_the_game_goes_on_there_is_no_code(journal: Journal) -> None:
    with journal:
        table = Table(journal)
        table.saved_game.undo()
        assert table.press(PLUS).result_code is None
