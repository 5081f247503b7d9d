"""Lists are walked by cursor: nothing is missed or repeated, whatever arrives meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Optional

from ._connection import Connection, check_id
from ._resource import Kind, read, unexpected
from ._values import wire_values

#: Of a page, if not said: the most that there are.
SIZE_DEFAULT = 100


def items_of(
    connection: Connection, kind: type[Kind], template: str, filters: Mapping[str, Any], *, id: Optional[str] = None
) -> Iterator[Kind]:
    """Checks at once, and asks for each page when its first item is taken."""
    query = wire_values(filters)
    path = {} if id is None else {"id": check_id("id", id)}
    return (
        read(kind, item, status) for page, status in pages_of(connection, template, path, query) for item in page["items"]
    )


def pages_of(
    connection: Connection, template: str, path: Mapping[str, str], query: Mapping[str, Any]
) -> Iterator[tuple[dict[str, Any], int]]:
    """Pages, each with the status of its answer."""
    size = query.get("size", SIZE_DEFAULT)
    asked: dict[str, Any] = {**query, "size": size}
    while True:
        data, status, _ = connection.send("GET", template, path=path, query=asked)
        if not _is_page(data):
            raise unexpected(f"GET {template}: no page of a list", status, data)
        cursor = data["nextCursor"]
        # Its items are those of the page before, once more.
        if cursor is not None and cursor == asked.get("cursor"):
            raise unexpected(f"GET {template}: a cursor that leads to itself", status, data)
        yield data, status
        if cursor is None:
            return
        asked = {"cursor": cursor, "size": size}


def _is_page(data: Any) -> bool:
    if not isinstance(data, dict) or "nextCursor" not in data or not isinstance(data.get("items"), list):
        return False
    return data["nextCursor"] is None or isinstance(data["nextCursor"], str)
