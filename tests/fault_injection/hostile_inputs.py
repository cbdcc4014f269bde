"""Random mutations of valid files, for `hypothesis`."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

NASTY = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.sampled_from(
        [
            *(
                "",
                "..",
                "../../../../tmp/x",
                "/etc/passwd",
                "$(touch /tmp/x)",
                "`id`",
                "; rm -rf /",
                "%s%n",
                "{0.__class__}",
            ),
            *(
                "\x00",
                "\x1b[2J",
                "\u202e",
                "\ud800",
                "a" * 5000,
                "macroscope",
                "roll",
                "NaN",
                "'; DROP TABLE entries; --",
            ),
            *([], {}, [[]], [1] * 500, {"a": {"a": {"a": {}}}}, 1e308, -0.0, 10**18),
        ]
    ),
    st.text(max_size=20),
    st.lists(st.integers(), max_size=5),
)


def changed(value: Any, draw: st.DrawFn) -> Any:
    """Return the value with one part replaced, removed, doubled or added."""
    if isinstance(value, dict) and value and draw(st.integers(0, 3)):
        key = draw(st.sampled_from(sorted(value)))
        copy = dict(value)
        match draw(st.integers(0, 5)):
            case 0:
                del copy[key]
            case 1:
                copy[draw(st.text(max_size=8))] = draw(NASTY)
            case _:
                copy[key] = changed(value[key], draw)
        return copy
    if isinstance(value, list) and value and draw(st.integers(0, 3)):
        at = draw(st.integers(0, len(value) - 1))
        copy_ = list(value)
        match draw(st.integers(0, 5)):
            case 0:
                del copy_[at]
            case 1:
                copy_.insert(at, value[at])
            case _:
                copy_[at] = changed(value[at], draw)
        return copy_
    return draw(NASTY)


@st.composite
def bytes_like(draw: st.DrawFn, good: bytes, document: Any) -> bytes:
    """Return a mutated file: usually mutated as data, sometimes as bytes."""
    if draw(st.integers(0, 4)) and document is not None:
        for _ in range(draw(st.integers(1, 3))):
            document = changed(document, draw)
        try:
            return json.dumps(document).encode()
        except (UnicodeEncodeError, ValueError):
            return b"{}"
    data = bytearray(good)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        data[at : at + draw(st.integers(0, 30))] = draw(
            st.one_of(
                st.binary(max_size=30),
                st.sampled_from(
                    [b"[" * 100_000, b'{"a":' * 5000, b"1" * 6000, b"1e99999", b"\xff\xfe", b"NaN", b'"' * 3]
                ),
            )
        )
    return bytes(data)


@st.composite
def toml_like(draw: st.DrawFn, good: bytes) -> bytes:
    rows = good.split(b"\n")
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(rows) - 1))
        key = rows[at].partition(b"=")[0]
        value = draw(st.one_of(NASTY.map(lambda v: json.dumps(v, ensure_ascii=True).encode()), st.binary(max_size=12)))
        rows[at : at + 1] = draw(
            st.sampled_from(
                [[key + b"=" + value], [], [rows[at], rows[at]], [b"[" + value + b"]"], [value], [b"a=" * 9000]]
            )
        )
    return b"\n".join(rows)
