"""All checks of a game as one class of pytest tests: a game's test module derives from it and says which game it is."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pygame
import pytest
from pydantic import ValidationError

from companion.api import (
    AnyGameDefinition,
    BadCorrection,
    Command,
    Correction,
    Game,
    IllegalMove,
    Move,
    Seat,
    Visibility,
)
from companion.app.self_play import SelfPlay
from companion.app.session import SessionConfig
from companion.camera.camera_reader import make_watcher
from companion.display.toolkit import Canvas, list_art_names
from companion.display.widgets.cover import GENRE_PREFIX
from companion.display.widgets.rule_picture import draw_rule_picture
from companion.journal.database import Journal
from companion.journal.saved_game import SavedGame
from companion.screen_state import ScreenState
from companion.testing.checks import (
    check_addressed_seat,
    check_inputs,
    check_refusals,
    check_texts,
    correct_at_random,
    is_legal,
    label_all,
)
from companion.testing.motion import check_motion_ends, check_press_ends_motion, check_rest_paints_nothing
from companion.testing.random_players import RandomPlayers
from companion.testing.screens import CORNERS, build_states, check_screen, format_corner
from companion.testing.table import NAMES, open_tables
from companion.testing.translations import check_translations

MAX_MOVES = 5_000
"""Moves within which a random game comes to its end."""
MAX_SEATS = 6
"""Seat buttons of the box."""
MAX_LABEL_LETTERS = 20
"""Letters of the longest label of a key."""
EVERY_NTH_STATE = 5
"""Of the states of a random game, one in this number is checked by what takes long: corrections."""
NO_SAMPLES: Mapping[str, ScreenState] = {}


class GameSuite:
    """What every game of the companion passes, as pytest tests. Derive from it, in a test module:

        class TestRaceToTen(GameSuite):
            definition = GAME
            build_samples = staticmethod(build_samples)
            extremes = {"goal": (1, 99)}

    Attributes:
        definition: the game's definition.
        build_samples: builds its sample screens by name, as the definition's `samples` names it.
        extremes: by house rule, values at its extremes, with which random games are played too.
        rule_pattern: regular expression of the numbers of its rules.
        seeds: seeds of the random games; more find more.
        self_play_counts: numbers of players for which the game plays itself, from the lobby to the result, through real
            frames of a simulated camera if it uses one; None: all.
        unoffered_kinds: kinds of moves of which some are legal without being offered: only the camera plays them, or
            they stand on a further page of the keys.
        locale_package: the package with the folder `locale`; empty: it has no translations.
    """

    definition: ClassVar[AnyGameDefinition]
    build_samples: ClassVar[Callable[[], Mapping[str, ScreenState]]] = staticmethod(lambda: NO_SAMPLES)
    extremes: ClassVar[Mapping[str, Sequence[Any]]] = {}
    rule_pattern: ClassVar[str] = r"[A-Z]+\d+"
    seeds: ClassVar[Sequence[int]] = range(1, 6)
    self_play_counts: ClassVar[Sequence[int] | None] = None
    unoffered_kinds: ClassVar[frozenset[str]] = frozenset()
    locale_package: ClassVar[str] = ""

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Run the tests for each number of players, seed, size and language of their parameters."""
        counts: Sequence[int] = self.definition.player_counts
        if "self_play_count" in metafunc.fixturenames:
            chosen = counts if self.self_play_counts is None else self.self_play_counts
            metafunc.parametrize("self_play_count", chosen)
        if "player_count" in metafunc.fixturenames:
            metafunc.parametrize("player_count", counts)
        if "seed" in metafunc.fixturenames:
            metafunc.parametrize("seed", self.seeds)
        if "corner" in metafunc.fixturenames:
            metafunc.parametrize("corner", CORNERS, ids=lambda corner: "-".join(map(format_corner, corner)))

    def list_extremes(self, random: Random) -> Mapping[str, Sequence[Any]]:
        """Return the values of house rules with which a random game is played now and then; by default `extremes`."""
        return self.extremes

    # The definition ------------------------------------------------------------------------------------------------

    def test_the_definition_is_complete(self) -> None:
        """Name, numbers of players, genre, and house rules that are frozen, strict and survive the journal."""
        definition = self.definition
        assert re.fullmatch(r"[a-z][a-z0-9_]{0,39}", definition.name), definition.name
        assert definition.title
        assert not definition.genre or GENRE_PREFIX + definition.genre in list_art_names(), definition.genre
        assert definition.player_counts
        assert set(definition.player_counts) <= set(range(1, MAX_SEATS + 1))
        rules = definition.settings_model()
        assert definition.settings_model.model_validate(rules.model_dump(mode="json")) == rules
        with pytest.raises(ValidationError):
            definition.settings_model.model_validate({"no_such_rule": 1})
        for rule in definition.settings_model.model_fields:
            with pytest.raises(ValidationError):
                setattr(rules, rule, getattr(rules, rule))

    def test_the_help_has_its_rules(self) -> None:
        """Rules in pictures that can be drawn, and a sentence on the end; a game may leave out both."""
        rules = self.definition.list_rules(self.definition.settings_model())
        canvas = Canvas((240, 144))
        for rule in rules:
            assert rule.sentence
            draw_rule_picture(canvas, pygame.Rect(0, 0, 80, 60), rule.objects)
        assert bool(rules) == bool(self.definition.explain_ending(self.definition.settings_model()))

    def test_other_tables_are_refused(self) -> None:
        """A number of players, or a first seat, that the game does not allow."""
        create, rules = self.definition.create_game, self.definition.settings_model()
        counts = self.definition.player_counts
        for count in {counts[0] - 1, counts[-1] + 1} - {0}:
            with pytest.raises(ValueError, match=r"\d"):
                create(count, Seat(0), rules)
        with pytest.raises(ValueError, match=r"\d"):
            create(counts[0], Seat(counts[0]), rules)

    # Rules ---------------------------------------------------------------------------------------------------------

    def test_random_games(self, player_count: int, seed: int) -> None:
        """Legal moves are played and others refused, by the rules alone; every game ends, with a winner."""
        random = Random(f"{player_count} {seed}")
        game = self._create_game(player_count, random)
        names = NAMES[:player_count]
        for number in range(MAX_MOVES):
            self._check_state(game, names, random, is_thorough=number % EVERY_NTH_STATE == 0)
            if game.compute_outcome() is not None:
                break
            move = self._choose_move(game, names, random)
            before = repr(game)
            after = game.play(move)
            assert repr(game) == before, "a game is a frozen value: playing must not change it"
            assert game.play(move) == after, "the same move gives the same game"
            check_texts(self.definition, names, game, move, after, max_length=110)
            game = after
        outcome = game.compute_outcome()
        assert outcome is not None, f"no end after {MAX_MOVES} moves"
        assert outcome.reason
        assert all(0 <= seat < player_count for seat in outcome.winners)

    def test_random_corrections(self, player_count: int, seed: int) -> None:
        """No correction leads into a state in which the game could not go on."""
        random = Random(f"corrections {player_count} {seed}")
        game, names = self._create_game(player_count, random), NAMES[:player_count]
        for _ in range(60):
            if random.random() < 0.4 and game.list_correctables():
                corrected = correct_at_random(self.definition, names, game, random, max_step=40)
                game = corrected.game if corrected else game
            elif game.compute_outcome() is None:
                game = game.play(self._choose_move(game, names, random))
            self._check_state(game, names, random, is_thorough=False)

    def test_who_joins_late_changes_nothing_for_the_others(self, player_count: int, seed: int) -> None:
        """Where people may join a running game (`can_join`), it goes on to its end with one more player."""
        random = Random(f"late {player_count} {seed}")
        game, names = self._create_game(player_count, random), NAMES[:player_count]
        moves_before = random.randrange(40)
        for number in range(MAX_MOVES):
            if game.compute_outcome() is not None:
                break
            has_joined = game.player_count > player_count
            can_join = player_count + 1 in self.definition.player_counts and self.definition.can_join(game)
            if not has_joined and number >= moves_before and can_join:
                game, before = game.add_player(), game
                assert game.totals[:player_count] == before.totals, "the others keep their scores"
                assert (game.changes, game.away[-1]) == ((0,) * (player_count + 1), False)
                names = NAMES[: player_count + 1]
                self._check_state(game, names, random, is_thorough=True)
            game = game.play(self._choose_move(game, names, random))
        assert game.compute_outcome() is not None, f"no end after {MAX_MOVES} moves"

    def _create_game(self, player_count: int, random: Random) -> Game:
        rules = {
            rule: random.choice(list(values))
            for rule, values in self.list_extremes(random).items()
            if random.random() < 0.3
        }
        settings = self.definition.settings_model.model_validate(rules)
        first = Seat(random.randrange(player_count) if self.definition.has_first_player else 0)
        try:
            game: Game = self.definition.create_game(player_count, first, settings)
        except ValueError:  # these house rules are not for that many players
            game = self.definition.create_game(player_count, first, self.definition.settings_model())
        return game

    def _choose_move(self, game: Game, names: Sequence[str], random: Random) -> Move:
        """Choose a legal move, as often as bots do; an open one is completed at random."""
        offers = self.definition.list_offers(game, names, Visibility())
        weights = dict.fromkeys(game.list_moves(), 0.05)
        for offer in offers:
            if isinstance(offer.action, Move) and offer.action in weights:
                weights[offer.action] = max(0.01, self.definition.get_bot_weight(game, offer))
        move = random.choices(list(weights), list(weights.values()))[0]
        if move.value_range is None:
            return move
        return move.fill(*random.choices(move.value_range.numbers, k=move.value_range.count))

    def _check_state(self, game: Game, names: Sequence[str], random: Random, *, is_thorough: bool) -> None:
        """Check what must be so in every state."""
        definition, moves = self.definition, game.list_moves()
        hash(game)
        assert len(game.totals) == game.player_count == len(names)
        assert bool(moves) == (game.compute_outcome() is None), "a game ends when no move is left, and only then"
        for clock in game.list_clocks():
            assert clock.seconds > 0
            assert clock.on_expiry is None or is_legal(game, clock.on_expiry), clock
        for seat in range(game.player_count):
            default = definition.get_default_move(game, Seat(seat))
            if default is not None and not is_legal(game, default):
                with pytest.raises(IllegalMove):
                    game.play(default)
        if moves:
            check_addressed_seat(definition, game, names)
            for visibility in (Visibility(), Visibility(dice=True, tokens=True)):
                self._check_offers(game, names, visibility)
        check_refusals(game, list(self._list_wrong_moves(moves, random)), self.rule_pattern)
        if is_thorough:
            listed = game.list_correctables()
            for entry in random.sample(listed, min(len(listed), 6)):
                try:
                    game.correct(entry.make_correction(*entry.current_value))
                except BadCorrection as error:
                    raise AssertionError(f"what stands there cannot be entered as it is: {entry}") from error
        labels = label_all(definition, game, names)
        assert len(set(labels.values())) == len(labels), ("two lines of the menu are the same", labels)

    def _check_offers(self, game: Game, names: Sequence[str], visibility: Visibility) -> None:
        """Check that each legal move is offered, and nothing else, on inputs that are free.

        What the camera sees need not be offered: a reading may play it.
        """
        offers = self.definition.list_offers(game, names, visibility)
        check_inputs([offer.input for offer in offers])
        commands = [offer for offer in offers if isinstance(offer.action, Command)]
        played = {offer.action for offer in offers if isinstance(offer.action, Move)}
        moves = set(game.list_moves())
        assert played <= moves, ("offered, but not legal", played - moves)
        if not visibility.dice and not commands:  # a command opens a choice of moves
            hidden = {move for move in moves - played if move.kind not in self.unoffered_kinds}
            assert not hidden, ("legal, but not offered", hidden)
        for offer in offers:
            assert offer.label
            assert len(offer.label) <= MAX_LABEL_LETTERS, offer
            assert "seat" not in offer.label.lower(), offer

    @staticmethod
    def _list_wrong_moves(moves: Sequence[Move], random: Random) -> Iterator[Move]:
        """Yield moves that are nearly legal: another seat, value or kind, and one that nobody knows."""
        yield Move("no such move", Seat(0))
        for move in random.sample(list(moves), min(3, len(moves))):
            complete = replace(move, value_range=None)
            yield replace(complete, seat=Seat(random.randrange(MAX_SEATS + 1)))
            yield replace(complete, seat=None)
            yield replace(complete, value=(*complete.value, random.randint(-9, 99)))
            yield replace(complete, kind=f"{move.kind}s")
            yield move  # as it is listed: an open one lacks its value

    # At the table --------------------------------------------------------------------------------------------------

    def test_random_players_break_no_invariant(self, tmp_path: Path, seed: int) -> None:
        """The real referee and journal, with people who do anything at any moment."""
        with open_tables(tmp_path) as make_table:
            RandomPlayers(make_table, self.definition, seed, self.list_extremes(Random(seed))).play()

    def test_undo_leads_back_to_the_start(self, tmp_path: Path, seed: int) -> None:
        """Each step is taken back and done again, through the journal."""
        random = Random(f"undo {seed}")
        with open_tables(tmp_path) as make_table:
            count = random.choice(self.definition.player_counts)
            table = make_table(count, definition=self.definition, camera=False)
            saved: SavedGame = table.saved_game
            games = [saved.game]
            while len(games) < 40 and saved.game.compute_outcome() is None:
                saved.play_move(self._choose_move(saved.game, NAMES[:count], random))
                games.append(saved.game)
            for game in games[-2::-1]:
                saved.undo()
                assert saved.game == game
            for game in games[1:]:
                saved.redo()
                assert saved.game == game
            assert SavedGame(table.journal, saved.id, self.definition).game == games[-1], "the journal differs"

    def test_players_leave_and_come_back(self, tmp_path: Path) -> None:
        """Whoever may leave may come back."""
        with open_tables(tmp_path) as make_table:
            table = make_table(self.definition.player_counts[-1], definition=self.definition, camera=False)
            for seat in [c.seat for c in table.game.list_correctables() if c.kind == "away"]:
                for is_away in (1, 0):
                    table.saved_game.correct(Correction("away", seat, (is_away,)))
                    found = [c for c in table.game.list_correctables() if (c.kind, c.seat) == ("away", seat)]
                    assert [c.current_value for c in found] == [(is_away,)], seat

    def test_it_plays_itself_from_lobby_to_result(self, tmp_path: Path, self_play_count: int) -> None:
        """With virtual players; a game with a camera gets nothing of the table but its frames."""
        definition = self.definition
        with Journal(tmp_path / "journal.sqlite3", wall=lambda: 0.0, monotonic=lambda: 0.0) as journal:
            game = SelfPlay(
                SessionConfig(definition, NAMES[:self_play_count], definition.settings_model(), 1),
                journal,
                make_watcher(definition.camera) if definition.camera else None,
                lambda _line: None,
            )
            scores = game.play()
            assert len(scores) == self_play_count
            assert SavedGame(journal, 1, definition).game.totals == scores

    # On the screen -------------------------------------------------------------------------------------------------

    def test_sample_screens_are_legible(self, corner: tuple[tuple[int, int], str]) -> None:
        """At every size, in every language: nothing is cut, overlaps or is too small, and every glyph is there."""
        size, code = corner
        for name, shown in build_states(type(self).build_samples, code).items():
            assert shown.game_name == self.definition.name, name
            check_screen(shown, size, code, note=name)

    def test_motion_ends(self) -> None:
        """Movements end by themselves and at a press, and then nothing is painted any more."""
        for check in (check_motion_ends, check_press_ends_motion, check_rest_paints_nothing):
            check(type(self).build_samples)

    def test_translations_fit_their_messages(self) -> None:
        """Places, addressed player and full stop of each message are those of its translation."""
        if self.locale_package:
            check_translations(self.locale_package, self.definition.name)
