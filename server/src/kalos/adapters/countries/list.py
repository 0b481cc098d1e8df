"""The operator's list of networks and their countries, read once at the start."""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Final

from kalos.adapters.listing import BadList, read_list

_MOST_KEPT: Final = 10_000

Entry = tuple[IPv4Network | IPv6Network, str]
DOCUMENTATION: Final[tuple[Entry, ...]] = tuple(
    (ip_network(text), country)
    for text, country in (("192.0.2.0/24", "XA"), ("198.51.100.0/24", "XB"), ("2001:db8:a::/48", "XA"))
)
"""Demo mode's: networks that nobody has, in countries that aren't."""


class ListedCountries:
    """`NetworkCountries` by a list: of the networks that hold the caller's, the narrowest one says.

    Some hundred thousand of them fit: a look-up asks one table for each length of prefix that occurs.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._tables: dict[int, list[tuple[int, dict[int, str]]]] = {4: [], 6: []}
        found: dict[tuple[int, int], dict[int, str]] = {}
        for network, country in entries:
            bits = network.max_prefixlen - network.prefixlen
            table = found.setdefault((network.version, bits), {})
            known = table.setdefault(int(network.network_address) >> bits, country)
            if known != country:
                raise BadList(f"{network} is listed for {known} and for {country}")
        for (version, bits), table in sorted(found.items()):
            self._tables[version].append((bits, table))
        self._kept = lru_cache(maxsize=_MOST_KEPT)(self._country)  # each call asks, and to read an address takes long

    @classmethod
    def of(cls, file: Path) -> "ListedCountries":
        """A file with a network and a country's two capital letters a line. Raises: BadList."""
        return cls(read_list(file, _entry))

    def country(self, network: str) -> str | None:
        return self._kept(network)

    def _country(self, network: str) -> str | None:
        try:
            place = ip_network(network)
        except ValueError:
            return None
        number = int(place.network_address)
        return next(
            (table[number >> bits] for bits, table in self._tables[place.version] if number >> bits in table), None
        )


def _entry(line: str) -> Entry:
    network, _, country = line.partition(" ")
    country = country.strip()
    if not (len(country) == 2 and country.isascii() and country.isalpha() and country.isupper()):
        raise ValueError("not a network and a country's two capital letters, such as 192.0.2.0/24 SG")
    try:
        return ip_network(network), country
    except ValueError:
        raise ValueError("not a network such as 192.0.2.0/24") from None
