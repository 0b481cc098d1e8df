"""The processes of the group, in the order in which they start."""

import signal
import sys
from collections.abc import Callable
from typing import Final

from kalos.app.child import Part
from kalos.app.embedded.chain import LocalChain
from kalos.app.embedded.postgres import is_ready
from kalos.app.kept import kept_port
from kalos.app.probe import answers
from kalos.app.rights import PartsUser
from kalos.app.settings import Settings
from kalos.app.signer_folder import own_user

PROCESSES: Final = ("writer", "worker", "live", "signer", "api")


def own_command(name: str) -> list[str]:
    return [sys.executable, "-m", "kalos.app.cli", name]


def database_part(settings: Settings) -> Part:
    cluster = settings.cluster

    async def ready() -> bool:
        return is_ready(cluster)

    return Part("postgres", cluster.command, cluster.prepare, ready, signal.SIGINT)


def local_chain(settings: Settings) -> LocalChain:
    return LocalChain(settings.data_dir / "chain", kept_port(settings.data_dir, "chain"))


def chain_part(settings: Settings, user: PartsUser) -> Part:
    chain = local_chain(settings)

    def prepare() -> None:
        chain.prepare()
        user.own(chain.folder)  # the copy that may stand in the state's place now was written by us

    def command() -> list[str]:
        return user.command(*chain.command(), stop=signal.SIGINT)

    async def ready() -> bool:
        return await answers(chain.port)

    return Part("chain", command, prepare, ready, signal.SIGINT)


def foundations(settings: Settings, user: PartsUser) -> list[Part]:
    """What the processes stand on and what demo mode brings itself."""
    parts = []
    if not settings.database_url:
        parts.append(database_part(settings))
    if not settings.chain_rpc_url:
        parts.append(chain_part(settings, user))
    return parts


def processes(settings: Settings, user: PartsUser) -> list[Part]:
    """Our own processes; demo mode adds the mail inbox and the chain's tick."""
    names = list(PROCESSES)
    if not settings.chain_rpc_url:
        names.insert(0, "tick")
    if not settings.smtp_host:
        names.insert(0, "inbox")
    return [Part(name, _command_of(name, user)) for name in names]


def _command_of(name: str, user: PartsUser) -> Callable[[], list[str]]:
    return signer_command if name == "signer" else lambda: user.command(*own_command(name))


def signer_command() -> list[str]:
    """As a user of its own, where that can be; a change of user takes the signal back that comes when we die."""
    alone = own_user()
    return [*alone, "setpriv", "--pdeathsig", "TERM", *own_command("signer")] if alone else own_command("signer")
