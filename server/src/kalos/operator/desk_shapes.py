"""Bodies and answers of the dashboard and the queues."""

from typing import Annotated, Literal

from msgspec import Meta

from kalos.core.fields import AssetCode, DecimalText, Id, RateText, Time
from kalos.domains.deposits.api import Address, TransactionHash
from kalos.domains.deposits.rules import Reason as DepositReason
from kalos.domains.deposits.rules import Status as DepositStatus
from kalos.domains.deposits.rules import Verdict
from kalos.domains.withdrawals.rules import Reason as RiskReason
from kalos.domains.withdrawals.rules import Status
from kalos.operator.desk_queries import JobResult, QueueName
from kalos.operator.effects import Answered
from kalos.operator.results import Product
from kalos.operator.shapes import Signature, StaffName
from kalos.wire.calls import Answer, Body
from kalos.wire.shapes import Paged, RequestId

Account = Annotated[str, Meta(pattern="^([0-9]{8})?$", examples=["10000001"])]
Units = Annotated[DecimalText, Meta(examples=["100.000000"])]
Count = Annotated[int, Meta(ge=0, examples=[3])]
Age = Annotated[int, Meta(ge=0, examples=[95])]
Revision = Annotated[int, Meta(ge=1, examples=[2])]
Round = Annotated[int, Meta(ge=0, examples=[0])]
Said = Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S", examples=["Called back, it is theirs"])]
MaybeTime = Annotated[Time | None, Meta(examples=[1795074737000])]
SeenStatus = Annotated[Status, Meta(examples=["pending_review"])]


class DeskReserves(Answer, frozen=True):
    """At the last look; `covered`: no less is there than must be. `liabilities` are what the ledger owes."""

    asset: AssetCode
    liabilities: Units
    hot: Units
    cold: Units
    deposits: Units
    reserves: Units
    covered: bool


class DeskBankroll(Answer, frozen=True):
    """`reserved` is set aside for the heights whose betting is open."""

    asset: AssetCode
    available: Units
    reserved: Units


class DeskPayable(Answer, frozen=True):
    """What an account of the house couldn't pay yet."""

    account: Annotated[str, Meta(examples=["bankroll"])]
    asset: AssetCode
    amount: Units
    count: Count
    oldest_at: Time


class DeskQueue(Answer, frozen=True):
    """`count` goes up to 1,000."""

    name: Annotated[QueueName, Meta(examples=["withdrawals"])]
    count: Count
    oldest_at: MaybeTime


class DeskJob(Answer, frozen=True):
    """Of its last run: null where no worker has told of one yet. While one is under way, `started_at` is later than
    `ended_at`, and `result` and `error` are of the run before; `waits`: for something outside."""

    name: Annotated[str, Meta(examples=["reserves"])]
    last_at: MaybeTime
    is_late: bool
    started_at: MaybeTime
    ended_at: MaybeTime
    result: Annotated[JobResult | None, Meta(examples=["done"])]
    error: Annotated[str | None, Meta(examples=[None])]


class DeskChain(Answer, frozen=True):
    """`height` is the last block that was read, `head` that of the nodes: null while they don't answer.

    `gas` is what the hot wallet that the signer pays from has of the chain's own coin (all together before it
    has looked); null before the first look.
    """

    height: Count
    head: Annotated[int | None, Meta(examples=[7941])]
    lag_blocks: Annotated[int | None, Meta(examples=[1])]
    gas: Annotated[DecimalText | None, Meta(examples=["1.250000000"])]
    gas_low: bool


class DeskMoneyOut(Answer, frozen=True):
    stopped: bool
    reason: Annotated[str | None, Meta(examples=[None])]


class DeskPrice(Answer, frozen=True):
    asset: AssetCode
    rate: Annotated[DecimalText, Meta(examples=["0.50000000"])]
    at: Time
    source: Annotated[str, Meta(examples=["first"])]
    is_stale: bool


class DeskTurnover(Answer, frozen=True):
    """Of today's business day (UTC+8), and of it with the 29 before."""

    product: Annotated[Product, Meta(examples=["games"])]
    asset: AssetCode
    today: Units
    last_30_days: Units


class DeskReturned(Answer, frozen=True):
    """Of settled bets; `paid` has the stakes of wins in it, `rate` is paid out of staked: null where nothing was."""

    bets: Count
    staked: Units
    paid: Units
    rate: Annotated[RateText | None, Meta(examples=["0.9750"])]


class DeskReturn(Answer, frozen=True):
    """`promised` is what the game gives back by its rules."""

    game: Annotated[str, Meta(examples=["odd_even"])]
    asset: AssetCode
    promised: Annotated[RateText, Meta(examples=["0.9750"])]
    today: DeskReturned
    last_30_days: DeskReturned


class DeskStakes(Answer, frozen=True):
    asset: AssetCode
    staked: Units


class DeskResults(Answer, frozen=True):
    """Turnover is of all that the ledger has posted, the last at `turnover_at`.

    Returns are of rounds that are settled and counted, the last settled at `counted_at`; `behind` facts are still to be
    counted. `open_stakes` wait for their draw; of the rounds whose time is over `open_rounds` aren't settled, the
    oldest closed at `open_since`.
    """

    day: Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$", examples=["2026-11-20"])]
    turnover: list[DeskTurnover]
    turnover_at: Time
    returns: list[DeskReturn]
    counted_at: MaybeTime
    behind: Count
    open_stakes: list[DeskStakes]
    open_rounds: Count
    open_since: MaybeTime


class DeskDashboard(Answer, frozen=True):
    at: Time
    assets: list[DeskReserves]
    bankroll: list[DeskBankroll]
    payables: list[DeskPayable]
    queues: list[DeskQueue]
    jobs: list[DeskJob]
    chain: DeskChain
    money_out: DeskMoneyOut
    prices: list[DeskPrice]
    results: DeskResults


class DeskWithdrawalsBody(Paged, frozen=True):
    status: SeenStatus = "pending_review"


class DeskRisk(Answer, frozen=True):
    """`detail` is a time in ms, an amount in USDT, a login wallet, or empty."""

    reason: Annotated[RiskReason, Meta(examples=["new_address"])]
    detail: Annotated[str, Meta(examples=["1795074737000"])]


class DeskEffect(Answer, frozen=True):
    """With `verdict` a balance goes from `before` to `after`; an empty `account` is the house. Of a withdrawal's yes:
    once it is paid."""

    verdict: Annotated[Answered, Meta(examples=["yes"])]
    account: Account
    place: Annotated[str, Meta(examples=["held"])]
    asset: AssetCode
    before: Units
    after: Units


class DeskReview(Answer, frozen=True):
    """`round` of the withdrawal in which it was said; `counts`: in this round, by who still reviews."""

    staff: StaffName
    verdict: Annotated[Literal["yes", "no"], Meta(examples=["yes"])]
    reason: Annotated[str, Meta(examples=["Called back, it is theirs"])]
    at: Time
    round: Round
    counts: bool


class DeskWithdrawal(Answer, frozen=True):
    """`message` is the text whose UTF-8 bytes a yes signs; `needed` says how many must say yes; `fee` is in KLS.

    `round` counts how often it came back: reviews of an earlier one count no longer.
    """

    id: Annotated[Id, Meta(examples=["987"])]
    revision: Revision
    account: Account
    asset: AssetCode
    amount: Units
    value: Units
    fee: DecimalText
    address: Address
    label: Annotated[str, Meta(examples=["My wallet"])]
    status: SeenStatus
    needed: Annotated[int, Meta(ge=0, le=2, examples=[1])]
    round: Round
    risks: list[DeskRisk]
    reviews: list[DeskReview]
    effects: list[DeskEffect]
    message: Annotated[str, Meta(examples=["kalos withdrawal 2\n987\nUSDT"])]
    requested_at: Time
    age_seconds: Age
    transaction: Annotated[TransactionHash | None, Meta(examples=[None])]


class ReviewWithdrawalBody(Body, frozen=True):
    """`revision` is that of the row as it was shown; `signature` is for a yes: Ed25519 over `message`, in hex."""

    id: Annotated[Id, Meta(max_length=18)]
    revision: Revision
    verdict: Annotated[Literal["yes", "no"], Meta(examples=["yes"])]
    reason: Said
    request_id: RequestId
    signature: Signature | None = None


class DeskDeposit(Answer, frozen=True):
    """`verdicts` are what may be decided; an empty `account` is the house."""

    id: Annotated[Id, Meta(examples=["987"])]
    revision: Revision
    account: Account
    asset: AssetCode
    amount: Units
    status: Annotated[DepositStatus, Meta(examples=["pending_review"])]
    reason: Annotated[DepositReason | None, Meta(examples=["below_minimum"])]
    verdicts: list[Annotated[Verdict, Meta(examples=["credit"])]]
    effects: list[DeskEffect]
    transaction: TransactionHash
    sender: Address
    seen_at: Time
    age_seconds: Age


class DecideDepositBody(Body, frozen=True):
    """`revision` is that of the row as it was shown."""

    id: Annotated[Id, Meta(max_length=18)]
    revision: Revision
    verdict: Annotated[Verdict, Meta(examples=["credit"])]
    reason: Said
    request_id: RequestId
