"""What a card image holds, in writing: its packages with their versions (SPDX), and the hash of every file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from card_image.recipe import SUITE, Recipe, make_identifier


def list_packages(root: Path) -> list[dict[str, str]]:
    """Read name, version, architecture and source of every installed Debian package, sorted by name."""
    text = (root / "var/lib/dpkg/status").read_text(encoding="utf-8")
    packages = []
    for block in text.split("\n\n"):
        fields = dict(re.findall(r"(?m)^([A-Z][\w-]*): (.*)$", block))
        if fields.get("Status", "").endswith(" installed"):
            packages.append({key: fields.get(key, "") for key in ("Package", "Version", "Architecture", "Source")})
    return sorted(packages, key=lambda package: package["Package"])


def list_python_packages(root: Path) -> list[tuple[str, str]]:
    """Read name and version of every Python package in the program's own environment, sorted."""
    found = []
    for place in root.glob("opt/companion/versions/*/lib/python3*/site-packages/*.dist-info/METADATA"):
        fields = dict(re.findall(r"(?m)^(Name|Version): (.*)$", place.read_text(encoding="utf-8")))
        found.append((fields["Name"], fields["Version"]))
    return sorted(set(found))


def build_bill(recipe: Recipe) -> dict[str, object]:
    """Build the bill of materials (SPDX 2.3): every package of Debian and of PyPI, with its version and address."""
    packages = [
        _describe_package(
            f"deb-{package['Package']}",
            package["Package"],
            package["Version"],
            f"pkg:deb/debian/{package['Package']}@{package['Version']}?arch={package['Architecture']}&distro={SUITE}",
        )
        for package in list_packages(recipe.root)
    ]
    packages += [
        _describe_package(f"pypi-{name}", name, version, f"pkg:pypi/{name}@{version}")
        for name, version in list_python_packages(recipe.root)
    ]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": recipe.name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{make_identifier(recipe.name)}",
        "creationInfo": {"created": _format_time(recipe.epoch), "creators": ["Tool: make_image.py"]},
        "packages": packages,
        "relationships": [
            {
                "spdxElementId": "SPDXRef-DOCUMENT",
                "relationshipType": "DESCRIBES",
                "relatedSpdxElement": package["SPDXID"],
            }
            for package in packages
        ],
    }


def _describe_package(identifier: str, name: str, version: str, address: str) -> dict[str, object]:
    """Describe one package as SPDX does."""
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", identifier),
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "externalRefs": [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": address}
        ],
    }


def _format_time(epoch: int) -> str:
    """Format seconds since 1970 as ISO 8601 in UTC."""
    return datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def hash_files(root: Path) -> dict[str, str]:
    """Return the SHA-256 of every regular file of the root, and the target of every link, by path."""
    hashes = {}
    for place in sorted(root.rglob("*")):
        name = f"/{place.relative_to(root)}"
        if place.is_symlink():
            hashes[name] = f"-> {place.readlink()}"
        elif place.is_file():
            hashes[name] = hashlib.sha256(place.read_bytes()).hexdigest()
    return hashes


def write_sums(folder: Path, names: Iterable[str]) -> None:
    """Write SHA256SUMS of these files."""
    lines = []
    for name in sorted(names):
        with (folder / name).open("rb") as file:
            lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {name}\n")
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")
