"""The other end of the wire in Python: for the command line and for tests of the whole."""

import asyncio
import base64
import json
import os
import time
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric import ec

from kalos.wire import channel, signing
from kalos.wire.channel import Channel, Unreadable
from kalos.wire.envelope import Mode
from kalos.wire.errors import ALWAYS_PLAIN, StaleTime, UnknownChannel

_OPEN = "/api/wire/open"
_ADDED = frozenset(("timestamp", "nonce", "sign", "sid"))
SentAlong = tuple[bytes, str]
"""A file's content and its media type."""


class NotTrusted(Exception):
    """No answer, or one that was not sealed for this very call."""


class TurnedAway(NotTrusted):
    """HTTP's own refusal: `retry_after` in seconds, where the server states it."""

    def __init__(self, answer: httpx.Response) -> None:
        super().__init__(f"HTTP {answer.status_code}: {answer.text[:200]}")
        self.status = answer.status_code
        stated = answer.headers.get("retry-after", "")
        self.retry_after = int(stated) if stated.isdecimal() else None


class WireClient:
    """Makes calls in one of the three forms; `http` knows the server's address.

    `token` and `lang` are those of every call that doesn't bring its own.
    """

    def __init__(self, http: httpx.AsyncClient, *, mode: Mode = "sealed", token: str = "", lang: str = "en") -> None:
        self._http = http
        self._mode = mode
        self._token = token
        self._lang = lang
        self._channel: Channel | None = None
        self._opening = asyncio.Lock()
        self._ahead = 0.0

    async def call(
        self,
        path: str,
        body: dict[str, Any],
        *,
        token: str | None = None,
        lang: str | None = None,
        file: SentAlong | None = None,
    ) -> dict[str, Any]:
        """The answer's code, msg and data. With a `file` the call goes as a form.

        A lost channel is opened anew and a clock that is off is set by the server's; then the call is made once more.
        Raises: NotTrusted, Unsignable.
        """
        token, lang = self._token if token is None else token, lang or self._lang
        own = None if self._mode == "plain" else await self._opened()
        answer = await self._call(own, path, body, token, lang, file)
        if answer["code"] == UnknownChannel.code:
            if self._channel is own:  # else a call beside this one has opened another already
                self._channel = None
            own = await self._opened()
        elif answer["code"] == StaleTime.code:
            self._ahead = answer["data"]["server_time"] - time.time()
        else:
            return answer
        return await self._call(own, path, body, token, lang, file)

    async def _call(
        self,
        own: Channel | None,
        path: str,
        body: dict[str, Any],
        token: str,
        lang: str,
        file: SentAlong | None,
    ) -> dict[str, Any]:
        headers = {"lang": lang} | ({"authorization": token} if token else {})
        if own is None:
            return await self._post(path, body, headers, file)
        inner = self._signed(own, path, body, token, lang)
        if self._mode == "signed":
            return await self._post(path, {**inner, "sid": own.sid}, headers, file)
        sealed = own.seal_request(json.dumps(inner).encode(), method="POST", path=path)
        answer = await self._post(path, {"v": 1, "sid": own.sid, "data": sealed}, headers, file)
        return _opened(own, inner["nonce"], answer)

    async def _opened(self) -> Channel:
        """The channel; however many calls begin at once, one is opened."""
        async with self._opening:
            if self._channel is None:
                self._channel = await self._open()
            return self._channel

    async def _open(self) -> Channel:
        """Open a channel with the newest key that the server names."""
        known = (await self._get("/.well-known/wire-keys"))["keys"][0]
        seed = os.urandom(channel.SEED_BYTES)
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), base64.b64decode(known["pk"]))
        origin = str(self._http.base_url).rstrip("/")
        hello = channel.seal_hello(key, seed, kid=known["kid"], origin=origin)
        answer = await self._post(_OPEN, {"v": 1, "kid": known["kid"], "hello": hello}, {"origin": origin})
        if answer["code"] != 200:
            raise NotTrusted(f"the channel does not open: {answer['code']} {answer['msg']}")
        data = answer["data"]
        self._ahead = data["server_time"] - time.time()
        until_at = (data["server_time"] + data["ttl"]) * 1000
        return channel.derive(seed, base64.b64decode(data["salt"]), data["sid"], until_at)

    def _signed(self, opened: Channel, path: str, body: dict[str, Any], token: str, lang: str) -> dict[str, Any]:
        """Raises: Unsignable."""
        if not _ADDED.isdisjoint(body):
            raise signing.Unsignable  # else it would be another body that is sent
        inner = {
            **body,
            "timestamp": int(time.time() + self._ahead),
            "nonce": base64.urlsafe_b64encode(os.urandom(16)).rstrip(b"=").decode(),
        }
        string = signing.signing_string(inner, token=token, lang=lang, method="POST", path=path, session=opened.sid)
        return {**inner, "sign": opened.signing_key.sign(string)}

    async def _get(self, path: str) -> dict[str, Any]:
        return _object(await self._http.get(path))

    async def _post(
        self, path: str, body: dict[str, Any], headers: dict[str, str], file: SentAlong | None = None
    ) -> dict[str, Any]:
        if file is not None:
            content, kind = file
            parts: dict[str, Any] = {
                "envelope": (None, json.dumps(body), "application/json"),
                "file": ("file", content, kind),
            }
            return _object(await self._http.post(path, files=parts, headers=headers))
        return _object(await self._http.post(path, json=body, headers=headers))


def _opened(own: Channel, nonce: str, answer: dict[str, Any]) -> dict[str, Any]:
    if answer.get("enc") != 1:
        if answer["code"] in ALWAYS_PLAIN:
            return answer
        raise NotTrusted(f"an answer with code {answer['code']} came unsealed")
    try:
        data = own.open_answer(answer["data"], nonce=nonce, code=answer["code"], msg=answer["msg"])
    except Unreadable as problem:
        raise NotTrusted("the answer was not sealed for this call") from problem
    return {"code": answer["code"], "msg": answer["msg"], "data": json.loads(data)}


def _object(answer: httpx.Response) -> dict[str, Any]:
    if answer.status_code != 200:
        raise TurnedAway(answer)
    found: dict[str, Any] = answer.json()
    return found
