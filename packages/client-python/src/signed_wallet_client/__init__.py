"""
The client of the signed wallet and transfer API: signs, repeats safely, waits, and verifies webhooks. Its page is README.md of the
package.
"""

from ._batches import BatchLine, BatchResult
from ._client import Client
from ._errors import ApiError, ClientError, TransportError, UnexpectedAnswerError, UsageError, WebhookError
from ._exchange import Answer
from ._resources import (
    Balance,
    Currency,
    ErrorCode,
    ErrorReason,
    EventType,
    Failure,
    FailureCode,
    FailureMessage,
    Flow,
    HoldState,
    Key,
    KeyRate,
    LineError,
    NewTransfer,
    Order,
    OrderStatus,
    OrderType,
    Preview,
    PreviewWallet,
    Scope,
    StatementEntry,
    Wallet,
    Webhook,
    WebhookDelivery,
    WebhookWithSecret,
)
from ._settings import Repetition
from ._sign import Signed, sign
from ._transfers import StillPendingError, TransferCancelledError, TransferFailedError, Transfers
from ._values import Amount, Time
from ._verify import WebhookEvent, verify_webhook
from ._wallets import Statement, Wallets
from ._webhooks import Webhooks

__all__ = [
    "Amount",
    "Answer",
    "ApiError",
    "Balance",
    "BatchLine",
    "BatchResult",
    "Client",
    "ClientError",
    "Currency",
    "ErrorCode",
    "ErrorReason",
    "EventType",
    "Failure",
    "FailureCode",
    "FailureMessage",
    "Flow",
    "HoldState",
    "Key",
    "KeyRate",
    "LineError",
    "NewTransfer",
    "Order",
    "OrderStatus",
    "OrderType",
    "Preview",
    "PreviewWallet",
    "Repetition",
    "Scope",
    "Signed",
    "Statement",
    "StatementEntry",
    "StillPendingError",
    "Time",
    "TransferCancelledError",
    "TransferFailedError",
    "Transfers",
    "TransportError",
    "UnexpectedAnswerError",
    "UsageError",
    "Wallet",
    "Wallets",
    "Webhook",
    "WebhookDelivery",
    "WebhookError",
    "WebhookEvent",
    "WebhookWithSecret",
    "Webhooks",
    "sign",
    "verify_webhook",
]
