"""A good body for each call, of a house that runs."""

import itertools
import string
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any, Final

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from eth_account import Account
from eth_account.messages import encode_defunct

from console.scene import PASSWORD as STAFF_PASSWORD
from console.scene import signed_key
from contract.turns import BIND_LOGIN, CONSOLE, FREEZE, STAFF_LOGIN, WITHDRAW, Console
from kalos.app.demo_data import INVITE_CODES, OUT_PASSWORD, PASSWORD, ROOT
from support import people
from support.members import email_of
from support.pictures import hex_of, picture

SCENE: Final = "odd_even-180"
ADDRESS: Final = "0x52908400098527886E0F7030069857D2E4169EE7"
WALLETS: Final = [Account.create() for _ in range(2)]
"""Each logs somebody in, in one form of the call: a name that failed with one has to slide in the other."""
SECRET: Final = "GEZDGNBVGY3TQOJQ" * 2
"""Of the authenticator that those who can take one away have."""
_PATIENCE_SECONDS: Final = 20.0
_PAUSE_SECONDS: Final = 0.1
_COUNTRIES: Final = map("".join, itertools.product(string.ascii_uppercase, repeat=2))


class Helper:
    """Asks the house, plainly and as a member, for what a good body needs. Raises: AssertionError, where it can't."""

    def __init__(
        self,
        url: str,
        console: Console | None = None,
        payers: Iterator[str] | None = None,
        askers: Iterator[str] | None = None,
    ) -> None:
        self._http = httpx.Client(base_url=url, timeout=15)
        self._console = console
        self._payers = payers or iter(())
        self._askers = askers or iter(())
        self._wallets = iter(WALLETS)

    def good(self, path: str, token: str) -> dict[str, Any]:
        """A body that the call of `path` answers with 200 for this member, or with 400 where it misses its file."""
        self._http.headers["authorization"] = token
        make = _GOOD.get(path)
        return {} if make is None else make(self)

    def another(self, path: str, token: str) -> dict[str, Any]:
        """A good body of the second way of a call that has two."""
        self._http.headers["authorization"] = token
        return TWO_WAYS[path](self)

    def ask(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        while (whole := self._http.post(path, json=body).json())["data"].get("retry_after") == 1:
            time.sleep(1 - time.time() % 1)  # too often in this second
        assert whole["code"] == 200, whole
        return dict(whole["data"])

    def until(self, read: Callable[[], Any]) -> Any:
        """What `read` finds, as soon as it finds something."""
        ending = time.monotonic() + _PATIENCE_SECONDS
        while not (found := read()):
            assert time.monotonic() < ending, read
            time.sleep(_PAUSE_SECONDS)
        return found

    def captcha(self) -> dict[str, str]:
        number = self.ask("/api/auth/captcha", {})["captcha_id"]
        return {"captcha_id": number, "code": self.ask("/api/demo/captcha", {"captcha_id": number})["code"]}

    def slide(self) -> dict[str, Any]:
        number = self.ask("/api/auth/slide", {})["captcha_id"]
        x = self.ask("/api/demo/captcha", {"captcha_id": number})["x"]
        return {"captcha_id": number, "x": x, "track": [[0, 0], [x // 2, 400], [x, 800]]}

    def code_request(self) -> dict[str, Any]:
        email = f"{uuid.uuid4().hex}@people.example"
        return {"email": email, "scene": "register", "captcha": self.captcha()}

    def registration(self) -> dict[str, Any]:
        asked = self.code_request()
        self.ask("/api/auth/sendEmail", asked)
        (mail,) = self.until(lambda: self.ask("/api/demo/inbox", {"email": asked["email"]})["list"])
        about = {"email": asked["email"], "email_code": mail["code"]}
        return about | {"invite_code": INVITE_CODES[ROOT], "password": PASSWORD, "country": "VN"}

    def own_code(self, scene: str) -> str:
        """From a mail to the member."""
        self.ask("/api/user/sendEmail", {"scene": scene})
        return self.read_code()

    def read_code(self) -> str:
        own = str(self.ask("/api/user/info", {})["account"])
        (mail,) = self.until(lambda: self.ask("/api/demo/inbox", {"email": email_of(own)})["list"])
        return str(mail["code"])

    def shown(self) -> dict[str, str]:
        """What a member shows before anything of security changes."""
        return {"password": people.PASSWORD, "proof": self.ask("/api/auth/slideVerify", self.slide())["proof"]}

    def out_password(self) -> dict[str, str]:
        code = self.own_code("password")
        return {"new_password": "246810", "confirm_password": "246810", "email_code": code} | self.shown()

    def totp(self, secret: str) -> str:
        return str(self.ask("/api/demo/totp", {"secret": secret})["code"])

    def binding(self) -> dict[str, Any]:
        code = self.totp(self.ask("/api/user/google", {})["secret"])
        return {"code": code, "email_code": self.own_code("google")} | self.shown()

    def unbinding(self) -> dict[str, Any]:
        code = self.own_code("unbind")
        return {"google_code": self.totp(SECRET), "email_code": code} | self.shown()

    def new_password(self) -> dict[str, Any]:
        """For an address that no member has: that is answered as any other."""
        asked = self.code_request() | {"scene": "reset"}
        self.ask("/api/auth/sendEmail", asked)
        (mail,) = self.until(lambda: self.ask("/api/demo/inbox", {"email": asked["email"]})["list"])
        proof = self.ask("/api/auth/slideVerify", self.slide())["proof"]
        return {"email": asked["email"], "email_code": mail["code"], "password": PASSWORD, "proof": proof}

    def changed_password(self) -> dict[str, Any]:
        shown = self.shown()
        new = {"new_password": "green7valley", "confirm_password": "green7valley"}
        return new | {
            "old_password": shown["password"],
            "proof": shown["proof"],
            "email_code": self.own_code("password"),
        }

    def new_address(self) -> dict[str, Any]:
        address, old = f"{uuid.uuid4().hex}@people.example", self.own_code("bind")
        self.ask("/api/user/sendEmail", {"scene": "bind", "email": address})
        (mail,) = self.until(lambda: self.ask("/api/demo/inbox", {"email": address})["list"])
        return {"email": address, "code": mail["code"], "old_code": old, "proof": self.shown()["proof"]}

    def closing(self) -> dict[str, Any]:
        return {"email_code": self.own_code("close")} | self.shown()

    def signed(self, wallet: Any) -> dict[str, str]:
        """A wallet's answer to a nonce."""
        asked = self.ask("/api/auth/nonce", {"address": wallet.address})
        signature = wallet.sign_message(encode_defunct(text=asked["message"])).signature.to_0x_hex()
        return {"code": asked["nonce"], "sign_message": signature}

    def login_wallet(self) -> dict[str, Any]:
        wallet = Account.create()
        code, proof = self.own_code("login_wallet"), self.shown()["proof"]
        return {"address": wallet.address, "email_code": code, "proof": proof} | self.signed(wallet)

    def lost_wallet(self) -> dict[str, Any]:
        (bound,) = self.ask("/api/user/info", {})["login_wallets"]
        code, proof = self.own_code("login_wallet"), self.shown()["proof"]
        return {"address": bound["address"], "remove": True, "email_code": code, "proof": proof}

    def wallet_login(self) -> dict[str, str]:
        del self._http.headers["authorization"]  # with a session the nonce would be one to bind the wallet
        return {"name": (wallet := next(self._wallets)).address} | self.signed(wallet)

    def entry(self) -> dict[str, Any]:
        """Of the address book."""
        chain = self.ask("/api/lp/chain", {})["list"][0]["chain_id"]
        target = {"chain": chain, "address": Account.create().address, "label": "My hardware wallet"}
        shown = {"email_code": self.own_code("address"), "proof": self.shown()["proof"]}
        return target | shown | {"out_password": OUT_PASSWORD, "request_id": uuid.uuid4().hex}

    def removal(self) -> dict[str, Any]:
        number = self.ask("/api/user/walletList", {})["list"][0]["id"]
        return {"id": number, "out_password": OUT_PASSWORD, "request_id": uuid.uuid4().hex}

    def withdrawal(self, amount: str = "10") -> dict[str, Any]:
        wanted: dict[str, Any] = {"coin_type": 1, "amount": amount}
        wanted |= {"wallet_id": self.ask("/api/withdraw/index", {})["addresses"][0]["id"]}
        self.ask("/api/user/sendEmail", {"scene": "withdraw"} | wanted)
        return wanted | {
            "email_code": self.read_code(),
            "out_password": OUT_PASSWORD,
            "request_id": uuid.uuid4().hex,
        }

    def freezing(self) -> dict[str, str]:
        """Whose token stands for the one that a mail brings."""
        return {"token": self._http.headers["authorization"]}

    def ticket(self) -> str:
        asked = {"subject": "A top-up", "text": f"Where is {uuid.uuid4().hex}?"}
        return str(self.ask("/api/support/open", asked)["ticket_id"])

    def shown_and_told(self) -> dict[str, Any]:
        """A message of two lines with a picture that was sent up."""
        content = picture()
        about = {"type": "image/png", "size": len(content), "sha256": hex_of(content)}
        place = self.ask("/api/basic/uploadGrant", {"purpose": "picture"} | about)["path"]
        headers = {"content-type": "image/png"}
        sent = self._http.put(f"/api/upload/{place}", content=content, headers=headers).json()
        return {"text": ["Here it stands:", "see the picture."], "images": [sent["data"]["upload_id"]]}

    def bulletin(self) -> dict[str, str]:
        return {"id": self.ask("/api/basic/bulletinList", {})["list"][0]["id"]}

    def round_id(self) -> str:
        return str(self.until(lambda: self.ask("/api/game/scene", {"scene_id": SCENE})["round"]))

    def bet(self) -> dict[str, Any]:
        stake = {"amount": "1", "balance_type": "USDT", "request_id": uuid.uuid4().hex}
        return {"scene_id": SCENE, "round": self.round_id(), "option": "odd"} | stake

    def transaction(self) -> dict[str, Any]:
        """A deposit that the chain has."""
        sent = self.ask("/api/demo/faucet", {"amount": "20"})["hash"]
        self.until(lambda: any(row["hash"] == sent for row in self.ask("/api/recharge/list", {})["list"]))
        return {"hash": sent, "amount": "20"}

    def staff_login(self) -> dict[str, str]:
        """Of who stands where a session would."""
        name, secret = self._http.headers["authorization"].split(" ")
        return {"name": name, "password": STAFF_PASSWORD, "code": self.totp(secret)}

    def renewal(self) -> dict[str, str]:
        """Who renews something shows what counts until now."""
        assert self._console is not None
        _, secret = self._console.renewing[self._http.headers["authorization"]]
        return {"password": STAFF_PASSWORD, "code": self.totp(secret)}

    def new_authenticator(self) -> dict[str, str]:
        return {"code": self.totp(self.ask(f"{CONSOLE}newAuthenticator", self.renewal())["secret"])}

    def new_key(self) -> dict[str, str]:
        assert self._console is not None
        name, _ = self._console.renewing[self._http.headers["authorization"]]
        return self.renewal() | signed_key(name, Ed25519PrivateKey.generate())

    def switch(self) -> dict[str, Any]:
        """Of a country that no other has been of: where an order waits, or has been obeyed, the next is refused."""
        return {"kind": "switch", "body": {"feature": "nft", "country": next(_COUNTRIES), "is_on": False}}

    def order(self) -> dict[str, Any]:
        return self.switch() | {"reason": "A licence ended", "request_id": uuid.uuid4().hex}

    def ordered(self) -> dict[str, Any]:
        """A command that somebody else has made."""
        assert self._console is not None
        own, self._http.headers["authorization"] = self._http.headers["authorization"], self._console.maker
        made = self.ask(f"{CONSOLE}submit", self.order())
        self._http.headers["authorization"] = own
        return {"id": made["id"], "version": made["version"], "request_id": uuid.uuid4().hex}

    def refusing(self) -> dict[str, Any]:
        made = self.ordered()
        return {"id": made["id"], "reason": "Not now", "request_id": made["request_id"]}

    def review(self) -> dict[str, Any]:
        """Of a withdrawal that people must look at."""
        own, self._http.headers["authorization"] = self._http.headers["authorization"], next(self._payers)
        asked = self.ask(WITHDRAW, self.withdrawal("10001"))["id"]
        self._http.headers["authorization"] = own
        return self.decided(f"{CONSOLE}withdrawals", asked) | {"verdict": "no"}

    def decision(self) -> dict[str, Any]:
        waiting = self.ask(f"{CONSOLE}deposits", {})["list"]
        return self.decided(f"{CONSOLE}deposits", waiting[0]["id"]) | {"verdict": "refuse"}

    def stray(self) -> dict[str, Any]:
        waiting = self.ask(f"{CONSOLE}strays", {})["list"]
        return {"id": waiting[0]["id"], "verdict": "left", "reason": "Worthless", "request_id": uuid.uuid4().hex}

    def decided(self, path: str, number: str) -> dict[str, Any]:
        """What names a row of the console as it is shown now."""
        (row,) = [row for row in self.ask(path, {})["list"] if row["id"] == number]
        return {"id": number, "revision": row["revision"], "reason": "Not theirs", "request_id": uuid.uuid4().hex}

    def asked(self) -> str:
        """A ticket of a member's, for the house to answer."""
        own, self._http.headers["authorization"] = self._http.headers["authorization"], next(self._askers)
        number = self.ticket()
        self._http.headers["authorization"] = own
        return number

    def closing_ticket(self) -> dict[str, Any]:
        number = self.asked()
        last = self.ask(f"{CONSOLE}ticket", {"id": number})["ticket"]["last_message"]
        return {"id": number, "last_message": last, "request_id": uuid.uuid4().hex}

    def acting(self) -> dict[str, Any]:
        """On a new member's account."""
        own = self._http.headers.pop("authorization")
        token = self.ask("/api/auth/register", self.registration())["token"]
        self._http.headers["authorization"] = token
        account = self.ask("/api/user/info", {})["account"]
        self._http.headers["authorization"] = own
        return {"account": account, "reason": "They called", "request_id": uuid.uuid4().hex}

    def opening(self) -> dict[str, Any]:
        body = self.acting()
        frozen_at = self.ask(f"{CONSOLE}freezeMember", body)["frozen_at"]
        return body | {"frozen_at": frozen_at, "request_id": uuid.uuid4().hex}

    def retracting(self) -> dict[str, Any]:
        """Of a bulletin that is shown."""
        made = self.ask(f"{CONSOLE}publishBulletin", told())
        return {"id": made["id"], "changed_at": made["changed_at"], "request_id": uuid.uuid4().hex}

    def close(self) -> None:
        self._http.close()


def told() -> dict[str, Any]:
    """A bulletin of a name that is nobody's."""
    english = {"lang": "en", "title": "Maintenance", "lines": ["On Monday we rest", "for an hour."]}
    return {"name": f"n{uuid.uuid4().hex}", "kind": "news", "texts": [english], "request_id": uuid.uuid4().hex}


_GOOD: Final[dict[str, Callable[[Helper], dict[str, Any]]]] = {
    "/api/auth/slideVerify": Helper.slide,
    "/api/auth/sendEmail": Helper.code_request,
    "/api/auth/register": Helper.registration,
    "/api/auth/resetPwd": Helper.new_password,
    "/api/auth/login": lambda helper: {"name": ROOT, "password": PASSWORD} | helper.captcha(),
    "/api/user/bindGoogle": Helper.binding,
    "/api/user/unbindGoogle": Helper.unbinding,
    "/api/user/upOutPwd": Helper.out_password,
    "/api/user/upPwd": Helper.changed_password,
    "/api/user/bindEmail": Helper.new_address,
    "/api/user/close": Helper.closing,
    BIND_LOGIN: Helper.login_wallet,
    "/api/user/bindWallet": Helper.entry,
    "/api/user/delWallet": Helper.removal,
    WITHDRAW: Helper.withdrawal,
    "/api/withdraw/receiveUsdt": lambda _: {"amount": "0.000001", "request_id": uuid.uuid4().hex},
    FREEZE: Helper.freezing,
    "/api/user/sendEmail": lambda _: {"scene": "password"},
    "/api/demo/totp": lambda _: {"secret": SECRET},
    "/api/auth/nonce": lambda _: {"address": ADDRESS},
    "/api/recharge/recharge": Helper.transaction,
    "/api/game/scene": lambda _: {"scene_id": SCENE},
    "/api/game/beton": Helper.bet,
    "/api/game/getBlock": lambda helper: {"round": helper.round_id()},
    "/api/game/blockLog": lambda _: {"scene_id": SCENE},
    "/api/game/orderList": lambda _: {"game": "odd_even", "status": "won"},
    "/api/basic/bulletin": Helper.bulletin,
    "/api/basic/upload": lambda _: {"image_sha256": "0" * 64, "purpose": "kyc"},
    "/api/basic/uploadGrant": lambda _: {"purpose": "kyc", "type": "image/png", "size": 1, "sha256": "0" * 64},
    "/api/shop/uploadImg": lambda _: {"image_sha256": "0" * 64},
    "/api/basic/gameplayDesc": lambda _: {"game": "odd_even"},
    "/api/user/endSession": lambda _: {"id": "others"},
    "/api/user/antiPhishing": lambda _: {"word": "lighthouse"},
    "/api/user/acceptDisclosure": lambda _: {"feature": "games", "version": 2},
    "/api/user/setLimits": lambda _: {"stake": "100", "reminder": 60},
    "/api/user/takeBreak": lambda _: {"days": 1},
    "/api/user/selfExclude": lambda _: {"months": 6},
    "/api/support/open": lambda _: {"subject": "A top-up", "text": "Where is it?"},
    "/api/support/reply": lambda helper: {"ticket_id": helper.ticket(), "text": "Still nothing."},
    "/api/support/read": lambda helper: {"ticket_id": helper.ticket()},
    STAFF_LOGIN: Helper.staff_login,
    f"{CONSOLE}newAuthenticator": Helper.renewal,
    f"{CONSOLE}bindAuthenticator": Helper.new_authenticator,
    f"{CONSOLE}changePassword": lambda helper: helper.renewal() | {"new_password": "green7valley-road"},
    f"{CONSOLE}changeKey": Helper.new_key,
    f"{CONSOLE}preview": Helper.switch,
    f"{CONSOLE}submit": Helper.order,
    f"{CONSOLE}sign": Helper.ordered,
    f"{CONSOLE}refuse": Helper.refusing,
    f"{CONSOLE}reviewWithdrawal": Helper.review,
    f"{CONSOLE}decideDeposit": Helper.decision,
    f"{CONSOLE}decideStray": Helper.stray,
    f"{CONSOLE}ticket": lambda helper: {"id": helper.asked()},
    f"{CONSOLE}answerTicket": lambda helper: helper.closing_ticket() | {"text": ["Thank you.", "It is there now."]},
    f"{CONSOLE}closeTicket": Helper.closing_ticket,
    f"{CONSOLE}member": lambda _: {"name": ROOT},
    f"{CONSOLE}freezeMember": Helper.acting,
    f"{CONSOLE}openMember": Helper.opening,
    f"{CONSOLE}bulletin": lambda helper: {"id": helper.ask(f"{CONSOLE}publishBulletin", told())["id"]},
    f"{CONSOLE}publishBulletin": lambda _: told(),
    f"{CONSOLE}retractBulletin": Helper.retracting,
    "/api/demo/inbox": lambda _: {"email": "somebody@people.example"},
    "/api/demo/captcha": lambda helper: {"captcha_id": helper.captcha()["captcha_id"]},
    "/api/demo/faucet": lambda _: {"amount": "20"},
    "/api/demo/mine": lambda _: {"blocks": 1},
    "/api/demo/reorg": lambda _: {"depth": 1},
    "/api/demo/clock": lambda _: {"advance_seconds": 1},
}
"""Calls that need something in their body; the others take an empty one."""

TWO_WAYS: Final[dict[str, Callable[[Helper], dict[str, Any]]]] = {
    "/api/auth/login": Helper.wallet_login,
    BIND_LOGIN: Helper.lost_wallet,
    "/api/support/open": lambda helper: {"subject": "A top-up"} | helper.shown_and_told(),
    "/api/support/reply": lambda helper: {"ticket_id": helper.ticket()} | helper.shown_and_told(),
}
"""The second way of calls that have two."""
