import inspect
import pickle
import ssl
import unittest
from datetime import datetime, timezone
from decimal import Decimal

import signed_wallet_client
from signed_wallet_client import (
    ApiError,
    Client,
    StillPendingError,
    TransferCancelledError,
    TransferFailedError,
    TransportError,
    UsageError,
)

from .scene import AGAIN, ORDER, SECRET, TRANSFER, Scene

GIVEN = {"base_url": "http://127.0.0.1:1", "api_key": "ak_1", "api_secret": SECRET}


class Clients(unittest.TestCase):
    def test_are_refused_at_once_with_a_sentence(self):
        lenient = ssl.create_default_context()
        lenient.check_hostname = False
        lenient.verify_mode = ssl.CERT_NONE
        cases = [
            ({"api_secret": ""}, "api_secret is required"),
            ({"api_secret": None}, "api_secret is required"),
            ({"api_key": "ak\n1"}, "api_key must be printable ASCII"),
            ({"locale": "dé"}, "locale must be printable ASCII"),
            ({"base_url": "here"}, "base_url must be an address"),
            ({"base_url": "ftp://here"}, "base_url must be an address"),
            ({"base_url": "http://here:port"}, "base_url must be an address"),
            ({"base_url": "http://here\n"}, "base_url must be an address"),
            ({"base_url": "http://here/api"}, "must end after the host and port"),
            ({"base_url": "http://here?"}, "must end after the host and port"),
            ({"base_url": "http://a:b@here"}, "must not hold a user or password"),
            ({"timeout": 0}, "timeout must be a number of seconds"),
            ({"timeout": float("nan")}, "timeout must be a number of seconds"),
            ({"attempts_max": 1.5}, "attempts_max must be a whole number"),
            ({"attempts_max": True}, "attempts_max must be a whole number"),
            ({"pool_size": 0}, "pool_size must be a whole number"),
            ({"on_retry": "x"}, "on_retry must be a function"),
            ({"ssl_context": lenient}, "ssl_context must verify"),
            ({"ssl_context": True}, "ssl_context must be an ssl.SSLContext"),
        ]
        for options, message in cases:
            with self.subTest(options), self.assertRaisesRegex(UsageError, message) as caught:
                Client(**{**GIVEN, **options})
            self.assertNotIn(SECRET, str(caught.exception))

    def test_show_no_secret(self):
        client = Client(**GIVEN)
        self.assertEqual(repr(client), "Client(base_url='http://127.0.0.1:1', api_key='ak_1')")
        self.assertFalse(list(secrets_in(client, set())))

    def test_have_all_that_the_package_names(self):
        self.assertEqual(sorted(signed_wallet_client.__all__), signed_wallet_client.__all__)
        for name in signed_wallet_client.__all__:
            self.assertTrue(hasattr(signed_wallet_client, name), name)


def secrets_in(value, seen):
    """Texts with the secret that can be read out of an object."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, (str, bytes)):
        if SECRET in str(value):
            yield value
        return
    members = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else []
    for member in [*members, *getattr(value, "__dict__", {}).values()]:
        yield from secrets_in(member, seen)


class Arguments(Scene):
    def setUp(self):
        super().setUp()
        self.server.answer(lambda response, *_: self.fail("nothing may be sent"))

    def test_that_are_wrong_are_refused_and_nothing_is_sent(self):
        client = self.client()
        wallet, transfer, webhook = client.wallet, client.transfer, client.webhook
        naive = datetime(2026, 1, 1)
        cases = [
            (lambda: transfer.create(**{**TRANSFER, "amount": 1.1}), "amount must be a Decimal, an int or a decimal text"),
            (lambda: transfer.create(**{**TRANSFER, "amount": None}), "amount must be a Decimal"),
            (lambda: transfer.create(**{**TRANSFER, "amount": "1e3"}), "without an exponent"),
            (lambda: transfer.create(**{**TRANSFER, "currency": None}), "currency is required"),
            (lambda: transfer.create(**TRANSFER, biz_id=""), "biz_id is required"),
            (lambda: transfer.create(**TRANSFER, execute_at=naive), "execute_at must have a zone"),
            (lambda: transfer.create(**TRANSFER, metadata={"a": float("nan")}), "cannot be written as JSON"),
            (lambda: transfer.preview(**{**TRANSFER, "amount": 1.1}), "amount must be"),
            (lambda: transfer.preview({"type": "NEW"}), "no type 'NEW'; there are TRANSFER, DEPOSIT"),
            (lambda: transfer.preview({"type": "JOURNAL"}), "legs is required"),
            (lambda: transfer.preview({"type": "HOLD", "legs": []}), 'A HOLD has no "legs"'),
            (lambda: transfer.journal(legs="all"), "legs must be a list"),
            (lambda: transfer.journal(legs=[{"amount": "1"}, {"amount": 1.1}]), r"legs\[1\].amount must be"),
            (lambda: transfer.capture(transfer_id="tr_1", amount=1.0), "amount must be"),
            (lambda: transfer.release(transfer_id=""), "transfer_id is required"),
            (lambda: transfer.cancel(""), "id is required"),
            (lambda: transfer.get("../keys"), "must be 1 to 64 letters"),
            (lambda: transfer.get(".."), "must be 1 to 64 letters"),
            (lambda: transfer.completed(None), "must be 1 to 64 letters"),
            (lambda: transfer.completed("tr_1", timeout=-1), "timeout must be a number of seconds"),
            (lambda: transfer.list(from_=naive), "from_ must have a zone"),
            (lambda: transfer.list_of_wallet("a/b"), "must be 1 to 64 letters"),
            (lambda: wallet.create(currency=""), "currency is required"),
            (lambda: wallet.create(currency="USD", reference=""), "reference is required"),
            (lambda: wallet.create(currency="USD", credit_limit=1.5), "credit_limit must be a Decimal"),
            (lambda: wallet.limit("wa_1", credit_limit=1.5), "credit_limit must be a Decimal"),
            (lambda: wallet.balance("wa_1", at=naive), "at must have a zone"),
            (lambda: wallet.statement("wa_1", from_=naive, to="x"), "from_ must have a zone"),
            (lambda: wallet.flows("wa_1", to=naive), "to must have a zone"),
            (lambda: webhook.create(url="", events=[]), "url is required"),
            (lambda: webhook.create(url="https://x", events="all"), "events must be a list"),
            (lambda: webhook.replay("wh_1"), "either event_id or since"),
            (lambda: webhook.replay("wh_1", since=naive), "since must have a zone"),
            (lambda: client.request("GET", "//elsewhere/api"), "is no path"),
            (lambda: client.request("GET", "/api?x=1"), "is no path"),
            (lambda: client.request("GET", "/api/../x"), "is no path"),
            (lambda: client.request("GET", "/api/x y"), "is no path"),
            (lambda: client.request("GET /x", "/api"), "method must be a word"),
            (lambda: client.request("POST", "/api", body="text"), "A body must be a mapping"),
            (lambda: client.request("GET", "/api", headers={"a\n": "b"}), "names of headers"),
            (lambda: client.request("GET", "/api", headers={"a": "b\r\nc: d"}), "must be printable ASCII"),
        ]
        for call, message in cases:
            with self.subTest(inspect.getsource(call) if len(cases) == 1 else message):
                self.assertRaisesRegex(UsageError, message, call)
        self.assertEqual(self.server.received, [])

    def test_that_a_call_has_not_are_pythons_own_errors(self):
        with self.assertRaises(TypeError):
            self.client().transfer.create(**TRANSFER, note="x")
        with self.assertRaises(TypeError):
            self.client().transfer.create("wa_1", "wa_2", "1", "USD")


class Orders(Scene):
    def test_are_made_by_each_command_with_a_biz_id_however_often_they_are_sent(self):
        commands = {
            "create": {**TRANSFER, "amount": Decimal("1.10"), "execute_at": datetime(2026, 2, 1, tzinfo=timezone.utc)},
            "deposit": {"target_wallet_id": "wa_1", "amount": 1, "currency": "USD"},
            "withdraw": {"source_wallet_id": "wa_1", "amount": "1", "currency": "USD"},
            "reverse": {"transfer_id": "tr_0"},
            "hold": {"source_wallet_id": "wa_1", "amount": "1", "currency": "USD", "metadata": {"my_key": "x"}},
            "capture": {"transfer_id": "tr_0", "amount": "1", "final": False},
            "release": {"transfer_id": "tr_0", "amount": "1"},
        }
        bodies = {}
        for command, arguments in commands.items():
            self.server.answer(
                lambda response, index, _: response.succeed(ORDER) if index else response.refuse(503, "SY5031", AGAIN)
            )
            order = getattr(self.client().transfer, command)(**arguments)
            first, second = self.server.received
            self.assertEqual((order.transfer_id, order.amount), ("tr_1", Decimal("1.10")))
            self.assertEqual((first.url, first.body), (f"/api/v1/transfer/command/{command}", second.body))
            bodies[command] = {name: value for name, value in first.json().items() if name != "bizId"}
            self.assertRegex(first.json()["bizId"], "^[0-9a-f-]{36}$")
        self.assertEqual(
            bodies["create"],
            {
                **{"sourceWalletId": "wa_1", "targetWalletId": "wa_2", "amount": "1.10", "currency": "USD"},
                "executeAt": "2026-02-01T00:00:00Z",
            },
        )
        self.assertEqual(bodies["capture"], {"transferId": "tr_0", "amount": "1", "final": False})
        self.assertEqual(bodies["hold"]["metadata"], {"my_key": "x"})

    def test_whose_create_is_in_vain_are_known_by_the_error(self):
        self.server.answer(lambda response, *_: response.destroy())
        with self.assertRaises(TransportError) as caught:
            self.client(attempts_max=2).transfer.create(**TRANSFER)
        self.assertEqual({request.json()["bizId"] for request in self.server.received}, {caught.exception.biz_id})

    def test_are_waited_for_until_their_end(self):
        ends = ["PENDING", "COMPLETED"]
        self.server.answer(lambda response, index, _: response.succeed({**ORDER, "status": ends[index]}))
        self.assertEqual(self.client().transfer.completed("tr_1").status, "COMPLETED")
        self.assertEqual([request.headers["Prefer"] for request in self.server.received], ["wait=10", "wait=10"])

    def test_that_fail_are_cancelled_or_take_too_long_are_errors_of_their_own(self):
        failure = {"code": "TR4223", "message": "INSUFFICIENT_BALANCE"}
        cases = [
            ({"status": "FAILED", "failure": failure}, TransferFailedError),
            ({"status": "CANCELLED"}, TransferCancelledError),
            ({"status": "PENDING"}, StillPendingError),
        ]
        for end, kind in cases:
            self.server.answer(lambda response, *_: response.succeed({**ORDER, **end}))
            with self.assertRaises(kind) as caught:
                self.client().transfer.completed("tr_1", timeout=0.01)
            self.assertEqual((caught.exception.order.transfer_id, caught.exception.biz_id), ("tr_1", "b"))
            if kind is TransferFailedError:
                self.assertEqual(caught.exception.code, "TR4223")


class Errors(Scene):
    def test_have_code_reason_field_and_value_and_no_secret(self):
        details = {"reason": "MOON_IN_THE_WAY", "field": "amöunt", "value": "2"}
        self.server.answer(
            lambda response, *_: response.refuse(418, "ZZ9999", {"X-Request-Id": "r-1"}, 7, **details)
        )
        with self.assertRaises(ApiError) as caught:
            self.client().transfer.create(**TRANSFER)
        error = caught.exception
        self.assertEqual((error.status, error.code, error.reason), (418, "ZZ9999", "MOON_IN_THE_WAY"))
        self.assertEqual((error.field, error.value, error.request_id), ("amöunt", "2", "r-1"))
        self.assertEqual((error.server_message, error.server_time_ms), ("NO", 7))
        self.assertNotIn(SECRET, repr(error) + str(error) + repr(vars(error)))

    def test_cross_processes(self):
        self.server.answer(lambda response, *_: response.refuse(422, "TR4221", reason="SAME_WALLET"))
        with self.assertRaises(ApiError) as caught:
            self.client().transfer.create(**TRANSFER)
        copied = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(copied), str(copied)), (ApiError, str(caught.exception)))
        self.assertEqual((copied.reason, copied.biz_id), ("SAME_WALLET", caught.exception.biz_id))


class Wallets(Scene):
    def test_without_a_reference_are_made_again_only_after_429(self):
        def script(response, index, request):
            if index == 0:
                response.refuse(429, "RQ4291", AGAIN)
            else:
                response.refuse(503, "SY5031", AGAIN)

        self.server.answer(script)
        with self.assertRaises(ApiError):
            self.client().wallet.create(currency="USD", credit_limit=Decimal("10.50"), metadata={"a_b": "c"})
        self.assertEqual(len(self.server.received), 2)
        self.assertEqual(
            self.server.received[0].json(), {"currency": "USD", "metadata": {"a_b": "c"}, "creditLimit": "10.50"}
        )

    def test_with_a_reference_are_made_again_as_reads_are(self):
        def script(response, index, request):
            if index == 0:
                response.destroy()
            else:
                response.succeed({"id": "wa_1", "reference": "user-7"})

        self.server.answer(script)
        self.assertEqual(self.client().wallet.create(currency="USD", reference="user-7").reference, "user-7")
        self.assertEqual(len(self.server.received), 2)

    def test_are_changed(self):
        self.server.answer(lambda response, *_: response.succeed({"id": "wa_1", "creditLimit": "10.00"}))
        wallet = self.client().wallet
        for change in (wallet.freeze, wallet.unfreeze, wallet.close):
            change("wa_1")
        self.assertEqual(wallet.limit("wa_1", credit_limit=10).credit_limit, Decimal("10.00"))
        sent = [(request.url.split("/")[-1], request.body) for request in self.server.received]
        self.assertEqual(
            sent, [("freeze", b""), ("unfreeze", b""), ("close", b""), ("limit", b'{"creditLimit":"10"}')]
        )

    def test_have_statements_with_totals_and_entries_of_all_pages(self):
        totals = {"walletId": "wa_1", "openingBalance": "0.00", "closingBalance": "3.00", "count": 3}

        def script(response, index, request):
            cursor = "cursor=" in request.url
            items = [{"sequence": number, "amount": "1.00"} for number in ([3] if cursor else [1, 2])]
            response.succeed({**totals, "items": items, "nextCursor": None if cursor else "c1"})

        self.server.answer(script)
        day = datetime(2026, 1, 1, tzinfo=timezone.utc)
        statement = self.client().wallet.statement("wa_1", from_=day, to="2026-01-02T00:00:00Z", size=2)
        self.assertEqual((statement.closing_balance, statement.count), (Decimal("3.00"), 3))
        self.assertEqual(len(self.server.received), 1)
        for _ in range(2):
            self.assertEqual([entry.sequence for entry in statement], [1, 2, 3])
        self.assertEqual(
            [request.url.split("?")[1] for request in self.server.received],
            ["from=2026-01-01T00%3A00%3A00Z&to=2026-01-02T00%3A00%3A00Z&size=2"] + ["cursor=c1&size=2"] * 2,
        )

    def test_had_balances(self):
        self.server.answer(lambda response, *_: response.succeed({"balance": "1.00", "held": None}))
        balance = self.client().wallet.balance("wa_1", at=datetime(2026, 1, 1, tzinfo=timezone.utc))
        self.assertEqual((balance.balance, balance.held), (Decimal("1.00"), None))
        self.assertTrue(self.server.received[0].url.endswith("/balance?at=2026-01-01T00%3A00%3A00Z"))


class Requests(Scene):
    def test_to_any_endpoint_give_what_came(self):
        self.server.answer(lambda response, *_: response.succeed({"laterField": "1.10"}, {"X-Later": "yes"}))
        answer = self.client().request(
            "post",
            "/api/v1/wallets/{id}/later",
            path_values={"id": "wa_1"},
            query={"a": None, "b": 1},
            body={"amount": Decimal("1E+2")},
            headers={"Prefer": "wait=1"},
        )
        self.assertEqual((answer.data, answer.status, answer.headers["x-later"]), ({"laterField": "1.10"}, 200, "yes"))
        (request,) = self.server.received
        self.assertEqual((request.method, request.url), ("POST", "/api/v1/wallets/wa_1/later?b=1"))
        self.assertEqual((request.body, request.headers["Prefer"]), (b'{"amount":"100"}', "wait=1"))
