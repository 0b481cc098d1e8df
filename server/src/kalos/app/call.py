"""`kalos call PATH JSON [TOKEN]`: one call of a running API, sealed as a page makes it, or --signed or --plain."""

import json
import os
import sys
from collections.abc import Sequence
from typing import Any, Final, NoReturn

import httpx

from kalos.adapters.http import HttpClient
from kalos.app.settings import Settings
from kalos.wire.client import NotTrusted, WireClient
from kalos.wire.envelope import Mode
from kalos.wire.signing import Unsignable

_USAGE: Final = """call [--sealed | --signed | --plain] PATH [JSON] [TOKEN]
  PATH   such as /api/game/index or game/index
  JSON   the body, an object (default {})
  TOKEN  the session's (default: $KALOS_TOKEN)
$KALOS_LANG is the language of messages. The exit code is 0 only for an answer with code 200."""
_FORMS: Final[dict[str, Mode]] = {"--sealed": "sealed", "--signed": "signed", "--plain": "plain"}


async def main(settings: Settings, arguments: Sequence[str]) -> None:
    """Print the answer. Raises: SystemExit 1 for any code but 200, 2 for a call that can't be made."""
    form = arguments[0] if arguments and arguments[0] in _FORMS else ""
    words = arguments[1:] if form else arguments
    if not 1 <= len(words) <= 3 or words[0].startswith("--"):  # a token may begin so: one of 4,096 does
        _refuse(_USAGE)
    token = words[2] if len(words) == 3 else os.environ.get("KALOS_TOKEN", "")
    async with HttpClient(base_url=settings.page_url, timeout=15) as http:
        lang = os.environ.get("KALOS_LANG", "en")
        client = WireClient(http, mode=_FORMS.get(form, "sealed"), token=token, lang=lang)
        try:
            answer = await client.call(path_of(words[0]), _body(words[1] if len(words) > 1 else "{}"))
        except (NotTrusted, Unsignable, httpx.HTTPError) as problem:
            _refuse(f"{settings.page_url}: {str(problem) or type(problem).__name__}")
    print(json.dumps(answer, indent=2, ensure_ascii=False))
    sys.exit(0 if answer["code"] == 200 else 1)


def path_of(word: str) -> str:
    """A path may be typed without its beginning: game/index is /api/game/index."""
    if word.startswith("/"):
        return word
    return f"/{word}" if word.startswith(("api/", "v1/")) else f"/api/{word}"


def _body(text: str) -> dict[str, Any]:
    try:
        body = json.loads(text)
    except ValueError as problem:
        _refuse(f"the body is no JSON: {problem}")
    if not isinstance(body, dict):
        _refuse("the body must be a JSON object")
    return body


def _refuse(text: str) -> NoReturn:
    print(text, file=sys.stderr)
    sys.exit(2)
