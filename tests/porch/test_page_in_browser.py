"""The spectators' page in a real browser: it follows a game, fits phones and desktops, and is accessible (axe).

That a page comes back after a loss (`follow.js`): tests/club/test_page_in_browser.py.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pygame
import pytest
from selenium.webdriver.support.ui import WebDriverWait

from companion.display.screen import Screen
from companion.gallery import load_sample_builders
from companion.porch.publisher import PorchPublisher
from companion.porch.table_feed import TableFeed
from companion.screen_state import Menu, RunningClock, ScreenKind, ScreenState
from companion.testing.screens import build_states
from tests.chromium import SIZES, TIMEOUT_SECONDS, Browser, needs_chromedriver
from tests.porch.conftest import serve, wait_for

pytestmark = needs_chromedriver
LIST_SEEN = """
const spots = [[5, 5], [5, 715], [640, 360], [1275, 5], [1275, 715]];
return [...new Set(spots.map(([x, y]) => document.elementFromPoint(x, y).tagName)),
  getComputedStyle(document.body).backgroundColor, document.documentElement.scrollHeight];
"""
"""Tags of what is seen in the corners and the middle, the background, and the height of the page."""


def show_picture(publisher: PorchPublisher, browser: Browser, surface: pygame.Surface, state: ScreenState) -> None:
    """Hand out a picture as the main loop does, and wait until the page shows it."""
    browser.driver.execute_script("document.querySelector('#stage img')?.remove()")
    publisher.pictures.note_drawn(surface)

    def is_shown(driver: Any) -> bool:
        publisher.pictures.hand_out(state)
        return bool(driver.execute_script("return document.querySelector('#stage img')?.naturalWidth === 800"))

    WebDriverWait(browser.driver, TIMEOUT_SECONDS, 0.02).until(is_shown)


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
            if name != "lobby":
                show_picture(publisher, browser, Screen((800, 480)).render(state), state)
            for size_name, size in SIZES.items():
                for colours in ("light", "dark"):
                    browser.set_up(size, colours)
                    what = f"{name}, {size_name}, {colours}"
                    browser.take_picture(what)
                    faults += [f"{what}: {fault}" for fault in browser.find_faults()]
        assert not faults
        text = browser.driver.execute_script("return document.body.innerText")
        assert "Press your button" not in text, "between games there is nothing to watch"
        assert not browser.driver.find_elements("css selector", "#stage img"), "the next game has pictures of its own"
        publisher.publish(views["turn"], None)
        with urlopen(f"{url}/events", timeout=TIMEOUT_SECONDS):  # a second one watches while the page is loaded again
            show_picture(publisher, browser, Screen((800, 480)).render(turn), turn)
            publisher.publish(replace(turn, menu=Menu("Settings", ("Language",), 0)), None)
            browser.wait_for_text("The picture waits")
            browser.driver.refresh()
            browser.wait_for_text("The picture waits")
        publisher.publish(turn, None)
        browser.driver.get(f"{url}/?overlay")
        browser.set_up((1280, 720), "dark")
        show_picture(publisher, browser, Screen((800, 480)).render(turn), turn)
        browser.take_picture("overlay")
        assert browser.driver.execute_script(LIST_SEEN) == ["IMG", "rgba(0, 0, 0, 0)", 720]
        publisher.close()
        browser.wait_for_text("The table does not answer")
        assert [each for each in browser.driver.get_log("browser") if each["level"] == "SEVERE"] == []

    serve(path, use)


@pytest.mark.full
def test_page_shows_losses_with_a_minus_sign(path: Path, publisher: PorchPublisher, browser: Browser) -> None:
    keeper = build_states(load_sample_builders()["score_keeper"])["rounds_6"]
    first = replace(keeper, view=replace(keeper.view, round_number=1))
    losing = tuple(score - 200 for score in keeper.scores)

    async def use(url: str, feed: TableFeed) -> None:
        for state in (first, replace(keeper, scores=losing, prompt="They lose")):
            publisher.publish(state, None)
            await wait_for(feed, lambda wanted=state.prompt: feed.state is not None and feed.state.headline == wanted)
        await asyncio.to_thread(look, url)

    def look(url: str) -> None:
        browser.driver.get(f"{url}/")
        browser.wait_for_text("They lose")
        chart = browser.driver.find_element("css selector", "#chart")
        browser.driver.execute_script("document.querySelector('#chart details').open = true")
        shown = browser.driver.execute_script("return document.querySelector('main').textContent")
        name = chart.find_element("css selector", "svg").get_attribute("aria-label")
        for text in (shown, name):
            assert f"−{-losing[0]}" in text
            assert not re.findall(r"(?<!\w)-\d", text)

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
        for language, tag, word in (("tlh_QO", "tlh-QO", "Round"), ("it", "it", "Ada: it")):
            languages.append(language)
            publisher.publish(replace(playing[0], prompt=f"Ada: {tag}"), None)
            browser.wait_for_text(word)
            assert browser.driver.execute_script("return document.documentElement.lang") == tag

    try:
        serve(path, use)
    finally:
        publisher.close()
