"""The client of HTTP servers: of chain nodes and of our own API."""

from typing import Any

import httpx


class HttpClient(httpx.AsyncClient):
    """httpx's, whose calls raise httpx.HTTPError and nothing else, whenever the other side ends.

    Of a connection that has just been made the other side's name is asked for. Where that side has ended by then,
    uvloop's socket is None, and AttributeError was raised.
    """

    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        try:
            return await super().send(request, **options)
        except AttributeError as problem:
            if problem.obj is not None:
                raise
            raise httpx.ConnectError(str(problem), request=request) from problem
