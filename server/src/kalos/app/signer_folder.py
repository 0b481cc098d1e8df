"""The signer's own folder: its seed, its database password, its limits and the reviewers whom it trusts."""

import os
import re
import secrets
import shutil
import subprocess
import tomllib
from contextlib import suppress
from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from kalos.adapters.chain.keys import BadSeed, SeedKeys
from kalos.core.errors import ForOperator
from kalos.core.limits import LIMIT_NAMES
from kalos.signer.rules import Limits

USER: Final = 65533
"""Of the signer's process where it is started as root: nobody else's number."""
DEMO_REVIEWERS: Final = {
    "reviewer": "79485e44d50cd0b12cda65e7761074b9f12af8f52823578676adb09f12bb780f",
    "operator": "3e2cfce70280fe3ebd4e1decd1269aeae69a83ffefbcded5a9a2997ee0c634d9",
}
"""The public keys that follow from the signing passphrases of demo mode's two reviewers."""
_NAME: Final = re.compile(r"[a-z][a-z0-9_.-]{0,39}", re.ASCII)
_KEY: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_FRACTIONS: Final = ("gas_low", "least_price")
_OWN_USER: Final = (
    "setpriv",
    f"--reuid={USER}",
    f"--regid={USER}",
    "--clear-groups",
    # The way to its own folder and to the database's socket may lead through folders of root.
    "--inh-caps=+dac_override",
    "--ambient-caps=+dac_override",
)


class BadFolder(ForOperator, ValueError):
    """A file of the signer's folder can't be used; the text says which and why."""


class PublicKeys(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody may know: the hot wallet's address, and the key that deposit addresses follow from."""

    xpub: str
    hot: str


class SignerFolder:
    """`DATA_DIR`/signer, readable to the signer's user alone; its public keys lie beside it."""

    def __init__(self, data_dir: Path) -> None:
        self.folder = data_dir / "signer"
        self._public = data_dir / "signer.pub.json"
        self._former = data_dir / "signer.json"

    @property
    def has_seed(self) -> bool:
        return (self.folder / "seed").exists() or self._former.exists()

    def prepare(self, *, is_demo: bool) -> PublicKeys:
        """Make what is missing, and give all of it to the signer's user. Repeatable. Raises: BadFolder, OSError."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        self._make("seed", self._first_seed())
        self._former.unlink(missing_ok=True)
        self._make("role-password", secrets.token_hex(32))
        self._make("limits.toml", "address_wait = 0\n" if is_demo else _LIMITS)
        self._make("reviewers.toml", _written(DEMO_REVIEWERS if is_demo else {}))
        self._own()
        keys = self.keys()
        public = PublicKeys(xpub=keys.xpub, hot=keys.hot.address)
        if not self._public.exists() or self.public() != public:
            _write(self._public, msgspec.json.encode(public).decode(), mode=0o644)
        return public

    def public(self) -> PublicKeys:
        return msgspec.json.decode(self._public.read_bytes(), type=PublicKeys)

    def published(self) -> PublicKeys:
        """The public keys; demo mode's first start makes them. Raises: BadFolder, OSError."""
        return self.public() if self._public.exists() else self.prepare(is_demo=True)

    def keys(self) -> SeedKeys:
        """Raises: BadFolder."""
        seed = self._read("seed")
        try:
            return SeedKeys(bytes.fromhex(seed))
        except (BadSeed, ValueError) as problem:
            raise BadFolder(f"{self.folder / 'seed'} holds no seed: 32 or more hex digits") from problem

    def password(self) -> str:
        return self._read("role-password")

    def reviewers(self) -> dict[str, bytes]:
        """The public keys by the reviewers' names. Raises: BadFolder."""
        found = self._table("reviewers.toml")
        for name, key in found.items():
            if not _NAME.fullmatch(name) or not isinstance(key, str) or not _KEY.fullmatch(key):
                raise BadFolder(f"{self.folder / 'reviewers.toml'}: {name} needs 64 hex digits of a public key")
        if len(set(found.values())) < len(found):
            raise BadFolder(f"{self.folder / 'reviewers.toml'}: two names have one key")
        return {name: bytes.fromhex(key) for name, key in found.items()}

    def refuse_demo_reviewers(self) -> None:
        """Where demo mode made this folder, the keys that it trusts are everybody's. Raises: BadFolder."""
        demo = {bytes.fromhex(key) for key in DEMO_REVIEWERS.values()}
        if known := [name for name, key in self.reviewers().items() if key in demo]:
            raise BadFolder(
                f"{self.folder / 'reviewers.toml'} trusts {' and '.join(sorted(known))} of demo mode, "
                "whose passphrases everybody knows: signer distrust NAME"
            )

    def trust(self, name: str, key: str) -> None:
        """Let this key's signature count as that reviewer's. Raises: BadFolder."""
        known = {known: found.hex() for known, found in self.reviewers().items()}
        if not _NAME.fullmatch(name) or not _KEY.fullmatch(key):
            raise BadFolder("a name of small letters and digits, and 64 hex digits of a public key")
        if key in (found for other, found in known.items() if other != name):
            raise BadFolder("another name has this key")
        self._rewrite_reviewers(known | {name: key})

    def distrust(self, name: str) -> None:
        """Raises: BadFolder where there is no such name."""
        known = {known: found.hex() for known, found in self.reviewers().items()}
        if known.pop(name, None) is None:
            raise BadFolder(f"{name} isn't trusted")
        self._rewrite_reviewers(known)

    def limits(self) -> Limits:
        """Raises: BadFolder."""
        found = self._table("limits.toml")
        unknown = found.keys() - {entry.name for entry in fields(Limits)}
        if unknown:
            raise BadFolder(f"{self.folder / 'limits.toml'}: {', '.join(sorted(unknown))} is no limit")
        for name, value in found.items():
            if isinstance(value, bool) or not isinstance(value, int | Decimal if name in _FRACTIONS else int):
                raise BadFolder(f"{self.folder / 'limits.toml'}: {name} must be a number")
        try:
            numbers: dict[str, Any] = {
                name: Fraction(value) if name in _FRACTIONS else value for name, value in found.items()
            }
            return Limits(**numbers)
        except AssertionError as problem:
            raise BadFolder(f"{self.folder / 'limits.toml'}: the limits don't fit each other") from problem

    def keep(self, limits: Limits) -> Limits:
        """Write the limits that can be ordered, and the order's number; all else of the file stays as it is.

        Raises: BadFolder.
        """
        lines = self._read("limits.toml").splitlines()
        for name in (*LIMIT_NAMES, "order"):
            lines = [line for line in lines if not re.match(rf"\s*{name}\s*=", line)]
            lines.append(f"{name} = {getattr(limits, name)}")
        _write(self.folder / "limits.toml", "\n".join((*lines, "")), mode=0o600)
        self._own()
        return self.limits()

    def _first_seed(self) -> str:
        """A new one, or the one that an earlier version kept beside this folder."""
        if self._former.exists():
            kept: str = msgspec.json.decode(self._former.read_bytes())["seed"]
            return kept
        return secrets.token_hex(32)

    def _rewrite_reviewers(self, known: dict[str, str]) -> None:
        _write(self.folder / "reviewers.toml", _written(known), mode=0o600)
        self._own()

    def _make(self, name: str, content: str) -> None:
        if not (self.folder / name).exists():
            _write(self.folder / name, content, mode=0o600)

    def _read(self, name: str) -> str:
        try:
            return (self.folder / name).read_text().strip()
        except OSError as problem:
            reason = os.strerror(problem.errno or 0)
            raise BadFolder(f"{self.folder / name}: {reason}; make it with: signer setup") from problem

    def _table(self, name: str) -> dict[str, Any]:
        try:
            return tomllib.loads(self._read(name), parse_float=Decimal)
        except tomllib.TOMLDecodeError as problem:
            raise BadFolder(f"{self.folder / name}: {problem}") from problem

    def _own(self) -> None:
        """What root has written here belongs to the signer's user: whose the folder is, or of a new one `USER`."""
        if os.geteuid() != 0:
            return
        made = self.folder.stat()
        user, group = made.st_uid, made.st_gid
        if user == 0:
            if not own_user():
                return
            user = group = USER
        for place in (self.folder, *self.folder.iterdir()):
            os.chown(place, user, group)


_LIMITS: Final = """\
# The signer's own limits, above the defaults of kalos.signer.rules.Limits; read at its start.
# What KLS counts for at the least, in USDT for one. Keep it a fifth below the price: see docs/operations.md.
least_price = 0.40
"""


@cache
def own_user() -> tuple[str, ...]:
    """What starts the signer's process as a user of its own; nothing where that can't be."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return ()
    allowed = subprocess.run([*_OWN_USER, "true"], capture_output=True, check=False).returncode == 0
    return _OWN_USER if allowed else ()


def _written(reviewers: dict[str, str]) -> str:
    lines = [f'"{name}" = "{key}"' for name, key in sorted(reviewers.items())]
    return "\n".join(("# Whose signature counts as a review, with the key's 64 hex digits.", *lines, ""))


def _write(place: Path, content: str, *, mode: int) -> None:
    new = place.with_name(f"{place.name}.{os.getpid()}.new")
    with suppress(FileNotFoundError):
        new.unlink()
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(place)
