"""Members with keys: what a wallet signs, and how a member shows that it is them."""

from typing import Any

from eth_account import Account
from eth_account.messages import encode_defunct

from factors.scene import OUT, mailed
from kalos.core.tokens import digest, new_token
from kalos.domains.challenges import queries as challenges
from kalos.domains.challenges.tables import SlideProofRow
from kalos.domains.context import Context
from kalos.domains.factors.rules import Scene
from kalos.domains.wallets import service
from kalos.domains.wallets.service import Shown, Signed


def new_wallet() -> Any:
    return Account.create()


async def proof_of(ctx: Context) -> str:
    """A slide that was just answered right."""
    token = new_token()
    await challenges.insert_proof(ctx.db, SlideProofRow(digest(token), ctx.wall + 60_000))
    return token


async def shown(ctx: Context, scene: Scene, **changes: Any) -> Shown:
    """All that a step may ask for, right but for the changes."""
    right = {
        "google_code": None,
        "email_code": await mailed(ctx, scene),
        "proof": await proof_of(ctx),
        "out_password": OUT,
    }
    return Shown(**(right | changes))


def sign(wallet: Any, text: str) -> str:
    return str(wallet.sign_message(encode_defunct(text=text)).signature.to_0x_hex())


async def signed(ctx: Context, wallet: Any, *, by: Any = None) -> Signed:
    """A wallet's answer to a nonce of its own, signed by another one's key where `by` says so."""
    made = await service.make_nonce(ctx, wallet.address)
    return Signed(wallet.address, made.nonce, sign(by or wallet, made.text))


async def bind(ctx: Context, wallet: Any) -> None:
    await service.bind_login_wallet(ctx, await signed(ctx, wallet), await shown(ctx, "login_wallet"))
