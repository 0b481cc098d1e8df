"""Settings: each fault has one clear line, production refuses what belongs to the demo."""

import secrets
import socket
from dataclasses import fields
from pathlib import Path

import pytest

from kalos.app.settings import PROJECT, BadSettings, Settings, load_settings, table_of_settings

PRODUCTION = {
    "SANCTIONS_FILE": __file__,
    "MODE": "production",
    "PUBLIC_URL": "https://kalos.example",
    "INSTALLATION_SECRET": secrets.token_hex(32),
    "DATABASE_URL": "postgresql://owner:word@db.example:5432/kalos",
    "CHAIN_RPC_URL": "https://node.example,https://other.example",
    "CHAIN_ID": "56",
    "CHAIN_NAME": "Example chain",
    "BLOCK_SECONDS": "3",
    "CONFIRMATIONS": "20",
    "CHAIN_FIRST_BLOCK": "0",
    "USDT_CONTRACT": "0x" + "1a" * 20,
    "KLS_CONTRACT": "0x" + "2b" * 20,
    "USDT_CODE_HASH": "0x" + "3c" * 32,
    "KLS_CODE_HASH": "0x" + "4d" * 32,
    "DEPOSIT_XPUB": "xpub" + "A" * 107,
    "HOT_WALLETS": "0x" + "5e" * 20,
    "LIVE_URL": "wss://kalos.example/ws",
    "SMTP_HOST": "mail.example",
    "OPERATOR_MAIL": "operator@kalos.example",
}


def faults_of(environment: dict[str, str]) -> list[str]:
    with pytest.raises(BadSettings) as problem:
        load_settings(environment)
    return problem.value.faults


def test_nothing_set_is_demo_mode() -> None:
    settings = load_settings({})
    assert (settings.mode, settings.port, settings.modes) == ("demo", 8000, ("plain", "signed", "sealed"))
    assert settings.page_url == "http://localhost:8000"
    assert settings.hosts == ("localhost", "localhost", "127.0.0.1")


def test_complete_production_settings_are_taken() -> None:
    settings = load_settings(PRODUCTION)
    assert settings.modes == ("signed", "sealed")
    assert settings.hosts == ("kalos.example",)
    assert settings.rpc_urls == ("https://node.example", "https://other.example")
    assert settings.smtp == ("mail.example", 587)
    assert settings.app_url.startswith("postgresql://kalos_app:")
    assert settings.app_url.endswith("@db.example:5432/kalos")


@pytest.mark.parametrize("name", [entry.name.upper() for entry in fields(Settings) if entry.metadata["needed"]])
def test_production_needs_it(name: str) -> None:
    faults = faults_of({key: value for key, value in PRODUCTION.items() if key != name})
    assert [fault for fault in faults if fault.startswith(f"{name} must be set in production")] == faults


def test_production_goes_by_no_number_of_the_development_chain() -> None:
    """With three confirmations of two seconds another chain's top-ups would count long before they are final."""
    names = ("CHAIN_ID", "CHAIN_NAME", "BLOCK_SECONDS", "CONFIRMATIONS", "CHAIN_FIRST_BLOCK")
    (fault,) = faults_of(PRODUCTION | dict.fromkeys(names, ""))
    assert fault == f"{', '.join(names)} must be set in production: the defaults are the development chain's"
    settings = load_settings(PRODUCTION)
    assert (settings.block_seconds, settings.confirmations, settings.chain_first_block) == (3, 20, 0)


def test_what_the_signers_keys_tell_may_be_missing_before_they_are_made() -> None:
    known = {key: value for key, value in PRODUCTION.items() if key != "DEPOSIT_XPUB"}
    assert load_settings(known, before_keys=True).deposit_xpub == ""
    with pytest.raises(BadSettings) as problem:
        load_settings({"MODE": "production"}, before_keys=True)
    assert "DATABASE_URL must be set" in str(problem.value)
    assert "DEPOSIT_XPUB" not in str(problem.value)


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("OPERATOR_MAIL", "foo", "OPERATOR_MAIL must be a mail address such as name@kalos.example"),
        (
            "MAIL_FROM",
            "Kalos",
            "MAIL_FROM must be a mail address such as no-reply@kalos.example, or Name <no-reply@kalos.example>",
        ),
        ("CHAIN_ID", "31337", "CHAIN_ID 31337 is the development chain, which production refuses"),
        (
            "WIRE_MODES",
            "plain,sealed",
            "WIRE_MODES must not have plain in production: calls are signed or sealed there",
        ),
        ("PUBLIC_URL", "http://kalos.example", "PUBLIC_URL must start with https:// in production"),
        ("SMTP_SECURITY", "none", "SMTP_SECURITY none is for demo mode: use starttls or tls"),
        ("INSTALLATION_SECRET", "ab" * 32, "INSTALLATION_SECRET is a placeholder, not a secret: openssl rand -hex 32"),
        ("INSTALLATION_SECRET", "short", "INSTALLATION_SECRET must be 64 hex digits or more: openssl rand -hex 32"),
        (
            "DEPOSIT_XPUB",
            "xprv9s21",
            "DEPOSIT_XPUB must be an extended public key (xpub…); a private key has no place here",
        ),
        ("LIVE_URL", "ws://kalos.example/ws", "LIVE_URL must start with wss:// in production"),
        ("CHAIN_FIRST_BLOCK", "-1", "CHAIN_FIRST_BLOCK must be a whole number, 0 or above"),
        (
            "DATABASE_URL",
            "postgresql://a@b:abc/c",
            "DATABASE_URL must be postgresql://user:password@host:port/database",
        ),
    ],
)
def test_production_refuses(name: str, value: str, fault: str) -> None:
    (found,) = faults_of(PRODUCTION | {name: value})
    assert found.startswith(fault)


@pytest.mark.parametrize("mode", ["demo", "production"])
def test_a_wallet_that_is_hot_and_cold_is_refused(mode: str) -> None:
    """The reserves would have its coins twice, and cover what isn't there."""
    hot, both = PRODUCTION["HOT_WALLETS"], "0x" + "Fa" * 20
    wallets = {"HOT_WALLETS": f"{hot},{both.lower()}", "COLD_WALLETS": both}
    assert faults_of(PRODUCTION | wallets | {"MODE": mode}) == [
        f"HOT_WALLETS and COLD_WALLETS both have {both.lower()}: its coins would count twice"
    ]


def test_embedded_chain_must_keep_what_is_confirmed() -> None:
    assert faults_of({"CONFIRMATIONS": "2"}) == [
        "CONFIRMATIONS times BLOCK_SECONDS must be above 4 s on the embedded chain"
    ]
    assert faults_of({"CHAIN_ID": "1"}) == ["CHAIN_ID is set but CHAIN_RPC_URL is not: the embedded chain is 31337"]
    load_settings({"CHAIN_ID": "5", "CONFIRMATIONS": "1", "CHAIN_RPC_URL": "http://127.0.0.1:1"})


def test_production_refuses_the_secret_that_demo_mode_generated(tmp_path: Path) -> None:
    generated = load_settings({"DATA_DIR": str(tmp_path)}).secret.hex()
    faults = faults_of(PRODUCTION | {"DATA_DIR": str(tmp_path), "INSTALLATION_SECRET": generated})
    assert faults == ["INSTALLATION_SECRET is the one that demo mode generated: make a new one"]


def test_a_folder_that_can_not_be_read_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "secrets.json").mkdir()
    (fault,) = faults_of(PRODUCTION | {"DATA_DIR": str(tmp_path)})
    assert fault == f"DATA_DIR {tmp_path / 'secrets.json'}: Is a directory"


def test_every_fault_is_named_and_secrets_are_not_shown() -> None:
    wrong = {
        "PORT": "80800",
        "MODE": "test",
        "CONFIRMATIONS": "0",
        "DATABASE_URL": "mysql://me:geheim@x/y",
        "INSTALLATION_SECRET": "gg",
        "CHAIN_RPC_URL": "node.example/geheim",
        "DEPOSIT_XPUB": "xprvgeheim",
        "USDT_CONTRACT": "0x12",
        "TRUSTED_PROXIES": "proxy",
        "LOG_LEVEL": "loud",
    }
    faults = faults_of(wrong)
    in_order = [entry.name.upper() for entry in fields(Settings) if entry.name.upper() in wrong]
    assert [fault.split()[0] for fault in faults] == in_order
    assert "geheim" not in " ".join(faults)


def test_files_of_former_secrets_can_be_read(tmp_path: Path) -> None:
    first, second = secrets.token_hex(32), secrets.token_hex(32)
    before = load_settings({"INSTALLATION_SECRET": first})
    after = load_settings({"INSTALLATION_SECRET": second, "FORMER_SECRETS": first})
    assert after.file_keys[1:] == before.file_keys
    assert after.file_keys[0] != before.file_keys[0]
    with pytest.raises(BadSettings, match="FORMER_SECRETS is a placeholder"):
        load_settings({"FORMER_SECRETS": "00" * 32})


def test_generated_secret_is_kept_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    first = load_settings({"DATA_DIR": str(tmp_path)})
    assert first.secret == load_settings({"DATA_DIR": str(tmp_path)}).secret
    assert len(first.secret) == 32
    assert (tmp_path / "secrets.json").stat().st_mode & 0o777 == 0o600
    assert first.derived("a") != first.derived("b")


def test_the_paper_states_each_setting_with_its_default() -> None:
    paper = (PROJECT / "docs" / "settings.md").read_text()
    rows = [line for line in paper.splitlines() if line.startswith("| `")]
    assert rows == [
        f"| `{name}` | {f'`{default}`' if default else ''} | {about} | {needed} |"
        for name, default, about, needed in table_of_settings()
    ]


def test_a_socket_can_be_made_however_long_the_way_to_the_data_is(tmp_path: Path) -> None:
    """Under the name, too, that it has until it takes a dead one's place."""
    for length in range(60, 120):
        folder = tmp_path / ("d" * max(1, length - len(str(tmp_path)) - 1))
        path = Settings(data_dir=folder).socket("writer-figures")
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(path.name + ".new")
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(fresh))
        fresh.unlink()
