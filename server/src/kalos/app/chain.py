"""The chain of this installation: its network from the settings, or demo mode's own contracts, checked at the start."""

import asyncio
import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from kalos.adapters.chain.evm import EvmChain
from kalos.adapters.chain.hexes import address_of, checksum, quantity
from kalos.adapters.chain.rpc import Node
from kalos.adapters.chain.wallet import DemoWallet
from kalos.app.settings import Settings
from kalos.app.signer_folder import SignerFolder
from kalos.core.assets import KLS, USDT
from kalos.core.errors import ForOperator
from kalos.core.ports import Contract, Network

Chain = TypeVar("Chain", bound=EvmChain)
_SUPPLIES: Final = {USDT: 10**18, KLS: 10**17}
"""In the smallest unit: a trillion test USDT, and the whole of `kls_cap`."""


class ChainLost(ForOperator):
    """The installation's records speak of contracts that its chain doesn't have."""


class Deployed(msgspec.Struct, frozen=True, kw_only=True):
    """What demo mode keeps in DATA_DIR of its own chain; the private keys are the signer's. `hot` pays withdrawals."""

    xpub: str
    hot: str = ""
    addresses: dict[str, str]
    code_hashes: dict[str, str]


async def open_chain(settings: Settings) -> EvmChain:
    """The checked client of the chain; in demo mode without contracts it makes them first.

    Raises: WrongChain, ChainLost, Outage.
    """
    return await open_chain_as(EvmChain, settings)


async def open_chain_as(make: type[Chain], settings: Settings) -> Chain:
    """The same by a class that can more.

    Raises: WrongChain, ChainLost, Outage.
    """
    made = _of_settings(settings) if settings.usdt_contract else await deployed(settings)
    contracts = tuple(
        Contract(asset, made.addresses[asset.code], asset.scale, made.code_hashes[asset.code]) for asset in (USDT, KLS)
    )
    network = Network(
        chain_id=settings.chain_id,
        name=settings.chain_name,
        protocol="ERC-20",
        confirmations=settings.confirmations,
        block_seconds=settings.block_seconds,
        explorer=settings.chain_explorer or None,
        contracts=contracts,
        first_block=settings.chain_first_block,
    )
    chain = make(network, urls=settings.rpc_urls, xpub=settings.deposit_xpub or made.xpub)
    try:
        await chain.check()
    except BaseException:
        await chain.close()
        raise
    return chain


def _of_settings(settings: Settings) -> Deployed:
    return Deployed(
        xpub=settings.deposit_xpub,
        addresses={
            USDT.code: checksum(bytes.fromhex(settings.usdt_contract[2:])),
            KLS.code: checksum(bytes.fromhex(settings.kls_contract[2:])),
        },
        code_hashes={USDT.code: settings.usdt_code_hash, KLS.code: settings.kls_code_hash},
    )


async def deployed(settings: Settings) -> Deployed:
    """Demo mode's contracts and public key, made by the first process that asks.

    A chain that lost its last seconds before anything was booked on it gets its contracts again.
    Raises: ChainLost.
    """
    settings.contracts.parent.mkdir(parents=True, exist_ok=True)
    with settings.contracts.with_suffix(".lock").open("w") as lock:
        await asyncio.to_thread(fcntl.flock, lock, fcntl.LOCK_EX)
        node = Node(settings.rpc_urls[0])
        try:
            return await _find_or_make(settings, node)
        finally:
            await node.close()


async def _find_or_make(settings: Settings, node: Node) -> Deployed:
    place, data_dir = settings.contracts, settings.data_dir
    found = msgspec.json.decode(place.read_bytes(), type=Deployed) if place.exists() else None
    if found is not None and not found.hot:
        found = msgspec.structs.replace(found, hot=SignerFolder(data_dir).published().hot)
    if found is not None and await _is_there(node, found):
        return found
    treasury = address_of((await node.call("eth_accounts"))[0])
    if found is not None and quantity(await node.call("eth_getTransactionCount", treasury, "latest")) > 0:
        raise ChainLost(
            f"the local chain has no contracts at the addresses of {place}: remove {data_dir} to begin anew"
        )
    wallet = DemoWallet(node)
    hashes = {asset: await wallet.deploy_token(asset, units=units) for asset, units in _SUPPLIES.items()}
    await wallet.mine(now_ms=time.time_ns() // 1_000_000)
    contracts = {asset: await wallet.contract_of(transaction, asset) for asset, transaction in hashes.items()}
    public = SignerFolder(data_dir).published()
    made = Deployed(
        xpub=public.xpub,
        hot=public.hot,
        addresses={asset.code: contract.address for asset, contract in contracts.items()},
        code_hashes={asset.code: contract.code_hash for asset, contract in contracts.items()},
    )
    if found is not None and made != found:
        raise ChainLost(f"the local chain is another one than that of {place}: remove {data_dir} to begin anew")
    if found is None:  # by whoever was first: the file of one user isn't replaced by another
        _write(place, made)
    return made


async def _is_there(node: Node, known: Deployed) -> bool:
    codes = [await node.call("eth_getCode", address, "latest") for address in known.addresses.values()]
    return all(code != "0x" for code in codes)


def _write(place: Path, content: Any, *, mode: int = 0o644) -> None:
    new = place.with_suffix(".new")
    with suppress(FileNotFoundError):
        new.unlink()
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(msgspec.json.encode(content))
        file.flush()
        os.fsync(file.fileno())
    new.replace(place)
