"""The history as a table (CSV)."""

from __future__ import annotations

import io
from typing import Any

from companion.journal.history_csv import CSV_COLUMNS, write_csv
from tests.journal.test_statistics import finished


def test_csv_lines() -> None:
    lasted = {"duration_s": 1234.5}
    started = lasted | {"id": 7, "begun": "b", "date_known": True, "game": "toy", "uid": "u"}
    head = lasted | {"id": 9, "begun": "d", "date_known": False, "game": "go", "title": " \uff1d1", "uid": "v"}
    unfinished = head | {"over": False, "rounds": [], "winners": [], "places": []}
    games: list[dict[str, Any]] = [
        started | finished("Toy", {"Ada": 3, "=B": -8, "C=": 3}, 0, 2, rounds=[[1, 0, 3], [2, -8, 0]]),
        {"id": 8, "begun": "c", "trouble": "torn"},
        unfinished | {"players": ["@x", "+y", "-z"], "scores": [1, 2, 3]},
    ]
    file = io.StringIO()
    write_csv(games, file)
    assert file.getvalue().splitlines() == [
        ",".join(CSV_COLUMNS),
        "7,b,toy,Toy,Ada,1,3,1,1,1,1 2,21,u",
        "7,b,toy,Toy,'=B,2,-8,0,1,2,0 -8,21,u",
        "7,b,toy,Toy,C=,3,3,1,1,1,3 0,21,u",
        "9,,go,' \uff1d1,'@x,1,1,0,0,,,21,v",
        "9,,go,' \uff1d1,'+y,2,2,0,0,,,21,v",
        "9,,go,' \uff1d1,'-z,3,3,0,0,,,21,v",
    ]
