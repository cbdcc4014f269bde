"""Games in files whose points people enter play themselves: virtual players find whose number is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.api.registry import find_game
from companion.app.self_play import SelfPlay
from companion.app.session import SessionConfig
from companion.i18n import LANGUAGES, set_language
from companion.journal.database import JOURNAL_FILE, Journal


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sheet_is_filled_in_each_language(tmp_path: Path, language: str) -> None:
    """French has a space before the colon that follows a name."""
    set_language(language)
    definition = find_game("qwixx_sheet")
    with Journal(tmp_path / JOURNAL_FILE) as journal:
        config = SessionConfig(definition, ("Ada", "Adam"), definition.settings_model(), 5)
        play = SelfPlay(config, journal, None, lambda _line: None)
        assert play.play() == play.session.build_screen_state(play.camera_reader.camera_view).scores
        assert play.session.saved_game is not None
        assert play.session.saved_game.game.is_over
