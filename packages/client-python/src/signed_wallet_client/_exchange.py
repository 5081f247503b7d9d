"""One request and its answer, taken out of its envelope."""

from __future__ import annotations

import http.client
import json
import re
import socket
import time
from collections.abc import Mapping
from datetime import timezone
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple, Optional

from ._errors import ApiError, TransportError, UnexpectedAnswerError
from ._pool import ANSWER_BYTES_MAX, Pool, Received

_CAUSE_MAX = 200
_TIME_MS_MOST = 10**15
_DIGITS = re.compile(r"[0-9]+")


class Answer(NamedTuple):
    """A success, taken out of its envelope: JSON as it came."""

    data: Any
    status: int
    #: Their names in any case.
    headers: Message


class Outgoing(NamedTuple):
    """What is sent, signed already."""

    method: str
    path: str
    #: With its "?", or empty.
    query: str
    headers: Mapping[str, str]
    body: Optional[bytes]


def exchange(pool: Pool, outgoing: Outgoing, timeout: float, *, is_fresh: bool) -> Answer:
    """
    Sends one request and reads its whole answer, or raises: ApiError for a refusal, UnexpectedAnswerError for what is no
    envelope, TransportError where nothing or half an answer came in time.
    """
    method, path, query, headers, body = outgoing
    named = f"{method} {path}"
    deadline = time.monotonic() + timeout
    try:
        received = pool.exchange(method, path + query, body, headers, deadline=deadline, is_fresh=is_fresh)
    except socket.timeout as error:
        raise TransportError(f"{named}: no whole answer within {timeout:g} s", is_timeout=True) from error
    except (OSError, http.client.HTTPException) as error:
        cause = (str(error) or type(error).__name__)[:_CAUSE_MAX]
        raise TransportError(f"{named}: the connection failed: {cause}", is_timeout=False) from error
    return _read(named, received)


def _read(named: str, received: Received) -> Answer:
    status, headers, body, is_cut = received
    text = body.decode("utf-8", "replace")
    if is_cut:
        raise _unexpected(named, received, text, f"more than {ANSWER_BYTES_MAX} bytes")
    envelope = _envelope(text)
    if envelope is None:
        raise _unexpected(named, received, text, "what is no envelope of the service")
    if envelope["success"] != (200 <= status < 300):
        raise _unexpected(named, received, text, "status and envelope that differ")
    if envelope["success"]:
        return Answer(envelope["data"], status, headers)
    code, message = envelope["code"], envelope["message"]
    reason, field, value = (_detail(envelope, name) for name in ("reason", "field", "value"))
    details = [f"{name} {told}" for name, told in (("reason", reason), ("field", field), ("value", value)) if told]
    in_brackets = f" ({', '.join(details)})" if details else ""
    raise ApiError(
        f"{named}: HTTP {status} {code} {message}{in_brackets}",
        status=status,
        code=code,
        server_message=message,
        server_time_ms=envelope["timestamp"],
        reason=reason,
        field=field,
        value=value,
        request_id=headers.get("X-Request-Id"),
        retry_after=_retry_after(headers),
    )


def _unexpected(named: str, received: Received, text: str, what: str) -> UnexpectedAnswerError:
    kind = received.headers.get("Content-Type", "no content type")
    return UnexpectedAnswerError(
        f"{named}: HTTP {received.status} with {what} ({kind})",
        status=received.status,
        received=text,
        retry_after=_retry_after(received.headers),
    )


def json_value(text: str) -> Any:
    """Raises ValueError for what is no JSON; also for NaN and Infinity, which Python reads by itself."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _envelope(text: str) -> Optional[dict[str, Any]]:
    """None where the text is none. Members that a later server adds are let be."""
    try:
        value = json_value(text)
    except ValueError:
        return None
    if not isinstance(value, dict) or "data" not in value or not _is_time(value.get("timestamp")):
        return None
    kinds = {"success": bool, "code": str, "message": str}
    return value if all(isinstance(value.get(name), kind) for name, kind in kinds.items()) else None


def _is_time(value: Any) -> bool:
    """Milliseconds that a clock may show: what is added to it later stays a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < _TIME_MS_MOST


def _retry_after(headers: Message) -> Optional[float]:
    """Seconds until it makes sense to ask again; None where the header is absent or not of its form."""
    text = headers.get("Retry-After")
    if text is None:
        return None
    if _DIGITS.fullmatch(text):
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    zoned = at if at.tzinfo else at.replace(tzinfo=timezone.utc)
    return max(0.0, zoned.timestamp() - time.time())


def _detail(envelope: Mapping[str, Any], name: str) -> Optional[str]:
    """What the service says of why it refused; None where it does not."""
    error = envelope.get("error")
    told = error.get(name) if isinstance(error, dict) else None
    return told if isinstance(told, str) else None
