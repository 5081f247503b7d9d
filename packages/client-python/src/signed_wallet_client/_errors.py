"""What this package raises; the ends of an order are in `_transfers`. Nothing is logged, and no error holds a secret."""

from __future__ import annotations

from typing import Any, Optional

RECEIVED_CHARACTERS_MAX = 500


class ClientError(Exception):
    """Everything that this package raises, but what Python itself refuses, such as the TypeError of an unknown argument."""

    biz_id: Optional[str] = None
    """Of the order that was being made: make it again with this one, and it is made once."""

    def __reduce__(self) -> Any:
        # An error crosses processes, of which some members are given by name alone.
        return _remade, (type(self), self.args, self.__dict__)


def _remade(kind: type[ClientError], args: tuple[Any, ...], members: dict[str, Any]) -> ClientError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(members)
    return error


class UsageError(ClientError, ValueError):
    """The package was used wrongly; nothing was sent. The message says how to use it."""


class ApiError(ClientError):
    """The service refused. Branch on `code`, or on `reason`, which is finer. More of both may come: see ErrorCode, ErrorReason."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        server_message: str,
        server_time_ms: float,
        reason: Optional[str] = None,
        field: Optional[str] = None,
        value: Optional[str] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        #: Why, in a symbol that stays; None where the server does not say.
        self.reason = reason
        #: The field, path part, query parameter or header at fault, as it is named on the wire.
        self.field = field
        #: What helps to mend it, such as the scope that was missing.
        self.value = value
        #: The service's own sentence, or its symbol where no locale was asked for.
        self.server_message = server_message
        #: Names the request in the service's log.
        self.request_id = request_id
        #: Seconds after which a repetition makes sense.
        self.retry_after = retry_after
        #: In milliseconds since the Unix epoch.
        self.server_time_ms = server_time_ms


class UnexpectedAnswerError(ClientError):
    """What answered is not the service, or not whole: a proxy's page, another JSON, a redirect, an answer without an end."""

    def __init__(self, message: str, *, status: int, received: str, retry_after: Optional[float] = None) -> None:
        super().__init__(message)
        self.status = status
        #: The first 500 characters of what came.
        self.received = received[:RECEIVED_CHARACTERS_MAX]
        self.retry_after = retry_after


class TransportError(ClientError):
    """No answer came: the connection could not be made, broke off, or took too long. Whether the service acted is not known."""

    def __init__(self, message: str, *, is_timeout: bool) -> None:
        super().__init__(message)
        self.is_timeout = is_timeout


class WebhookError(ClientError):
    """What came is not an event of the service, or is too old: answer it 400, and do nothing."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        #: HEADER_MISSING, TIMESTAMP_OFF, SIGNATURE_INVALID or BODY_NOT_AN_EVENT.
        self.reason = reason
