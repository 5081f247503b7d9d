"""What a client is made with."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from typing import Any, Callable, Optional
from urllib.parse import urlsplit

from ._check import check_callable, check_count, check_header_text, check_seconds, check_text
from ._errors import ClientError, UsageError
from ._pool import PORTS, Origin

_TIMEOUT_LEAST, _TIMEOUT_MOST = 0.001, 600.0
_ATTEMPTS_MOST = 100
_POOL_SIZE_MOST = 1_000
_NO_ADDRESS = "base_url must be an address such as https://api.example.com."


@dataclass(frozen=True)
class Repetition:
    """A request that is about to be sent again."""

    method: str
    path: str
    #: 1 for the first.
    attempt: int
    #: In seconds.
    wait: float
    error: ClientError


OnRetry = Callable[[Repetition], Any]


@dataclass(frozen=True)
class Settings:
    origin: Origin
    api_key: str
    locale: Optional[str]
    timeout: float
    attempts_max: int
    pool_size: int
    ssl_context: Optional[ssl.SSLContext]
    on_retry: OnRetry


def read_settings(
    *,
    base_url: str,
    api_key: str,
    locale: Optional[str],
    timeout: float,
    attempts_max: int,
    pool_size: int,
    ssl_context: Optional[ssl.SSLContext],
    on_retry: Optional[OnRetry],
) -> Settings:
    """Raises UsageError with a sentence for the first that is not of its form."""
    origin = _origin(base_url)
    check_header_text("api_key", api_key)
    if locale is not None:
        check_header_text("locale", locale)
    check_callable("on_retry", on_retry)
    return Settings(
        origin=origin,
        api_key=api_key,
        locale=locale,
        timeout=check_seconds("timeout", timeout, _TIMEOUT_LEAST, _TIMEOUT_MOST),
        attempts_max=check_count("attempts_max", attempts_max, 1, _ATTEMPTS_MOST),
        pool_size=check_count("pool_size", pool_size, 1, _POOL_SIZE_MOST),
        ssl_context=_context(origin, ssl_context),
        on_retry=on_retry or (lambda repetition: None),
    )


def _context(origin: Origin, given: Optional[ssl.SSLContext]) -> Optional[ssl.SSLContext]:
    if given is None:
        context = ssl.create_default_context()
        context.minimum_version = ssl.TLSVersion.TLSv1_2
    else:
        if not isinstance(given, ssl.SSLContext):
            raise UsageError("ssl_context must be an ssl.SSLContext.")
        if given.verify_mode != ssl.CERT_REQUIRED or not given.check_hostname:
            raise UsageError("ssl_context must verify the certificate and the host's name: add your own authority to it.")
        context = given
    return context if origin.scheme == "https" else None


def _origin(base_url: str) -> Origin:
    check_text("base_url", base_url)
    try:
        url = urlsplit(base_url)
        port = url.port
    except ValueError as error:
        raise UsageError(_NO_ADDRESS) from error
    if url.scheme not in PORTS or not url.hostname or not base_url.isprintable() or " " in base_url:
        raise UsageError(_NO_ADDRESS)
    if url.username is not None or url.password is not None:
        raise UsageError("base_url must not hold a user or password.")
    if url.path not in ("", "/") or "?" in base_url or "#" in base_url:
        raise UsageError(
            "base_url must end after the host and port: the service signs the path from its first character."
        )
    return Origin(url.scheme, url.hostname, PORTS[url.scheme] if port is None else port)
