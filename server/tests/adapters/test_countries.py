"""The operator's list of networks: the narrowest one says, a broken list stops the start."""

import random
import time
from ipaddress import IPv4Address, ip_network
from pathlib import Path

import pytest

from kalos.adapters.countries.list import DOCUMENTATION, ListedCountries
from kalos.adapters.listing import BadList

LIST = """
# of 2026
0.0.0.0/0 US
203.0.113.0/24  SG   # a network
203.0.113.128/25 VN
203.0.113.200/32 TH
2001:db8::/32 SG
2001:db8:1::/48 JP
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "networks"
    file.write_text(LIST)
    return file


@pytest.mark.parametrize(
    ("network", "country"),
    [
        ("203.0.113.1", "SG"),
        ("203.0.113.127", "SG"),
        ("203.0.113.128", "VN"),
        ("203.0.113.200", "TH"),
        ("203.0.113.201", "VN"),
        ("203.0.114.0", "US"),
        ("2001:db8::/64", "SG"),
        ("2001:db8:1:2::/64", "JP"),
        ("2001:db9::/64", None),
        ("::/64", None),
        ("", None),
        ("unknown", None),
    ],
)
def test_the_narrowest_network_says_the_country(file: Path, network: str, country: str | None) -> None:
    assert ListedCountries.of(file).country(network) == country


def test_without_a_list_no_country_is_known() -> None:
    assert ListedCountries(()).country("203.0.113.1") is None


def test_demo_modes_list_has_only_networks_and_countries_that_nobody_has() -> None:
    listed = ListedCountries(DOCUMENTATION)
    assert {listed.country(str(network.network_address)) for network, _ in DOCUMENTATION} == {"XA", "XB"}
    assert all(not network.is_global for network, _ in DOCUMENTATION)
    assert listed.country("8.8.8.8") is None


@pytest.mark.parametrize(
    "line",
    [
        "203.0.113.0/24",
        "203.0.113.0/24 sg",
        "203.0.113.0/24 SGP",
        "203.0.113.0/24 \uff33\uff27",
        "203.0.113.0/24 S1",
        "203.0.113.7/24 SG",
        "203.0.113.0/33 SG",
        "somewhere SG",
        "SG 203.0.113.0/24",
    ],
)
def test_a_broken_line_stops_the_start_and_says_where(tmp_path: Path, line: str) -> None:
    file = tmp_path / "networks"
    file.write_text(f"192.0.2.0/24 SG\n{line}\n")
    with pytest.raises(BadList, match="networks, line 2: not a network"):
        ListedCountries.of(file)


def test_a_network_in_two_countries_and_a_file_that_is_not_there_stop_the_start(tmp_path: Path) -> None:
    file = tmp_path / "networks"
    with pytest.raises(BadList, match="networks can't be read"):
        ListedCountries.of(file)
    file.write_text("192.0.2.0/24 SG\n192.0.2.0/24 SG\n192.0.2.0/24 VN\n")
    with pytest.raises(BadList, match=r"192\.0\.2\.0/24 is listed for SG and for VN"):
        ListedCountries.of(file)


def test_a_look_up_in_a_long_list_is_short() -> None:
    """A list of the whole world has some hundred thousand networks, and each gated call asks it."""
    pick = random.Random(7)
    listed = ListedCountries(
        (ip_network((pick.getrandbits(32) >> bits << bits, 32 - bits)), "VN")
        for bits in range(4, 20)
        for _ in range(1_000)
    )
    asked = [str(IPv4Address(pick.getrandbits(32))) for _ in range(1_000)]
    began = time.thread_time()
    for network in asked:
        listed.country(network)
    assert time.thread_time() - began < 0.4
