import base64
import hashlib
import hmac
import json
import time
import types
import unittest
from decimal import Decimal
from email.message import Message
from unittest import mock

from signed_wallet_client import ApiError, UsageError, WebhookError, _verify, verify_webhook

from .scene import AGAIN, Scene


def secret_of(text):
    return "whsec_" + base64.b64encode(text.encode()).decode()


SECRET = secret_of("a secret of the tests")
EVENT = {
    "type": "transfer.completed",
    "timestamp": "2026-01-01T00:00:00.000Z",
    "data": {"transferId": "tr_1", "amount": "1.10"},
}


def deliver(body=None, at=None, secret=SECRET):
    text = json.dumps(EVENT) if body is None else body
    timestamp = int(time.time()) if at is None else at
    key = base64.b64decode(secret[len("whsec_") :])
    mac = hmac.new(key, f"msg_1.{timestamp}.{text}".encode(), hashlib.sha256).digest()
    headers = {
        "Webhook-Id": "msg_1",
        "Webhook-Timestamp": str(timestamp),
        "Webhook-Signature": "v1," + base64.b64encode(mac).decode(),
    }
    return {"body": text, "headers": headers}


def changed(name, value, **given):
    delivery = deliver(**given)
    return {**delivery, "headers": {**delivery["headers"], name: value}}


class Verification(unittest.TestCase):
    def test_agrees_with_the_example_of_the_specification(self):
        headers = {
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        clock = types.SimpleNamespace(time=lambda: 1614265330.0)
        with mock.patch.object(_verify, "time", clock), self.assertRaises(WebhookError) as caught:
            verify_webhook(
                secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", body='{"test": 2432232314}', headers=headers
            )
        # Its body is no event of this service: that is found only behind the signature.
        self.assertEqual(caught.exception.reason, "BODY_NOT_AN_EVENT")

    def test_tells_an_alert_from_an_order(self):
        limit = {"name": "day", "used": "1.10", "window": "order"}
        data = {"walletId": "wa_1", "name": "low", "state": "raised", "number": 1, "available": "8.90", "limit": limit}
        event = verify_webhook(secret=SECRET, **deliver(json.dumps({**EVENT, "type": "wallet.alert", "data": data})))
        self.assertIsNone(event.order)
        self.assertEqual((event.alert.available, event.alert.limit.used), (Decimal("8.90"), Decimal("1.10")))
        self.assertIsNone(verify_webhook(secret=SECRET, **deliver()).alert)

    def test_gives_the_event_of_text_and_of_bytes(self):
        delivery = deliver()
        for body in (delivery["body"], delivery["body"].encode(), bytearray(delivery["body"].encode())):
            event = verify_webhook(body=body, headers=delivery["headers"], secret=SECRET)
            self.assertEqual((event.id, event.type, event.data), ("msg_1", "transfer.completed", EVENT["data"]))
            self.assertEqual(event.order.amount, Decimal("1.10"))
            self.assertEqual(event.timestamp.isoformat(), "2026-01-01T00:00:00+00:00")

    def test_says_whether_an_event_is_of_a_test_workspace(self):
        for told, expected in (({}, False), ({"test": True}, True)):
            event = verify_webhook(**deliver(json.dumps({**EVENT, **told})), secret=SECRET)
            self.assertIs(event.test, expected)

    def test_passes_events_of_a_later_service_on(self):
        for type, data in (("moon.risen", 1), ("transfer.returned", ["tr_1"]), ("transfer.returned", {"amount": 1})):
            event = verify_webhook(**deliver(json.dumps({**EVENT, "type": type, "data": data})), secret=SECRET)
            self.assertEqual((event.type, event.data, event.order), (type, data, None))

    def test_takes_either_secret_and_either_signature_while_a_secret_is_rotated(self):
        old = secret_of("the secret before")
        self.assertEqual(verify_webhook(**deliver(), secret=[old, SECRET]).id, "msg_1")
        at = int(time.time())
        both = " ".join(["v1a,x"] + [deliver(at=at, secret=each)["headers"]["Webhook-Signature"] for each in (old, SECRET)])
        self.assertEqual(verify_webhook(**changed("Webhook-Signature", both, at=at), secret=SECRET).id, "msg_1")

    def test_refuses_what_is_forged_old_or_no_event(self):
        now = int(time.time())
        twice = Message()
        for name, value in [*deliver()["headers"].items(), ("webhook-id", "msg_2")]:
            twice[name] = value
        cases = [
            ({**deliver(), "body": json.dumps(EVENT) + " "}, "SIGNATURE_INVALID"),
            (changed("Webhook-Id", "msg_2"), "SIGNATURE_INVALID"),
            (changed("Webhook-Signature", "v2,abcd"), "SIGNATURE_INVALID"),
            (changed("Webhook-Signature", "v1,%%%"), "SIGNATURE_INVALID"),
            (changed("Webhook-Signature", "v1,é"), "SIGNATURE_INVALID"),
            (changed("Webhook-Signature", "v1,"), "SIGNATURE_INVALID"),
            (changed("Webhook-Signature", ""), "HEADER_MISSING"),
            ({**deliver(), "headers": {}}, "HEADER_MISSING"),
            ({**deliver(), "headers": twice}, "HEADER_MISSING"),
            (changed("Webhook-Timestamp", "now"), "TIMESTAMP_OFF"),
            (changed("Webhook-Timestamp", "١"), "TIMESTAMP_OFF"),
            (deliver(at=now - 302), "TIMESTAMP_OFF"),
            (deliver(at=now + 302), "TIMESTAMP_OFF"),
            (deliver(secret="whsec_AAAA"), "SIGNATURE_INVALID"),
            (deliver("text"), "BODY_NOT_AN_EVENT"),
            (deliver("null"), "BODY_NOT_AN_EVENT"),
            (deliver("[" * 100_000), "BODY_NOT_AN_EVENT"),
            (deliver(json.dumps({**EVENT, "timestamp": "now"})), "BODY_NOT_AN_EVENT"),
            (deliver(json.dumps({**EVENT, "data": {"amount": 1}})), "BODY_NOT_AN_EVENT"),
        ]
        for delivery, reason in cases:
            with self.subTest(reason), self.assertRaises(WebhookError) as caught:
                verify_webhook(**delivery, secret=SECRET)
            self.assertEqual(caught.exception.reason, reason)

    def test_called_wrongly_is_a_usage_error(self):
        cases = [{"secret": ""}, {"secret": "whsec_%"}, {"secret": []}, {"secret": [1]}, {"body": {}}, {"headers": 1}]
        for wrong in [*cases, {"tolerance": -1}]:
            with self.subTest(wrong), self.assertRaises(UsageError):
                verify_webhook(**{**deliver(), "secret": SECRET, **wrong})


class Webhooks(Scene):
    def test_are_managed_and_all_but_rotate_and_test_are_sent_again(self):
        webhook = self.client().webhook
        made = {"url": "https://example.com/hook", "events": ("transfer.completed",)}
        repeated = [
            (lambda: webhook.create(**made), "POST", "", {**made, "events": ["transfer.completed"]}),
            (lambda: webhook.get("wh_1"), "GET", "/wh_1", None),
            (lambda: webhook.enable("wh_1"), "POST", "/wh_1/enable", None),
            (lambda: webhook.disable("wh_1"), "POST", "/wh_1/disable", None),
            (lambda: webhook.delete("wh_1"), "POST", "/wh_1/delete", None),
            (lambda: webhook.replay("wh_1", event_id="ev_1"), "POST", "/wh_1/replay", {"eventId": "ev_1"}),
        ]
        for call, method, path, body in repeated:
            with self.subTest(path):
                self.server.answer(lambda response, index, _: response.succeed({"id": "wh_1"}) if index else response.destroy())
                call()
                told = [(each.method, each.url, each.json() if each.body else None) for each in self.server.received]
                self.assertEqual(told, [(method, f"/api/v1/webhooks{path}", body)] * 2)
        for call in (webhook.rotate, webhook.test):
            self.server.answer(lambda response, *_: response.refuse(503, "SY5031", AGAIN))
            with self.assertRaises(ApiError):
                call("wh_1")
            self.assertEqual(len(self.server.received), 1)

    def test_are_listed_and_their_deliveries_page_by_page(self):
        self.server.answer(lambda response, *_: response.succeed({"items": [{"id": "wh_1"}, {"id": "wh_2"}]}))
        webhook = self.client().webhook
        self.assertEqual([each.id for each in webhook.list()], ["wh_1", "wh_2"])
        self.server.answer(
            lambda response, index, _: response.succeed(
                {"items": [{"eventId": f"ev_{index}"}], "nextCursor": None if index else "ev_0"}
            )
        )
        self.assertEqual([each.event_id for each in webhook.deliveries("wh_1", size=1)], ["ev_0", "ev_1"])
        urls = [request.url.split("?")[1] for request in self.server.received]
        self.assertEqual(urls, ["size=1", "cursor=ev_0&size=1"])
