"""Orders of every type."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, Optional, TypeVar, Union, overload

from ._batches import BatchResult, OnSend, batch_of, kind_of
from ._check import check_count, check_seconds, check_text
from ._connection import WAIT_MOST, Connection, check_id, wait_header
from ._errors import ClientError
from ._exchange import Answer
from ._lists import items_of
from ._resource import read
from ._resources import (
    CaptureLeg,
    CaptureOrder,
    DepositOrder,
    HoldOrder,
    JournalLeg,
    JournalOrder,
    NewOrder,
    Order,
    OrderStatus,
    OrderType,
    Preview,
    ReleaseOrder,
    ReversalOrder,
    ReverseLeg,
    TransferOrder,
    WithdrawalOrder,
)
from ._values import Amount, Time, amount_text, wire_values

_Made = TypeVar("_Made", bound=Order)
_COMMANDS = "/api/v1/transfer/command"
_ORDERS = "/api/v1/transfer/query/orders"
_WAIT_DEFAULT = 60.0
_WAIT_MOST = 24 * 60 * 60.0
# Between questions to a service that answers PENDING without having waited.
_POLL = 0.5
# The same while an order is SCHEDULED, for which the service does not wait: until its time, but no longer than this.
_POLL_SCHEDULED = 10.0


class TransferFailedError(ClientError):
    """The order ended FAILED: it moved nothing, and never will."""

    def __init__(self, order: Order) -> None:
        failure = order.failure
        told = f"{failure.code} {failure.message}" if failure else "no code"
        super().__init__(f"Transfer {order.transfer_id} (bizId {order.biz_id}) failed: {told}")
        self.order = order
        #: Such as TR4223 for too little balance.
        self.code: Optional[str] = failure.code if failure else None
        self.biz_id = order.biz_id


class TransferCancelledError(ClientError):
    """The order was cancelled before its time came: it moved nothing, and never will."""

    def __init__(self, order: Order) -> None:
        super().__init__(f"Transfer {order.transfer_id} (bizId {order.biz_id}) was cancelled.")
        self.order = order
        self.biz_id = order.biz_id


class StillPendingError(ClientError):
    """The order is stored and had no end yet when the wait was over: wait again by its id. It is not lost."""

    def __init__(self, order: Order, waited: float) -> None:
        super().__init__(
            f"Transfer {order.transfer_id} (bizId {order.biz_id}) is still {order.status} after {waited:g} s."
        )
        self.order = order
        self.biz_id = order.biz_id


class Transfers:
    """
    Orders of every type. Scope: transfer:read to read; to make one, that of the method. Making one is safe to repeat, here and by
    you with the same `biz_id`: it is made once. Without one it gets one before its first try, and an error has it as `biz_id`.
    Amounts are Decimal, int or a decimal text; times are datetimes with a zone, or ISO 8601 with a zone. With `wait`, 1 to 10
    seconds, the request itself waits for the order's end: look at its `status`, or give the order to `completed`.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(
        self,
        *,
        source_wallet_id: str,
        target_wallet_id: str,
        amount: Amount,
        currency: str,
        execute_at: Optional[Time] = None,
        biz_id: Optional[str] = None,
        description: Optional[str] = None,
        reference: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        wait: int = 0,
    ) -> TransferOrder:
        """Moves an amount between two wallets, with `execute_at` not before that time. Scope: transfer:create."""
        needed = {"source_wallet_id": source_wallet_id, "target_wallet_id": target_wallet_id, "amount": amount, "currency": currency}
        others = {"execute_at": execute_at, "description": description, "reference": reference, "metadata": metadata}
        return self._make(TransferOrder, "create", biz_id, needed, others, wait)

    def deposit(
        self,
        *,
        target_wallet_id: str,
        amount: Amount,
        currency: str,
        execute_at: Optional[Time] = None,
        biz_id: Optional[str] = None,
        description: Optional[str] = None,
        reference: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        wait: int = 0,
    ) -> DepositOrder:
        """Brings an amount in from the world outside, with `execute_at` not before that time. Scope: transfer:fund."""
        needed = {"target_wallet_id": target_wallet_id, "amount": amount, "currency": currency}
        others = {"execute_at": execute_at, "description": description, "reference": reference, "metadata": metadata}
        return self._make(DepositOrder, "deposit", biz_id, needed, others, wait)

    def withdraw(
        self,
        *,
        source_wallet_id: str,
        amount: Amount,
        currency: str,
        execute_at: Optional[Time] = None,
        biz_id: Optional[str] = None,
        description: Optional[str] = None,
        reference: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        wait: int = 0,
    ) -> WithdrawalOrder:
        """Takes an amount out to the world outside, with `execute_at` not before that time. Scope: transfer:fund."""
        needed = {"source_wallet_id": source_wallet_id, "amount": amount, "currency": currency}
        others = {"execute_at": execute_at, "description": description, "reference": reference, "metadata": metadata}
        return self._make(WithdrawalOrder, "withdraw", biz_id, needed, others, wait)

    def journal(
        self,
        *,
        legs: Sequence[JournalLeg],
        execute_at: Optional[Time] = None,
        biz_id: Optional[str] = None,
        description: Optional[str] = None,
        reference: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        wait: int = 0,
    ) -> JournalOrder:
        """
        Moves each of its legs in their order, of any currencies, or none; with `execute_at` not before that time. Scope:
        transfer:create; with a leg from or to the world outside transfer:fund too.
        """
        others = {"execute_at": execute_at, "description": description, "reference": reference, "metadata": metadata}
        return self._make(JournalOrder, "journal", biz_id, {"legs": legs}, others, wait)

    def reverse(
        self,
        *,
        transfer_id: str,
        amount: Optional[Amount] = None,
        legs: Optional[Sequence[ReverseLeg]] = None,
        biz_id: Optional[str] = None,
        description: Optional[str] = None,
        reference: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        wait: int = 0,
    ) -> ReversalOrder:
        """
        Moves back all that is left, or an amount, of what an order moved; of one with legs all or some of them. Scope:
        transfer:reverse; of what came from or went to the world outside transfer:fund too.
        """
        needed = {"transfer_id": transfer_id}
        others = {"amount": amount, "legs": legs, "description": description, "reference": reference, "metadata": metadata}
        return self._make(ReversalOrder, "reverse", biz_id, needed, others, wait)

    def hold(
        self,
        *,
        source_wallet_id: str,
        amount: Amount,
        currency: str,
        target_wallet_id: Optional[str] = None,
        expires_at: Optional[Time] = None,
        biz_id: Optional[str] = None,
        description: Optional[str] = None,
        reference: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        wait: int = 0,
    ) -> HoldOrder:
        """Reserves an amount, to be captured later. Scope: transfer:hold; without a target transfer:fund too."""
        needed = {"source_wallet_id": source_wallet_id, "amount": amount, "currency": currency}
        others = {"target_wallet_id": target_wallet_id, "expires_at": expires_at, "description": description, "reference": reference, "metadata": metadata}
        return self._make(HoldOrder, "hold", biz_id, needed, others, wait)

    def capture(
        self,
        *,
        transfer_id: str,
        amount: Optional[Amount] = None,
        legs: Optional[Sequence[CaptureLeg]] = None,
        final: Optional[bool] = None,
        biz_id: Optional[str] = None,
        description: Optional[str] = None,
        reference: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        wait: int = 0,
    ) -> CaptureOrder:
        """
        Moves all or part of what a hold reserves, by `legs` to several wallets; the rest is released, unless `final` is False.
        Scope: transfer:hold.
        """
        needed = {"transfer_id": transfer_id}
        others = {"amount": amount, "legs": legs, "final": final, "description": description, "reference": reference, "metadata": metadata}
        return self._make(CaptureOrder, "capture", biz_id, needed, others, wait)

    def release(
        self,
        *,
        transfer_id: str,
        amount: Optional[Amount] = None,
        biz_id: Optional[str] = None,
        description: Optional[str] = None,
        reference: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        wait: int = 0,
    ) -> ReleaseOrder:
        """Gives back all or part of what a hold reserves. Scope: transfer:hold."""
        needed = {"transfer_id": transfer_id}
        others = {"amount": amount, "description": description, "reference": reference, "metadata": metadata}
        return self._make(ReleaseOrder, "release", biz_id, needed, others, wait)

    def batch(
        self,
        transfers: Iterable[NewOrder],
        *,
        atomic: bool = False,
        wait: int = 0,
        on_send: Optional[OnSend] = None,
    ) -> Iterator[BatchResult]:
        """
        Makes many orders, of an iterable of any length, each a transfer or what its `type` says, in as few requests as take them:
        what became of each line, in order. A line that is refused keeps none of the others out. A request is sent once the results
        before it were taken, and no more lines are held than it has. Each line without a `biz_id` gets one before it is sent.
        Scope: transfer:create, and what the type of a line needs.

        It ends early with an error as `create` does, once a request was tried in vain: those of its lines may have been made, so
        give them again with the same `biz_id`. It raises UsageError at a line that cannot be sent: the results before it were
        told, and nothing after them was sent.

        atomic: all lines become orders and are posted together, or none; then at most 100 legs, in one request.
        wait: for how many seconds each request waits for its orders' ends, 0 to 10.
        on_send: told the lines of each request before its first try: keep them where a crash must not make second orders.
        """
        return batch_of(self._connection, transfers, atomic=atomic, wait=wait, on_send=on_send)

    @overload
    def preview(self, order: NewOrder) -> Preview: ...

    @overload
    def preview(
        self,
        *,
        source_wallet_id: str,
        target_wallet_id: str,
        amount: Amount,
        currency: str,
        execute_at: Optional[Time] = None,
        biz_id: Optional[str] = None,
        description: Optional[str] = None,
        reference: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
    ) -> Preview: ...

    def preview(self, order: Optional[NewOrder] = None, **transfer: Any) -> Preview:
        """
        How a transfer would end if it was posted now, or an order as a line of `batch` has it; nothing is stored. Scope:
        transfer:create and wallet:read, and what the type of the order needs.
        """
        given: Mapping[str, Any] = transfer if order is None else order
        body = _body({name: given.get(name) for name in kind_of(given).__required_keys__}, given)
        data, status, _ = self._connection.send("POST", f"{_COMMANDS}/preview", body=body, is_repeatable=True)
        return read(Preview, data, status)

    def cancel(self, id: str) -> Order:
        """
        Cancels an order that is SCHEDULED, for good. Safe to repeat: one that is CANCELLED stays so. Raises ApiError
        ORDER_STATE_CONFLICT where its time came first. Scope: transfer:create.

        id: the transfer_id or the biz_id.
        """
        body = {"transferId": check_text("id", id)}
        return _order(self._connection.send("POST", f"{_COMMANDS}/cancel", body=body, is_repeatable=True))

    def get(self, id: str) -> Order:
        """id: the transfer_id or the biz_id."""
        return _order(self._connection.send("GET", f"{_ORDERS}/{{id}}", path={"id": id}))

    def completed(self, id: Union[str, Order], *, timeout: float = _WAIT_DEFAULT) -> Order:
        """
        Waits for the end of an order, by long polling: the order once it is COMPLETED. Raises TransferFailedError and
        TransferCancelledError once it is that, StillPendingError where it has no end in time; the last try's error where the
        service did not tell.

        id: the transfer_id or the biz_id; or the order as it was made, which is not asked for if it has ended.
        timeout: how many seconds to wait; a try that was begun before may take its own time-out.
        """
        if isinstance(id, Order):
            if _has_ended(id):
                return id
            id = id.transfer_id
        check_id("id", id)
        end = time.monotonic() + check_seconds("timeout", timeout, 0.0, _WAIT_MOST)
        while True:
            asked_at = time.monotonic()
            headers = wait_header(end - asked_at, self._connection.settings.timeout)
            sent = self._connection.send("GET", f"{_ORDERS}/{{id}}", path={"id": id}, headers=headers, until=end)
            order = _order(sent)
            if _has_ended(order):
                return order
            now = time.monotonic()
            if now >= end:
                raise StillPendingError(order, timeout)
            time.sleep(max(0.0, min(asked_at + _pause_of(order), end) - now))

    def list(
        self,
        *,
        status: Optional[OrderStatus] = None,
        currency: Optional[str] = None,
        type: Optional[OrderType] = None,
        reference: Optional[str] = None,
        parent_id: Optional[str] = None,
        batch_id: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        size: Optional[int] = None,
    ) -> Iterator[Order]:
        """Newest first, from `from_` to before `to`. `size` is that of a page, 1 to 100."""
        filters = {"status": status, "currency": currency, "type": type, "reference": reference}
        more = {"parent_id": parent_id, "batch_id": batch_id, "from_": from_, "to": to, "size": size}
        return items_of(self._connection, Order, _ORDERS, {**filters, **more})

    def list_of_wallet(
        self,
        wallet_id: str,
        *,
        status: Optional[OrderStatus] = None,
        currency: Optional[str] = None,
        type: Optional[OrderType] = None,
        reference: Optional[str] = None,
        parent_id: Optional[str] = None,
        batch_id: Optional[str] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        size: Optional[int] = None,
    ) -> Iterator[Order]:
        """Those of one wallet, as source or target; as `list`."""
        filters = {"status": status, "currency": currency, "type": type, "reference": reference}
        more = {"parent_id": parent_id, "batch_id": batch_id, "from_": from_, "to": to, "size": size}
        return items_of(self._connection, Order, f"{_ORDERS}/wallet/{{id}}", {**filters, **more}, id=wallet_id)

    def _make(
        self,
        kind: type[_Made],
        command: str,
        given: Optional[str],
        needed: Mapping[str, Any],
        others: Mapping[str, Any],
        wait: int,
    ) -> _Made:
        headers = wait_header(check_count("wait", wait, 0, WAIT_MOST), self._connection.settings.timeout)
        biz_id = str(uuid.uuid4()) if given is None else check_text("biz_id", given)
        body = _body(needed, {**others, "biz_id": biz_id})
        try:
            path = f"{_COMMANDS}/{command}"
            sent = self._connection.send("POST", path, body=body, headers=headers, is_repeatable=True)
            return _order_of(kind, sent)
        except ClientError as error:
            error.biz_id = biz_id
            raise


def _body(needed: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    for name, value in needed.items():
        if name == "amount":
            amount_text(name, value)
        elif name != "legs" or value is None:
            check_text(name, value)
    return wire_values({**needed, **others})


def _order(answer: Answer) -> Order:
    return _order_of(Order, answer)


def _order_of(kind: type[_Made], answer: Answer) -> _Made:
    return read(kind, answer.data, answer.status, "transferId", "status")


def _has_ended(order: Order) -> bool:
    """Whether it is COMPLETED; raises what tells of another end."""
    if order.status == "FAILED":
        raise TransferFailedError(order)
    if order.status == "CANCELLED":
        raise TransferCancelledError(order)
    return order.status == "COMPLETED"


def _pause_of(order: Order) -> float:
    """How long to wait before an order is asked for again."""
    if order.status != "SCHEDULED" or order.execute_at is None:
        return _POLL
    left = (order.execute_at - datetime.now(timezone.utc)).total_seconds()
    return max(_POLL, min(left, _POLL_SCHEDULED))
