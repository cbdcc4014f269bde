"""What `companion porch` prints before the page is served."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.porch import service
from tests.commands.command_line import run_main


def test_the_address_reaches_a_pipe_while_the_page_is_served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pipe, arrived = io.BytesIO(), list[str]()

    async def run(_settings: Any, _socket_path: Path, print_page: Any, *, is_cafe: bool) -> None:
        arrived.append(pipe.getvalue().decode())
        print_page("::1", 8080)
        arrived.append(pipe.getvalue().decode())

    monkeypatch.setattr(service, "run_porch", run)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(pipe, "utf-8"))
    (settings := tmp_path / "companion.toml").write_text("[porch]\nport = 8080\n")
    assert run_main("porch", "--settings", str(settings)) == 0
    assert "[porch] on = true" in arrived[0]
    assert "http://[::1]:8080/" in arrived[1]
