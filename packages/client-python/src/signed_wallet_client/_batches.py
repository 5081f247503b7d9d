"""Many orders, cut into requests that the service takes."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Callable, NamedTuple, Optional, get_args, get_type_hints

from ._check import check_callable, check_count, check_text
from ._connection import WAIT_MOST, Connection, wait_header
from ._errors import UsageError
from ._resource import read, unexpected
from ._resources import LineError, NewOrder, Order
from ._values import to_json, wire_values

# A line without legs counts as one.
_LEGS_MOST = 500
_ATOMIC_LEGS_MOST = 100
_BODY_BYTES_MOST = 512 * 1024
_PATH = "/api/v1/transfer/command/batch"
# What an order is made of, by its type.
_KINDS: dict[str, Any] = {get_args(get_type_hints(kind)["type"])[0]: kind for kind in get_args(NewOrder)}


class BatchLine(NamedTuple):
    """A line as it is sent."""

    #: Its place in all that was given, from 1.
    line: int
    biz_id: str


@dataclass(frozen=True)
class BatchResult:
    """What became of a line: its order as it is stored, new or known before; or why there is none."""

    line: int
    biz_id: str
    order: Optional[Order]
    error: Optional[LineError]


OnSend = Callable[[list[BatchLine]], Any]


class _Line(NamedTuple):
    line: int
    biz_id: str
    #: As it is sent.
    transfer: Mapping[str, Any]


def batch_of(
    connection: Connection, transfers: Iterable[NewOrder], *, atomic: bool, wait: int, on_send: Optional[OnSend]
) -> Iterator[BatchResult]:
    """As Transfers.batch. Checks what is not of a line at once."""
    if not isinstance(atomic, bool):
        raise UsageError("atomic must be True or False.")
    check_count("wait", wait, 0, WAIT_MOST)
    check_callable("on_send", on_send)
    if not isinstance(transfers, Iterable) or isinstance(transfers, (str, bytes, Mapping)):
        raise UsageError("What batch takes must be an iterable of orders, such as a list.")
    headers = wait_header(wait, connection.settings.timeout)

    def outcomes(lines: list[_Line]) -> Iterator[BatchResult]:
        if on_send is not None:
            on_send([BatchLine(line, biz_id) for line, biz_id, _ in lines])
        body = _body(lines, atomic)
        data, status, _ = connection.send("POST", _PATH, body=body, headers=headers, is_repeatable=True)
        items = _items(data)
        if items is None or len(items) != len(lines):
            raise unexpected("The answer has no item for each line.", status, data)
        for (line, biz_id, _), item in zip(lines, items):
            if "order" in item:
                yield BatchResult(line, biz_id, read(Order, item["order"], status, "transferId", "status"), None)
            else:
                yield BatchResult(line, biz_id, None, read(LineError, item, status, "code"))

    return (result for lines in _requests(transfers, atomic) for result in outcomes(lines))


def _requests(transfers: Iterable[NewOrder], atomic: bool) -> Iterator[list[_Line]]:
    """The lines of each request: as many as one takes, and no more of them are held than that."""
    legs_most = _ATOMIC_LEGS_MOST if atomic else _LEGS_MOST
    empty_bytes = len(to_json(_body([], atomic)))
    lines: list[_Line] = []
    size, legs = empty_bytes, 0
    for number, given in enumerate(transfers, 1):
        line = _line(given, number)
        # With the comma before it.
        own = len(to_json(line.transfer)) + 1
        own_legs = max(1, len(line.transfer.get("legs", ())))
        if empty_bytes + own > _BODY_BYTES_MOST or own_legs > _LEGS_MOST:
            raise UsageError(f"Line {number} is larger than a whole request may be.")
        is_full = legs + own_legs > legs_most or size + own > _BODY_BYTES_MOST
        if is_full and atomic:
            raise UsageError(
                f"Line {number} is one too many: an atomic batch is one request, of at most {legs_most} legs and "
                f"{_BODY_BYTES_MOST} bytes."
            )
        if is_full:
            yield lines
            lines, size, legs = [], empty_bytes, 0
        lines.append(line)
        size += own
        legs += own_legs
    if lines:
        yield lines


def _body(lines: list[_Line], atomic: bool) -> dict[str, Any]:
    return {"transfers": [line.transfer for line in lines], **({"atomic": True} if atomic else {})}


def _line(given: Any, number: int) -> _Line:
    """What is wrong with its values the service tells, as that line's error."""
    if not isinstance(given, Mapping):
        raise UsageError(f"Line {number} must be a mapping: an order.")
    try:
        kind_of(given)
        own = given.get("biz_id")
        biz_id = str(uuid.uuid4()) if own is None else check_text("biz_id", own)
        return _Line(number, biz_id, wire_values({**given, "biz_id": biz_id}))
    except UsageError as error:
        raise UsageError(f"Line {number}: {error}") from error


def kind_of(given: Mapping[str, Any]) -> Any:
    """What an order of its type is made of. Raises UsageError where it has another member, or there is no such type."""
    name = given.get("type", "TRANSFER")
    kind = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise UsageError(f"There is no type {name!r}; there are {', '.join(_KINDS)}.")
    unknown = next((name for name in given if name not in kind.__annotations__), None)
    if unknown is not None:
        raise UsageError(f'A {name} has no "{unknown}"; there are {", ".join(kind.__annotations__)}.')
    return kind


def _items(data: Any) -> Optional[list[dict[str, Any]]]:
    items = data.get("items") if isinstance(data, dict) else None
    if not isinstance(items, list):
        return None
    return items if all(isinstance(item, dict) and ("order" in item or "code" in item) for item in items) else None
