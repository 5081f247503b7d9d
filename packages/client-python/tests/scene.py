"""What the tests of calls share: a server, and clients of it whose pauses are no longer than they have to be."""

import unittest
from unittest import mock

from signed_wallet_client import Client, _repeat

from .server import Server

SECRET = "the-secret-of-the-tests"
TRANSFER = {"source_wallet_id": "wa_1", "target_wallet_id": "wa_2", "amount": "1.10", "currency": "USD"}
ORDER = {"transferId": "tr_1", "bizId": "b", "status": "COMPLETED", "amount": "1.10", "failure": None}
AGAIN = {"Retry-After": "0"}


class Scene(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.close)
        self.repetitions = []
        chance = mock.patch.object(_repeat.random, "random", lambda: 0.0)
        chance.start()
        self.addCleanup(chance.stop)

    def client(self, **options):
        given = {"base_url": self.server.base_url, "api_key": "ak_1", "api_secret": SECRET}
        client = Client(**{**given, "on_retry": self.repetitions.append, **options})
        self.addCleanup(client.close)
        return client
