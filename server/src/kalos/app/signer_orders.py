"""`signer show | pause | resume | trust | distrust | setup`: what an operator on the machine may tell the signer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kalos.adapters.chain.checks import WrongChain
from kalos.app.login import login
from kalos.app.settings import Settings
from kalos.app.signer import open_bench, open_records, set_up
from kalos.app.signer_folder import BadFolder, SignerFolder
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.core.errors import Outage
from kalos.signer import queries
from kalos.signer.bench import Bench
from kalos.signer.resuming import NotYet, resume
from kalos.signer.rules import Stop

USAGE: Final = (
    "signer | signer show | signer pause --reason TEXT | "
    "signer resume --reason TEXT [--accept-unknown TRANSACTION] [--accept-unmoved] | "
    "signer trust NAME HEX | signer distrust NAME | signer setup"
)


async def obey(settings: Settings, arguments: Sequence[str]) -> tuple[int, str]:
    """Returns exit code and text. What stops the signer, and what it says of itself, needs no chain."""
    folder = SignerFolder(settings.data_dir)
    try:
        match list(arguments):
            case ["setup"]:
                await set_up(settings)
                return 0, _public(folder)
            case ["trust", name, key]:
                folder.trust(name, key)
                return 0, f"{name} is trusted"
            case ["distrust", name]:
                folder.distrust(name)
                return 0, f"{name} is no longer trusted"
            case ["show"]:
                async with open_records(settings) as db:
                    return 0, "\n".join((_public(folder), *await _shown(db)))
            case ["pause", "--reason", reason] if reason.strip():
                return 0, await _pause(settings, reason.strip())
            case ["resume", "--reason", reason, *words] if reason.strip() and (accepted := _accepted(words)):
                async with open_bench(settings) as bench:
                    return await _resumed(bench, reason.strip(), accepted)
    except (BadFolder, Outage, WrongChain) as problem:
        return 1, str(problem)
    return 2, USAGE


async def _pause(settings: Settings, reason: str) -> str:
    async with open_records(settings) as db:
        while not await queries.pause(db, reason=reason, by=login(), wall=Clock.wall()):
            if await queries.add_reason(db, reason=reason, by=login(), wall=Clock.wall()):
                return "the signer is paused already: this reason stands behind the first"
    return "the signer is paused"


@dataclass(frozen=True, slots=True)
class _Accepted:
    """What a person has looked at: all unknown payments up to a transaction, and one that moved nothing."""

    unknown: str | None
    unmoved: bool


def _accepted(words: Sequence[str]) -> _Accepted | None:
    """None where it is none of the two."""
    match [word for word in words if word != "--accept-unmoved"]:
        case []:
            return _Accepted(None, "--accept-unmoved" in words)
        case ["--accept-unknown", transaction]:
            return _Accepted(transaction.lower(), "--accept-unmoved" in words)
    return None


async def _resumed(bench: Bench, reason: str, accepted: _Accepted) -> tuple[int, str]:
    lines: list[str] = []
    try:
        await resume(
            bench,
            tell=lines.append,
            reason=reason,
            by=login(),
            accept_unknown=accepted.unknown,
            accept_unmoved=accepted.unmoved,
        )
    except (NotYet, Stop, Outage) as problem:
        return 1, "\n".join((*lines, str(problem)))
    return 0, "\n".join((*lines, "the signer goes on"))


def _public(folder: SignerFolder) -> str:
    keys = folder.public()
    return f"hot wallet {keys.hot}\ndeposits {keys.xpub}\nreviewers {', '.join(folder.reviewers()) or 'none'}"


async def _shown(db: Database) -> list[str]:
    state = await queries.find_state(db)
    lines = [f"paused by {state.by}: {state.reason}" if state.paused else "not paused"]
    if state.waiting:
        lines.append(f"waits: {state.waiting}")
    if state.native_units is not None:
        lines.append(f"gas {state.native_units} of 10^-18{', low' if state.gas_low else ''}")
    for payment in await queries.list_open(db):
        last = payment.attempts[-1]
        what = payment.purpose if payment.withdrawal is None else f"withdrawal {payment.withdrawal}"
        lines.append(f"nonce {payment.nonce}: {what}, attempt {last.number}, {last.hash}")
    return lines
