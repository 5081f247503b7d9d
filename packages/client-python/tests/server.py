"""A server that plays a script to the client."""

import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Response:
    def __init__(self, handler):
        self._handler = handler

    def raw(self, status, body=b"", headers=None):
        self._handler.send_response_only(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self._handler.send_header(name, value)
        self._handler.end_headers()
        self._handler.wfile.write(body)

    def succeed(self, data, headers=None):
        told = {"version": "1.0", "timestamp": now_ms(), "success": True, "code": "2000", "message": "SUCCESS"}
        self.raw(200, json.dumps({**told, "data": data}).encode(), headers)

    def refuse(self, status, code, headers=None, timestamp=None, **details):
        at = now_ms() if timestamp is None else timestamp
        told = {"version": "1.0", "timestamp": at, "success": False, "code": code, "message": "NO", "data": None}
        told["error"] = {"reason": None, "field": None, "value": None, "fields": [], **details}
        self.raw(status, json.dumps(told).encode(), headers)

    def destroy(self):
        """Closes the connection, whatever was answered on it."""
        self._handler.close_connection = True
        self._handler.connection.shutdown(socket.SHUT_RDWR)


class Request:
    def __init__(self, handler, body):
        self.method = handler.command
        self.url = handler.path
        self.headers = handler.headers
        self.body = body

    def json(self):
        return json.loads(self.body)


class Server:
    def __init__(self):
        self.received = []
        self.connections = 0
        self.script = None
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def setup(self):
                super().setup()
                outer.connections += 1

            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                request = Request(self, body)
                outer.received.append(request)
                outer.script(Response(self), len(outer.received) - 1, request)

            do_POST = do_GET

            def log_message(self, *args):
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, client_address):
                pass

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.base_url = "http://127.0.0.1:%d" % self._server.server_address[1]

    def answer(self, script):
        """From now on; what was received is forgotten."""
        self.script = script
        self.received = []
        self.connections = 0

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def now_ms():
    return int(time.time() * 1000)
