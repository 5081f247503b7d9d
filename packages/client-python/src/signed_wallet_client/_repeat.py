"""When a request is sent again, and how long before that."""

from __future__ import annotations

import random
from typing import Optional

from ._errors import ApiError, ClientError, TransportError, UnexpectedAnswerError

_BACKOFF_BASE = 0.25
_BACKOFF_MAX = 8.0
# Who is asked to wait longer is told so, instead of standing still.
_RETRY_AFTER_MAX = 60.0
# Answers of what stands before the service, or of the service, that a later try may not get.
_PASSING = frozenset([429, 502, 503, 504])


def pause_before(error: ClientError, attempt: int, is_repeatable: bool) -> Optional[float]:
    """
    How many seconds to wait before a request is sent again: the server's Retry-After, and full jitter on a doubling time above
    it, so that those who failed together do not come back together. None where a repetition would not help, or may do a thing
    twice. Source: Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.

    attempt: 1 after the first try.
    is_repeatable: whether doing it twice is as good as once; if not, only what surely was not done is repeated.
    """
    if not _is_passing(error, is_repeatable):
        return None
    retry_after = getattr(error, "retry_after", None) or 0.0
    if retry_after > _RETRY_AFTER_MAX:
        return None
    return retry_after + random.random() * min(_BACKOFF_MAX, _BACKOFF_BASE * 2.0**attempt)


def _is_passing(error: ClientError, is_repeatable: bool) -> bool:
    if isinstance(error, ApiError) and error.status == 429:
        return True
    if not is_repeatable:
        return False
    if isinstance(error, TransportError):
        return True
    # A proxy may send the same bytes twice: a new nonce mends that.
    if isinstance(error, ApiError) and error.reason == "NONCE_REUSED":
        return True
    return isinstance(error, (ApiError, UnexpectedAnswerError)) and error.status in _PASSING
