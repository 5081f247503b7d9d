"""Where the workspace's events are sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, List, Optional

from ._check import check_text
from ._connection import Connection
from ._errors import UsageError
from ._exchange import Answer
from ._lists import items_of
from ._resource import read, unexpected
from ._resources import EventType, Webhook, WebhookDelivery, WebhookWithSecret
from ._values import Time, wire_values

_LIST = "/api/v1/webhooks"
_ONE = f"{_LIST}/{{id}}"


class Webhooks:
    """
    Scope: webhook:manage. All but `rotate` and `test` is safe to repeat, and is sent again as reads are. An id that the workspace
    has not is WEBHOOK_NOT_FOUND.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(self, *, url: str, events: Iterable[EventType], description: Optional[str] = None) -> WebhookWithSecret:
        """
        The answer comes about a second later, once orders created from then on are told of. Keep `secret`: it is shown this once.

        Raises ApiError WEBHOOK_EXISTS where the workspace has one of this url, also where an earlier try made it and its answer was
        lost: find it in the list, and rotate it for a secret. WEBHOOK_URL_REFUSED, WEBHOOK_LIMIT.
        """
        check_text("url", url)
        if isinstance(events, (str, bytes, Mapping)) or not isinstance(events, Iterable):
            raise UsageError('events must be a list, such as ["transfer.completed"].')
        body = wire_values({"url": url, "events": list(events), "description": description})
        return _secret(self._connection.send("POST", _LIST, body=body, is_repeatable=True))

    def list(self) -> List[Webhook]:
        """All of the workspace, ten at most, oldest first."""
        data, status, _ = self._connection.send("GET", _LIST)
        if not isinstance(data, dict) or not isinstance(data.get("items"), list):
            raise unexpected("The answer has no list of webhooks.", status, data)
        return [read(Webhook, item, status) for item in data["items"]]

    def get(self, id: str) -> Webhook:
        """One, and whether its events arrive."""
        return _webhook(self._connection.send("GET", _ONE, path={"id": id}))

    def enable(self, id: str) -> Webhook:
        """What has been waiting since it was disabled is sent. The answer comes about a second later, as that of a create."""
        return _webhook(self._call(id, "enable"))

    def disable(self, id: str) -> Webhook:
        return _webhook(self._call(id, "disable"))

    def rotate(self, id: str) -> WebhookWithSecret:
        """
        A new secret; for 24 h messages are signed with the one before, too. Not repeated: a second rotation ends the one before at
        once. Where the answer was lost, rotate again, and give the receiver the secret right away; what it refuses until then is
        sent again.
        """
        return _secret(self._call(id, "rotate", is_repeatable=False))

    def delete(self, id: str) -> None:
        """Forgets it and its deliveries. WEBHOOK_NOT_FOUND after a repetition says that it is gone."""
        self._call(id, "delete")

    def test(self, id: str) -> str:
        """
        Sends an event of type webhook.test, and gives the event's id. Not repeated: it would be another event. Raises ApiError
        WEBHOOK_DISABLED, WEBHOOK_RATE_EXCEEDED, WEBHOOK_PENDING_LIMIT.
        """
        data, status, _ = self._call(id, "test", is_repeatable=False)
        event_id = data.get("eventId") if isinstance(data, dict) else None
        if not isinstance(event_id, str):
            raise unexpected("The answer has no id of an event.", status, data)
        return event_id

    def replay(self, id: str, *, event_id: Optional[str] = None, since: Optional[Time] = None) -> Webhook:
        """
        Sends one event again, or all since a time. Each has the id that it had: a receiver that keeps ids passes over it. Raises
        ApiError WEBHOOK_EVENT_NOT_FOUND, WEBHOOK_REPLAY_UNDER_WAY where one since another time has not ended,
        WEBHOOK_RATE_EXCEEDED, WEBHOOK_PENDING_LIMIT.
        """
        if (event_id is None) == (since is None):
            raise UsageError("replay takes either event_id or since.")
        return _webhook(self._call(id, "replay", body=wire_values({"event_id": event_id, "since": since})))

    def deliveries(self, id: str, *, size: Optional[int] = None) -> Iterator[WebhookDelivery]:
        """What became of events, those of the newest orders first. `size` is that of a page, 1 to 100."""
        return items_of(self._connection, WebhookDelivery, f"{_ONE}/deliveries", {"size": size}, id=id)

    def _call(
        self, id: str, what: str, *, body: Optional[Mapping[str, Any]] = None, is_repeatable: bool = True
    ) -> Answer:
        return self._connection.send(
            "POST", f"{_ONE}/{what}", path={"id": id}, body=body, is_repeatable=is_repeatable
        )


def _webhook(answer: Answer) -> Webhook:
    return read(Webhook, answer.data, answer.status)


def _secret(answer: Answer) -> WebhookWithSecret:
    return read(WebhookWithSecret, answer.data, answer.status)
