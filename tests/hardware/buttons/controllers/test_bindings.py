"""How a controller is recognised when it is plugged in again, and what people call it."""

from __future__ import annotations

from itertools import permutations

from companion.events import ControllerId
from hardware.buttons.controllers.bindings import clean_name, label_controllers, match_controllers


def make_pad(port: str = "", serial: str = "", product: int = 6) -> ControllerId:
    return ControllerId(0x79, product, "Pad", serial, port)


def test_equal_devices_are_told_apart_by_their_ports() -> None:
    one, two = make_pad("usb-1"), make_pad("usb-2")
    for present in permutations((one, two)):
        assert match_controllers(present, [two, one]) == {one: one, two: two}


def test_the_serial_number_counts_more_than_the_port() -> None:
    one, two = make_pad("usb-1", "A"), make_pad("usb-2", "B")
    exchanged = [make_pad("usb-1", "B"), make_pad("usb-2", "A")]
    assert match_controllers(exchanged, [one, two]) == {exchanged[0]: two, exchanged[1]: one}


def test_another_socket_or_a_replacement_is_taken_for_the_one_that_is_missing() -> None:
    one, two, moved = make_pad("usb-1"), make_pad("usb-2"), make_pad("usb-9")
    assert match_controllers([two, moved], [one, two]) == {two: two, moved: one}
    assert match_controllers([make_pad("usb-9", "C")], [make_pad("usb-1", "A")]) == {
        make_pad("usb-9", "C"): make_pad("usb-1", "A")
    }
    taught, replacement = [make_pad("usb-1", "A"), make_pad("usb-2", "B")], make_pad("usb-2", "C")
    assert match_controllers([replacement], taught) == {replacement: taught[1]}, "it is where the broken one was"


def test_another_model_or_one_too_many_is_not_recognised() -> None:
    one = make_pad("usb-1")
    assert match_controllers([make_pad("usb-1", product=7)], [one]) == {}
    assert match_controllers([one, make_pad("usb-2")], [one]) == {one: one}


def test_labels() -> None:
    assert label_controllers([make_pad("usb-2"), make_pad("usb-1")]) == {
        make_pad("usb-2"): "Pad 1",
        make_pad("usb-1"): "Pad 2",
    }
    assert clean_name(ControllerId(0x79, 6, "a\x1b[2J\nb" + "c" * 99)) == "a [2J b" + "c" * 33
    assert clean_name(ControllerId(0x79, 6, " \0")) == "0079:0006"
