"""Receives webhooks at WEBHOOK_URL, verifies them with WEBHOOK_SECRET, and prints each event once."""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Set
from urllib.parse import urlsplit

from signed_wallet_client import WebhookError, verify_webhook

BODY_BYTES_MAX = 64 * 1024
url = urlsplit(os.environ["WEBHOOK_URL"])
secret = os.environ["WEBHOOK_SECRET"]
# For trying out. A real receiver keeps them where it keeps what it does for an event.
seen: Set[str] = set()


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self) -> None:
        """Answers the status: of 2xx the service knows that the event need not be sent again."""
        self.send_response_only(self.receive())
        self.send_header("Content-Length", "0")
        self.end_headers()

    def receive(self) -> int:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > BODY_BYTES_MAX:
            return 400
        try:
            event = verify_webhook(body=self.rfile.read(int(length)), headers=self.headers, secret=secret)
        except WebhookError as error:
            print(error, file=sys.stderr)
            return 400
        if event.id not in seen:
            print(event.type, event.id, json.dumps(event.data), flush=True)
        seen.add(event.id)
        return 204


server = ThreadingHTTPServer((url.hostname or "127.0.0.1", url.port or 80), Receiver)
print(f"Waiting for events at {os.environ['WEBHOOK_URL']}", flush=True)
server.serve_forever()
