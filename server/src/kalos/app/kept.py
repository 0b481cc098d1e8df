"""What an installation keeps in DATA_DIR beside its data: the generated secret and the ports of its inner parts."""

import itertools
import json
import os
import secrets
import socket
from pathlib import Path
from typing import Final

from kalos.core.errors import ForOperator

PORTS: Final = {
    "chain": "CHAIN_RPC_URL",
    "inbox": "SMTP_HOST",
    "live": "LIVE_PORT",
    "live-metrics": "LIVE_METRICS_PORT",
    "metrics": "METRICS_PORT",
}
"""The inner parts that a group chooses a port for, and the setting that is taken instead."""
_LOWEST: Final = 20_000
_PORTS: Final = 12_000
_STRETCH: Final = 8
_APART: Final = 947
"""By so many stretches: it has no factor in common with their number, so that each is some process's."""

_offered = itertools.count()


class NotKept(ForOperator, LookupError):
    """No group has chosen a port; the text says which setting is needed then."""


class PortTaken(ForOperator):
    """Another program has the port."""


def kept_secret(data_dir: Path) -> str:
    """The generated secret, 64 hex digits; made at the first call, readable by its owner alone."""
    place = data_dir / "secrets.json"
    if not place.exists():
        data_dir.mkdir(parents=True, exist_ok=True)
        new = data_dir / f"secrets.{os.getpid()}.new"
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump({"installation": secrets.token_hex(32)}, file)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(new, place)  # the first of two processes wins
        except FileExistsError:
            pass
        finally:
            new.unlink()
    secret: str = json.loads(place.read_text())["installation"]
    return secret


def is_generated(data_dir: Path, secret: str) -> bool:
    """Whether this is the secret that demo mode generated in DATA_DIR."""
    return (data_dir / "secrets.json").exists() and kept_secret(data_dir) == secret


def kept_port(data_dir: Path, name: str) -> int:
    """A port that `choose_ports` chose for this installation. Raises: NotKept."""
    place = data_dir / "ports.json"
    if not place.exists():
        raise NotKept(f"{PORTS[name]} must be set where no group (run) has chosen a port on {data_dir}")
    port: int = json.loads(place.read_text())[name]
    return port


def choose_ports(data_dir: Path, *others: int) -> None:
    """Choose a free port for each inner part, none of `others`; a port of an earlier start stays while it is free."""
    place = data_dir / "ports.json"
    try:
        known = json.loads(place.read_text())
    except (OSError, ValueError):
        known = {}
    chosen: dict[str, int] = {}
    for name in PORTS:
        port, taken = known.get(name, 0), {*others, *chosen.values()}
        if not port or port in taken or not is_free(port):
            taken.update(known.values())  # what is kept for those that come later
            port = next(one for one in iter(free_port, None) if one not in taken)
        chosen[name] = port
    new = data_dir / "ports.json.new"
    new.write_text(json.dumps(chosen))
    new.replace(place)


def refuse_taken(port: int, host: str = "127.0.0.1") -> None:
    """Our server shares its port with whoever asks for it so: calls would go to either. Raises: PortTaken."""
    if not is_free(port, host):
        raise PortTaken(f"port {port} is taken by another program")


def is_free(port: int, host: str = "127.0.0.1") -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError:
            return False
        return True


def free_port() -> int:
    """A port that nobody listens on.

    Each process looks through a stretch of its own, below those that a system gives to whoever asks for any (Linux:
    32,768 and up): whoever else chooses a port before this one is used chooses another. Those of processes that began
    one after the other lie far apart: each may need more than its stretch. Raises: OSError (none is free).
    """
    first = os.getpid() * _APART * _STRETCH
    for step in itertools.islice(_offered, _PORTS):
        if is_free(port := _LOWEST + (first + step) % _PORTS):
            return port
    raise OSError(f"no port from {_LOWEST} on is free")
