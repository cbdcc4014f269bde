"""The spectators' page in a real browser: it follows a game, fits phones and desktops, and is accessible (axe)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.porch.publisher import PorchPublisher
from companion.porch.table_feed import TableFeed
from companion.screen_state import RunningClock, ScreenKind, ScreenState
from tests.chromium import SIZES, Browser, needs_chromedriver
from tests.porch.conftest import serve, wait_for

pytestmark = needs_chromedriver


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    made = Browser(tmp_path_factory.mktemp("profile"))
    yield made
    made.driver.quit()


@pytest.mark.full
def test_page_follows_a_game_on_phones_and_desktops(
    path: Path, publisher: PorchPublisher, samples: dict[str, ScreenState], browser: Browser
) -> None:
    starfall = next(state for name, state in samples.items() if name.startswith("starfall/") and state.kind == "play")
    ended = next(state for state in samples.values() if state.kind is ScreenKind.RESULT and len(state.players) > 3)
    clock = RunningClock("turn", 95.0, 120.0, label="Thinking time")
    turn = replace(starfall, addressed=starfall.players[0].seat, clocks=(clock,), notice="The camera is unplugged")
    long_name = replace(turn.players[0], name="Wilhelmina-Maximilianna-Alexandra-Theodora")
    views = {
        "turn": replace(turn, prompt="Ada: roll the dice"),
        "long": replace(turn, prompt=f"{long_name.name}: roll the dice", players=(long_name, *turn.players[1:])),
        "result": replace(ended, prompt="This game is over"),
        "lobby": ScreenState(ScreenKind.LOBBY, prompt="Press your button"),
    }
    shown = {"lobby": "Nothing is being played"}

    async def use(url: str, feed: TableFeed) -> None:
        await asyncio.to_thread(look, url)

    def look(url: str) -> None:
        faults = []
        browser.driver.get(f"{url}/")
        for name, state in views.items():
            publisher.publish(state, None)
            browser.wait_for_text(shown.get(name, state.prompt))  # without loading the page again
            for size_name, size in SIZES.items():
                for colours in ("light", "dark"):
                    browser.set_up(size, colours)
                    what = f"{name}, {size_name}, {colours}"
                    browser.take_picture(what)
                    faults += [f"{what}: {fault}" for fault in browser.find_faults()]
        assert not faults
        text = browser.driver.execute_script("return document.body.innerText")
        assert "Press your button" not in text, "between games there is nothing to watch"
        publisher.close()
        browser.wait_for_text("The table does not answer")
        assert [each for each in browser.driver.get_log("browser") if each["level"] == "SEVERE"] == []  # type: ignore[no-untyped-call]

    serve(path, use)


@pytest.mark.full
def test_page_speaks_the_language_of_the_table_and_runs_no_text(
    path: Path, playing: list[ScreenState], browser: Browser
) -> None:
    evil = "</script><img src=x onerror=document.title='taken'><b>bold</b>"
    languages = ["de"]
    publisher = PorchPublisher(path, "hall-1", evil[:40], get_language=lambda: languages[-1])
    publisher.publish(replace(playing[0], prompt=evil, last_move=evil, notice=evil, title=evil), None)

    async def use(url: str, feed: TableFeed) -> None:
        await wait_for(feed, lambda: feed.state is not None)
        await asyncio.to_thread(look, url)

    def look(url: str) -> None:
        browser.driver.get(f"{url}/")
        browser.wait_for_text(evil)
        browser.wait_for_text("Runde")
        assert browser.driver.title == evil
        assert browser.driver.execute_script("return document.querySelectorAll('img, b').length") == 0
        assert browser.driver.execute_script("return document.documentElement.lang") == "de"
        languages.append("it")
        publisher.publish(replace(playing[0], prompt="Ada: gioca"), None)
        browser.wait_for_text("Turno")
        assert browser.driver.execute_script("return document.documentElement.lang") == "it"

    try:
        serve(path, use)
    finally:
        publisher.close()
