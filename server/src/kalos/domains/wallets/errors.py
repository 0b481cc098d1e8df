"""What an address is refused for."""

from kalos.core.errors import Refusal


class InvalidAddress(Refusal):
    """No address of this chain, its checksum wrong or left out, or one that coins would be lost at."""

    code, name = 400, "invalid_address"


class HouseAddress(Refusal):
    """One of the house's own: a member's for top-ups, a wallet that pays or keeps coins, a coin's contract."""

    code, name = 422, "house_address"


class AddressRemoved(Refusal):
    """Its member deleted the address from the book after they had asked for the withdrawal."""

    code, name = 422, "address_removed"
