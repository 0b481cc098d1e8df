"""What only the signer holds: files and rights that no other user, and no other role, can read."""

import hashlib
import json
import os
import stat
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from eth_account import Account

from kalos.adapters.chain.addresses import DepositAddresses
from kalos.adapters.chain.hexes import checksum
from kalos.app.migrate import role_url
from kalos.app.signer import signer_url
from kalos.app.signer_folder import DEMO_REVIEWERS, USER, BadFolder, SignerFolder, own_user
from kalos.signer.rules import Limits
from signer.scene import PASSWORD, Scene
from support.clusters import SECRET

PASSPHRASES = {"reviewer": "tall green lamp", "operator": "calm blue river"}
OTHER = 65534
FILES = ("seed", "role-password", "reviewers.toml", "limits.toml")


@pytest.fixture
def folder(tmp_path: Path) -> SignerFolder:
    made = SignerFolder(tmp_path)
    made.prepare(is_demo=True)
    return made


def test_it_is_made_once_and_its_public_keys_are_those_of_its_seed(folder: SignerFolder) -> None:
    files = {name: (folder.folder / name).read_bytes() for name in FILES}
    public = folder.public()
    assert folder.prepare(is_demo=False) == public
    assert {name: (folder.folder / name).read_bytes() for name in FILES} == files
    keys = folder.keys()
    for owner in (2, 1000, 123_456):
        assert keys.deposit(owner).address == DepositAddresses(public.xpub).address(owner)
    assert keys.hot.address == public.hot
    assert keys.hot.address not in {DepositAddresses(public.xpub).address(owner) for owner in range(50)}


def test_nobody_but_its_user_may_read_it(folder: SignerFolder) -> None:
    assert stat.S_IMODE(folder.folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE((folder.folder / name).stat().st_mode) for name in FILES} == {0o600}
    owner = USER if own_user() else os.geteuid()
    assert {place.stat().st_uid for place in (folder.folder, *folder.folder.iterdir())} == {owner}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_root_writes_belongs_to_the_user_whose_folder_it_is(folder: SignerFolder) -> None:
    for place in (folder.folder, *folder.folder.iterdir()):
        os.chown(place, OTHER, OTHER)
    key = Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    folder.trust("anna", key)
    folder.distrust("anna")
    folder.keep(folder.limits())
    assert {place.stat().st_uid for place in (folder.folder, *folder.folder.iterdir())} == {OTHER}


def can_be_somebody_else() -> bool:
    """Root can, unless that right was taken from it."""
    with suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(["true"], user=OTHER, group=OTHER, extra_groups=[], check=False).returncode == 0
    return False


def test_another_user_can_read_neither_key_nor_password() -> None:
    place = Path("/tmp") / f"kalos-signer-{os.getpid()}"
    place.mkdir(mode=0o755)
    try:
        SignerFolder(place).prepare(is_demo=True)
        reads = (
            "import sys\n"
            "for name in sys.argv[1:]:\n"
            "    try:\n"
            "        print(open(name).read())\n"
            "    except OSError as problem:\n"
            "        print(type(problem).__name__)"
        )
        names = [str(place / "signer" / name) for name in FILES]
        if can_be_somebody_else():
            command = ["/usr/bin/python3", "-c", reads, *names]
            other: dict[str, Any] = {"user": OTHER, "group": OTHER, "extra_groups": []}
            done = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/", **other)
            assert done.stdout.split() == ["PermissionError"] * len(FILES)
        # Whoever can't be somebody else sees what lets nobody else in: no bit, and no list beside the bits.
        for one in (place / "signer", *map(Path, names)):
            assert one.stat().st_mode & 0o077 == 0, one
            assert "system.posix_acl_access" not in os.listxattr(one), one
        mine = subprocess.run([*own_user(), "cat", names[0]], capture_output=True, text=True, check=True, cwd="/")
        assert len(mine.stdout) == 64
    finally:
        subprocess.run(["rm", "-r", str(place)], check=True)


def test_a_seed_of_an_earlier_version_moves_into_it(tmp_path: Path) -> None:
    (tmp_path / "signer.json").write_text(json.dumps({"seed": "5e" * 32}))
    made = SignerFolder(tmp_path)
    made.prepare(is_demo=True)
    assert (made.folder / "seed").read_text() == "5e" * 32
    assert not (tmp_path / "signer.json").exists()


def test_demo_reviewers_keys_follow_from_their_passphrases(folder: SignerFolder) -> None:
    for name, text in PASSPHRASES.items():
        seed = hashlib.pbkdf2_hmac("sha256", text.encode(), f"kalos reviewer {name}".encode(), 600_000, 32)
        key = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
        assert DEMO_REVIEWERS[name] == key.hex()
        assert folder.reviewers()[name] == key


def test_production_trusts_nobody_and_waits_for_addresses_until_told(tmp_path: Path) -> None:
    made = SignerFolder(tmp_path)
    made.prepare(is_demo=False)
    assert made.reviewers() == {}
    assert made.limits() == Limits()
    assert made.limits().address_wait == 24


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("limits.toml", "auto_max = 100000"),
        ("limits.toml", "auto_max = '5'"),
        ("limits.toml", "auto_max = 1.5"),
        ("limits.toml", "auto = 1"),
        ("limits.toml", "day = true"),
        ("limits.toml", "day = "),
        ("reviewers.toml", "ann = 5"),
        ("reviewers.toml", "ann = 'AB'"),
        ("reviewers.toml", f"ann = '{'ab' * 32}'\nbob = '{'ab' * 32}'"),
        ("seed", "none"),
        ("seed", "ab"),
    ],
)
def test_a_file_that_can_not_be_used_is_a_clear_error(folder: SignerFolder, name: str, text: str) -> None:
    (folder.folder / name).write_text(text)
    with pytest.raises(BadFolder, match=name):
        {"limits.toml": folder.limits, "reviewers.toml": folder.reviewers, "seed": folder.keys}[name]()


def test_a_seed_that_is_not_there_is_told_as_such(folder: SignerFolder) -> None:
    (folder.folder / "seed").unlink()
    with pytest.raises(BadFolder, match="seed: No such file or directory; make it with: signer setup"):
        folder.keys()


def test_a_new_folder_names_the_price_that_is_to_be_kept_in_step(tmp_path: Path) -> None:
    folder = SignerFolder(tmp_path)
    folder.prepare(is_demo=False)
    assert "least_price = 0.40" in (folder.folder / "limits.toml").read_text().splitlines()
    assert folder.limits() == Limits()


def test_limits_of_the_file_count(folder: SignerFolder) -> None:
    (folder.folder / "limits.toml").write_text("auto_max = 500\ngas_low = 0.25\n")
    assert folder.limits().auto_max == 500
    assert folder.limits().gas_low * 4 == 1


async def test_the_password_does_not_follow_from_the_installations_secret(scene: Scene) -> None:
    await (await asyncpg.connect(signer_url(scene.url, PASSWORD))).close()
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asyncpg.connect(role_url(scene.url, "kalos_signer", SECRET))


async def test_no_other_role_reads_signed_bytes_or_writes_the_signers_tables(scene: Scene) -> None:
    one = await scene.ask("100")
    await scene.finish(one)
    for role in ("kalos_app", "kalos_writer"):
        db = await asyncpg.connect(role_url(scene.url, role, SECRET))
        try:
            assert await db.fetchval("SELECT count(hash) FROM broadcasts") > 0
            for statement in (
                "SELECT raw FROM broadcasts",
                "SELECT * FROM broadcasts",
                "COPY broadcasts TO STDOUT",
                "UPDATE broadcasts SET sent_at = 1",
                "DELETE FROM broadcasts",
                "UPDATE signer_state SET paused = false",
                "UPDATE signer_nonces SET outcome = 'failed'",
                "INSERT INTO signer_nonces SELECT * FROM signer_nonces",
                "INSERT INTO broadcast_ends SELECT * FROM broadcast_ends",
                "SET ROLE kalos_signer",
            ):
                with pytest.raises(asyncpg.InsufficientPrivilegeError):
                    await db.execute(statement)
        finally:
            await db.close()


async def test_the_signers_role_writes_nothing_of_others_and_forgets_nothing(scene: Scene) -> None:
    db = await asyncpg.connect(signer_url(scene.url, PASSWORD))
    try:
        for statement in (
            "UPDATE withdrawals SET status = 'approved'",
            "INSERT INTO withdrawal_reviews VALUES (1, 1, 'yes', '', ''::bytea, 1)",
            "UPDATE holds SET left_units = 0",
            "UPDATE withdrawal_addresses SET created_at = 0",
            "DELETE FROM broadcasts",
            "DELETE FROM signer_nonces",
            "UPDATE broadcasts SET raw = ''::bytea",
            "UPDATE signer_nonces SET nonce = nonce + 1",
            "DELETE FROM broadcast_ends",
            "UPDATE broadcast_ends SET outcome = 'failed'",
            "SELECT * FROM members",
            "SELECT * FROM sessions",
            "SELECT * FROM authenticators",
            "SELECT * FROM journal",
        ):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await db.execute(statement)
    finally:
        await db.close()


def test_signatures_are_those_of_another_implementation() -> None:
    from kalos.adapters.chain.transactions import SigningKey
    from kalos.core.payments import Fees, Payment

    for number in range(40):
        secret = hashlib.sha256(f"key {number}".encode()).digest()
        key = SigningKey(secret)
        contract = None if number % 3 == 0 else checksum(hashlib.sha256(b"c").digest()[:20])
        payment = Payment(
            chain_id=(1, 31337, 2**40)[number % 3],
            nonce=(0, 1, 127, 128, 70_000)[number % 5],
            contract=contract,
            recipient=checksum(hashlib.sha256(f"to {number}".encode()).digest()[:20]),
            units=(1, 127, 128, 2**63 - 1)[number % 4],
            gas=120_000,
        )
        signed = key.sign(payment, Fees(2_000_000_000 + number, 1 + number))
        digits = "" if contract is None else "a9059cbb" + payment.recipient[2:].lower().rjust(64, "0")
        data = "0x" + digits + ("" if contract is None else f"{payment.units:064x}")
        other = Account.from_key(secret).sign_transaction(
            {
                "type": 2,
                "chainId": payment.chain_id,
                "nonce": payment.nonce,
                "maxPriorityFeePerGas": 1 + number,
                "maxFeePerGas": 2_000_000_000 + number,
                "gas": payment.gas,
                "to": contract or payment.recipient,
                "value": 0 if contract else payment.units,
                "data": data,
                "accessList": [],
            }
        )
        assert signed.raw == bytes(other.raw_transaction)
        assert signed.hash == other.hash.to_0x_hex()
        assert key.address == Account.from_key(secret).address
