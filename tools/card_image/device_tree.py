"""Read device trees (dtb files, version 17 of the format of devicetree.org)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

_MAGIC = 0xD00DFEED
_BEGIN, _END, _PROPERTY, _NOTHING = 1, 2, 3, 4


@dataclass
class TreeNode:
    """A node of a device tree: a device or a bus.

    Attributes:
        path: such as "/soc/usb@7e980000".
        is_on: neither the node nor one around it has the status "disabled".
    """

    path: str
    properties: dict[str, bytes] = field(default_factory=dict)
    is_on: bool = True

    def read_words(self, name: str) -> list[str]:
        """Return a property's texts, such as the names in `compatible`; empty if it is not there."""
        return self.properties.get(name, b"").rstrip(b"\0").decode("ascii", "replace").split("\0")


def read_nodes(content: bytes) -> Iterator[TreeNode]:
    """Yield all nodes of a dtb file, each after those within it.

    Raises:
        ValueError: it is no device tree.
    """
    magic, _, at, texts = struct.unpack_from(">4I", content.ljust(16, b"\0"))
    if magic != _MAGIC:
        raise ValueError("no device tree")
    around: list[TreeNode] = []
    while True:
        (token,) = struct.unpack_from(">I", content, at)
        at += 4
        if token == _BEGIN:
            name, at = _read_text(content, at)
            around.append(TreeNode(f"{around[-1].path.rstrip('/')}/{name}" if around else "/"))
        elif token == _PROPERTY:
            size, place = struct.unpack_from(">2I", content, at)
            around[-1].properties[_read_text(content, texts + place)[0]] = content[at + 8 : at + 8 + size]
            at += 8 + size
        elif token == _END:
            around[-1].is_on = not any(node.read_words("status") == ["disabled"] for node in around)
            yield around.pop()
        elif token != _NOTHING:
            return
        at = -(-at // 4) * 4


def _read_text(content: bytes, at: int) -> tuple[str, int]:
    """Return the text that begins there, and where its zero is passed."""
    end = content.index(b"\0", at)
    return content[at:end].decode("ascii"), end + 1
