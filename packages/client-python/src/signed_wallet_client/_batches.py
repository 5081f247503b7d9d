"""Many transfers, cut into requests that the service takes."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Callable, NamedTuple, Optional

from ._check import check_callable, check_count, check_text
from ._connection import WAIT_MOST, Connection, wait_header
from ._errors import UsageError
from ._resource import read, unexpected
from ._resources import LineError, NewTransfer, Order
from ._values import to_json, wire_values

_LINES_MOST = 500
_ATOMIC_LINES_MOST = 100
_BODY_BYTES_MOST = 512 * 1024
_PATH = "/api/v1/transfer/command/batch"
_NAMES = tuple(
    "source_wallet_id target_wallet_id amount currency execute_at biz_id description reference metadata".split()
)


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
    connection: Connection, transfers: Iterable[NewTransfer], *, atomic: bool, wait: int, on_send: Optional[OnSend]
) -> Iterator[BatchResult]:
    """As Transfers.batch. Checks what is not of a line at once."""
    if not isinstance(atomic, bool):
        raise UsageError("atomic must be True or False.")
    check_count("wait", wait, 0, WAIT_MOST)
    check_callable("on_send", on_send)
    if not isinstance(transfers, Iterable) or isinstance(transfers, (str, bytes, Mapping)):
        raise UsageError("What batch takes must be an iterable of transfers, such as a list.")
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


def _requests(transfers: Iterable[NewTransfer], atomic: bool) -> Iterator[list[_Line]]:
    """The lines of each request: as many as one takes, and no more of them are held than that."""
    lines_most = _ATOMIC_LINES_MOST if atomic else _LINES_MOST
    empty_bytes = len(to_json(_body([], atomic)))
    lines: list[_Line] = []
    size = empty_bytes
    for number, given in enumerate(transfers, 1):
        line = _line(given, number)
        # With the comma before it.
        own = len(to_json(line.transfer)) + 1
        if empty_bytes + own > _BODY_BYTES_MOST:
            raise UsageError(f"Line {number} is larger than a whole request may be.")
        is_full = len(lines) == lines_most or size + own > _BODY_BYTES_MOST
        if is_full and atomic:
            raise UsageError(
                f"Line {number} is one too many: an atomic batch is one request, of at most {lines_most} lines and "
                f"{_BODY_BYTES_MOST} bytes."
            )
        if is_full:
            yield lines
            lines, size = [], empty_bytes
        lines.append(line)
        size += own
    if lines:
        yield lines


def _body(lines: list[_Line], atomic: bool) -> dict[str, Any]:
    return {"transfers": [line.transfer for line in lines], **({"atomic": True} if atomic else {})}


def _line(given: Any, number: int) -> _Line:
    """What is wrong with its values the service tells, as that line's error."""
    if not isinstance(given, Mapping):
        raise UsageError(f"Line {number} must be a mapping: a transfer.")
    unknown = next((name for name in given if name not in _NAMES), None)
    if unknown is not None:
        raise UsageError(f'Line {number}: a transfer has no "{unknown}"; there are {", ".join(_NAMES)}.')
    try:
        own = given.get("biz_id")
        biz_id = str(uuid.uuid4()) if own is None else check_text("biz_id", own)
        return _Line(number, biz_id, wire_values({**given, "biz_id": biz_id}))
    except UsageError as error:
        raise UsageError(f"Line {number}: {error}") from error


def _items(data: Any) -> Optional[list[dict[str, Any]]]:
    items = data.get("items") if isinstance(data, dict) else None
    if not isinstance(items, list):
        return None
    return items if all(isinstance(item, dict) and ("order" in item or "code" in item) for item in items) else None
