"""Wallets of the workspace, what they hold, and what they held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Callable, Literal, Optional

from ._check import check_text
from ._connection import Connection, check_id
from ._exchange import Answer
from ._lists import items_of, pages_of
from ._resource import read
from ._resources import Balance, Flow, NewAlert, NewLimit, StatementEntry, StatementTotals, Wallet, WalletAlerts, WalletLimits
from ._values import Amount, Time, amount_text, wire_values

_LIST = "/api/v1/wallets"
_ONE = f"{_LIST}/{{id}}"


class Statement(StatementTotals):
    """The totals of a range of time; iterate it for its entries, oldest first. Each iteration asks for the pages behind the first."""

    _entries: Callable[[], Iterator[StatementEntry]]

    def __iter__(self) -> Iterator[StatementEntry]:
        return self._entries()


class Wallets:
    """
    Scope: wallet:read to read, wallet:manage to change. An id that the workspace has not is WALLET_NOT_FOUND. All but a create
    without a reference is safe to repeat, and is sent again as reads are.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(
        self,
        *,
        currency: str,
        name: Optional[str] = None,
        reference: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        credit_limit: Optional[Amount] = None,
    ) -> Wallet:
        """
        Makes a wallet. With a credit limit above zero the scope transfer:fund is needed too.

        reference: your own id of it, unique in the workspace: with one, the create is safe to repeat, here and by you, and
            gives the same wallet as it stands. Without one each create makes a wallet, so it is only sent again after 429; where
            its answer was lost, look for the wallet before you create another.

        Raises ApiError WALLET_REFERENCE_CONFLICT where the reference is that of a wallet of another currency.
        """
        check_text("currency", currency)
        if reference is not None:
            check_text("reference", reference)
        values = {"currency": currency, "name": name, "reference": reference, "metadata": metadata}
        body = wire_values({**values, "credit_limit": credit_limit})
        return _wallet(self._connection.send("POST", _LIST, body=body, is_repeatable=reference is not None))

    def get(self, id: str) -> Wallet:
        return _wallet(self._connection.send("GET", _ONE, path={"id": id}))

    def freeze(self, id: str) -> Wallet:
        """It takes part in no transfer until it is unfrozen. Raises ApiError WALLET_STATE_CONFLICT for a CLOSED one, as all changes."""
        return self._change(id, "freeze")

    def unfreeze(self, id: str) -> Wallet:
        return self._change(id, "unfreeze")

    def close(self, id: str) -> Wallet:
        """For good. Raises ApiError WALLET_NOT_EMPTY where it has a balance, or holds reserve some."""
        return self._change(id, "close")

    def limit(self, id: str, *, credit_limit: Amount) -> Wallet:
        """How far its balance may be below zero. Scope: transfer:fund too. Raises ApiError CREDIT_LIMIT_IN_USE below what it uses."""
        return self._change(id, "limit", {"creditLimit": amount_text("credit_limit", credit_limit)})

    def update(self, id: str, *, name: Optional[str] = None, metadata: Optional[Mapping[str, str]] = None) -> Wallet:
        """Changes its name, its metadata, or both; metadata replaces all that there is."""
        return self._change(id, "update", wire_values({"name": name, "metadata": metadata}))

    def limits(self, id: str) -> WalletLimits:
        """What may go out of it, and how much of that is used."""
        sent = self._connection.send("GET", f"{_ONE}/limits", path={"id": id})
        return read(WalletLimits, sent.data, sent.status)

    def set_limits(self, id: str, *, limits: Sequence[NewLimit]) -> WalletLimits:
        """All its limits, in place of those that there are: what would pass one ends FAILED as LIMIT_EXCEEDED."""
        sent = self._send(id, "limits", wire_values({"limits": limits}))
        return read(WalletLimits, sent.data, sent.status)

    def alerts(self, id: str) -> WalletAlerts:
        """What webhooks are told of it, and whether it is so."""
        sent = self._connection.send("GET", f"{_ONE}/alerts", path={"id": id})
        return read(WalletAlerts, sent.data, sent.status)

    def set_alerts(self, id: str, *, alerts: Sequence[NewAlert]) -> WalletAlerts:
        """All its alerts, in place of those that there are. One that is set again as it was keeps its state."""
        sent = self._send(id, "alerts", wire_values({"alerts": alerts}))
        return read(WalletAlerts, sent.data, sent.status)

    def balance(self, id: str, *, at: Optional[Time] = None) -> Balance:
        """at: a moment that has passed, whose balance it then is; `held` and `available` are None then."""
        sent = self._connection.send("GET", f"{_ONE}/balance", path={"id": id}, query=wire_values({"at": at}))
        return read(Balance, sent.data, sent.status)

    def statement(self, id: str, *, from_: Time, to: Time, size: Optional[int] = None) -> Statement:
        """
        What moved from `from_` to before `to`, which has passed. The first page is asked for at once, the others as they are
        iterated. Scope: transfer:read too.
        """
        template, path = f"{_ONE}/statement", {"id": check_id("id", id)}
        query = wire_values({"from_": from_, "to": to, "size": size})
        pages = pages_of(self._connection, template, path, query)
        first, status = next(pages)
        statement = read(Statement, first, status, "walletId")

        def entries() -> Iterator[StatementEntry]:
            yield from (read(StatementEntry, item, status) for item in first["items"])
            if first["nextCursor"] is not None:
                more = {"cursor": first["nextCursor"], **({} if size is None else {"size": size})}
                rest = pages_of(self._connection, template, path, more)
                yield from (read(StatementEntry, item, answered) for page, answered in rest for item in page["items"])

        # Frozen, and no field of it.
        object.__setattr__(statement, "_entries", entries)
        return statement

    def list(
        self,
        *,
        currency: Optional[str] = None,
        status: Optional[Literal["ACTIVE", "FROZEN", "CLOSED"]] = None,
        reference: Optional[str] = None,
        size: Optional[int] = None,
    ) -> Iterator[Wallet]:
        """Newest first. `size` is that of a page, 1 to 100."""
        filters = {"currency": currency, "status": status, "reference": reference, "size": size}
        return items_of(self._connection, Wallet, _LIST, filters)

    def flows(
        self,
        id: str,
        *,
        direction: Optional[Literal["DEBIT", "CREDIT"]] = None,
        from_: Optional[Time] = None,
        to: Optional[Time] = None,
        size: Optional[int] = None,
    ) -> Iterator[Flow]:
        """What moved, newest first, from `from_` to before `to`. `size` is that of a page, 1 to 100."""
        filters = {"direction": direction, "from_": from_, "to": to, "size": size}
        return items_of(self._connection, Flow, f"{_ONE}/flows", filters, id=id)

    def _change(self, id: str, what: str, body: Optional[Mapping[str, Any]] = None) -> Wallet:
        return _wallet(self._send(id, what, body))

    def _send(self, id: str, what: str, body: Optional[Mapping[str, Any]]) -> Answer:
        return self._connection.send("POST", f"{_ONE}/{what}", path={"id": id}, body=body, is_repeatable=True)


def _wallet(answer: Answer) -> Wallet:
    return read(Wallet, answer.data, answer.status)
