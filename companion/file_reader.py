"""Read files that may come from elsewhere: never wait at a pipe, read a device, or follow a file without end.

All of the program reads files through these functions; tests/test_file_reader.py lists the exceptions.
"""

import errno
import os
import stat
from pathlib import Path

from companion.os_compat import READ_FLAGS

CHUNK_BYTES = 1 << 20
"""Bytes that are read at once."""
MAX_KERNEL_FILE_BYTES = 4 << 20
"""Longest file of /proc and /sys that is read."""
MAX_PASSWORD_FILE_BYTES = 4096
"""Longest file whose first line is a password."""


def read_file(path: Path, max_bytes: int) -> bytes:
    """Return the content of a file; never waits at a pipe, and never opens a device.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "note.txt")
    ...     _ = file.write_bytes(b"seven")
    ...     read_file(file, 1000)
    b'seven'

    Args:
        path: the file; a link is followed.
        max_bytes: the most bytes that it may have, 0 or more.

    Raises:
        OSError: it does not exist (FileNotFoundError), cannot be read, is longer (EFBIG), or is a folder
            (IsADirectoryError), a pipe or a device (EINVAL). It has the path.
        ValueError: the path contains a null character.
    """
    _require_file(os.stat(path), path)  # noqa: PTH116 - opening a device may already do something: a watchdog starts
    descriptor = os.open(path, READ_FLAGS)
    try:
        size = _require_file(os.fstat(descriptor), path)
        data = bytearray()
        # Some files of the kernel have nothing to read at times: os.read raises BlockingIOError.
        while size <= max_bytes and (piece := os.read(descriptor, min(CHUNK_BYTES, max_bytes + 1 - len(data)))):
            data += piece
    except OSError as error:
        error.filename = str(path)  # os.read knows no path
        raise
    finally:
        os.close(descriptor)
    if max(size, len(data)) > max_bytes:
        raise OSError(errno.EFBIG, f"too long: more than {max_bytes} bytes", str(path))
    return bytes(data)


def _require_file(status: os.stat_result, path: Path) -> int:
    """Return the size of a plain file; raise OSError for anything else."""
    if not stat.S_ISREG(status.st_mode):
        number = errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.EINVAL
        raise OSError(number, "no file but a folder, a pipe or a device", str(path))
    return status.st_size


def read_text(path: Path, max_bytes: int) -> str:
    """Return the text of a file in UTF-8 as `decode_text` does.

    Args:
        path: the file; a link is followed.
        max_bytes: the most bytes that it may have, 0 or more.

    Raises:
        OSError: as `read_file`.
        UnicodeDecodeError: it is not UTF-8.
        ValueError: the path contains a null character.
    """
    return decode_text(read_file(path, max_bytes))


def decode_text(data: bytes) -> str:
    r"""Decode UTF-8 without the byte order mark and the line ends that editors of Windows write.

    Raises:
        UnicodeDecodeError: it is not UTF-8.

    >>> decode_text(b"\xef\xbb\xbfone\r\ntwo")
    'one\ntwo'
    """
    return data.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")


def read_password(path: Path) -> str:
    """Return the first line of a file of at most MAX_PASSWORD_FILE_BYTES.

    Raises:
        OSError: as `read_file`.
        UnicodeDecodeError: it is not UTF-8.
    """
    return read_text(path, MAX_PASSWORD_FILE_BYTES).partition("\n")[0]


def read_kernel_file(path: Path) -> str:
    """Return the text of a file of /proc or /sys; bytes that are not UTF-8 become surrogates.

    Raises:
        OSError: as `read_file`.
    """
    return read_file(path, MAX_KERNEL_FILE_BYTES).decode("utf-8", "surrogateescape")
