"""What the wire itself refuses. Source: errors.md, 460 to 464."""

from typing import Final

from kalos.core.errors import Refusal
from kalos.core.fields import UnixSeconds


class BadSignature(Refusal):
    """The request can't be decrypted or its signature doesn't fit."""

    code, name = 460, "bad_signature"


class StaleTime(Refusal):
    """The caller's clock differs."""

    code, name = 461, "stale_time"
    server_time: UnixSeconds


class Replay(Refusal):
    code, name = 462, "replay"


class UnknownChannel(Refusal):
    code, name = 463, "unknown_channel"


class EnvelopeRequired(Refusal):
    code, name = 464, "envelope_required"


ALWAYS_PLAIN: Final = (BadSignature.code, UnknownChannel.code, EnvelopeRequired.code)
"""Refusals without a usable channel: the page accepts a plain answer for these only."""
