"""An operator's own database, chain and mail server take the place of the embedded ones."""

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from kalos.app.embedded.chain import program
from kalos.app.embedded.postgres import Cluster, RunningCluster
from kalos.app.kept import free_port
from support import clusters
from support.group import RunningGroup
from support.loopback import loopback_client

pytestmark = pytest.mark.group


class Mailbox:
    """A mail server's handler that keeps the texts."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 — its own name
        self.texts.append((envelope.original_content or b"").decode())
        return "250 OK"


@pytest.fixture
def folder() -> Iterator[Path]:
    made = clusters.new_folder(in_memory=True)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def database(folder: Path) -> Iterator[str]:
    running = RunningCluster(Cluster(folder / "own", "own", port=free_port()))
    running.start()
    yield running.cluster.url("own_database", tcp=True)
    running.kill()


@pytest.fixture
def chain() -> Iterator[str]:
    port = free_port()
    command = [str(program()), "--port", str(port), "--chain-id", "31337", "--block-time", "1", "--silent"]
    node = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    yield f"http://127.0.0.1:{port}"
    node.kill()
    node.wait()


@pytest.fixture
def mails() -> Iterator[tuple[int, Mailbox]]:
    box, port = Mailbox(), free_port()
    server = Controller(box, hostname="127.0.0.1", port=port)
    server.start()
    yield port, box
    server.stop()


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    async with loopback_client() as client:
        yield client


async def test_own_database_chain_and_mail_server_are_used(
    folder: Path, database: str, chain: str, mails: tuple[int, Mailbox], http: httpx.AsyncClient
) -> None:
    port, box = mails
    group = RunningGroup(
        folder / "data",
        DATABASE_URL=database,
        CHAIN_RPC_URL=chain,
        BLOCK_SECONDS="1",
        SMTP_HOST="127.0.0.1",
        SMTP_PORT=str(port),
        SMTP_SECURITY="none",
    )
    try:
        group.start()
        running = " ".join(group.processes().values())
        assert not any(part in running for part in ("bin/postgres", "bin/anvil", "cli inbox", "cli tick"))
        api = f"http://127.0.0.1:{group.port}/api"
        captcha = (await http.post(f"{api}/auth/captcha", json={})).json()["data"]["captcha_id"]
        answer = (await http.post(f"{api}/demo/captcha", json={"captcha_id": captcha})).json()["data"]["code"]
        body = {"email": "ann@example.com", "scene": "register", "captcha": {"captcha_id": captcha, "code": answer}}
        assert (await http.post(f"{api}/auth/sendEmail", json=body)).json()["code"] == 200
        for _ in range(100):
            if box.texts:
                break
            await asyncio.sleep(0.1)
        assert "To: ann@example.com" in box.texts[0]
        assert group.command("audit", "ledger").stdout == "the ledger is sound\n"
    finally:
        group.end()
