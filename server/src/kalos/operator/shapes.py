"""Bodies and answers of the console's frame."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from kalos.core.fields import AssetCode, DecimalText, Id, Time
from kalos.core.limits import LimitName
from kalos.core.terms import NumberType
from kalos.operator.tables import Act
from kalos.wire.calls import Answer, Body
from kalos.wire.shapes import Paged, RequestId

StaffName = Annotated[str, Meta(pattern="^[a-z][a-z0-9_-]{1,30}$", examples=["operator"])]
RoleName = Annotated[
    Literal["support", "reviewer", "treasurer", "content", "auditor", "owner"], Meta(examples=["treasurer"])
]
PublicKey = Annotated[
    str,
    Meta(pattern="^[0-9a-f]{64}$", examples=["d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"]),
]
Password = Annotated[str, Meta(min_length=1, max_length=254, examples=["blue4mountain"])]
Code = Annotated[str, Meta(min_length=1, max_length=32, examples=["492039"])]
Device = Annotated[str, Meta(min_length=1, max_length=64, examples=["u4cWq0Zt7JmXy2Ls9RbE1vK6hGfN8dPaTiO3oQ5_A-k"])]
KindName = Annotated[str, Meta(pattern="^[a-z_]{2,40}$", examples=["setting"])]
State = Annotated[Literal["open", "signed", "carried_out", "refused", "expired"], Meta(examples=["open"])]
Reason = Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S", examples=["A wave of thefts"])]
Version = Annotated[str, Meta(min_length=1, max_length=64, examples=["9f86d081884c7d659a2feaa0c55ad015"])]
Object = Annotated[str, Meta(examples=["setting security_hold"])]
CommandBody = Annotated[
    dict[str, Any],
    Meta(
        description="of the kind: setting {name, value}; switch {feature, country?, is_on}; correction {asset, from,"
        " to, amount, note}, each party {account} or {house}; price {asset, rate}; signer_limit {limit, value};"
        " money_out {}, which stops it",
        examples=[{"name": "security_hold", "value": "48"}],
    ),
]
Before = Annotated[dict[str, Any], Meta(examples=[{"value": "24"}])]
After = Annotated[dict[str, Any], Meta(examples=[{"value": "48"}])]
Hash = Annotated[
    str,
    Meta(pattern="^[0-9a-f]{64}$", examples=["2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"]),
]


class StaffLoginBody(Body, frozen=True):
    """`code` is the authenticator's six digits: they are always asked; `device` is what the last login here gave."""

    name: Annotated[str, Meta(min_length=1, max_length=100, examples=["operator"])]
    password: Password
    code: Code
    device: Annotated[Device | None, Meta(examples=[None])] = None


class StaffShape(Answer, frozen=True):
    """`public_key` is what signatures on withdrawals are proven with; `account` their own as a member; `ends_at` when
    the session ends at the latest."""

    id: Annotated[Id, Meta(examples=["1"])]
    name: StaffName
    roles: list[RoleName]
    public_key: PublicKey | None
    account: Annotated[str | None, Meta(examples=[None])]
    ends_at: Time


class StaffLoginAnswer(Answer, frozen=True):
    """`token` goes into the header Authorization of the console's calls, and into no other. `device` goes with the next
    login from here, whose failures then count for themselves."""

    token: Annotated[str, Meta(examples=["mR8pQ2vYk0sWn5tXz7cJ4hLb9dGf1aEo3uIi6yKxTqM"])]
    device: Device
    staff: StaffShape


class ChangePasswordBody(Body, frozen=True):
    """`password` is the present one, `code` the authenticator's."""

    password: Password
    code: Code
    new_password: Annotated[str, Meta(min_length=12, max_length=128, examples=["green7valley-road"])]


class NewAuthenticatorBody(Body, frozen=True):
    """`code` is of the authenticator that counts until now."""

    password: Password
    code: Code


class NewAuthenticatorAnswer(Answer, frozen=True):
    """Shown this once, to be confirmed within ten minutes; `otpauth` is what an authenticator reads as a picture."""

    secret: Annotated[str, Meta(pattern="^[A-Z2-7]{32}$", examples=["JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"])]
    otpauth: Annotated[str, Meta(examples=["otpauth://totp/Kalos:operator@console?secret=JBSWY3DPEHPK3PXP"])]


class BindAuthenticatorBody(Body, frozen=True):
    """`code` is the first one of the new authenticator."""

    code: Code


class ChangeKeyBody(Body, frozen=True):
    """`signature` is by the new key, in hex: Ed25519 over "kalos reviewer key 1", the name and the key, each a line."""

    password: Password
    code: Code
    public_key: PublicKey
    signature: Annotated[str, Meta(pattern="^[0-9a-f]{128}$", examples=["5e" * 64])]


class AuditRowShape(Answer, frozen=True):
    """`hash` is SHA-256 of the hash of the row before and of this row."""

    id: Id
    at: Time
    staff: Annotated[str, Meta(examples=["operator"])]
    act: Annotated[Act, Meta(examples=["command.sign"])]
    object: Object
    before: Before
    after: After
    hash: Hash


Signature = Annotated[str, Meta(pattern="^[0-9a-f]{128}$", examples=["5e" * 64])]
Message = Annotated[
    str | None,
    Meta(description="the text whose UTF-8 bytes both people sign; null: no key is needed", examples=[None]),
]


class CommandsBody(Paged, frozen=True):
    state: State | None = None


class CommandShape(Answer, frozen=True):
    """`before` and `after` are those that were shown when it was made; `can_sign` is the caller's,
    `is_own` whether it concerns their own account as a member.

    `signed`: both have signed, the ledger's answer is still out. `checker` is who signed or refused it, `outcome` why
    it was refused.
    """

    id: Id
    kind: KindName
    object: Object
    state: State
    version: Version
    body: CommandBody
    before: Before
    after: After
    reason: Reason
    signers: Annotated[int, Meta(ge=1, le=2, examples=[2])]
    message: Message
    maker: StaffName
    made_at: Time
    expires_at: Time
    checker: Annotated[StaffName | None, Meta(examples=[None])]
    decided_at: Annotated[Time | None, Meta(examples=[None])]
    outcome: Annotated[str | None, Meta(examples=[None])]
    can_sign: bool
    is_own: bool


class PreviewBody(Body, frozen=True):
    kind: KindName
    body: CommandBody


class PreviewAnswer(Answer, frozen=True):
    object: Object
    before: Before
    after: After
    version: Version
    signers: Annotated[int, Meta(ge=1, le=2, examples=[2])]
    message: Message


class SubmitBody(Body, frozen=True):
    """`signature` is of the preview's `message`, where it has one: Ed25519, in hex."""

    kind: KindName
    body: CommandBody
    reason: Reason
    request_id: RequestId
    signature: Annotated[Signature | None, Meta(examples=[None])] = None


class SignBody(Body, frozen=True):
    """`version` is that of the command as it was shown; `signature` is of its `message`, where it has one."""

    id: Annotated[Id, Meta(max_length=18)]
    version: Version
    request_id: RequestId
    signature: Annotated[Signature | None, Meta(examples=[None])] = None


class RefuseBody(Body, frozen=True):
    id: Annotated[Id, Meta(max_length=18)]
    reason: Reason
    request_id: RequestId


class Ordered(Answer, frozen=True):
    """`staff` ordered it, `checker` signed it where two were asked."""

    value: Annotated[str, Meta(examples=["48"])]
    at: Time
    staff: Annotated[str, Meta(examples=["operator"])]
    checker: Annotated[str | None, Meta(examples=["reviewer"])]
    reason: Reason


class SettingRow(Answer, frozen=True):
    """`type` and `decimals` say which values it takes, `bounds` from where to where; `note` says where the number comes
    from. `history` is the latest first, at most 20."""

    name: Annotated[str, Meta(examples=["security_hold"])]
    value: Annotated[str, Meta(examples=["48"])]
    default: Annotated[str, Meta(examples=["24"])]
    unit: Annotated[str, Meta(examples=["h"])]
    type: Annotated[NumberType, Meta(examples=["whole"])]
    decimals: Annotated[int, Meta(ge=0, examples=[0])]
    bounds: Annotated[str, Meta(examples=["0 to 72"])]
    note: Annotated[str, Meta(examples=["decided"])]
    is_changeable: bool
    signers: Annotated[int, Meta(ge=1, le=2, examples=[2])]
    history: list[Ordered]


class PriceRow(Answer, frozen=True):
    """USDT for one whole coin from `at` on. `staff` ordered it, `checker` signed it: nobody the first one."""

    id: Annotated[Id, Meta(examples=["12"])]
    asset: AssetCode
    rate: Annotated[DecimalText, Meta(examples=["0.51000000"])]
    at: Time
    staff: Annotated[str, Meta(examples=["operator"])]
    checker: Annotated[str | None, Meta(examples=["reviewer"])]
    reason: Reason


class SignerLimit(Answer, frozen=True):
    """In whole USDT."""

    limit: Annotated[LimitName, Meta(examples=["hour"])]
    value: Annotated[str, Meta(examples=["200000"])]


class SettingsAnswer(Answer, frozen=True):
    """`signer` has the signer's own limits as it says them itself, none before its first word; `signer_order` is the
    last order that it took up, `signer_refused` why it didn't follow it."""

    signer: list[SignerLimit]
    signer_order: Annotated[int, Meta(ge=0, examples=[0])]
    signer_refused: Annotated[str | None, Meta(examples=[None])]
    list: list[SettingRow]


class SwitchRow(Answer, frozen=True):
    """`country` is empty for all that have no order of their own; the rest is null where nobody ordered anything."""

    feature: Annotated[str, Meta(examples=["games"])]
    country: Annotated[str, Meta(pattern="^([A-Z]{2})?$", examples=["VN"])]
    is_on: bool
    at: Annotated[Time | None, Meta(examples=[1795075231456])]
    staff: Annotated[str | None, Meta(examples=["operator"])]
    checker: Annotated[str | None, Meta(examples=["reviewer"])]
    reason: Annotated[str | None, Meta(examples=["Licence 12"])]


class SwitchesAnswer(Answer, frozen=True):
    list: list[SwitchRow]
