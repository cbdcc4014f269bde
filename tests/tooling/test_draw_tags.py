"""The sheet of tags: the rasterised sheet has the four tags in their exact sizes, and is the one that is shipped."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from draw_tags import FOLDER, PAPER_SIZES_MM, TAG_MM, lay_out_sheet

from companion.cli import main
from tests.vision.lid.drawn_lid import needs_detector

Picture = npt.NDArray[np.uint8]
POINT = 25.4 / 72
"""Millimetres."""


def found(picture: Picture, mm: float) -> dict[int, npt.NDArray[np.float64]]:
    """Find the tags in a picture of `mm` millimetres per pixel; return corners in millimetres by id."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, cv2.aruco.DetectorParameters()).detectMarkers(picture)
    assert ids is not None
    return {int(i): np.asarray(c, np.float64)[0] * mm for i, c in zip(ids.ravel(), corners, strict=True)}


def rasterised(pdf: bytes, dpi: int) -> Picture:
    """Draw the PDF's filled rectangles on white, after checking its table of objects."""
    start = int(re.findall(rb"startxref\n(\d+)", pdf)[0])
    assert pdf[start:].startswith(b"xref")
    for number, at in enumerate(re.findall(rb"(\d{10}) 00000 n", pdf), 1):
        assert pdf[int(at) :].startswith(b"%d 0 obj" % number)
    length, content = re.findall(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", pdf, re.DOTALL)[0]
    assert len(content) == int(length)
    box = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)[0]
    width, height = (float(v) / 72 for v in box)
    picture = np.full((round(height * dpi), round(width * dpi)), 255, np.uint8)
    for found_ in re.findall(rb"^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re f$", content, re.MULTILINE):
        x, y, w, h = (float(v) / 72 * dpi for v in found_)
        bottom = height * dpi - y
        picture[round(bottom - h) : round(bottom), round(x) : round(x + w)] = 0
    return picture


def check(tags: dict[int, npt.NDArray[np.float64]], size: float, within: float) -> None:
    """Check that the four tags are clockwise from the top left, each a square of `size` mm."""
    assert sorted(tags) == [0, 1, 2, 3]
    for corners in tags.values():
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        assert np.abs(sides - size).max() < within
    middle = {i: c.mean(axis=0) for i, c in tags.items()}
    assert middle[0][0] == pytest.approx(middle[3][0], abs=0.2)
    assert middle[1][0] == pytest.approx(middle[2][0], abs=0.2)
    assert middle[0][0] < middle[1][0]
    assert middle[0][1] < middle[3][1]


@needs_detector
@pytest.mark.parametrize("paper", PAPER_SIZES_MM)
def test_the_command_writes_the_shipped_sheet_which_holds_the_tags(tmp_path: Path, paper: str) -> None:
    path = tmp_path / "tags.PDF"
    assert main(["print-tags", str(path), "--paper", paper]) == 0
    pdf = path.read_bytes()
    assert pdf == (FOLDER / f"tags-{paper}.pdf").read_bytes()
    width, height = (float(v) * POINT for v in re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)[0])
    assert (width, height) == pytest.approx(PAPER_SIZES_MM[paper], abs=0.001)
    check(found(rasterised(pdf, 300), 25.4 / 300), TAG_MM, 0.25)


@pytest.mark.parametrize("paper", PAPER_SIZES_MM)
@pytest.mark.parametrize("size", [8.0, 15.0, 50.0])
def test_content_fits_the_page_and_ruler_is_exact(size: float, paper: str) -> None:
    page = lay_out_sheet(paper, size)
    margin = 8.0
    for box in page.rects:
        assert box.x > margin
        assert box.y > margin
        assert box.x + box.width < page.width - margin
        assert box.y + box.height < page.height - margin
    longest = max(page.rects, key=lambda box: box.width)
    assert longest.width == 100
    tags = [box for box in page.rects if box.y < longest.y - 10]
    assert max(box.y + box.height for box in tags) < longest.y - 12
    assert all(words.x > margin and words.y < page.height - margin for words in page.texts)


def test_tag_is_exact_to_its_edge() -> None:
    """The black cells span the tag exactly: no cell is rounded separately."""
    page = lay_out_sheet()
    ruler = max(page.rects, key=lambda box: box.width)
    top = [box for box in page.rects if box.y < ruler.y - 10]
    left = min(box.x for box in top)
    first = [box for box in top if box.x < left + 15.01 and box.y < min(b.y for b in top) + 15.01]
    assert max(b.x + b.width for b in first) - left == pytest.approx(15.0)
    assert max(b.y + b.height for b in first) - min(b.y for b in first) == pytest.approx(15.0)


def test_another_kind_of_file_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print-tags", "tags.jpg"]) == 2
    assert ".pdf" in capsys.readouterr().err


def test_missing_folder_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print-tags", str(tmp_path / "no" / "tags.pdf")]) == 1
    assert "tags.pdf" in capsys.readouterr().err
