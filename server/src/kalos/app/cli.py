"""`python -m kalos.app.cli NAME`: each process and command of the platform."""

import asyncio
import importlib
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

if __name__ == "__main__":  # structlog and httpx load rich where it is there: half of a small process's start
    sys.modules["rich"] = None  # type: ignore[assignment]

from kalos.app.settings import BadSettings, Settings, load_settings

if TYPE_CHECKING:
    from kalos.core.database import Database

Result = TypeVar("Result")
Command = Callable[[Settings, Sequence[str]], None]
_PROCESSES: Final = {
    "api": "answers calls and serves the page",
    "writer": "decides and commits every posting",
    "worker": "chain watcher, rounds, mails, audits",
    "live": "pushes over the socket",
    "inbox": "demo mode's mail server",
    "tick": "mines the local chain",
}
_DEMO: Final = ("inbox", "tick", "prepare")
"""What makes accounts whose passwords everybody knows, or stands for a part that production has of its own."""


def _process(name: str) -> Command:
    """A process's module has `main(settings)`, and is imported only in that process."""

    def begin(settings: Settings, _arguments: Sequence[str]) -> None:
        from kalos.app.process import configure, run_until_signal

        configure(settings, name)
        run_until_signal(importlib.import_module(f"kalos.app.{name}").main(settings))

    return begin


def _run(settings: Settings, _arguments: Sequence[str]) -> None:
    from kalos.app.restore import check_whole
    from kalos.app.supervise import run
    from kalos.core.ports import ChainTerms
    from kalos.core.terms import BadTerms, load_terms
    from kalos.domains.games.rules import check_terms

    try:
        chain = ChainTerms(settings.chain_id, settings.confirmations, settings.block_seconds, None)
        check_terms(load_terms(settings.terms_file), chain)
    except BadTerms as problem:
        print(problem, file=sys.stderr)
        sys.exit(2)
    if problem_of_restore := check_whole(settings):
        print(problem_of_restore, file=sys.stderr)
        sys.exit(2)
    run(settings)


def _stop(settings: Settings, _arguments: Sequence[str]) -> None:
    from kalos.app.lock import stop

    print(stop(settings.data_dir))


def _migrate(settings: Settings, _arguments: Sequence[str]) -> None:
    from kalos.app.migrate import migrate
    from kalos.app.process import configure

    configure(settings, "migrate")
    asyncio.run(migrate(settings.owner_url, settings.secret))


def _prepare(settings: Settings, _arguments: Sequence[str]) -> None:
    from kalos.app.demo import prepare
    from kalos.app.process import configure

    configure(settings, "prepare")
    asyncio.run(prepare(settings))


def _audit(settings: Settings, arguments: Sequence[str]) -> None:
    from kalos.app.auditing import audit_all
    from kalos.core.database import Database
    from kalos.operator.queries import verify_audit

    if list(arguments) not in ([], ["ledger"]):
        print("audit | audit ledger", file=sys.stderr)
        sys.exit(2)

    async def look(database: Database) -> list[str]:
        found = await audit_all(database, settings, has_looks=not arguments)
        return [*found, *await verify_audit(database)]

    problems = _with_database(settings, look)
    print("\n".join(problems) or "the ledger is sound")
    sys.exit(1 if problems else 0)


def _money_out(settings: Settings, arguments: Sequence[str]) -> None:
    from kalos.app.auditing import order
    from kalos.app.process import configure
    from kalos.core.database import Database

    async def obey(database: Database) -> tuple[int, str]:
        return await order(database, settings, arguments)

    configure(settings, "money-out")
    code, text = _with_database(settings, obey)
    print(text, file=sys.stderr if code == 2 else sys.stdout)
    sys.exit(code)


def _backup(settings: Settings, arguments: Sequence[str]) -> None:
    from kalos.app.backup import obey

    code, text = asyncio.run(obey(settings, arguments))
    print(text, file=sys.stderr if code else sys.stdout)
    sys.exit(code)


def _restore(settings: Settings, arguments: Sequence[str]) -> None:
    from kalos.app.process import configure
    from kalos.app.restore import obey

    configure(settings, "restore")
    code, text = asyncio.run(obey(settings, arguments))
    print(text, file=sys.stderr if code else sys.stdout)
    sys.exit(code)


def _bulletins(settings: Settings, arguments: Sequence[str]) -> None:
    from kalos.app.bulletins import obey
    from kalos.core.database import Database

    async def work(database: Database) -> tuple[int, str]:
        return await obey(database, arguments)

    code, text = _with_database(settings, work)
    print(text, file=sys.stderr if code else sys.stdout)
    sys.exit(code)


def _members(settings: Settings, arguments: Sequence[str]) -> None:
    from kalos.app.members import obey
    from kalos.core.database import Database

    async def work(database: Database) -> tuple[int, str]:
        return await obey(database, settings.page_url, arguments)

    code, text = _with_database(settings, work)
    print(text, file=sys.stderr if code else sys.stdout)
    sys.exit(code)


def _support(settings: Settings, arguments: Sequence[str]) -> None:
    from kalos.app.support import obey
    from kalos.core.database import Database

    async def work(database: Database) -> tuple[int, str]:
        return await obey(database, arguments)

    code, text = _with_database(settings, work)
    print(text, file=sys.stderr if code else sys.stdout)
    sys.exit(code)


def _settings(settings: Settings, arguments: Sequence[str]) -> None:
    from kalos.app.switches import obey
    from kalos.core.database import Database
    from kalos.core.terms import load_changeable

    known = load_changeable(settings.terms_file)

    async def work(database: Database) -> tuple[int, str]:
        return await obey(database, known, arguments, is_demo=settings.demo)

    code, text = _with_database(settings, work)
    print(text, file=sys.stderr if code else sys.stdout)
    sys.exit(code)


def _price(settings: Settings, arguments: Sequence[str]) -> None:
    from kalos.app.prices import obey
    from kalos.core.database import Database

    async def work(database: Database) -> tuple[int, str]:
        return await obey(database, settings.terms_file, arguments)

    code, text = _with_database(settings, work)
    print(text, file=sys.stderr if code else sys.stdout)
    sys.exit(code)


def _staff(settings: Settings, arguments: Sequence[str]) -> None:
    from kalos.app.staff import obey

    code, text = asyncio.run(obey(settings, arguments))
    print(text, file=sys.stderr if code else sys.stdout)
    sys.exit(code)


def _audit_log(settings: Settings, arguments: Sequence[str]) -> None:
    from kalos.app.staff import verify
    from kalos.core.database import Database

    async def work(database: Database) -> tuple[int, str]:
        return await verify(database, arguments)

    code, text = _with_database(settings, work)
    print(text, file=sys.stderr if code else sys.stdout)
    sys.exit(code)


def _with_database(settings: Settings, work: "Callable[[Database], Coroutine[Any, Any, Result]]") -> "Result":
    """Run one piece of work on two connections as the app's role."""
    from kalos.core.database import Database

    async def run() -> Result:
        database = Database(settings.app_url, size=2)
        try:
            return await work(database)
        finally:
            await database.close()

    return asyncio.run(run())


def _signer(settings: Settings, arguments: Sequence[str]) -> None:
    from kalos.app.signer_orders import obey

    if not arguments:
        _process("signer")(settings, arguments)
        return
    code, text = asyncio.run(obey(settings, arguments))
    print(text, file=sys.stderr if code else sys.stdout)
    sys.exit(code)


def _verify_round(settings: Settings, arguments: Sequence[str]) -> None:
    from kalos.app.verify_round import main

    asyncio.run(main(settings, arguments))


def _call(settings: Settings, arguments: Sequence[str]) -> None:
    from kalos.app.call import main

    asyncio.run(main(settings, arguments))


def _proxy(settings: Settings, arguments: Sequence[str]) -> None:
    from kalos.app.process import run_until_signal
    from kalos.app.proxy import main, port_of

    run_until_signal(main(settings, port_of(arguments)))


_COMMANDS: Final[dict[str, tuple[Command, str]]] = {
    "run": (_run, "start everything and keep it running"),
    "stop": (_stop, "end what runs on DATA_DIR"),
    "migrate": (_migrate, "bring the database to the present schema"),
    "prepare": (_prepare, "make contracts, demo accounts and house funds where they are missing"),
    "audit": (
        _audit,
        "[ledger]: recompute the ledger, follow the console's log, read the reserves' last look; print what is wrong",
    ),
    "audit-log": (_audit_log, "verify: whether a row of the console's log was changed or is missing"),
    "staff": (_staff, "list | add NAME --roles ROLE,… [--public-key HEX] | end NAME: who works in the console"),
    "backup": (_backup, "[--keep NUMBER] | list: a verified backup of the embedded database while it runs"),
    "restore": (
        _restore,
        "TIME | latest [--timeline NUMBER] | conclude TIME: the database as it was then; or told so after other tools",
    ),
    "money-out": (
        _money_out,
        "show | stop | resume --reason TEXT: whether money out is stopped; stop it; let it go on after an audit",
    ),
    "members": (_members, "begin EMAIL: the house's own first account, which invites the first members"),
    "bulletins": (_bulletins, "publish FILE [ACCOUNT] | retract NAME | list: what members are told"),
    "settings": (
        _settings,
        "list | get | history | on, off, set NAME … --reason TEXT | staff ACCOUNT on, off: who may what, and numbers",
    ),
    "price": (_price, "show: what coins count for, and who ordered it"),
    "signer": (
        _signer,
        "signs and sends withdrawals; show | pause, resume --reason TEXT | trust NAME HEX | distrust NAME | setup",
    ),
    "support": (_support, "list | show ID | answer ID TEXT | close ID: what members ask customer service"),
    "verify-round": (_verify_round, "ANSWER --rpc URL [--bets BETS]: recompute a round's result and bets"),
    "call": (_call, "PATH JSON [TOKEN]: one sealed call of the API"),
    "proxy": (_proxy, "[PORT]: takes plain calls on loopback and makes them sealed, for curl"),
    **{name: (_process(name), about) for name, about in _PROCESSES.items()},
}


def main() -> None:
    """Raises: SystemExit 2 with one line for each fault of command or settings."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in _COMMANDS:
        width = max(map(len, _COMMANDS))
        lines = [f"  {known:<{width}}  {about}" for known, (_, about) in _COMMANDS.items()]
        print("python -m kalos.app.cli COMMAND\n\n" + "\n".join(lines), file=sys.stderr)
        sys.exit(2)
    try:
        settings = load_settings(os.environ, before_keys=sys.argv[1:] in (["migrate"], ["signer", "setup"]))
    except BadSettings as problem:
        print(problem, file=sys.stderr)
        sys.exit(2)
    if name in _DEMO and not settings.demo:
        print(f"{name} is a part of demo mode: production has none of it", file=sys.stderr)
        sys.exit(2)
    try:
        _COMMANDS[name][0](settings, sys.argv[2:])
    except Exception as problem:
        if name in _PROCESSES or sys.argv[1:] == ["signer"] or (said := _said(problem)) is None:
            raise  # a process tells it in its log
        print(said, file=sys.stderr)
        sys.exit(1)


def _said(problem: Exception) -> str | None:
    from kalos.app.problems import in_a_line

    return in_a_line(problem)


if __name__ == "__main__":
    main()
