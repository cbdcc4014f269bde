"""The contract with plug-ins changes only on purpose, and versions of it are told apart."""

from __future__ import annotations

import pytest

from companion.api import contract_version
from companion.api.contract_version import explain_unsupported
from tests.api.contract import EXPECTED, describe_contract


def test_the_contract_is_the_recorded_one() -> None:
    expected, found = EXPECTED.read_text(encoding="utf-8").splitlines(), describe_contract()
    lost, new = [line for line in expected if line not in found], [line for line in found if line not in expected]
    advice = "see tests/api/contract.py"
    assert not lost, f"plug-ins break: raise the first number of API_VERSION after a deprecation; {advice}"
    assert not new, f"plug-ins cannot tell whether this is there: raise the second number of API_VERSION; {advice}"
    assert found == expected, advice


@pytest.mark.parametrize("stated", ["1.2", "1.10", "2.0", "2.1"])
def test_versions_from_the_oldest_to_ours_are_played(monkeypatch: pytest.MonkeyPatch, stated: str) -> None:
    monkeypatch.setattr(contract_version, "API_VERSION", (2, 1))
    monkeypatch.setattr(contract_version, "OLDEST_API_VERSION", (1, 2))
    assert explain_unsupported("chess", stated) == ""


@pytest.mark.parametrize(
    ("stated", "why"),
    [
        ("2.2", "chess is written for version 2.2 of companion.api, this companion has 2.1: install a newer com"),
        ("3.0", "this companion has 2.1: install a newer companion"),
        ("1.1", "this companion plays 1.2 to 2.1: install a newer chess"),
        (None, '"2.1" = "chess" under [project.entry-points."companion.api"]'),
        ("two", "chess states a version of companion.api that cannot be read: 'two' is no version such as 2.1"),
        ("1.2.3", "cannot be read"),
        ("", "cannot be read"),
        ("1.²", "cannot be read"),
    ],
)
def test_other_versions_are_refused_with_what_helps(
    monkeypatch: pytest.MonkeyPatch, stated: str | None, why: str
) -> None:
    monkeypatch.setattr(contract_version, "API_VERSION", (2, 1))
    monkeypatch.setattr(contract_version, "OLDEST_API_VERSION", (1, 2))
    assert why in explain_unsupported("chess", stated)
