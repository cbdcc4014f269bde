"""Lines of text with a checksum each: a sector that the disk loses costs the lines that it touches."""

import zlib


def format_checked_line(text: bytes) -> bytes:
    r"""Return the line of a text: the text, its CRC-32 and a line break.

    >>> format_checked_line(b"seven")
    b'seven 9654ad6c\n'

    Args:
        text: not empty, without a line break.
    """
    return b"%s %08x\n" % (text, zlib.crc32(text))


def parse_checked_line(line: bytes) -> bytes:
    r"""Return the text of a line, with or without its line break; empty: the checksum is wrong.

    >>> parse_checked_line(b"seven 9654ad6c\n"), parse_checked_line(b"eleven 9654ad6c\n")
    (b'seven', b'')
    """
    text, _, crc = line.removesuffix(b"\n").rpartition(b" ")
    return text if text and crc == b"%08x" % zlib.crc32(text) else b""
