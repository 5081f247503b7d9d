"""Connections to one host: kept, counted, and never shared by two requests."""

from __future__ import annotations

import http.client
import io
import os
import re
import select
import socket
import ssl
import threading
import time
import weakref
from collections import deque
from collections.abc import Mapping
from email.message import Message
from typing import Any, NamedTuple, Optional

from ._errors import UsageError

PORTS = {"http": 80, "https": 443}
ANSWER_BYTES_MAX = 4 * 1024 * 1024
_READ_BYTES = 64 * 1024
# A server that does not tell how long it keeps a connection may close it after 5 s, as Node does by itself.
_KEPT_SECONDS = 4.0
_KEPT_SECONDS_MAX = 60.0
_KEEP_ALIVE = re.compile(r"timeout=([0-9]{1,6})")


class Origin(NamedTuple):
    scheme: str
    host: str
    port: int


class Received(NamedTuple):
    status: int
    headers: Message
    body: bytes
    #: Whether there is more of the body than is read.
    is_cut: bool


class Pool:
    """At most `size` connections at a time, whatever threads ask; who finds none free waits for one, until its deadline."""

    def __init__(self, origin: Origin, size: int, context: Optional[ssl.SSLContext]) -> None:
        self._origin, self._size, self._context = origin, size, context
        self._is_closed = False
        self._idle: deque[_Connection] = deque()
        self.forget()
        _pools.add(self)

    def forget(self) -> None:
        """After a fork the connections are the parent's: on a shared one, answers would go to either. """
        self._slots = threading.BoundedSemaphore(self._size)
        # Closed here, they stay open there.
        while self._idle:
            self._idle.pop().close()

    def exchange(
        self, method: str, target: str, body: Optional[bytes], headers: Mapping[str, str], *, deadline: float, is_fresh: bool
    ) -> Received:
        """
        Sends one request, once, and reads its answer. Raises socket.timeout at the deadline, of time.monotonic(); OSError or
        HTTPException where the connection fails.

        is_fresh: only over a new connection. A kept one may have been closed by the server meanwhile, and then nobody knows
        whether the request was read.
        """
        slots = self._slots
        if not slots.acquire(timeout=max(0.0, deadline - time.monotonic())):
            raise socket.timeout("no connection was free")
        try:
            connection = self._taken(deadline, is_fresh)
            try:
                received = connection.exchange(method, target, body, headers)
            except BaseException:
                connection.close()
                raise
            self._give_back(connection)
            return received
        finally:
            slots.release()

    def close(self) -> None:
        self._is_closed = True
        while self._idle:
            self._idle.pop().close()

    def _taken(self, deadline: float, is_fresh: bool) -> _Connection:
        if self._is_closed:
            raise UsageError("The client is closed.")
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return _Connection(self._origin, self._context, deadline)
            if not is_fresh and connection.is_usable():
                connection.sock.deadline = deadline
                return connection
            connection.close()
            if is_fresh:
                return _Connection(self._origin, self._context, deadline)

    def _give_back(self, connection: _Connection) -> None:
        if connection.kept_until <= time.monotonic():
            connection.close()
            return
        self._idle.append(connection)
        if self._is_closed:
            self.close()


_pools: weakref.WeakSet[Pool] = weakref.WeakSet()


def _forget_all() -> None:
    for pool in list(_pools):
        pool.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


class _Connection(http.client.HTTPConnection):
    sock: _TimedSocket
    # What is broken stays so: HTTPConnection would connect again by itself, without TLS.
    auto_open = 0

    def __init__(self, origin: Origin, context: Optional[ssl.SSLContext], deadline: float) -> None:
        super().__init__(origin.host, origin.port)
        # Of its own, Host would name https's port.
        self._host = _host_header(origin)
        self.kept_until = 0.0
        self.sock = _TimedSocket(_connected(origin, deadline), deadline)
        try:
            if context is not None:
                self.sock.encrypt(context, origin.host)
        except BaseException:
            self.close()
            raise

    def exchange(self, method: str, target: str, body: Optional[bytes], headers: Mapping[str, str]) -> Received:
        self.kept_until = 0.0
        try:
            self.request(method, target, body, {"Host": self._host, **headers})
        except (BrokenPipeError, ConnectionResetError):
            # Who refuses a large body answers before it is sent, and reads no more of it.
            response = self.getresponse()
        else:
            response = self.getresponse()
        with response:
            read = bytearray()
            while len(read) <= ANSWER_BYTES_MAX:
                piece = response.read(_READ_BYTES)
                if not piece:
                    break
                read += piece
            is_cut = len(read) > ANSWER_BYTES_MAX
            if response.length and not is_cut:
                raise http.client.IncompleteRead(bytes(), response.length)
            if not is_cut and not response.will_close:
                self.kept_until = time.monotonic() + _kept_seconds(response.headers)
            return Received(response.status, response.headers, bytes(read), is_cut)

    def is_usable(self) -> bool:
        """Whether it is not known to be closed. What can be read before anything was asked is its end, or not for us."""
        return time.monotonic() < self.kept_until and not self.sock.is_readable()


def _host_header(origin: Origin) -> str:
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    return host if origin.port == PORTS[origin.scheme] else f"{host}:{origin.port}"


def _kept_seconds(headers: Message) -> float:
    told = _KEEP_ALIVE.search(headers.get("Keep-Alive", ""))
    return min(float(told[1]) - 1.0, _KEPT_SECONDS_MAX) if told else _KEPT_SECONDS


def _connected(origin: Origin, deadline: float) -> socket.socket:
    """Tries the host's addresses in turn; one that is silent leaves time for the others."""
    addresses = socket.getaddrinfo(origin.host, origin.port, type=socket.SOCK_STREAM)
    failure: OSError = OSError("the host has no address")
    for index, (family, kind, protocol, _, address) in enumerate(addresses):
        connected = socket.socket(family, kind, protocol)
        try:
            connected.settimeout(_left(deadline) / (len(addresses) - index))
            connected.connect(address)
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connected
        except OSError as error:
            connected.close()
            failure = error
        except BaseException:
            connected.close()
            raise
    raise failure


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise socket.timeout("timed out")
    return left


class _TimedSocket:
    """A socket whose operations together end at the deadline, however often a byte of them comes."""

    def __init__(self, plain: socket.socket, deadline: float) -> None:
        self._socket = plain
        self.deadline = deadline
        self._readers = 0
        self._is_closed = False

    def encrypt(self, context: ssl.SSLContext, host: str) -> None:
        self._socket.settimeout(_left(self.deadline))
        self._socket = context.wrap_socket(self._socket, server_hostname=host)

    def sendall(self, data: Any) -> None:
        rest = memoryview(data)
        while rest:
            self._socket.settimeout(_left(self.deadline))
            rest = rest[self._socket.send(rest) :]

    def recv_into(self, buffer: Any) -> int:
        self._socket.settimeout(_left(self.deadline))
        return self._socket.recv_into(buffer)

    def makefile(self, mode: str) -> io.BufferedReader:
        self._readers += 1
        return io.BufferedReader(_Reader(self), _READ_BYTES)

    def is_readable(self) -> bool:
        if isinstance(self._socket, ssl.SSLSocket) and self._socket.pending():
            return True
        if hasattr(select, "poll"):
            poll = select.poll()
            poll.register(self._socket, select.POLLIN)
            return bool(poll.poll(0))
        return bool(select.select([self._socket], [], [], 0)[0])

    def close(self) -> None:
        """HTTPConnection closes it once an answer's head says that it is the last; the body is still to be read then."""
        self._is_closed = True
        if not self._readers:
            self._socket.close()

    def reader_closed(self) -> None:
        self._readers -= 1
        if self._is_closed:
            self.close()


class _Reader(io.RawIOBase):
    def __init__(self, timed: _TimedSocket) -> None:
        self._timed = timed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._timed.recv_into(buffer)

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._timed.reader_closed()
