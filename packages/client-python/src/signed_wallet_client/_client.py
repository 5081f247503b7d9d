"""The client of one API key."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Optional

from ._check import check_secret
from ._connection import Connection
from ._exchange import Answer
from ._resource import read
from ._resources import Key
from ._settings import OnRetry, read_settings
from ._sign import Signer
from ._testing import Testing
from ._transfers import Transfers
from ._wallets import Wallets
from ._webhooks import Webhooks


class Client:
    """
    A client of one API key, for any number of threads. Each call is signed anew at each try, and sent again after 429, 502, 503,
    504, a time-out or a broken connection if that is safe. Nothing is logged, and the secret cannot be read out of the client.
    `with` it, or `close` it: it keeps connections.

    base_url: scheme, host and port, such as https://api.example.com: the signature covers the path from its first character.
    api_key: the key's public identifier.
    locale: language of the sentences in errors, such as en-US. Symbols, if not said.
    timeout: seconds for one try, from its start to the end of its answer; longer than the service takes at most.
    attempts_max: tries of a request in all; 1 repeats nothing.
    pool_size: connections at most; a call that finds none free waits for one, within its time-out.
    ssl_context: with an authority of your own; it has to verify. The system's authorities, if not said.
    on_retry: told of each repetition before its wait.

    Raises UsageError at once where one of these is not of its form.
    """

    wallet: Wallets
    transfer: Transfers
    webhook: Webhooks
    #: Of test workspaces alone.
    test: Testing

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        api_secret: str,
        locale: Optional[str] = None,
        timeout: float = 20.0,
        attempts_max: int = 8,
        pool_size: int = 10,
        ssl_context: Optional[ssl.SSLContext] = None,
        on_retry: Optional[OnRetry] = None,
    ) -> None:
        settings = read_settings(
            base_url=base_url,
            api_key=api_key,
            locale=locale,
            timeout=timeout,
            attempts_max=attempts_max,
            pool_size=pool_size,
            ssl_context=ssl_context,
            on_retry=on_retry,
        )
        self._connection = Connection(settings, Signer(check_secret("api_secret", api_secret)))
        self._name = f"Client(base_url={base_url!r}, api_key={api_key!r})"
        self.wallet = Wallets(self._connection)
        self.transfer = Transfers(self._connection)
        self.webhook = Webhooks(self._connection)
        self.test = Testing(self._connection)

    def key(self) -> Key:
        """The key that signs: its workspace and scopes, what is left of its rate, and the currencies. Any scope."""
        sent = self._connection.send("GET", "/api/v1/key")
        return read(Key, sent.data, sent.status)

    def request(
        self,
        method: str,
        path: str,
        *,
        path_values: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        is_repeatable: Optional[bool] = None,
    ) -> Answer:
        """
        Any endpoint, such as request("GET", "/api/v1/wallets/{id}", path_values={"id": id}); in the names of the wire.

        path_values: values of the path's variable parts, by name: ids.
        query: those that are None are left out.
        body: sent as JSON; a Decimal as a plain decimal text, a datetime with a zone as ISO 8601.
        is_repeatable: whether doing it twice is as good as once, so that it is sent again though it may have been done. True
            for GET alone, if not said.
        """
        return self._connection.send(
            method, path, path=path_values, query=query, body=body, headers=headers, is_repeatable=is_repeatable
        )

    def close(self) -> None:
        """Closes what is kept open; calls under way end as they would. A call after it is a UsageError."""
        self._connection.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return self._name
