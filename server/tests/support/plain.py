"""Plain calls to a kernel that is wired as the API process wires it, with the calls of some domains."""

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import httpx

from kalos.app.api import ports, session_cache, staff_ports
from kalos.app.settings import load_settings
from kalos.domains.context import House
from kalos.wire.calls import Call, Calls
from kalos.wire.channels import Channels
from kalos.wire.envelope import Envelopes, Mode
from kalos.wire.kernel import Kernel
from kalos.wire.keys import Keys
from kalos.wire.limits import Limits
from kalos.wire.networks import networks_of
from kalos.wire.replay import Nonces
from support.answers import check_answer


@dataclass(frozen=True, slots=True)
class Plain:
    """`network` goes as the header of a trusted proxy; without it the caller is on loopback, which isn't counted.

    Every answer must be one that the OpenAPI document knows.
    """

    kernel: Kernel
    calls: dict[str, Call]

    async def raw(self, path: str, body: Any, *, token: str = "", lang: str = "", network: str = "") -> httpx.Response:
        named = {"authorization": token, "lang": lang, "x-forwarded-for": network}
        headers = {name: value for name, value in named.items() if value}
        transport = httpx.ASGITransport(app=self.kernel, client=("127.0.0.1", 4000))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            answer = await http.post(path, json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer

    async def post(self, path: str, body: Any, **headers: str) -> dict[str, Any]:
        """The whole answer: code, msg, data."""
        whole: dict[str, Any] = (await self.raw(path, body, **headers)).json()
        assert whole.keys() == {"code", "msg", "data"}
        if path in self.calls:
            check_answer(self.calls[path], whole)
        return whole

    async def data(self, path: str, body: Any, **headers: str) -> dict[str, Any]:
        """The data of a call that is done."""
        whole = await self.post(path, body, **headers)
        assert whole["code"] == 200, whole
        data: dict[str, Any] = whole["data"]
        return data


async def plain_api(house: House, domains: Iterable[Calls], *, kept_seconds: float = 0) -> Plain:
    """No notice of an ended session reaches it: it keeps each for `kept_seconds`."""
    modes: tuple[Mode, ...] = ("plain",)
    settings = load_settings({"DATA_DIR": tempfile.gettempdir()})
    keys = Keys(house.db, house.clock, b"k" * 32)
    await keys.refresh()
    envelopes = Envelopes(
        Channels(keys, house.clock, house.terms.channel_ttl),
        Nonces(house.db, house.clock, house.terms.nonce_keep),
        house.clock,
        window_seconds=house.terms.timestamp_window,
        modes=modes,
    )
    calls = {call.path: call for domain in domains for call in domain.all}
    return Plain(
        Kernel(
            calls.values(),
            ports={
                "member": ports(house, settings, session_cache(house, seconds=kept_seconds)),
                "staff": staff_ports(house, settings),
            },
            envelopes=envelopes,
            limits=Limits(house.db, house.clock, house.terms, count_loopback=False, others=lambda: None),
            trusted_proxies=networks_of(("127.0.0.1/32",)),
            most_running=settings.calls_at_once,
        ),
        calls,
    )
