"""What an operator on the machine tells the signer."""

import shutil
from pathlib import Path

from kalos.app.settings import Settings
from kalos.app.signer_orders import obey
from signer.scene import Scene


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
