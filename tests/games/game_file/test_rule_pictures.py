"""Pictures of the rules of games in files (G3): each sentence has another one, in every language."""

from __future__ import annotations

import pytest

from companion.api import registry
from companion.i18n import LANGUAGES
from companion.testing.screens import use_language


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_picture_of_a_games_rules_is_there_twice(language: str) -> None:
    with use_language(language):
        for definition in registry.load_games():
            pictures = [rule.objects for rule in definition.list_rules(definition.settings_model())]
            assert len(set(pictures)) == len(pictures), definition.name


def test_a_rule_of_points_shows_them_and_a_rule_of_faces_shows_these() -> None:
    yacht, farkle = (registry.find_game(name) for name in ("yacht", "farkle"))
    shown = {rule.sentence[:9]: rule.objects for rule in yacht.list_rules(yacht.settings_model())}
    assert shown["Throw fiv"] == ("die_tumble_1", "die_tumble_4")
    assert shown["Three or "] == ("die_6", "die_6")
    assert [shown[start] for start in ("Full hous", "Yacht (fi")] == [("card 25",), ("card 50",)]
    assert ("die_1", "die_5") in [rule.objects for rule in farkle.list_rules(farkle.settings_model())]
