import os
import socket
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from signed_wallet_client import Client, TransportError, UnexpectedAnswerError, UsageError
from signed_wallet_client._pool import ANSWER_BYTES_MAX

from .scene import AGAIN, ORDER, SECRET, TRANSFER, Scene

BALANCE = {"balance": "1"}


class Connections(Scene):
    def test_are_kept_and_used_again(self):
        self.server.answer(lambda response, *_: response.succeed(BALANCE))
        client = self.client()
        for _ in range(20):
            client.wallet.balance("wa_1")
        self.assertEqual(self.server.connections, 1)

    def test_are_no_more_than_the_pool_has_whatever_threads_ask(self):
        lock = threading.Lock()
        at_once = [0, 0]

        def script(response, *_):
            with lock:
                at_once[0] += 1
                at_once[1] = max(at_once)
            time.sleep(0.005)
            with lock:
                at_once[0] -= 1
            response.succeed(BALANCE)

        self.server.answer(script)
        client = self.client(pool_size=3)
        with ThreadPoolExecutor(16) as threads:
            balances = list(threads.map(lambda _: client.wallet.balance("wa_1").balance, range(100)))
        self.assertEqual(len(balances), 100)
        self.assertLessEqual(self.server.connections, 3)
        self.assertLessEqual(at_once[1], 3)
        self.assertEqual(self.repetitions, [])

    def test_each_thread_gets_its_own_answer(self):
        def script(response, index, request):
            time.sleep(0.001 * (index % 5))
            response.succeed({"walletId": request.url.split("/")[-2], "balance": "1"})

        self.server.answer(script)
        client = self.client(pool_size=4)
        ids = [f"wa_{number}" for number in range(200)]
        with ThreadPoolExecutor(16) as threads:
            self.assertEqual(list(threads.map(lambda id: client.wallet.balance(id).wallet_id, ids)), ids)

    def test_who_finds_none_free_waits_no_longer_than_a_try_may_take(self):
        ended = threading.Event()
        self.addCleanup(ended.set)

        def script(response, *_):
            ended.wait(10)
            response.succeed(BALANCE)

        self.server.answer(script)
        client = self.client(pool_size=1, timeout=0.3, attempts_max=1)
        with ThreadPoolExecutor(2) as threads:
            calls = [threads.submit(client.wallet.balance, "wa_1") for _ in range(2)]
            for call in calls:
                with self.assertRaises(TransportError) as caught:
                    call.result()
                self.assertTrue(caught.exception.is_timeout)

    def test_that_the_server_closed_meanwhile_are_renewed_without_a_repetition(self):
        def script(response, index, request):
            response.succeed(ORDER)
            if index == 0:
                response.destroy()

        self.server.answer(script)
        client = self.client()
        client.transfer.create(**TRANSFER)
        time.sleep(0.05)
        client.transfer.create(**TRANSFER)
        self.assertEqual((self.server.connections, len(self.server.received)), (2, 2))
        self.assertEqual(self.repetitions, [])

    def test_that_are_kept_are_not_used_for_what_may_not_be_repeated(self):
        self.server.answer(lambda response, *_: response.succeed({"eventId": "ev_1", "balance": "1"}))
        client = self.client(pool_size=1)
        client.wallet.balance("wa_1")
        client.webhook.test("wh_1")
        self.assertEqual(self.server.connections, 2)
        # Of the new one it is used again.
        client.wallet.balance("wa_1")
        self.assertEqual(self.server.connections, 2)

    def test_that_break_in_the_middle_are_not_used_again(self):
        def script(response, index, request):
            if index == 0:
                response.raw(200, b'{"half":', {"Content-Length": "1000"})
                response.destroy()
            else:
                response.succeed(ORDER)

        self.server.answer(script)
        self.client().transfer.create(**TRANSFER)
        bodies = {request.body for request in self.server.received}
        self.assertEqual((len(self.server.received), len(bodies), self.server.connections), (2, 1, 2))

    def test_the_last_answer_on_one_is_read_whole(self):
        self.server.answer(lambda response, *_: response.succeed(BALANCE, {"Connection": "close"}))
        client = self.client()
        for _ in range(2):
            self.assertEqual(str(client.wallet.balance("wa_1").balance), "1")
        self.assertEqual(self.server.connections, 2)

    def test_are_not_kept_for_longer_than_the_server_says(self):
        self.server.answer(lambda response, *_: response.succeed(BALANCE, {"Keep-Alive": "timeout=1"}))
        client = self.client()
        for _ in range(2):
            client.wallet.balance("wa_1")
        self.assertEqual(self.server.connections, 2)

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork")
    def test_are_not_shared_with_a_child(self):
        self.server.answer(lambda response, *_: response.succeed(BALANCE))
        client = self.client()
        client.wallet.balance("wa_1")
        child = os.fork()
        if child == 0:
            # It must not run the rest of the tests.
            try:
                client.wallet.balance("wa_1")
                os._exit(0)
            finally:
                os._exit(1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        client.wallet.balance("wa_1")
        self.assertEqual((len(self.server.received), self.server.connections), (3, 2))

    def test_are_closed_with_the_client(self):
        self.server.answer(lambda response, *_: response.succeed(BALANCE))
        with Client(base_url=self.server.base_url, api_key="ak_1", api_secret=SECRET) as client:
            client.wallet.balance("wa_1")
        with self.assertRaisesRegex(UsageError, "closed"):
            client.wallet.balance("wa_1")
        self.assertEqual(len(self.server.received), 1)

    def test_that_cannot_be_made_are_told_after_all_tries(self):
        free = socket.create_server(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        with self.assertRaises(TransportError) as caught:
            self.client(base_url=f"http://127.0.0.1:{port}", attempts_max=3).wallet.get("wa_1")
        self.assertFalse(caught.exception.is_timeout)
        self.assertEqual([each.attempt for each in self.repetitions], [1, 2])


class Answers(Scene):
    def test_that_drip_end_with_the_try(self):
        left = threading.Event()
        self.addCleanup(left.set)

        def script(response, *_):
            response.raw(200, b"", {"Content-Length": "1000000"})
            while not left.wait(0.05):
                response._handler.wfile.write(b"x")

        self.server.answer(script)
        with self.assertRaises(TransportError) as caught:
            self.client(timeout=0.3, attempts_max=1).wallet.get("wa_1")
        self.assertTrue(caught.exception.is_timeout)
        self.assertEqual(str(caught.exception), "GET /api/v1/wallets/wa_1: no whole answer within 0.3 s")

    def test_without_an_end_are_read_no_further_than_a_limit(self):
        self.server.answer(lambda response, *_: response.raw(200, b"x" * (ANSWER_BYTES_MAX + 1_000_000)))
        with self.assertRaisesRegex(UnexpectedAnswerError, "more than 4194304 bytes") as caught:
            self.client(attempts_max=1).wallet.get("wa_1")
        self.assertEqual(caught.exception.received, "x" * 500)

    def test_in_chunks_are_read_whole(self):
        def script(response, index, *_):
            handler = response._handler
            handler.send_response_only(200)
            handler.send_header("Transfer-Encoding", "chunked")
            handler.end_headers()
            body = b'{"timestamp":1,"success":true,"code":"2000","message":"","data":{"balance":"1"}}'
            for piece in (body[:10], body[10:]):
                handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            if index == 0:
                return response.destroy()
            handler.wfile.write(b"0\r\n\r\n")

        self.server.answer(script)
        self.client().wallet.balance("wa_1")
        self.assertEqual(len(self.repetitions), 1)

    def test_to_what_is_still_being_sent_are_read(self):
        refusing = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(refusing.close)

        def refuse():
            taken, _ = refusing.accept()
            with taken:
                taken.recv(1000)
                body = b'{"timestamp":1,"success":false,"code":"RQ4131","message":"","data":null}'
                taken.sendall(b"HTTP/1.1 413 X\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
                taken.shutdown(socket.SHUT_RDWR)

        threading.Thread(target=refuse, daemon=True).start()
        port = refusing.getsockname()[1]
        with self.assertRaisesRegex(Exception, "413 RQ4131"):
            self.client(base_url=f"http://127.0.0.1:{port}").request("POST", "/api/v1/x", body={"a": "x" * 5_000_000})

    def test_that_lead_elsewhere_are_not_followed(self):
        self.server.answer(lambda response, *_: response.raw(302, b"there", {"Location": "/elsewhere"}))
        with self.assertRaisesRegex(UnexpectedAnswerError, "HTTP 302 with what is no envelope"):
            self.client().wallet.get("wa_1")
        self.assertEqual(len(self.server.received), 1)

    def test_that_are_no_envelopes_are_told(self):
        envelope = b'{"timestamp":1,"success":true,"code":"","message":"","data":%s}'
        cases = [
            (200, b'{"hello":"world"}'),
            (204, b""),
            (500, envelope % b"1"),
            (200, envelope % b"NaN"),
            (200, envelope % (b"[" * 100_000)),
            (200, envelope.replace(b":1", b":true", 1) % b"1"),
            (200, b"\xff\xfe"),
            (401, envelope.replace(b":1", b":1e400", 1).replace(b"true", b"false") % b"null"),
            (401, envelope.replace(b":1", b":1" + b"0" * 400, 1).replace(b"true", b"false") % b"null"),
        ]
        for status, body in cases:
            with self.subTest(body=body[:40]), self.assertRaises(UnexpectedAnswerError):
                self.server.answer(lambda response, *_: response.raw(status, body))
                self.client().wallet.get("wa_1")


class Repetition(Scene):
    def test_ends_where_the_caller_ends_it(self):
        self.server.answer(lambda response, *_: response.refuse(503, "SY5031", AGAIN))

        def end(_):
            raise KeyboardInterrupt

        client = self.client(on_retry=end)
        with self.assertRaises(KeyboardInterrupt):
            client.wallet.get("wa_1")
        self.assertEqual(len(self.server.received), 1)
