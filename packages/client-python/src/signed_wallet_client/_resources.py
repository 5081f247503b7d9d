"""Written by `script/node script/write-docs.ts` from the OpenAPI document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Literal, Optional, TypedDict, Union

from ._resource import Resource
from ._values import Amount, Time

ErrorCode = Literal[
    "GA2001",
    "GA2011",
    "GA2021",
    "GA2032",
    "GA2034",
    "GA2013",
    "GA2012",
    "RQ4291",
    "GA2022",
    "GA2024",
    "50090201",
    "RQ4002",
    "RQ4131",
    "RQ4151",
    "RQ4001",
    "WA4041",
    "WA4221",
    "WA4091",
    "WA4092",
    "WA4222",
    "WA4223",
    "TR4041",
    "TR4091",
    "TR4221",
    "TR4222",
    "TR4092",
    "TR4227",
    "TR4228",
    "TR4225",
    "TR4226",
    "WH4041",
    "WH4042",
    "WH4091",
    "WH4221",
    "WH4092",
    "WH4093",
    "WH4222",
    "SY5001",
    "SY5031",
]
"""What went wrong, in few kinds. More may come."""

ErrorReason = Literal[
    "API_KEY_MISSING",
    "API_KEY_NOT_FOUND",
    "API_KEY_DISABLED",
    "WORKSPACE_NOT_FOUND",
    "NOT_WORKSPACE_MEMBER",
    "TIMESTAMP_MISSING",
    "TIMESTAMP_MALFORMED",
    "TIMESTAMP_OFF",
    "NONCE_MISSING",
    "NONCE_MALFORMED",
    "NONCE_REUSED",
    "SIGNATURE_MISSING",
    "SIGNATURE_MALFORMED",
    "SIGNATURE_MISMATCH",
    "KEY_RATE_EXCEEDED",
    "ADDRESS_RATE_EXCEEDED",
    "IP_NOT_WHITELISTED",
    "SCOPE_MISSING",
    "ENDPOINT_UNKNOWN",
    "REQUEST_MALFORMED",
    "HOST_MISSING",
    "HOST_MALFORMED",
    "REQUEST_TOO_LATE",
    "HEADERS_TOO_LARGE",
    "BODY_INCOMPLETE",
    "BODY_FRAGMENTED",
    "BODY_TOO_LARGE",
    "BODY_ENCODED",
    "MEDIA_TYPE_UNSUPPORTED",
    "BODY_MISSING",
    "BODY_NOT_UTF8",
    "BODY_NOT_JSON",
    "BODY_NOT_OBJECT",
    "KEY_REPEATED",
    "TOO_MANY_VALUES",
    "IDEMPOTENCY_KEY_UNSUPPORTED",
    "FIELD_MISSING",
    "FIELD_UNKNOWN",
    "FIELD_REPEATED",
    "FIELD_TYPE_WRONG",
    "FIELD_MALFORMED",
    "FIELD_OUT_OF_RANGE",
    "VALUE_NOT_ALLOWED",
    "CURRENCY_UNKNOWN",
    "TIME_MALFORMED",
    "TIME_NOT_AHEAD",
    "TIME_NOT_PASSED",
    "TIME_RANGE_REVERSED",
    "PAGE_TOO_DEEP",
    "CURSOR_MALFORMED",
    "CURSOR_CONFLICT",
    "AMOUNT_MALFORMED",
    "AMOUNT_ZERO",
    "TOO_MANY_DECIMALS",
    "TOO_MANY_DIGITS",
    "WALLET_NOT_FOUND",
    "WALLET_NOT_ACTIVE",
    "WALLET_REFERENCE_CONFLICT",
    "WALLET_STATE_CONFLICT",
    "WALLET_NOT_EMPTY",
    "CREDIT_LIMIT_IN_USE",
    "TRANSFER_NOT_FOUND",
    "BIZ_ID_CONFLICT",
    "SAME_WALLET",
    "CURRENCY_MISMATCH",
    "ORDER_STATE_CONFLICT",
    "NOT_REVERSIBLE",
    "NOT_A_HOLD",
    "HOLD_CLOSED",
    "EXCEEDS_REMAINING",
    "WEBHOOK_NOT_FOUND",
    "WEBHOOK_EVENT_NOT_FOUND",
    "WEBHOOK_EXISTS",
    "WEBHOOK_LIMIT",
    "WEBHOOK_DISABLED",
    "WEBHOOK_REPLAY_UNDER_WAY",
    "WEBHOOK_PENDING_LIMIT",
    "WEBHOOK_RATE_EXCEEDED",
    "WEBHOOK_URL_REFUSED",
    "INTERNAL_ERROR",
    "UNAVAILABLE",
    "TOO_MANY_BODIES",
    "ANSWER_TOO_LATE",
    "BACKLOG_FULL",
    "WORKSPACE_BACKLOG_FULL",
    "SCHEDULED_FULL",
    "TOO_MANY_LISTS",
]
"""Why it went wrong: finer than the code. More may come."""

OrderType = Literal[
    "TRANSFER",
    "DEPOSIT",
    "WITHDRAWAL",
    "JOURNAL",
    "REVERSAL",
    "HOLD",
    "CAPTURE",
    "RELEASE",
]
"""What an order does when it is posted. More may come."""

OrderStatus = Literal[
    "SCHEDULED",
    "PENDING",
    "COMPLETED",
    "FAILED",
    "CANCELLED",
]
"""PENDING, then COMPLETED or FAILED for good. With `execute_at` it is SCHEDULED first, and may end CANCELLED."""

FailureCode = Literal[
    "TR4223",
    "WA4221",
    "TR4224",
    "TR4225",
    "TR4226",
    "TR4229",
    "TR4230",
    "TR4231",
]
"""Why nothing moved, as the code of an answer would say it."""

FailureMessage = Literal[
    "INSUFFICIENT_BALANCE",
    "WALLET_NOT_ACTIVE",
    "BALANCE_LIMIT",
    "HOLD_CLOSED",
    "EXCEEDS_REMAINING",
    "BATCH_FAILED",
    "LIMIT_EXCEEDED",
    "KEY_BUDGET_EXCEEDED",
]
"""The same as a symbolic name, in every language."""

Scope = Literal[
    "wallet:read",
    "wallet:manage",
    "transfer:read",
    "transfer:create",
    "transfer:fund",
    "transfer:reverse",
    "transfer:hold",
    "webhook:manage",
]
"""What a key may do. More may come."""

EventType = Literal[
    "transfer.completed",
    "transfer.failed",
    "transfer.cancelled",
    "wallet.alert",
]
"""What an event tells of: the end of an order, or an alert of a wallet. More may come."""

CalendarUnit = Literal[
    "day",
    "week",
    "month",
]
"""A day, a week from Monday, or a month."""


@dataclass(frozen=True)
class OrderLeg(Resource):
    """One of the moves of an order."""

    #: The wallet the amount is taken from, or `EXTERNAL`.
    source_wallet_id: str
    #: The wallet the amount goes to, or `EXTERNAL`.
    target_wallet_id: str
    #: With the decimals of the currency; with more where it was stored with more.
    amount: Decimal
    #: ISO 4217, or a code of the operator’s.
    currency: str
    #: As given when it was made.
    description: Optional[str]
    #: How much of it reversals have moved back; None on a REVERSAL.
    reversed_amount: Optional[Decimal]
    #: On a REVERSAL: the place of the leg that it moves back; None otherwise.
    parent_leg: Optional[int]


@dataclass(frozen=True)
class RollingWindow(Resource):
    """What is dated less than its length before the posting."""

    #: An ISO 8601 duration, such as `PT24H`.
    rolling: str


@dataclass(frozen=True)
class CalendarWindow(Resource):
    """The day, week or month of the posting."""

    #: A day, a week from Monday, or a month.
    calendar: Union[CalendarUnit, str]
    #: An IANA name, by whose clocks it begins and ends.
    time_zone: str


@dataclass(frozen=True)
class PassedLimit(Resource):
    """The limit or budget that the order would have passed, as it stood."""

    #: As it was given; unique in its list.
    name: str
    #: Of a budget: its currency.
    currency: Optional[str]
    #: The most that may go out; None if that is not limited.
    amount: Optional[Decimal]
    #: The most orders; None if that is not limited.
    count: Optional[int]
    #: What counts.
    window: Union[Union[Literal["order"], RollingWindow, CalendarWindow], Literal["total"]]
    #: What has gone out in the window, and what is held now.
    used: Decimal
    #: How many orders and open holds that is.
    used_count: int
    #: `amount` less `used`, at least zero; None without `amount`.
    remaining: Optional[Decimal]
    #: The same of `count`.
    remaining_count: Optional[int]
    #: When the next day, week or month begins; None of other windows.
    resets_at: Optional[datetime]


@dataclass(frozen=True)
class Failure(Resource):
    """Why an order is FAILED. Not the failure of a request: its answer is a success."""

    #: Why nothing moved, as the code of an answer would say it.
    code: Union[FailureCode, str]
    #: The same as a symbolic name, in every language.
    message: Union[FailureMessage, str]
    #: The place of the leg that could not be applied, from 0; None if none is at fault, or it has no `legs`.
    leg: Optional[int]
    #: The limit of the source, or the budget of the key, that it would have passed; None if none.
    limit: Optional[PassedLimit]


@dataclass(frozen=True)
class HoldState(Resource):
    """How far a hold is."""

    #: HELD while something remains. Then CAPTURED if any of it was captured; else EXPIRED if the last of it was
    #: released by its expiry, or RELEASED. None unless the order is COMPLETED.
    state: Optional[Union[Literal["HELD", "CAPTURED", "RELEASED", "EXPIRED"], str]]
    #: How much of it captures have moved.
    captured: Decimal
    #: How much of it was given back.
    released: Decimal
    #: What is still reserved.
    remaining: Decimal
    #: When what remains is released.
    expires_at: datetime


@dataclass(frozen=True)
class Order(Resource):
    """An order of any type: `type` says what else it has. More may come."""

    #: The service’s id of the order.
    transfer_id: str
    #: The client’s own id of the order; the transferId where it gave none.
    biz_id: str
    #: The workspace of the API key.
    workspace_id: str
    #: What an order does when it is posted. More may come.
    type: Union[OrderType, str]
    #: The wallet the amount is taken from, or `EXTERNAL`.
    source_wallet_id: Optional[str]
    #: The wallet the amount goes to, or `EXTERNAL`.
    target_wallet_id: Optional[str]
    #: How much it moves or reserves, in all.
    amount: Optional[Decimal]
    #: The currency of its amount.
    currency: Optional[str]
    #: Of an order that was asked for by its legs: those, in the order in which they are applied; None otherwise.
    legs: Optional[tuple[OrderLeg, ...]]
    #: PENDING, then COMPLETED or FAILED for good. With `execute_at` it is SCHEDULED first, and may end CANCELLED.
    status: Union[OrderStatus, str]
    #: Why the order is FAILED; None otherwise.
    failure: Optional[Failure]
    #: The transferId of the order that it refers to; None if to none.
    parent_id: Optional[str]
    #: As given when it was made.
    description: Optional[str]
    #: As given when it was made.
    reference: Optional[str]
    #: As given when it was made.
    metadata: dict[str, str] = field(hash=False)
    #: When it is to be posted, if that was asked for; None otherwise.
    execute_at: Optional[datetime]
    #: The batch that it came in; None if in none.
    batch_id: Optional[str]
    #: The key that made it; None if the operator or the service did.
    api_key: Optional[str]
    #: How much of it reversals have moved back.
    reversed_amount: Optional[Decimal]
    #: How far a hold is.
    hold: Optional[HoldState]
    #: When it was made.
    created_at: datetime
    #: When its status, `reversed_amount` or `hold` changed last.
    updated_at: datetime
    #: When it was posted; None unless COMPLETED.
    completed_at: Optional[datetime]


@dataclass(frozen=True)
class TransferOrder(Order):
    """An order of the type TRANSFER."""

    #: What it does when it is posted.
    type: Literal["TRANSFER"]
    #: The wallet the amount is taken from, or `EXTERNAL`.
    source_wallet_id: str
    #: The wallet the amount goes to, or `EXTERNAL`.
    target_wallet_id: str
    #: How much it moves or reserves, in all.
    amount: Decimal
    #: The currency of its amount.
    currency: str
    #: None: no order of this type has it.
    legs: None
    #: None: no order of this type has it.
    parent_id: None
    #: How much of it reversals have moved back.
    reversed_amount: Decimal
    #: None: no order of this type has it.
    hold: None


@dataclass(frozen=True)
class DepositOrder(Order):
    """An order of the type DEPOSIT."""

    #: What it does when it is posted.
    type: Literal["DEPOSIT"]
    #: The wallet the amount is taken from, or `EXTERNAL`.
    source_wallet_id: str
    #: The wallet the amount goes to, or `EXTERNAL`.
    target_wallet_id: str
    #: How much it moves or reserves, in all.
    amount: Decimal
    #: The currency of its amount.
    currency: str
    #: None: no order of this type has it.
    legs: None
    #: None: no order of this type has it.
    parent_id: None
    #: How much of it reversals have moved back.
    reversed_amount: Decimal
    #: None: no order of this type has it.
    hold: None


@dataclass(frozen=True)
class WithdrawalOrder(Order):
    """An order of the type WITHDRAWAL."""

    #: What it does when it is posted.
    type: Literal["WITHDRAWAL"]
    #: The wallet the amount is taken from, or `EXTERNAL`.
    source_wallet_id: str
    #: The wallet the amount goes to, or `EXTERNAL`.
    target_wallet_id: str
    #: How much it moves or reserves, in all.
    amount: Decimal
    #: The currency of its amount.
    currency: str
    #: None: no order of this type has it.
    legs: None
    #: None: no order of this type has it.
    parent_id: None
    #: How much of it reversals have moved back.
    reversed_amount: Decimal
    #: None: no order of this type has it.
    hold: None


@dataclass(frozen=True)
class JournalOrder(Order):
    """An order of the type JOURNAL."""

    #: What it does when it is posted.
    type: Literal["JOURNAL"]
    #: None: no order of this type has it.
    source_wallet_id: None
    #: None: no order of this type has it.
    target_wallet_id: None
    #: None: no order of this type has it.
    amount: None
    #: None: no order of this type has it.
    currency: None
    #: Of an order that was asked for by its legs: those, in the order in which they are applied; None otherwise.
    legs: tuple[OrderLeg, ...]
    #: None: no order of this type has it.
    parent_id: None
    #: None: no order of this type has it.
    reversed_amount: None
    #: None: no order of this type has it.
    hold: None


@dataclass(frozen=True)
class ReversalOrder(Order):
    """An order of the type REVERSAL."""

    #: What it does when it is posted.
    type: Literal["REVERSAL"]
    #: The transferId of the order that it refers to; None if to none.
    parent_id: str
    #: None: no order of this type has it.
    reversed_amount: None
    #: None: no order of this type has it.
    hold: None


@dataclass(frozen=True)
class HoldOrder(Order):
    """An order of the type HOLD."""

    #: What it does when it is posted.
    type: Literal["HOLD"]
    #: The wallet the amount is taken from, or `EXTERNAL`.
    source_wallet_id: str
    #: The wallet the amount goes to, or `EXTERNAL`.
    target_wallet_id: str
    #: How much it moves or reserves, in all.
    amount: Decimal
    #: The currency of its amount.
    currency: str
    #: None: no order of this type has it.
    legs: None
    #: None: no order of this type has it.
    parent_id: None
    #: None: no order of this type has it.
    reversed_amount: None
    #: How far a hold is.
    hold: HoldState


@dataclass(frozen=True)
class CaptureOrder(Order):
    """An order of the type CAPTURE."""

    #: What it does when it is posted.
    type: Literal["CAPTURE"]
    #: The wallet the amount is taken from, or `EXTERNAL`.
    source_wallet_id: str
    #: How much it moves or reserves, in all.
    amount: Decimal
    #: The currency of its amount.
    currency: str
    #: The transferId of the order that it refers to; None if to none.
    parent_id: str
    #: How much of it reversals have moved back.
    reversed_amount: Decimal
    #: None: no order of this type has it.
    hold: None


@dataclass(frozen=True)
class ReleaseOrder(Order):
    """An order of the type RELEASE."""

    #: What it does when it is posted.
    type: Literal["RELEASE"]
    #: The wallet the amount is taken from, or `EXTERNAL`.
    source_wallet_id: str
    #: The wallet the amount goes to, or `EXTERNAL`.
    target_wallet_id: str
    #: How much it moves or reserves, in all.
    amount: Decimal
    #: The currency of its amount.
    currency: str
    #: None: no order of this type has it.
    legs: None
    #: The transferId of the order that it refers to; None if to none.
    parent_id: str
    #: None: no order of this type has it.
    reversed_amount: None
    #: None: no order of this type has it.
    hold: None


@dataclass(frozen=True)
class PreviewSide(Resource):
    """A wallet as the order would leave it."""

    #: Its balance.
    balance: Decimal
    #: What it could then spend.
    available: Decimal


@dataclass(frozen=True)
class PreviewWallet(Resource):
    """A wallet as the order would leave it."""

    #: The wallet.
    wallet_id: str
    #: Its balance.
    balance: Decimal
    #: How much of it would be reserved.
    held: Decimal
    #: What it could then spend.
    available: Decimal


@dataclass(frozen=True)
class Preview(Resource):
    """How an order would end."""

    #: PENDING, then COMPLETED or FAILED for good. With `execute_at` it is SCHEDULED first, and may end CANCELLED.
    status: Union[OrderStatus, str]
    #: Why the order is FAILED; None otherwise.
    failure: Optional[Failure]
    #: The source as the order would leave it; as it is, if the order would fail. None for EXTERNAL, and for an order
    #: with legs.
    source: Optional[PreviewSide]
    #: The target as the order would leave it; as it is, if the order would fail. None for EXTERNAL, and for an order
    #: with legs.
    target: Optional[PreviewSide]
    #: Each wallet that the order names, once, in the order of its legs, source before target; not EXTERNAL.
    wallets: tuple[PreviewWallet, ...]


@dataclass(frozen=True)
class WalletLimit(Resource):
    """How much may go out of a wallet."""

    #: As it was given; unique in its list.
    name: str
    #: The most that may go out; None if that is not limited.
    amount: Optional[Decimal]
    #: The most orders; None if that is not limited.
    count: Optional[int]
    #: What counts: each order by itself, a duration, or a day, week or month.
    window: Union[Literal["order"], RollingWindow, CalendarWindow]


@dataclass(frozen=True)
class Wallet(Resource):
    """A wallet of the workspace."""

    #: The wallet.
    id: str
    #: The workspace of the API key.
    workspace_id: str
    #: As given when it was made; may be empty.
    name: str
    #: Your own, unique in the workspace; None if none was given.
    reference: Optional[str]
    #: As given when it was made.
    metadata: dict[str, str] = field(hash=False)
    #: ISO 4217, or a code of the operator’s.
    currency: str
    #: Only an ACTIVE wallet takes part in transfers.
    status: Union[Literal["ACTIVE", "FROZEN", "CLOSED"], str]
    #: The wallet’s balance, with the decimals of its currency; with more where it was stored with more.
    balance: Decimal
    #: How much of the balance is reserved by holds.
    held: Decimal
    #: How far the balance may be below zero.
    credit_limit: Decimal
    #: What may go out of it; their use `GET …/limits` tells.
    limits: tuple[WalletLimit, ...]
    #: What it may spend: `balance` less `held`, plus its credit limit.
    available: Decimal
    #: When it was made.
    created_at: datetime
    #: When it changed last.
    updated_at: datetime


@dataclass(frozen=True)
class Balance(Resource):
    """A wallet’s balance."""

    #: The wallet.
    wallet_id: str
    #: ISO 4217, or a code of the operator’s.
    currency: str
    #: The wallet’s balance, with the decimals of its currency; with more where it was stored with more.
    balance: Decimal
    #: How much of the balance is reserved by holds; None with `at`.
    held: Optional[Decimal]
    #: What it may spend: `balance` less `held`, plus its credit limit; None with `at`.
    available: Optional[Decimal]
    #: Number of the wallet’s last flow; 0 where it has none.
    sequence: int
    #: When it was read; with `at`, that moment.
    as_of: datetime
    #: Up to this moment the figures are final. A flow has the time of its posting, which may still be on its way into
    #: the books: what lies after this moment may still grow.
    settled_until: Optional[datetime]


@dataclass(frozen=True)
class Flow(Resource):
    """What a leg of a completed order moved on one wallet."""

    #: The flow.
    id: str
    #: The wallet.
    wallet_id: str
    #: Runs 1, 2, 3 … for each wallet, without a gap.
    sequence: int
    #: DEBIT takes from the wallet, CREDIT adds to it.
    direction: Literal["DEBIT", "CREDIT"]
    #: With the decimals of the currency; with more where it was stored with more.
    amount: Decimal
    #: ISO 4217, or a code of the operator’s.
    currency: str
    #: The `balance_after` of the flow before.
    balance_before: Decimal
    #: The balance with this flow.
    balance_after: Decimal
    #: The service’s id of the order.
    transfer_id: str
    #: Which leg of its order it is a side of, from 0.
    leg: int
    #: The other wallet, or `EXTERNAL`.
    counterparty_wallet_id: str
    #: When it was posted.
    created_at: datetime


@dataclass(frozen=True)
class StatementEntry(Resource):
    """A flow, and the order behind it."""

    #: The flow.
    id: str
    #: The wallet.
    wallet_id: str
    #: Runs 1, 2, 3 … for each wallet, without a gap.
    sequence: int
    #: DEBIT takes from the wallet, CREDIT adds to it.
    direction: Literal["DEBIT", "CREDIT"]
    #: With the decimals of the currency; with more where it was stored with more.
    amount: Decimal
    #: ISO 4217, or a code of the operator’s.
    currency: str
    #: The `balance_after` of the flow before.
    balance_before: Decimal
    #: The balance with this flow.
    balance_after: Decimal
    #: The service’s id of the order.
    transfer_id: str
    #: Which leg of its order it is a side of, from 0.
    leg: int
    #: The other wallet, or `EXTERNAL`.
    counterparty_wallet_id: str
    #: When it was posted.
    created_at: datetime
    #: What an order does when it is posted. More may come.
    type: Union[OrderType, str]
    #: The bizId of its order.
    biz_id: str
    #: The reference of its order.
    reference: Optional[str]
    #: The description of its leg, or of its order if the leg has none.
    description: Optional[str]


@dataclass(frozen=True)
class LimitWithUse(Resource):
    """A limit of a wallet, with its use."""

    #: As it was given; unique in its list.
    name: str
    #: The most that may go out; None if that is not limited.
    amount: Optional[Decimal]
    #: The most orders; None if that is not limited.
    count: Optional[int]
    #: What counts: each order by itself, a duration, or a day, week or month.
    window: Union[Literal["order"], RollingWindow, CalendarWindow]
    #: What has gone out in the window, and what is held now.
    used: Decimal
    #: How many orders and open holds that is.
    used_count: int
    #: `amount` less `used`, at least zero; None without `amount`.
    remaining: Optional[Decimal]
    #: The same of `count`.
    remaining_count: Optional[int]
    #: When the next day, week or month begins; None of other windows.
    resets_at: Optional[datetime]


@dataclass(frozen=True)
class WalletLimits(Resource):
    """The limits of a wallet, with their use."""

    #: The wallet.
    wallet_id: str
    #: ISO 4217, or a code of the operator’s.
    currency: str
    #: In the order in which they were given.
    limits: tuple[LimitWithUse, ...]
    #: When the windows end.
    as_of: datetime


@dataclass(frozen=True)
class LimitShare(Resource):
    """So much of a limit."""

    #: The name of a limit of the wallet; its window is not `order`.
    limit: str
    #: A decimal from `0.0001` to `1`: of its amount, or of its count.
    share: str


@dataclass(frozen=True)
class WalletAlert(Resource):
    """An alert of a wallet."""

    #: As it was given; unique in its list.
    name: str
    #: As it was given, or None.
    available_below: Optional[Decimal]
    #: As it was given, or None.
    available_above: Optional[Decimal]
    #: So much of a limit.
    limit_used: Optional[LimitShare]
    #: Whether it was true when the wallet changed last.
    state: Union[Literal["raised", "cleared"], str]
    #: When its state changed last, or it was set.
    since: datetime


@dataclass(frozen=True)
class WalletAlerts(Resource):
    """The alerts of a wallet."""

    #: The wallet.
    wallet_id: str
    #: ISO 4217, or a code of the operator’s.
    currency: str
    #: In the order in which they were given.
    alerts: tuple[WalletAlert, ...]
    #: When they were read.
    as_of: datetime


@dataclass(frozen=True)
class AlertEvent(Resource):
    """An alert, with what its wallet had at that moment."""

    #: The wallet.
    wallet_id: str
    #: The name of the alert.
    name: str
    #: Whether it was true when the wallet changed last.
    state: Union[Literal["raised", "cleared"], str]
    #: Counts the alert events of the wallet: 1, 2, 3 …
    number: int
    #: What it may spend: `balance` less `held`, plus its credit limit.
    available: Decimal
    #: The wallet’s balance, with the decimals of its currency; with more where it was stored with more.
    balance: Decimal
    #: How much of the balance is reserved by holds.
    held: Decimal
    #: The limit of which a share is used; None of others.
    limit: Optional[LimitWithUse]
    #: Number of the wallet’s last flow; 0 where it has none.
    sequence: int
    #: When that happened.
    at: datetime


@dataclass(frozen=True)
class KeyRate(Resource):
    """How many requests the key may make."""

    #: So many in every second.
    per_second: int
    #: So many in one second, now and then.
    burst: int
    #: Of `per_second`, in this second.
    remaining: int


@dataclass(frozen=True)
class Currency(Resource):
    """A currency, and its decimals."""

    #: ISO 4217, or a code of the operator’s.
    code: str
    #: How many decimals its amounts have.
    decimals: int


@dataclass(frozen=True)
class KeyBudget(Resource):
    """How much the orders of a key may take, with its use."""

    #: As it was given; unique in its list.
    name: str
    #: ISO 4217, or a code of the operator’s.
    currency: str
    #: The most that may go out; None if that is not limited.
    amount: Optional[Decimal]
    #: The most orders; None if that is not limited.
    count: Optional[int]
    #: What counts: all since it was set, or a day, week or month.
    window: Union[Literal["total"], CalendarWindow]
    #: What has gone out in the window, and what is held now.
    used: Decimal
    #: How many orders and open holds that is.
    used_count: int
    #: `amount` less `used`, at least zero; None without `amount`.
    remaining: Optional[Decimal]
    #: The same of `count`.
    remaining_count: Optional[int]
    #: When the next day, week or month begins; None of other windows.
    resets_at: Optional[datetime]


@dataclass(frozen=True)
class Key(Resource):
    """The API key that signed the request, and what it may do."""

    #: Its public identifier.
    api_key: str
    #: The workspace of the API key.
    workspace_id: str
    #: The user whose membership of the workspace the key stands on.
    owner: str
    #: What it may do.
    scopes: tuple[Union[Scope, str], ...]
    #: How many requests the key may make.
    rate: KeyRate
    #: The client’s address as seen; None where it is not known.
    address: Optional[str]
    #: When it was asked.
    server_time: datetime
    #: Whether its workspace is a test workspace, with a clock of its own.
    test: bool
    #: The workspace’s time: in a test workspace that of its clock.
    now: datetime
    #: Those that wallets and transfers may have, by code.
    currencies: tuple[Currency, ...]
    #: How much its orders may take, by name; no other currency is limited.
    budgets: tuple[KeyBudget, ...]


@dataclass(frozen=True)
class Webhook(Resource):
    """Where events are sent, and whether they arrive."""

    #: The webhook.
    id: str
    #: The workspace of the API key.
    workspace_id: str
    #: Where events are sent.
    url: str
    #: Your own note of what it is for; may be empty.
    description: str
    #: What is sent.
    events: tuple[Union[EventType, str], ...]
    #: Nothing is sent to a DISABLED one.
    status: Union[Literal["ENABLED", "DISABLED"], str]
    #: Why it is DISABLED; None if it is not. REQUESTED: by you. FAILING: nothing came through for a day. GONE: it
    #: answered 410.
    disabled_reason: Optional[Union[Literal["REQUESTED", "FAILING", "GONE"], str]]
    #: Until then messages are signed with two secrets.
    previous_secret_valid_until: Optional[datetime]
    #: Tries in a row in which nothing came through.
    failures: int
    #: Events that waited when it was last served.
    waiting: int
    #: Since when nothing comes through; None if something does.
    failing_since: Optional[datetime]
    #: Since when the oldest waiting event waits; None if none does.
    waiting_since: Optional[datetime]
    #: When it was made.
    created_at: datetime
    #: When it changed last.
    updated_at: datetime


@dataclass(frozen=True)
class WebhookWithSecret(Resource):
    """A webhook, and its secret, which is not shown again."""

    #: The webhook.
    id: str
    #: The workspace of the API key.
    workspace_id: str
    #: Where events are sent.
    url: str
    #: Your own note of what it is for; may be empty.
    description: str
    #: What is sent.
    events: tuple[Union[EventType, str], ...]
    #: Nothing is sent to a DISABLED one.
    status: Union[Literal["ENABLED", "DISABLED"], str]
    #: Why it is DISABLED; None if it is not. REQUESTED: by you. FAILING: nothing came through for a day. GONE: it
    #: answered 410.
    disabled_reason: Optional[Union[Literal["REQUESTED", "FAILING", "GONE"], str]]
    #: Until then messages are signed with two secrets.
    previous_secret_valid_until: Optional[datetime]
    #: Tries in a row in which nothing came through.
    failures: int
    #: Events that waited when it was last served.
    waiting: int
    #: Since when nothing comes through; None if something does.
    failing_since: Optional[datetime]
    #: Since when the oldest waiting event waits; None if none does.
    waiting_since: Optional[datetime]
    #: When it was made.
    created_at: datetime
    #: When it changed last.
    updated_at: datetime
    #: `whsec_` and the Base64 of the key that messages are signed with.
    secret: str = field(repr=False)


@dataclass(frozen=True)
class WebhookDelivery(Resource):
    """What became of an event at a webhook."""

    #: The event; the same at every attempt, and at every webhook.
    event_id: str
    #: What the event tells of.
    type: Union[Literal["transfer.completed", "transfer.failed", "transfer.cancelled", "wallet.alert", "webhook.test"], str]
    #: The order that it tells of; None of an alert and of a test.
    transfer_id: Optional[str]
    #: PENDING until it is DELIVERED, or SET_ASIDE: not tried again by itself, after three days.
    state: Union[Literal["PENDING", "DELIVERED", "SET_ASIDE"], str]
    #: Attempts so far; a replay counts anew.
    attempts: int
    #: HTTP status of the last answer; None where there was none.
    status: Optional[int]
    #: Why the last attempt failed, as a symbol.
    error: Optional[str]
    #: Milliseconds that the last attempt took; None before the first.
    duration_ms: Optional[int]
    #: When it was tried last; None before the first attempt.
    last_attempt_at: Optional[datetime]
    #: When it is tried next, of what is due already the time of the answer; None if it is not tried again.
    next_attempt_at: Optional[datetime]
    #: When it was first to be sent. A replay does not change it.
    created_at: datetime
    #: When its state or its attempts changed last.
    updated_at: datetime


@dataclass(frozen=True)
class ClockState(Resource):
    """The clock of a test workspace."""

    #: The time in the workspace.
    now: datetime
    #: When something is due next: a scheduled order, the expiry of a hold, a webhook; None if nothing will be.
    next_due_at: Optional[datetime]


@dataclass(frozen=True)
class ClockAdvance(Resource):
    """What became of putting a clock forward."""

    #: Where the clock stood.
    from_: datetime
    #: Where it was to go.
    to: datetime
    #: Where it stands. It runs on from there.
    now: datetime
    #: Whether all has ended that was due until `to`. If not, go on with that `to`.
    done: bool
    #: How many scheduled orders came due.
    started: int
    #: How many holds expired.
    expired: int


@dataclass(frozen=True)
class StatementTotals(Resource):
    """What moved on a wallet in a range of time."""

    #: The wallet.
    wallet_id: str
    #: ISO 4217, or a code of the operator’s.
    currency: str
    #: Where it begins, inclusive.
    from_: datetime
    #: Where it ends, exclusive.
    to: datetime
    #: The balance before the first flow of the range.
    opening_balance: Decimal
    #: The balance after the last flow of the range.
    closing_balance: Decimal
    #: The sum of the debits of the whole range, on every page.
    debits: Decimal
    #: The sum of the credits of the whole range, on every page.
    credits: Decimal
    #: How many flows the whole range has.
    count: int
    #: Up to this moment the figures are final. A flow has the time of its posting, which may still be on its way into
    #: the books: what lies after this moment may still grow.
    settled_until: datetime


@dataclass(frozen=True)
class WrongField(Resource):
    """A field that is wrong, and why."""

    #: The field, as `error.field` names it; cut after 64 characters.
    field: str
    #: What is wrong with it.
    reason: str


@dataclass(frozen=True)
class LineError(Resource):
    """Why there is no order, as a create of its own would be answered."""

    #: What went wrong, in few kinds.
    code: str
    #: The symbolic name, or a sentence in the language of `X-LOCALE`.
    message: str
    #: Why it went wrong: finer than the code.
    reason: str
    #: The line’s field at fault; None if none is.
    field: Optional[str]
    #: What helps to mend it; None if there is nothing.
    value: Optional[str]
    #: Where several of its fields are wrong, each with its reason; otherwise empty.
    fields: tuple[WrongField, ...]


class _JournalLegRequired(TypedDict):
    #: A plain decimal above zero, with no more decimals than the currency has.
    amount: Amount
    #: Code of the currency; that of the wallets.
    currency: str


class JournalLeg(_JournalLegRequired, total=False):
    """A move of a journal. It has a source, a target, or both."""

    #: The wallet the amount is taken from; absent: the world outside.
    source_wallet_id: str
    #: The wallet the amount goes to; absent: the world outside.
    target_wallet_id: str
    #: A text for people; no control characters.
    description: str


class _ReverseLegRequired(TypedDict):
    #: Its place among the legs of the order, from 0.
    leg: int


class ReverseLeg(_ReverseLegRequired, total=False):
    """A leg to move back."""

    #: How much of it to move back; all that is left, if not said.
    amount: Amount


class _CaptureLegRequired(TypedDict):
    #: A plain decimal above zero, with no more decimals than the currency has.
    amount: Amount


class CaptureLeg(_CaptureLegRequired, total=False):
    """A move of a capture."""

    #: Any wallet of the workspace; absent: where the hold would go.
    target_wallet_id: str
    #: A text for people; no control characters.
    description: str


class _NewTransferRequired(TypedDict):
    #: The wallet the amount is taken from.
    source_wallet_id: str
    #: The wallet the amount goes to; another one.
    target_wallet_id: str
    #: A plain decimal above zero, with no more decimals than the currency has.
    amount: Amount
    #: Code of the currency; that of the wallets.
    currency: str


class NewTransfer(_NewTransferRequired, total=False):
    """What to move."""

    #: The type of order that it makes.
    type: Literal["TRANSFER"]
    #: When it is to be posted, at most 366 days ahead; without it, at once. ISO 8601 with a zone.
    execute_at: Time
    #: Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor
    #: beginning with `tr_`.
    biz_id: str
    #: A text for people; no control characters.
    description: str
    #: Your own reference, such as an invoice; lists can be filtered by it. It need not be unique.
    reference: str
    #: Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8.
    metadata: dict[str, str]


class _NewDepositRequired(TypedDict):
    #: The type of order that it makes.
    type: Literal["DEPOSIT"]
    #: The wallet the amount goes to.
    target_wallet_id: str
    #: A plain decimal above zero, with no more decimals than the currency has.
    amount: Amount
    #: Code of the currency; that of the wallets.
    currency: str


class NewDeposit(_NewDepositRequired, total=False):
    """What came in."""

    #: When it is to be posted, at most 366 days ahead; without it, at once. ISO 8601 with a zone.
    execute_at: Time
    #: Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor
    #: beginning with `tr_`.
    biz_id: str
    #: A text for people; no control characters.
    description: str
    #: Your own reference, such as an invoice; lists can be filtered by it. It need not be unique.
    reference: str
    #: Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8.
    metadata: dict[str, str]


class _NewWithdrawalRequired(TypedDict):
    #: The type of order that it makes.
    type: Literal["WITHDRAWAL"]
    #: The wallet the amount is taken from.
    source_wallet_id: str
    #: A plain decimal above zero, with no more decimals than the currency has.
    amount: Amount
    #: Code of the currency; that of the wallets.
    currency: str


class NewWithdrawal(_NewWithdrawalRequired, total=False):
    """What goes out."""

    #: When it is to be posted, at most 366 days ahead; without it, at once. ISO 8601 with a zone.
    execute_at: Time
    #: Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor
    #: beginning with `tr_`.
    biz_id: str
    #: A text for people; no control characters.
    description: str
    #: Your own reference, such as an invoice; lists can be filtered by it. It need not be unique.
    reference: str
    #: Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8.
    metadata: dict[str, str]


class _NewJournalRequired(TypedDict):
    #: The type of order that it makes.
    type: Literal["JOURNAL"]
    #: What to move, in this order: 1 to 100 legs.
    legs: Sequence[JournalLeg]


class NewJournal(_NewJournalRequired, total=False):
    """What to move, all or none."""

    #: When it is to be posted, at most 366 days ahead; without it, at once. ISO 8601 with a zone.
    execute_at: Time
    #: Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor
    #: beginning with `tr_`.
    biz_id: str
    #: A text for people; no control characters.
    description: str
    #: Your own reference, such as an invoice; lists can be filtered by it. It need not be unique.
    reference: str
    #: Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8.
    metadata: dict[str, str]


class _NewReversalRequired(TypedDict):
    #: The type of order that it makes.
    type: Literal["REVERSAL"]
    #: The order: its transferId or its bizId.
    transfer_id: str


class NewReversal(_NewReversalRequired, total=False):
    """What to move back."""

    #: How much to move back; all that is left, if not said. Not of an order with legs.
    amount: Amount
    #: Only of an order with legs: which of them to move back, each once; all, if not said.
    legs: Sequence[ReverseLeg]
    #: Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor
    #: beginning with `tr_`.
    biz_id: str
    #: A text for people; no control characters.
    description: str
    #: Your own reference, such as an invoice; lists can be filtered by it. It need not be unique.
    reference: str
    #: Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8.
    metadata: dict[str, str]


class _NewHoldRequired(TypedDict):
    #: The type of order that it makes.
    type: Literal["HOLD"]
    #: The wallet on which the amount is reserved.
    source_wallet_id: str
    #: A plain decimal above zero, with no more decimals than the currency has.
    amount: Amount
    #: Code of the currency; that of the wallets.
    currency: str


class NewHold(_NewHoldRequired, total=False):
    """What to reserve."""

    #: The wallet that it is reserved for; the world outside, if not said (needs `transfer:fund` too).
    target_wallet_id: str
    #: When what is left is released; 7 days from now if not said, at most 31. ISO 8601 with a zone.
    expires_at: Time
    #: Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor
    #: beginning with `tr_`.
    biz_id: str
    #: A text for people; no control characters.
    description: str
    #: Your own reference, such as an invoice; lists can be filtered by it. It need not be unique.
    reference: str
    #: Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8.
    metadata: dict[str, str]


class _NewCaptureRequired(TypedDict):
    #: The type of order that it makes.
    type: Literal["CAPTURE"]
    #: The hold: its transferId or its bizId.
    transfer_id: str


class NewCapture(_NewCaptureRequired, total=False):
    """What to move of a hold."""

    #: How much to move; all that remains, if not said.
    amount: Amount
    #: In place of `amount`: what to move to which wallets, in this order; 1 to 100 legs.
    legs: Sequence[CaptureLeg]
    #: Whether what is not moved is released at once.
    final: bool
    #: Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor
    #: beginning with `tr_`.
    biz_id: str
    #: A text for people; no control characters.
    description: str
    #: Your own reference, such as an invoice; lists can be filtered by it. It need not be unique.
    reference: str
    #: Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8.
    metadata: dict[str, str]


class _NewReleaseRequired(TypedDict):
    #: The type of order that it makes.
    type: Literal["RELEASE"]
    #: The hold: its transferId or its bizId.
    transfer_id: str


class NewRelease(_NewReleaseRequired, total=False):
    """What to give back of a hold."""

    #: How much to give back; all that remains, if not said.
    amount: Amount
    #: Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor
    #: beginning with `tr_`.
    biz_id: str
    #: A text for people; no control characters.
    description: str
    #: Your own reference, such as an invoice; lists can be filtered by it. It need not be unique.
    reference: str
    #: Texts by key, for you alone; at most 4096 bytes of compact JSON in UTF-8.
    metadata: dict[str, str]


NewOrder = Union[NewTransfer, NewDeposit, NewWithdrawal, NewJournal, NewReversal, NewHold, NewCapture, NewRelease]
"""A new order of any type; TRANSFER, if it does not say."""


class _NewRollingWindowRequired(TypedDict):
    #: An ISO 8601 duration without years and months, from PT1M to P31D.
    rolling: str


class NewRollingWindow(_NewRollingWindowRequired, total=False):
    """What is dated less than its length before the posting."""



class _NewCalendarWindowRequired(TypedDict):
    calendar: CalendarUnit
    #: An IANA name, such as `Europe/Berlin`; no offset.
    time_zone: str


class NewCalendarWindow(_NewCalendarWindowRequired, total=False):
    """The day, week or month of the posting."""



class _NewLimitRequired(TypedDict):
    #: Unique in the list.
    name: str
    #: What counts: each order by itself, a duration, or a day, week or month.
    window: Union[Literal["order"], NewRollingWindow, NewCalendarWindow]


class NewLimit(_NewLimitRequired, total=False):
    """How much may go out of a wallet: an amount, a number of orders, or both."""

    #: The most that may go out: a plain decimal, or `0`.
    amount: Amount
    #: The most orders that take something out; not with `order`.
    count: int


class _NewLimitShareRequired(TypedDict):
    #: The name of a limit of the wallet; its window is not `order`.
    limit: str
    #: A decimal from `0.0001` to `1`: of its amount, or of its count.
    share: Amount


class NewLimitShare(_NewLimitShareRequired, total=False):
    """True while so much of a limit is used."""



class _NewAlertRequired(TypedDict):
    #: Unique in the list.
    name: str


class NewAlert(_NewAlertRequired, total=False):
    """What to be told of: exactly one condition."""

    #: True while `available` is less than this.
    available_below: Amount
    #: True while `available` is more than this.
    available_above: Amount
    limit_used: NewLimitShare
