"""What only test workspaces have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

from ._check import check_text
from ._connection import Connection
from ._errors import ApiError, ClientError, TransportError, UnexpectedAnswerError, UsageError
from ._resource import read
from ._resources import ClockAdvance, ClockState
from ._values import Time, time_text

_PATH = "/api/v1/test/clock"
# The service answers within 25 s.
_TIMEOUT_LEAST = 30.0
# After so many answers in a row by which the clock stood where it was, it is not asked to go on.
_STANDSTILLS_MOST = 3
# By fewer seconds than this it goes on by itself, until the answer.
_MOVE_LEAST = 1.0


class ClockError(ClientError):
    """Where a test workspace's clock stands is not known, or it does not come further. Ask the clock, and go on with `to`."""

    def __init__(self, reason: str, message: str, advance: Optional[ClockAdvance] = None) -> None:
        super().__init__(message)
        #: ANSWER_LOST or NO_PROGRESS.
        self.reason = reason
        #: How far it came; None where that is not known.
        self.advance = advance


class Clock:
    """The clock of a test workspace. To keys of other workspaces it is an ApiError ENDPOINT_UNKNOWN."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self) -> ClockState:
        """The time in the workspace, and when something is due next. Any scope."""
        sent = self._connection.send("GET", _PATH)
        return read(ClockState, sent.data, sent.status, "now")

    def advance(self, *, by: Optional[str] = None, to: Optional[Time] = None) -> ClockAdvance:
        """
        Puts it forward, and goes on until all that was due until then has ended: gives what came due, but not what an answer that
        was lost would have told. Scope: wallet:manage.

        by: an ISO 8601 duration such as "P31D". It adds up, so it is sent again only after 429.
        to: a time. Safe to repeat, and sent again as reads are.

        Raises ClockError ANSWER_LOST where the clock may have gone on: ask it. NO_PROGRESS where it stands still: its `advance` has
        where.
        """
        if (by is None) == (to is None):
            raise UsageError('advance takes either by, such as "P31D", or to.')
        last = self._put({"to": time_text("to", to)}) if by is None else self._begin(check_text("by", by))
        whole, standstills = last, 0
        while not whole.done:
            standstills = 0 if _has_moved(last) else standstills + 1
            if standstills == _STANDSTILLS_MOST:
                message = f"The clock stands still at {whole.now}, before {whole.to}: what is due does not end."
                raise ClockError("NO_PROGRESS", message, whole)
            last = self._put({"to": whole.raw["to"]})
            whole = _sum(whole, last)
        return whole

    def _begin(self, by: str) -> ClockAdvance:
        try:
            return self._put({"advanceBy": by}, is_repeatable=False)
        except ClientError as error:
            if not _may_be_done(error):
                raise
            message = f"The clock may have been put forward by {by}, or not: ask it, and go on with `to`. {error}"
            raise ClockError("ANSWER_LOST", message) from error

    def _put(self, body: Mapping[str, Any], *, is_repeatable: bool = True) -> ClockAdvance:
        sent = self._connection.send(
            "POST", _PATH, body=body, is_repeatable=is_repeatable, timeout_least=_TIMEOUT_LEAST
        )
        return read(ClockAdvance, sent.data, sent.status, "from", "to", "now")


class Testing:
    """What only test workspaces have."""

    clock: Clock

    def __init__(self, connection: Connection) -> None:
        self.clock = Clock(connection)


def _may_be_done(error: ClientError) -> bool:
    """Whether nothing says that it was not done."""
    if isinstance(error, ApiError):
        return error.status >= 500 or error.reason == "NONCE_REUSED"
    return isinstance(error, (TransportError, UnexpectedAnswerError))


def _has_moved(advance: ClockAdvance) -> bool:
    moved = (advance.now - advance.from_).total_seconds()
    return advance.started + advance.expired > 0 or moved > _MOVE_LEAST


def _sum(first: ClockAdvance, second: ClockAdvance) -> ClockAdvance:
    counts = {"started": first.started + second.started, "expired": first.expired + second.expired}
    return read(ClockAdvance, {**second.raw, **counts, "from": first.raw["from"], "to": first.raw["to"]}, 200)
