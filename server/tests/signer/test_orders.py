"""What an operator on the machine tells the signer."""

import shutil
from pathlib import Path

import pytest

from kalos.app.login import login
from kalos.app.settings import Settings
from kalos.app.signer_folder import SignerFolder
from kalos.app.signer_orders import USAGE, obey
from kalos.core.assets import KLS, USDT
from kalos.signer import queries
from signer.scene import Scene

NOBODY = "http://127.0.0.1:9"
"""Where nothing listens."""


async def test_no_new_seed_is_made_while_addresses_follow_from_another(scene: Scene, tmp_path: Path) -> None:
    """The folder that is brought back is taken as it is."""
    xpub, new = scene.folder.public().xpub, tmp_path / "new"
    settings = Settings(data_dir=new, database_url=scene.url, deposit_xpub=xpub)
    code, said = await obey(settings, ["setup"])
    assert (code, new.exists()) == (1, False)
    assert "no seed" in said
    assert "DEPOSIT_XPUB" in said
    shutil.copytree(scene.folder.folder, new / "signer")
    seed = (new / "signer" / "seed").read_bytes()
    code, said = await obey(settings, ["setup"])
    assert (code, (new / "signer" / "seed").read_bytes()) == (0, seed)
    assert f"deposits {xpub}" in said
    (new / "signer" / "seed").write_text("ab" * 32)
    code, said = await obey(settings, ["setup"])
    assert (code, "another one than that of the deposit addresses" in said) == (1, True)


async def test_production_signs_for_no_reviewer_of_demo_mode(tmp_path: Path) -> None:
    """Whose DATA_DIR was demo mode's has them still."""
    folder = SignerFolder(tmp_path)
    xpub = folder.prepare(is_demo=True).xpub
    settings = Settings(mode="production", data_dir=tmp_path, deposit_xpub=xpub, database_url="postgresql://a@b/c")
    code, said = await obey(settings, ["resume", "--reason", "looked at"])
    assert (code, "trusts operator and reviewer of demo mode" in said) == (1, True)
    for name in ("operator", "reviewer"):
        assert (await obey(settings, ["distrust", name]))[0] == 0
    folder.refuse_demo_reviewers()


@pytest.mark.parametrize("is_away", [True, False], ids=["away", "another"])
async def test_it_is_paused_and_shown_whatever_the_chain_says(scene: Scene, tmp_path: Path, is_away: bool) -> None:
    usdt, kls = (scene.node.chain.network.contract(asset) for asset in (USDT, KLS))
    settings = Settings(
        data_dir=tmp_path,
        database_url=scene.url,
        deposit_xpub=scene.folder.public().xpub,
        chain_rpc_url=(NOBODY if is_away else scene.node.url,),
        chain_id=scene.node.chain.network.chain_id if is_away else 777,
        usdt_contract=usdt.address,
        usdt_code_hash=usdt.code_hash,
        kls_contract=kls.address,
        kls_code_hash=kls.code_hash,
    )
    assert await obey(settings, ["pause", "--reason", " "]) == (2, USAGE)
    assert await scene.reason() is None
    assert await obey(settings, ["pause", "--reason", " a theft "]) == (0, "the signer is paused")
    assert await obey(settings, ["pause", "--reason", "again"]) == (
        0,
        "the signer is paused already: this reason stands behind the first",
    )
    code, said = await obey(settings, ["show"])
    assert code == 0
    assert f"hot wallet {scene.bench.keys.hot.address}" in said
    assert f": a theft\n{login()}: again" in said
    code, _ = await obey(settings, ["resume", "--reason", "looked at"])
    assert (code, (await queries.find_state(scene.bench.db)).reason) == (1, f"a theft\n{login()}: again")
