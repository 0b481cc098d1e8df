"""The local EVM node: its command, and a second copy of its state, which it writes in place."""

import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kalos.app.settings import DEVELOPMENT_CHAIN, PROJECT, STATE_SECONDS

GENESIS_SECONDS: Final = 1_735_689_600
"""Of the first block, always: a node killed before it wrote anything begins with the very same block again."""
_MACHINES: Final = {"x86_64": "amd64", "aarch64": "arm64"}


class ChainProblem(Exception):
    """The node can't be started; the text says what to do."""


@dataclass(frozen=True, slots=True)
class LocalChain:
    """A node without a timer of its own: the tick mines. Its state is kept in `folder`/chain.json."""

    folder: Path
    port: int

    @property
    def state(self) -> Path:
        return self.folder / "chain.json"

    @property
    def copy(self) -> Path:
        return self.folder / "chain.copy.json"

    def prepare(self) -> None:
        """Put the copy in the place of a state whose writing was cut off. Raises: ChainProblem."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self.state.exists() or _is_whole(self.state.read_bytes()):
            return
        if self.copy.exists():
            self.copy.replace(self.state)
            return
        if self.state.stat().st_size == 0:  # cut off before anything was ever written
            self.state.unlink()
            return
        raise ChainProblem(f"{self.state} is damaged and has no copy: remove {self.folder} to begin anew")

    def command(self) -> list[str]:
        return [
            str(program()),
            *("--host", "127.0.0.1", "--port", str(self.port), "--chain-id", str(DEVELOPMENT_CHAIN)),
            *("--no-mining", "--prune-history", "16", "--silent"),
            *("--timestamp", str(GENESIS_SECONDS)),
            *("--state", str(self.state), "--state-interval", str(STATE_SECONDS)),
        ]

    def keep_copy(self) -> None:
        """Copy the state where it is whole and newer than the copy."""
        try:
            written = self.state.stat().st_mtime_ns
            if self.copy.exists() and self.copy.stat().st_mtime_ns >= written:
                return
            content = self.state.read_bytes()
        except FileNotFoundError:
            return
        if _is_whole(content):
            new = self.copy.with_suffix(".new")
            new.write_bytes(content)
            new.replace(self.copy)


def program() -> Path:
    """The node's own binary for this machine. Raises: ChainProblem."""
    machine = _MACHINES.get(platform.machine(), platform.machine())
    place = PROJECT / "web" / "node_modules" / "@foundry-rs" / f"anvil-linux-{machine}" / "bin" / "anvil"
    if not place.exists():
        raise ChainProblem("the local chain's program is missing: run make clean, then again; or set CHAIN_RPC_URL")
    return place


def _is_whole(content: bytes) -> bool:
    """The state is one JSON object whose texts hold no braces, so a cut leaves them unbalanced."""
    return content.endswith(b"}") and content.count(b"{") == content.count(b"}")
