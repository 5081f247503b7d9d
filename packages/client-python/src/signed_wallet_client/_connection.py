"""Requests of one key: signed at each try, and sent again where that makes sense."""

from __future__ import annotations

import math
import re
import time
import uuid
from collections.abc import Mapping
from typing import Any, Optional
from urllib.parse import urlencode

from ._check import check_header_text
from ._errors import ApiError, ClientError, UsageError
from ._exchange import Answer, Outgoing, exchange
from ._pool import Pool
from ._repeat import pause_before
from ._settings import Repetition, Settings
from ._sign import Signer
from ._values import query_text, to_json

# Clocks that differ by less are not why a timestamp was refused.
_SKEW_LEAST_MS = 5_000
# Nothing proves who answered: a request that is signed for a later time could be kept, and sent then.
_SKEW_MOST_MS = 5 * 60_000
_AGENT = "signed-wallet-client-python/1.0.0"
_PATH = re.compile(r"/(?!/)[A-Za-z0-9._~!$&'()*+,;=:@%/{}-]*")
_PART = re.compile(r"\{(\w+)\}")
# Ids are of URL-safe characters. What is not would be another path than the one meant.
_ID = re.compile(r"(?!\.+\Z)[A-Za-z0-9._-]{1,64}")
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
# What the service waits at most, in seconds.
WAIT_MOST = 10
# Between a try's time-out and the end of the wait that is asked for in it.
_ANSWER_MARGIN = 5.0


class Connection:
    """What its requests learn of the server's clock is kept for those that follow. Safe to use from several threads."""

    def __init__(self, settings: Settings, signer: Signer) -> None:
        self._settings = settings
        self._signer = signer
        self._pool = Pool(settings.origin, settings.pool_size, settings.ssl_context)
        self._skew_ms = 0.0

    @property
    def settings(self) -> Settings:
        return self._settings

    def close(self) -> None:
        self._pool.close()

    def send(
        self,
        method: str,
        template: str,
        *,
        path: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        is_repeatable: Optional[bool] = None,
        until: float = math.inf,
        timeout_least: float = 0.0,
    ) -> Answer:
        """
        Gives the data of its success.

        path: values of the template's variable parts.
        query: those that are None are left out.
        is_repeatable: whether doing it twice is as good as once, so that it is sent again though it may have been done.
            True for GET alone, if not said.
        until: by time.monotonic(); after it, no further try is begun.
        timeout_least: a try may take as long, though the settings say less.
        """
        if not isinstance(method, str) or not _TOKEN.fullmatch(method):
            raise UsageError("method must be a word such as GET.")
        filled = _filled(template, path or {})
        asked = _query(query or {})
        sent = None if body is None else to_json(body)
        own = _headers(headers or {})
        repeatable = method.upper() == "GET" if is_repeatable is None else is_repeatable
        timeout = max(self._settings.timeout, timeout_least)
        attempt = 0
        while True:
            attempt += 1
            signed_skew_ms = self._skew_ms
            try:
                outgoing = self._signed(method.upper(), filled, asked, own, sent)
                # What may not be done twice has no use for a connection that may be closed already.
                return exchange(self._pool, outgoing, timeout, is_fresh=not repeatable)
            except UsageError:
                raise
            except ClientError as error:
                wait = 0.0 if self._learns_skew(error, signed_skew_ms) else pause_before(error, attempt, repeatable)
                if wait is None or attempt >= self._settings.attempts_max or time.monotonic() + wait > until:
                    raise
                self._settings.on_retry(Repetition(method.upper(), filled, attempt, wait, error))
            time.sleep(wait)

    def _signed(
        self, method: str, path: str, query: str, own: Mapping[str, str], body: Optional[bytes]
    ) -> Outgoing:
        timestamp = str(math.floor((time.time() * 1000 + self._skew_ms) / 1000))
        nonce = str(uuid.uuid4())
        settings = self._settings
        headers = {
            "accept": "application/json",
            "user-agent": _AGENT,
            **({} if settings.locale is None else {"x-locale": settings.locale}),
            **({} if body is None else {"content-type": "application/json"}),
            **own,
            "x-api-key": settings.api_key,
            "x-timestamp": timestamp,
            "x-nonce": nonce,
            "x-signature": self._signer.sign(method, path, timestamp, nonce, body or b"").signature,
        }
        return Outgoing(method, path, query, headers, body)

    def _learns_skew(self, error: ClientError, signed_skew_ms: float) -> bool:
        """
        Whether the clock was why, and is now corrected. A call beside this one may have corrected it meanwhile.

        signed_skew_ms: what the refused try was signed with.
        """
        if not isinstance(error, ApiError) or error.reason != "TIMESTAMP_OFF":
            return False
        found = error.server_time_ms - time.time() * 1000
        if abs(found - signed_skew_ms) < _SKEW_LEAST_MS or abs(found) > _SKEW_MOST_MS:
            return False
        self._skew_ms = found
        return True


def wait_header(wait: float, timeout: float) -> dict[str, str]:
    """Asks the service to wait for the ends of orders, for less than a try may take, which is `timeout`."""
    longest = min(wait, timeout - _ANSWER_MARGIN, WAIT_MOST)
    return {} if longest < 1 else {"Prefer": f"wait={math.floor(longest)}"}


def _filled(template: str, values: Mapping[str, str]) -> str:
    if not isinstance(template, str) or not _PATH.fullmatch(template):
        raise UsageError(f'"{template}" is no path: it begins with one slash, and its query is an argument.')
    filled = _PART.sub(lambda part: check_id(part[1], values.get(part[1])), template)
    if "{" in filled or "}" in filled or any(part in (".", "..") for part in filled.split("/")):
        raise UsageError(f'"{template}" is no path: it has neither dots alone nor braces alone between slashes.')
    return filled


def check_id(name: str, value: Any) -> str:
    if isinstance(value, str) and _ID.fullmatch(value):
        return value
    raise UsageError(f'The path\'s {name} must be 1 to 64 letters, digits, ".", "_" or "-".')


def _query(values: Mapping[str, Any]) -> str:
    told = {name: query_text(name, value) for name, value in values.items() if value is not None}
    return f"?{urlencode(told)}" if told else ""


def _headers(given: Mapping[str, str]) -> dict[str, str]:
    for name, value in given.items():
        if not isinstance(name, str) or not _TOKEN.fullmatch(name):
            raise UsageError("The names of headers must be tokens.")
        check_header_text(f"The header {name}", value)
    return {name.lower(): value for name, value in given.items()}
