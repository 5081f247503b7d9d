"""Signatures of requests. Source: docs/contract.md, "Signature"."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import NamedTuple, Union


class Signed(NamedTuple):
    canonical_message: str
    #: The value of X-Signature.
    signature: str


class Signer:
    """Signs with a secret that cannot be read out of it again."""

    def __init__(self, secret: str) -> None:
        self._mac = hmac.new(secret.encode("utf-8"), digestmod=hashlib.sha256)

    def sign(self, method: str, path: str, timestamp: str, nonce: str, body: bytes) -> Signed:
        body_hash = hashlib.sha256(body).hexdigest()
        message = "\n".join([method.upper(), path.split("?", 1)[0], timestamp, nonce, body_hash])
        mac = self._mac.copy()
        mac.update(message.encode("utf-8"))
        return Signed(message, base64.b64encode(mac.digest()).decode("ascii"))


def sign(
    *, method: str, path: str, timestamp: str, nonce: str, secret: str, body: Union[str, bytes] = b""
) -> Signed:
    """
    Signs one request: Base64(HMAC-SHA256(method, path, timestamp, nonce, SHA-256 of the body, joined by a newline)).

    method: in any case; it is signed in upper case.
    path: as sent; a query string behind it is not signed.
    timestamp: Unix time in seconds, as the X-Timestamp header has it.
    body: exactly the bytes sent; a text's are those of UTF-8.
    """
    return Signer(secret).sign(method, path, timestamp, nonce, body.encode("utf-8") if isinstance(body, str) else body)
