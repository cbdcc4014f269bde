"""Reading, writing and checking .po files; those that come with the program read as gettext's compiler reads them."""

from __future__ import annotations

import gettext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.catalogues import find_packaged_folder, list_packaged_languages
from companion.po_file import (
    PoEntry,
    PoError,
    PoFile,
    compile_mo,
    find_fault,
    format_po,
    list_fields,
    load_translations,
    parse_po,
)

POLISH = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"
HEAD = 'msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\n'


def test_a_file_is_read_as_babel_compiled_it() -> None:
    language = min(list_packaged_languages("companion"))
    for source in find_packaged_folder(language, "companion").iterdir():
        if source.name.endswith(".po"):
            translations, faults = load_translations(parse_po(source.read_text(encoding="utf-8")))
            compiled = find_packaged_folder(language, "companion") / source.name.replace(".po", ".mo")
            with compiled.open("rb") as file:
                expected = gettext.GNUTranslations(file)
            own, other = (dict(each._catalog) for each in (translations, expected))
            assert own.pop("")
            assert other.pop("")
            assert (own, faults) == (other, {})


def test_what_editors_write_is_read() -> None:
    text = HEAD + (
        '# a translator\'s remark\n#: a.py:1\n#, python-brace-format\n#| msgid "old"\n'
        'msgid ""\n"{who} has \\"{n}\\"\\n"\n"points"\nmsgstr "{who} a «{n}»\\tpoints"\n'
        'msgid "one"\nmsgstr "un"\n#~ msgid "gone"\n#~ msgstr "parti"\n'
        'msgctxt "menu"\nmsgid "Stop"\nmsgstr "Arrêter"'
    )
    po = parse_po(text)
    assert [entry.message for entry in po.entries] == ['{who} has "{n}"\npoints', "one", "Stop"]
    assert po.entries[0].texts == ("{who} a «{n}»\tpoints",)
    assert po.entries[0].comments[0] == "# a translator's remark"
    assert parse_po(format_po(po)).entries[0].texts == po.entries[0].texts


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("msgid one", "line 1: neither"),
        ('"Yes"', "line 1: neither"),
        ('msgid "Yes\nmsgstr "Oui"', "line 1: neither"),
        ('msgid "a"\n\nmsgid "b"\nmsgstr "c"', "line 3: msgid stands there twice"),
        ('msgid "a"\nmsgstr "b"\nmsgstr "c"', "line 3: msgstr stands there twice"),
        ('msgid "a"\n', "line 1: this message has no msgstr"),
        ('msgstr "a"\n', "a msgstr without a msgid"),
        ("<<<<<<< HEAD", "line 1: neither"),
        ('msgid "Yes"\nmsgstr "Oui"\n\nmsgid "Yes"\nmsgstr ""', 'line 4: this message is in line 1, too: "Yes"'),
    ],
)
def test_what_is_no_po_file_is_refused_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(PoError, match=reason):
        parse_po(text)


def test_a_remark_on_a_message_that_is_gone_is_not_on_the_next_one() -> None:
    po = parse_po('#, fuzzy\n#~ msgid "gone"\n#~ msgstr "parti"\n\nmsgid "Yes"\nmsgstr "Oui"\n')
    assert po.entries[0].is_translated


texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=20)


@given(st.lists(st.tuples(texts, texts), max_size=4, unique_by=lambda pair: pair[0]))
def test_all_that_is_written_is_read_again(pairs: list[tuple[str, str]]) -> None:
    po = PoFile({"Language": "fr"}, tuple(PoEntry(message, "", (text,)) for message, text in pairs))
    again = parse_po(format_po(po))
    assert again.headers == po.headers
    assert [(entry.message, *entry.texts) for entry in again.entries] == pairs


def test_each_language_has_plurals_of_its_own() -> None:
    entry = PoEntry("a tile", "{n} tiles", ("{n} płytka", "{n} płytki", "{n} płytek"))
    polish, _faults = load_translations(PoFile({"Plural-Forms": POLISH}, (entry,)))
    assert [polish.ngettext("a tile", "{n} tiles", n) for n in (1, 2, 5, 22)] == [
        entry.texts[form] for form in (0, 1, 2, 1)
    ]
    french, _faults = load_translations(parse_po(HEAD + 'msgid "a"\nmsgid_plural "b"\nmsgstr[0] "un"\nmsgstr[1] "des"'))
    assert [french.ngettext("a", "b", n) for n in (0, 1, 2)] == ["un", "un", "des"]


@pytest.mark.parametrize(
    "rule",
    [
        "nplurals=2; plural=__import__('os').system('true');",
        "nplurals=2; plural=n/(n-7);",
        "nplurals=2; plural=n;",
        "nplurals=0; plural=0;",
        "nplurals=2",
        f"nplurals=2; plural={'(' * 500}n{')' * 500};",
    ],
)
def test_a_wrong_rule_of_plurals_is_refused(rule: str) -> None:
    with pytest.raises(PoError, match="Plural-Forms is wrong"):
        load_translations(PoFile({"Plural-Forms": rule}, ()))


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("{who} wins", "gagne"),
        ("{who} wins", "{qui} gagne"),
        ("{who} wins", "{who} gagne {n}"),
        ("{who} wins", "{who.__class__} gagne"),
        ("{n} m", "{n:9999999999} m"),
        ("{n} m", "{n!r} m"),
        ("{n} m", "{n m"),
        ("Stop", "Arrêter {"),
        ("{who}: roll", "{who} lance"),
        ("{who} rolls", "{who}\u00a0: lance"),
        ("Stop", "Arrêter\n"),
        ("Stop", "\x1b[2J"),
        ("Stop", "\u202eArrêter"),
        ("Stop", "Arrêter " * 8),
        ("not filled in: }", "pas\nremplie"),
    ],
)
def test_a_translation_that_would_break_a_game_stays_english(message: str, text: str) -> None:
    entry = PoEntry(message, "", (text,), line=7)
    assert find_fault(entry, 2)
    translations, faults = load_translations(PoFile({}, (entry, PoEntry("Yes", "", ("Oui\xa0!\u202f!",)))))
    assert (translations.gettext(message), translations.gettext("Yes")) == (message, "Oui\xa0!\u202f!")
    assert list(faults) == [7]


def test_plurals_may_leave_their_number_out_but_not_a_form() -> None:
    assert find_fault(PoEntry("{n} tile", "{n} tiles", ("une tuile", "{n} tuiles")), 2) is None
    assert find_fault(PoEntry("{n} tile", "{n} tiles", ("une tuile",)), 2) == "it has 1 forms, but Plural-Forms says 2"
    assert find_fault(PoEntry("no brace is filled in: }", "", ("pas d'accolade",)), 2) is None


def test_a_guess_and_half_a_plural_are_not_used() -> None:
    guess = PoEntry("Yes", "", ("Oui",), ("#, fuzzy",))
    half = PoEntry("a tile", "{n} tiles", ("une tuile", ""))
    assert not guess.is_translated
    translations, faults = load_translations(PoFile({}, (guess, half)))
    assert (translations.gettext("Yes"), translations.ngettext("a tile", "{n} tiles", 1)) == ("Yes", "a tile")
    assert faults == {}


@pytest.mark.parametrize(("text", "names"), [("{a} and {b}", {"a", "b"}), ("none", set()), ("{{a}}", set())])
def test_fields_of_a_message(text: str, names: set[str]) -> None:
    assert {name for name, _form, _conversion in list_fields(text)} == names


def test_the_compiled_file_has_no_message_twice() -> None:
    twice = PoFile({}, (PoEntry("Yes", "", ("Oui",)), PoEntry("Yes", "", ("Si",))))
    assert compile_mo(twice).count(b"Yes\0") == 1
