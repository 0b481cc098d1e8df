"""The kinds of values in bodies, answers and refusals: their form, their unit, an example.

The examples tell one story, a bet of 10 USDT on an odd digit: the OpenAPI document puts whole answers together of them.
"""

from typing import Annotated, Final

from msgspec import Meta

_DECIMAL: Final = r"(0|[1-9][0-9]*)(\.[0-9]+)?"

AssetCode = Annotated[str, Meta(examples=["USDT"])]
DecimalText = Annotated[str, Meta(pattern=f"^{_DECIMAL}$", examples=["10.000000"])]
"""An amount with the asset's scale."""
SignedText = Annotated[str, Meta(pattern=f"^-?{_DECIMAL}$", examples=["-10.000000"])]
RateText = Annotated[str, Meta(pattern=f"^{_DECIMAL}$", description="a fraction, not percent", examples=["0.95"])]
Id = Annotated[str, Meta(pattern="^[0-9]+$", examples=["1042"])]
Time = Annotated[int, Meta(ge=0, description="Unix milliseconds", examples=[1795075231456])]
Seconds = Annotated[int, Meta(ge=0, description="seconds", examples=[60])]
UnixSeconds = Annotated[int, Meta(ge=0, description="Unix seconds", examples=[1795075231])]
Count = Annotated[int, Meta(ge=0, examples=[2])]
Height = Annotated[int, Meta(ge=0, description="the number of a block", examples=[8204])]
BlockHash = Annotated[
    str,
    Meta(pattern="^0x[0-9a-f]{64}$", examples=["0x9bc3b7b886f9fd680300e7c060791fe2e836e6b0248cbb728ddf82e1f00b5e7d"]),
]
