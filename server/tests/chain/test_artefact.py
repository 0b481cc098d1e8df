"""The committed contracts are those of the sources beside them."""

import hashlib
import json
from pathlib import Path

import pytest
from eth_abi.abi import encode

from kalos.adapters.chain.sandbox import TREASURY
from kalos.adapters.chain.wallet import token_arguments
from kalos.core.assets import ASSETS, Asset

PROJECT = Path(__file__).parents[3]
ARTEFACTS = {
    "Token": PROJECT / "server/src/kalos/adapters/chain/token.json",
    "Batch": PROJECT / "server/tests/chain/batch.json",
}
SOURCES = PROJECT / "deploy/contracts"


@pytest.mark.parametrize("name", ARTEFACTS)
def test_artefact_is_of_the_source_and_of_the_locked_compiler(name: str) -> None:
    artefact = json.loads(ARTEFACTS[name].read_text())
    locked = json.loads((SOURCES / "package-lock.json").read_text())["packages"]
    source = (SOURCES / f"{name}.sol").read_bytes()
    assert artefact["source_sha256"] == hashlib.sha256(source).hexdigest(), "run npm run build in deploy/contracts"
    assert artefact["compiler"].split("+")[0] == locked["node_modules/solc"]["version"]
    assert artefact["library"] == locked["node_modules/@openzeppelin/contracts"]["version"]


def test_lock_names_no_host() -> None:
    assert "://" not in (SOURCES / "package-lock.json").read_text()


@pytest.mark.parametrize("asset", ASSETS)
def test_constructor_arguments_are_what_the_abi_says(asset: Asset) -> None:
    expected = encode(
        ["string", "string", "uint8", "uint256", "address"], [asset.code, asset.code, asset.scale, 7, TREASURY]
    )
    assert token_arguments(asset, units=7, treasury=TREASURY) == expected.hex()
