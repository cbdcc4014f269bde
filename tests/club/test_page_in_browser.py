"""The club's page in a real browser."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
from aiohttp import web

from companion.club import page as page_module
from companion.club.database import ClubDatabase
from companion.club.leagues import LeagueKind
from companion.club.overview import build_overview
from companion.club.page import ClubPage
from companion.club.receiver import LiveTables
from companion.club.tournaments import create_tournament, draw_round
from companion.web_server import live_page
from tests.chromium import SIZES, TIMEOUT_SECONDS, Browser, needs_chromedriver, needs_chromium, read_page
from tests.club.build import END, build_result, build_state

EVIL = "</script><img src=x onerror=document.title='taken'>"


@contextmanager
def serving(page: ClubPage) -> Iterator[str]:
    """Serve the page in a thread for a browser; yields its address."""
    loop = asyncio.new_event_loop()
    runner = web.AppRunner(page.make_application(), shutdown_timeout=0.1)

    async def start() -> int:
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        async with page._changed:
            await page._changed.wait()  # the first overview is there
        return int(runner.addresses[0][1])

    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{asyncio.run_coroutine_threadsafe(start(), loop).result()}"
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    made = Browser(tmp_path / "profile")
    yield made
    made.driver.quit()


def list_plain_tables(tables: LiveTables) -> dict[str, Any]:
    """Return the overview of a club that has nothing but tables."""
    league = {"kind": "places", "rows": []}
    states = [{"name": table.table, "online": True, "players": []} for table in tables.list_tables()]
    return {"connected": True, "tables": states, "recent": [], "league": league, "tournaments": []}


@needs_chromedriver
def test_a_browser_shows_texts_of_strangers_as_texts(
    tables: LiveTables, sqlite_database: ClubDatabase, browser: Browser
) -> None:
    sqlite_database.save_results([build_result(scores=((EVIL, 9), ("Bob", 7)), ended=END.isoformat(), title=EVIL)])
    tables.update("hall-1", online=True, state=build_state(table_name=EVIL, headline=f"{EVIL}: roll"))
    page = ClubPage(lambda: build_overview(sqlite_database, tables, LeagueKind.STRENGTH), tables)
    with serving(page) as url:
        browser.driver.get(url)
        browser.wait_for_text("Round 2/10")
        assert browser.driver.title == "Club night", "no script of a stranger has run"
        document = browser.driver.page_source
    shown = document[document.index("<main>") : document.index("</main>")]
    assert "<img" not in shown
    assert shown.count("&lt;/script&gt;&lt;img src=x") == 5, "name of the table, headline, league, title and result"
    assert 'class="active"' in shown


@needs_chromium
def test_a_browser_shows_losses_with_a_minus_sign(
    tables: LiveTables, sqlite_database: ClubDatabase, tmp_path: Path
) -> None:
    sqlite_database.save_results([build_result(scores=(("Ada", 9), ("Bob", -7)), ended=END.isoformat())])
    tables.update("hall-1", online=True, state=build_state())
    page = ClubPage(lambda: build_overview(sqlite_database, tables, LeagueKind.STRENGTH), tables)
    with serving(page) as url:
        document = read_page(url, tmp_path / "profile")
    shown = document[document.index("<main>") : document.index("</main>")]
    assert ">−1<" in shown
    assert "Bob −7<" in shown
    assert not re.findall(r">[^<]*(?<!\w)-\d[^<]*<", shown)


@pytest.mark.full
@needs_chromedriver
def test_the_page_follows_on_phones_and_desktops_and_is_accessible(
    tables: LiveTables, sqlite_database: ClubDatabase, browser: Browser
) -> None:
    players = tuple((f"Wilhelmina-Maximilianna {n}", n) for n in range(6))
    sqlite_database.save_results(build_result(f"{n:08x}", players, title="Macroscope") for n in range(6))
    sqlite_database.save_results([build_result("abcdef01", (("Ada", 9), ("Bob", 9), ("Cleo", 4)))])
    create_tournament(sqlite_database, "Winter", "", range(3, 5), [name for name, _score in players], END)
    draw_round(sqlite_database, "Winter", Random(1))
    seats = [("Ada", 3, "#60baf0", "circle"), ("Bob", -1, "#f0a528", "triangle"), ("Cleo", 7, "red", "no shape")]
    shown = [dict(zip(("name", "score", "colour", "shape"), seat, strict=True)) for seat in seats]
    for n, kind in enumerate(("play", "play", "result", "lobby", "play")):
        tables.update(f"hall-{n}", online=n > 0, state=build_state(f"hall-{n}", kind=kind, players=shown))
    tables.set_connected(True)
    page = ClubPage(lambda: build_overview(sqlite_database, tables, LeagueKind.PLACES, get_time=lambda: END), tables)
    faults = []
    with serving(page) as url:
        browser.driver.get(url)
        browser.wait_for_text("Tables online: 4")
        tables.update("hall-1", state=build_state("hall-1", headline="Bob: open a window"))
        browser.wait_for_text("Bob: open a window")  # without loading the page again
        browser.wait_for_text("Games this evening: 7")
        for size_name, size in SIZES.items():
            for colours in ("light", "dark"):
                browser.set_up(size, colours)
                browser.take_picture(f"club, {size_name}, {colours}")
                faults += [f"{size_name}, {colours}: {fault}" for fault in browser.find_faults()]
    browser.wait_for_text("does not answer")
    assert not faults


@needs_chromium
def test_the_page_is_in_the_language_of_the_browser(
    tables: LiveTables, sqlite_database: ClubDatabase, tmp_path: Path
) -> None:
    sqlite_database.save_results([build_result()])
    tables.update("hall-1", online=True, state=build_state())
    tables.set_connected(True)
    page = ClubPage(lambda: build_overview(sqlite_database, tables, LeagueKind.PLACES, get_time=lambda: END), tables)
    with serving(page) as url:
        document = read_page(url, tmp_path / "profile", "--accept-lang=tlh,de-AT,fr")
    assert '<html lang="de"' in document
    assert "<title>Clubabend</title>" in document
    shown = document[document.index("<main>") : document.index("</main>")]
    for text in ("Partien heute Abend: 1", "Runde 2/10", "Eben beendet", "Punkte: 10", "Gewonnen"):
        assert text in shown, text


IS_WHOLE = """
const columns = [...document.querySelectorAll(".left, .right")];
const names = [...document.querySelectorAll("#tables .name")].map((name) => name.getBoundingClientRect().bottom);
return [document.documentElement.scrollHeight, columns.every((each) => each.scrollHeight <= each.clientHeight + 1),
  names.length && Math.max(...names) < innerHeight, parseFloat(getComputedStyle(document.body).fontSize)];
"""
"""Height of the page in pixels, whether the columns and all names are within the window, size of the letters."""


@pytest.mark.full
@needs_chromedriver
@pytest.mark.parametrize("tournaments", [0, 1])
def test_a_television_shows_eight_tables_of_six_long_names_without_scrolling(
    tables: LiveTables, sqlite_database: ClubDatabase, browser: Browser, tournaments: int
) -> None:
    names = [f"Wilhelmina-Maximilianna {n}" for n in range(48)]
    groups = [names[6 * n : 6 * n + 6] for n in range(8)]
    for n, group in enumerate(groups):
        seats = [{"name": name, "score": 10 * n, "colour": "#60baf0", "shape": "circle"} for name in group]
        tables.update(f"hall-{n}", online=True, state=build_state(f"hall-{n}", players=seats))
        scores = tuple((name, seat) for seat, name in enumerate(group))
        sqlite_database.save_results([build_result(f"{n:08x}", scores, title="Macroscope", ended=END.isoformat())])
    for n in range(tournaments):
        create_tournament(sqlite_database, f"Winter {n}", "", range(3, 5), names, END)
        draw_round(sqlite_database, f"Winter {n}", Random(1))
    page = ClubPage(lambda: build_overview(sqlite_database, tables, LeagueKind.PLACES, get_time=lambda: END), tables)
    with serving(page) as url:
        browser.set_up(SIZES["television"], "light")
        browser.driver.get(url)
        browser.wait_for_text("Games this evening: 8")
        height, is_whole, has_all_names, letters = browser.driver.execute_script(IS_WHOLE)
        browser.take_picture(f"club, eight tables, {tournaments} tournaments")
    assert (height, is_whole, has_all_names) == (1080, True, True)
    assert letters > 12


@pytest.mark.full
@needs_chromedriver
def test_many_tabs_and_a_refused_page_come_back(
    tables: LiveTables, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser has six connections to one server, and none to a stream that was refused."""
    monkeypatch.setattr(page_module, "REFRESH_SECONDS", 0.0)
    monkeypatch.setattr(live_page, "RETRY_SECONDS", 0.1)
    monkeypatch.setattr(page_module, "MAX_WATCHERS", 0)

    page = ClubPage(lambda: list_plain_tables(tables), tables)
    browser.driver.set_page_load_timeout(TIMEOUT_SECONDS)
    with serving(page) as url:
        browser.driver.get(url)
        browser.wait_for_text("does not answer")
        page._max_watchers = page._max_watchers_of_address = 200
        browser.wait_for_text("Tables online")
        for _ in range(7):
            browser.driver.switch_to.new_window("tab")
            browser.driver.get(url)
        tables.update("hall-1", online=True)
        browser.wait_for_text("hall-1")
        browser.driver.switch_to.window(browser.driver.window_handles[0])
        browser.wait_for_text("hall-1")


@pytest.mark.full
@needs_chromedriver
def test_a_page_whose_stream_has_died_without_an_end_comes_back(
    tables: LiveTables, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a computer's sleep: the browser waits at a connection of which the server knows nothing any more."""
    monkeypatch.setattr(page_module, "REFRESH_SECONDS", 0.0)
    monkeypatch.setattr(live_page, "HEARTBEAT_SECONDS", 0.1)
    monkeypatch.setattr(live_page, "SILENCE_SECONDS", 3.0)
    page = ClubPage(lambda: list_plain_tables(tables), tables)
    streams, wait = iter(range(1000)), page._wait_for_change

    async def fall_silent(request: web.Request, sent: tuple[int, int]) -> None:
        if "silent" not in request:
            request["silent"] = next(streams) == 0
        await (asyncio.Event().wait() if request["silent"] else wait(request, sent))

    monkeypatch.setattr(page, "_wait_for_change", fall_silent)
    with serving(page) as url:
        browser.driver.get(url)
        browser.wait_for_text("Tables online")
        tables.update("hall-1", online=True)
        browser.wait_for_text("hall-1")
