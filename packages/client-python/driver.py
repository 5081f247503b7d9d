"""Makes the calls of the conformance suite (packages/client-conformance) with this client: JSON lines on stdin and stdout."""

from __future__ import annotations

import base64
import inspect
import json
import re
import sys
import threading
import types
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Callable, Optional
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent / "src"))

import signed_wallet_client as package
from signed_wallet_client import _repeat, _verify
from signed_wallet_client._resource import Resource
from signed_wallet_client._values import wire_name

CAPABILITIES = ["pauses", "side-by-side", "on-send", "request", "untyped", "decimals", "times", "naive-times"]
KINDS = {
    package.UsageError: "usage",
    package.ApiError: "api",
    package.UnexpectedAnswerError: "unexpected-answer",
    package.TransportError: "connection",
    package.TransferFailedError: "transfer-failed",
    package.TransferCancelledError: "transfer-cancelled",
    package.StillPendingError: "still-pending",
    package.WebhookError: "webhook",
    package.ClockError: "clock",
}

clients: dict[str, Client] = {}
making, writing = threading.Lock(), threading.Lock()
chance = threading.local()


class Client:
    """A client, and the pauses that it took since they were told last."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.pauses_ms: list[float] = []
        options = dict(renamed(*each) for each in given["options"].items())
        self.client = called(
            package.Client,
            base_url=given["baseUrl"],
            api_key=given["apiKey"],
            api_secret=given["apiSecret"],
            on_retry=lambda repetition: self.pauses_ms.append(repetition.wait * 1000),
            **options,
        )

    def take_pauses(self) -> list[float]:
        taken, self.pauses_ms = self.pauses_ms, []
        return taken


class WronglyCalled(Exception):
    """What Python itself refuses, before the client is reached."""


def renamed(name: str, value: Any) -> tuple[str, Any]:
    """Seconds here, milliseconds there."""
    return ("timeout", seconds(value)) if name == "timeoutMs" else (snake(name), value)


def seconds(milliseconds: Any) -> Any:
    return milliseconds / 1000 if isinstance(milliseconds, (int, float)) else milliseconds


def snake(name: str) -> str:
    if not isinstance(name, str):
        return name
    own = re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)
    return "from_" if own == "from" else own


def called(function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    try:
        inspect.signature(function).bind(*args, **named)
    except TypeError as error:
        raise WronglyCalled(str(error)) from error
    return function(*args, **named)


def with_body(function: Callable[..., Any], *args: Any, body: Any = None) -> Any:
    """A body's members are the arguments; what has none cannot be said in Python."""
    if not isinstance(body, dict):
        raise WronglyCalled(f"the arguments are {type(body).__name__}")
    return called(function, *args, **named(body))


def named(given: Any) -> Any:
    """What an order is made of, and what is in it, in the names of Python; metadata are the caller's own."""
    if isinstance(given, list):
        return [named(each) for each in given]
    if not isinstance(given, dict):
        return given
    return {snake(name): value if name == "metadata" else named(value) for name, value in given.items()}


def python_value(value: Any) -> Any:
    if isinstance(value, list):
        return [python_value(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "$decimal" in value:
        return Decimal(value["$decimal"])
    if "$time" in value:
        return datetime.fromisoformat(value["$time"].replace("Z", "+00:00"))
    if "$naiveTime" in value:
        return datetime.fromisoformat(value["$naiveTime"])
    return {name: python_value(each) for name, each in value.items()}


def on_wire(value: Any) -> Any:
    """A result in the names and forms of the wire: of a resource what came, each member as the client read it."""
    if isinstance(value, Resource):
        own = {wire_name(name): on_wire(each) for name, each in vars(value).items() if not name.startswith("_")}
        return {name: own.get(name, each) for name, each in value.raw.items()}
    if isinstance(value, package.BatchResult):
        end = {"order": value.order} if value.order is not None else {"error": value.error}
        return {"line": value.line, "bizId": value.biz_id, **on_wire(end)}
    if isinstance(value, package.BatchLine):
        return {"line": value.line, "bizId": value.biz_id}
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: on_wire(each) for name, each in value.items()}
    return [on_wire(each) for each in value] if isinstance(value, (list, tuple)) else value


def collected(items: Iterator[Any], limit: Optional[int], beside: dict[str, Any]) -> list[Any]:
    taken: list[Any] = []
    beside["before"] = taken
    for item in items:
        taken.append(on_wire(item))
        if len(taken) == limit:
            items.close()  # type: ignore[attr-defined]
            break
    del beside["before"]
    return taken


def of_lists(function: Callable[..., Any], given: dict[str, Any], beside: dict[str, Any]) -> list[Any]:
    ids = [given["id"]] if "id" in given else []
    return collected(with_body(function, *ids, body=given.get("filters", {})), given.get("limit"), beside)


def batch(client: package.Client, given: dict[str, Any], beside: dict[str, Any]) -> list[Any]:
    sent: list[Any] = []
    beside["sent"] = sent
    lines = given["lines"]
    if isinstance(lines, list):
        lines = [named(line) for line in lines]
    options = {name: given[on_wire] for name, on_wire in (("atomic", "atomic"), ("wait", "waitSeconds")) if on_wire in given}
    others = {name: given[name] for name in set(given) - {"lines", "limit", "atomic", "waitSeconds"}}
    results = called(client.transfer.batch, lines, on_send=lambda told: sent.append(on_wire(told)), **options, **others)
    return collected(results, given.get("limit"), beside)


def of_transfers(name: str, client: package.Client, given: dict[str, Any], beside: dict[str, Any]) -> Any:
    transfer = client.transfer
    wait = {"timeout": seconds(given["timeoutMs"])} if "timeoutMs" in given else {}
    if name == "createCompleted":
        return transfer.completed(with_body(transfer.create, body=made_of(given)), **wait)
    if name == "completed":
        return called(transfer.completed, given.get("id"), **wait)
    if name in ("get", "cancel"):
        return getattr(transfer, name)(given.get("id"))
    if name == "batch":
        return batch(client, given, beside)
    if name in ("list", "listOfWallet"):
        return of_lists(getattr(transfer, snake(name)), given, beside)
    body = made_of(given)
    if name == "preview" and isinstance(body, dict) and "type" in body:
        return transfer.preview(named(body))
    return with_body(getattr(transfer, name), body=body)


def made_of(given: dict[str, Any]) -> Any:
    """What an order is made of: its body, and how long to wait for its end."""
    return {**given["body"], "wait": given["waitSeconds"]} if "waitSeconds" in given else given.get("body")


def of_wallets(name: str, client: package.Client, given: dict[str, Any], beside: dict[str, Any]) -> Any:
    wallet = client.wallet
    if name in ("list", "flows"):
        return of_lists(getattr(wallet, name), given, beside)
    if name == "create":
        return with_body(wallet.create, body=given.get("body"))
    id = given.get("id")
    others = {other: value for other, value in given.items() if other not in ("id", "limit")}
    result = with_body(getattr(wallet, snake(name)), id, body=others)
    if name != "statement":
        return result
    totals = {other: value for other, value in on_wire(result).items() if other != "nextCursor"}
    return {**totals, "items": collected(iter(result), given.get("limit"), beside)}


def of_webhooks(name: str, client: package.Client, given: dict[str, Any], beside: dict[str, Any]) -> Any:
    webhook = client.webhook
    if name == "deliveries":
        return of_lists(webhook.deliveries, given, beside)
    if name == "test":
        return {"eventId": webhook.test(given.get("id"))}  # type: ignore[arg-type]
    ids = [] if name in ("create", "list") else [given.get("id")]
    body = given.get("body") if name in ("create", "replay") else {}
    return with_body(getattr(webhook, name), *ids, body=body)


def request(client: package.Client, given: dict[str, Any]) -> dict[str, Any]:
    others = {snake(name): value for name, value in given.items() if name not in ("method", "path")}
    answer = called(client.request, given.get("method"), given.get("path"), **others)
    return {"data": answer.data, "status": answer.status}


def sign(given: dict[str, Any]) -> dict[str, Any]:
    body = base64.b64decode(given.pop("bodyBase64", ""))
    signed = package.sign(body=body, **given)
    return {"canonicalMessage": signed.canonical_message, "signature": signed.signature}


def verify_webhook(given: dict[str, Any]) -> dict[str, Any]:
    now = given.pop("now")
    if "bodyBase64" in given:
        given["body"] = base64.b64decode(given.pop("bodyBase64"))
    if "toleranceSeconds" in given:
        given["tolerance"] = given.pop("toleranceSeconds")
    with mock.patch.object(_verify, "time", types.SimpleNamespace(time=lambda: now)):
        event = called(package.verify_webhook, **given)
    return {**on_wire(event), "id": event.id}


def made(call: str, client: Optional[Client], given: dict[str, Any], beside: dict[str, Any]) -> Any:
    if client is None:
        return {"sign": sign, "verifyWebhook": verify_webhook}[call](given)
    if call == "request":
        return request(client.client, given)
    if call == "key":
        return client.client.key()
    if call == "test.clock.get":
        return client.client.test.clock.get()
    if call == "test.clock.advance":
        return with_body(client.client.test.clock.advance, body=given)
    group, name = call.split(".")
    of = {"transfer": of_transfers, "wallet": of_wallets, "webhook": of_webhooks}[group]
    return of(name, client.client, given, beside)


def told_error(error: BaseException) -> dict[str, Any]:
    if isinstance(error, WronglyCalled):
        return {"kind": "usage", "message": str(error)}
    kind = KINDS.get(type(error))
    if kind is None:
        return {"kind": "other", "message": repr(error)}
    told = {wire_name(name): on_wire(value) for name, value in vars(error).items() if value is not None}
    told.pop("bizId", None)
    for name, own in (("retryAfterSeconds", "retryAfter"), ("serverTime", "serverTimeMs")):
        if own in told:
            told[name] = told.pop(own)
    return {"kind": kind, "message": str(error), **told}


def answer(message: dict[str, Any]) -> None:
    client: Optional[Client] = None
    beside: dict[str, Any] = {}
    try:
        if "client" in message:
            chance.value = message["client"]["random"]
            client = client_of(message["client"])
        result = made(message["call"], client, python_value(message["arguments"]), beside)
        end = {"result": on_wire(result)}
    except Exception as error:  # noqa: BLE001 whatever it is, the suite is told
        end = {"error": told_error(error)}
    pauses = {} if client is None else {"pausesMs": client.take_pauses()}
    write({"id": message["id"], **end, **beside, **pauses})


def client_of(given: dict[str, Any]) -> Client:
    with making:
        found = clients.get(given["name"])
        if found is None:
            found = clients[given["name"]] = Client(given)
        return found


def write(message: dict[str, Any]) -> None:
    with writing:
        sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
        sys.stdout.buffer.flush()


def main() -> None:
    _repeat.random = types.SimpleNamespace(random=lambda: chance.value)  # type: ignore[assignment]
    write({"hello": {"client": "signed-wallet-client for Python", "capabilities": CAPABILITIES}})
    for line in sys.stdin.buffer:
        message = json.loads(line)
        threading.Thread(target=answer, args=(message,), daemon=True).start()


if __name__ == "__main__":
    main()
