"""Who makes a call of the contract: members and staff take turns, for each may make some calls a second only."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

LOGOUT: Final = "/api/auth/logout"
ALONE: Final = frozenset(f"/api/user/{name}" for name in ("setLimits", "takeBreak", "selfExclude", "endSession"))
"""After these a member may be refused what others may do, or has no other session."""
FREEZE: Final = "/api/auth/freeze"
BIND_LOGIN: Final = "/api/user/bindLogin"
WITHDRAW: Final = "/api/withdraw/withdrawCoin"
BOOK: Final = ("/api/user/bindWallet", "/api/user/delWallet", WITHDRAW)
"""Who makes these has a withdrawal password and an address in the book."""
FACTORS: Final = frozenset(
    f"/api/user/{name}"
    for name in ("bindGoogle", "unbindGoogle", "upOutPwd", "sendEmail", "upPwd", "bindEmail", "close")
).union(BOOK, (BIND_LOGIN, FREEZE))
"""These go through once for a member, or once a minute."""


CONSOLE: Final = "/api/operator/"
STAFF_LOGIN: Final = f"{CONSOLE}login"
STAFF_LOGOUT: Final = f"{CONSOLE}logout"
RENEWALS: Final = tuple(
    f"{CONSOLE}{name}" for name in ("bindAuthenticator", "changeKey", "changePassword", "newAuthenticator")
)
"""Each asks for a code, so it goes through once for who has none to wait for."""


@dataclass(frozen=True)
class Console:
    """Sessions of staff that take turns, one of who makes what the others sign, some that are left, and who logs in:
    a name and the authenticator's secret with a blank between.

    Those who `renew` something have a session each: by its token their name and that secret.
    """

    tokens: Iterator[str]
    maker: str
    spare: Iterator[str]
    entering: Iterator[str]
    renewing: dict[str, tuple[str, str]]
    renews: Iterator[str]

    def token(self, path: str) -> str:
        return next(self.entering if path == STAFF_LOGIN else self.spare if path == STAFF_LOGOUT else self.tokens)


class Members:
    """Sessions that take turns: a member may make some calls a second only. Those of staff are for the console.

    Who logs out has a session for that; who takes a break is somebody who does nothing else; each of `fresh` makes one
    call with a second factor and no other; each of `payers` can ask for a withdrawal that people look at.
    """

    def __init__(
        self,
        tokens: list[str],
        spare: list[str],
        braked: list[str],
        fresh: dict[str, list[str]],
        console: Console,
        payers: Iterator[str],
    ) -> None:
        self.console = console
        self.payers = payers
        self.first = tokens[0]
        self._turns = itertools.cycle(tokens[1:])
        self._spare = itertools.cycle(spare)
        self._braked = itertools.cycle(braked)
        self._fresh = {path: iter(tokens) for path, tokens in fresh.items()}

    def token(self, path: str) -> str:
        if path.startswith(CONSOLE):
            return self.console.token(path)
        return next(self._spare if path == LOGOUT else self._braked if path in ALONE else self._turns)

    def whose(self, path: str) -> str:
        """The session that a good body is made for."""
        if path in RENEWALS:
            return next(self.console.renews)
        if path.startswith(CONSOLE):
            return self.console.token(path)
        if path in FACTORS:
            return next(self._fresh[path])
        return self.token(path) if path == LOGOUT or path in ALONE else self.first
