import base64
import json
import unittest
from pathlib import Path

from signed_wallet_client import sign

from .scene import SECRET, Scene

VECTORS = Path(__file__).parents[3] / "docs" / "signing-vectors.json"


class Signing(unittest.TestCase):
    def test_agrees_with_every_vector_also_those_with_a_query(self):
        vectors = json.loads(VECTORS.read_text("utf-8"))
        self.assertGreater(len(vectors), 50)
        self.assertTrue(any("?" in vector["target"] for vector in vectors))
        for vector in vectors:
            with self.subTest(vector["name"]):
                signed = sign(
                    method=vector["givenMethod"],
                    path=vector["target"],
                    timestamp=vector["timestamp"],
                    nonce=vector["nonce"],
                    body=base64.b64decode(vector["bodyBase64"]),
                    secret=vector["secret"],
                )
                self.assertEqual(signed, (vector["canonicalMessage"], vector["signature"]))


class Requests(Scene):
    def test_are_signed_as_they_are_sent_without_their_query(self):
        self.server.answer(lambda response, *_: response.succeed({"items": [], "nextCursor": None}))
        list(self.client(locale="de-DE").transfer.list(status="FAILED", from_="2026-01-01T00:00:00+01:00", reference="a b&c"))
        (request,) = self.server.received
        self.assertEqual(
            request.url,
            "/api/v1/transfer/query/orders?status=FAILED&reference=a+b%26c&from=2026-01-01T00%3A00%3A00%2B01%3A00&size=100",
        )
        headers = request.headers
        right = sign(
            method="GET",
            path=request.url,
            timestamp=headers["X-Timestamp"],
            nonce=headers["X-Nonce"],
            secret=SECRET,
        )
        self.assertEqual(headers["X-Signature"], right.signature)
        self.assertEqual((headers["X-Api-Key"], headers["X-Locale"]), ("ak_1", "de-DE"))
