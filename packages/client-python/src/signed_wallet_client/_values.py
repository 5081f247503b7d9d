"""How Python's values are written on the wire, and read from it: names, amounts and times."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, Union

from ._errors import UsageError

#: An amount that is given. A float would not be the amount that was meant: it is refused.
Amount = Union[Decimal, int, str]
#: A time that is given: a datetime with a zone, or ISO 8601 with a zone, which is sent as it is.
Time = Union[datetime, str]

_AMOUNT = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))", re.ASCII
)
_AMOUNTS = frozenset(["amount", "credit_limit", "available_below", "available_above", "share"])
_LISTS = frozenset(["legs", "limits", "alerts"])
_MAPPINGS = frozenset(["window", "limit_used"])
_TIMES = frozenset(["execute_at", "expires_at", "since", "at", "from_", "to"])


def wire_name(name: str) -> str:
    """`biz_id` is `bizId`; `from_`, which Python's own `from` makes impossible otherwise, is `from`."""
    first, *others = name.rstrip("_").split("_")
    return first + "".join(other.capitalize() for other in others)


def wire_values(values: Mapping[str, Any], place: str = "") -> dict[str, Any]:
    """
    Arguments by their names on the wire, without those that are None. Names within metadata are the caller's own.

    place: where they are in what was given, for errors.
    """
    return {wire_name(name): _wire_value(name, value, place) for name, value in values.items() if value is not None}


def _wire_value(name: str, value: Any, place: str) -> Any:
    if name in _AMOUNTS:
        return amount_text(place + name, value)
    if name in _TIMES:
        return time_text(place + name, value)
    if name in _MAPPINGS and isinstance(value, Mapping):
        return wire_values(value, f"{place}{name}.")
    return _wire_list(name, value) if name in _LISTS else value


def _wire_list(name: str, items: Any) -> list[Any]:
    if not isinstance(items, (list, tuple)):
        raise UsageError(f"{name} must be a list of mappings, not {type(items).__name__}.")
    return [wire_values(item, f"{name}[{at}].") if isinstance(item, Mapping) else item for at, item in enumerate(items)]


def amount_text(name: str, value: Any) -> str:
    """A plain decimal, without an exponent; what is wrong with a text the service tells."""
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value:
        if "e" not in value.lower():
            return value
        raise UsageError(f"{name} must be a plain decimal such as '1.10', without an exponent.")
    kind = "an empty text" if value == "" else str(value) if isinstance(value, Decimal) else type(value).__name__
    raise UsageError(f"{name} must be a Decimal, an int or a decimal text such as '1.10', not {kind}.")


def time_text(name: str, value: Any) -> str:
    """ISO 8601 in UTC; a text as it is."""
    if isinstance(value, str) and value:
        return value
    if not isinstance(value, datetime):
        raise UsageError(f"{name} must be a datetime with a zone, or ISO 8601 with a zone, not {type(value).__name__}.")
    if value.utcoffset() is None:
        raise UsageError(f"{name} must have a zone, such as datetime.now(timezone.utc): without, it is another time elsewhere.")
    try:
        # An offset may have seconds, which the service does not read.
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    except OverflowError as error:
        raise UsageError(f"{name} is out of range.") from error


def query_text(name: str, value: Any) -> str:
    """A value of a query, as a body would have it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, Decimal)):
        return amount_text(name, value)
    if isinstance(value, datetime):
        return time_text(name, value)
    if isinstance(value, str):
        return value
    raise UsageError(f"{name} must be a text, an int, a Decimal, a bool or a datetime, not {type(value).__name__}.")


def read_amount(value: Any) -> Decimal:
    """Raises ValueError. Exact: no context of the caller's rounds what is read."""
    if isinstance(value, str) and _AMOUNT.fullmatch(value):
        return Decimal(value)
    raise ValueError("no amount")


def read_time(value: Any) -> datetime:
    """In UTC, to the microsecond. Raises ValueError."""
    match = _TIME.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError("no time")
    # Python 3.9 reads neither "Z" nor any number of decimals.
    *whole, fraction, sign, hours, minutes = match.groups()
    microsecond = int((fraction or "")[:6].ljust(6, "0"))
    read = datetime(*map(int, whole), microsecond, tzinfo=timezone.utc)  # type: ignore[misc,arg-type]
    if sign is None:
        return read
    offset = timedelta(hours=int(hours), minutes=int(minutes))
    try:
        return read - offset if sign == "+" else read + offset
    except OverflowError as error:
        raise ValueError("no time") from error


def to_json(body: Any) -> bytes:
    """Raises UsageError where `body` is no mapping, or JSON would not hold all of it."""
    if not isinstance(body, Mapping):
        raise UsageError("A body must be a mapping; it is sent as JSON.")
    try:
        text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)
        return text.encode("utf-8")
    except UsageError:
        raise
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"The body cannot be written as JSON: {error}") from error


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Decimal):
        return amount_text("A number in a body", value)
    if isinstance(value, datetime):
        return time_text("A time in a body", value)
    raise TypeError(f"it holds a {type(value).__name__}")
