"""Webhooks are verified before anything else. Source: Standard Webhooks specification 1.0, "Verifying webhooks"."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Optional, Protocol, Union, get_args

from ._check import check_count
from ._errors import UnexpectedAnswerError, UsageError, WebhookError
from ._exchange import json_value
from ._resource import Resource, read, with_raw
from ._resources import AlertEvent, EventType, Order
from ._values import read_time

_TOLERANCE_DEFAULT = 300
_TOLERANCE_MOST = 7 * 24 * 60 * 60
# More than any sender has during a rotation: each costs a comparison.
_SIGNATURES_MOST = 16
_PREFIX = "whsec_"
_TIMESTAMP = re.compile(r"[0-9]{1,12}")
_SPACE = re.compile(r"[ \t\n\f\r]")


class Headers(Protocol):
    """A mapping of names to values, also one in which a name may come twice, as those of servers."""

    def items(self) -> Iterable[tuple[str, str]]: ...


@dataclass(frozen=True)
class WebhookEvent(Resource):
    """What the service tells of. Types of a later service are passed on."""

    #: The same at every delivery of this event: who has seen it passes over it.
    id: str
    #: Such as transfer.completed.
    type: str
    #: When it happened.
    timestamp: datetime
    #: As it came, in the names of the wire.
    data: Any
    #: What `data` is where `type` is transfer.completed, transfer.failed or transfer.cancelled; None for others.
    order: Optional[Order]
    #: What `data` is where `type` is wallet.alert; None for others.
    alert: Optional[AlertEvent]
    #: Whether it is of a test workspace.
    test: bool


def verify_webhook(
    *,
    body: Union[str, bytes],
    headers: Headers,
    secret: Union[str, Iterable[str]],
    tolerance: int = _TOLERANCE_DEFAULT,
) -> WebhookEvent:
    """
    Proves that a delivery is the service's and fresh, and reads its event. Compares in constant time. Raises WebhookError where it
    is not; UsageError where this is called wrongly.

    body: exactly as it came: parsed and written again it would be other bytes.
    headers: of the request, in any case.
    secret: the webhook's, whsec_…; while it is rotated, the old and the new one.
    tolerance: how many seconds the delivery's time may be off.
    """
    if not isinstance(body, (str, bytes, bytearray, memoryview)):
        raise UsageError("body must be the text or bytes as they came, not what was parsed of them.")
    check_count("tolerance", tolerance, 0, _TOLERANCE_MOST)
    keys = [_secret_bytes(each) for each in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise UsageError("secret is required.")
    event_id, timestamp, signatures = (_header(headers, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not _TIMESTAMP.fullmatch(timestamp) or abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookError("TIMESTAMP_OFF", f"webhook-timestamp is more than {tolerance} s off, or no number.")
    content = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else bytes(body)
    signed = f"{event_id}.{timestamp}.".encode("utf-8", "surrogatepass") + content
    if not _is_signed_by_one(keys, signatures, signed):
        raise WebhookError("SIGNATURE_INVALID", "webhook-signature is not of this body, id, time and secret.")
    return _event(event_id, content)


def _is_signed_by_one(keys: list[bytes], signatures: str, signed: bytes) -> bool:
    presented = [signature[3:] for signature in signatures.split(" ") if signature.startswith("v1,")]
    is_signed = False
    for key in keys:
        mac = hmac.new(key, signed, hashlib.sha256).digest()
        for signature in presented[:_SIGNATURES_MOST]:
            is_right = hmac.compare_digest(mac, _decoded(signature) or b"")
            is_signed = is_signed or is_right
    return is_signed


def _event(event_id: str, content: bytes) -> WebhookEvent:
    try:
        event = json_value(content.decode("utf-8"))
        if isinstance(event, dict) and isinstance(event.get("type"), str) and "data" in event:
            at = read_time(event.get("timestamp"))
            # What a later type tells of is not known, though it be of a transfer.
            is_known, is_alert = event["type"] in get_args(EventType), event["type"] == "wallet.alert"
            order = read(Order, event["data"], 200) if is_known and not is_alert else None
            alert = read(AlertEvent, event["data"], 200) if is_alert else None
            is_test = event.get("test") is True
            return with_raw(WebhookEvent(event_id, event["type"], at, event["data"], order, alert, is_test), event)
    except (ValueError, UnexpectedAnswerError):
        # As below.
        pass
    raise WebhookError("BODY_NOT_AN_EVENT", "The body is signed, but is no event: type, timestamp and data.")


def _secret_bytes(secret: Any) -> bytes:
    key = _decoded(secret.replace(_PREFIX, "", 1)) if isinstance(secret, str) else None
    if not key:
        raise UsageError(f"secret must be {_PREFIX} and base64.")
    return key


def _header(headers: Any, name: str) -> str:
    if not hasattr(headers, "items"):
        raise UsageError("headers must be a mapping of their names to their values.")
    values = [value for key, value in headers.items() if str(key).lower() == name]
    if len(values) == 1 and isinstance(values[0], str) and values[0]:
        return values[0]
    raise WebhookError("HEADER_MISSING", f"The header {name} is missing, or comes more than once.")


def _decoded(text: str) -> Optional[bytes]:
    """Base64, also without its padding, as browsers read it; None where it is none."""
    bare = _SPACE.sub("", text)
    if len(bare) % 4 == 0:
        bare = re.sub(r"={1,2}\Z", "", bare)
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
