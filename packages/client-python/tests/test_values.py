from __future__ import annotations

import unittest
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal, localcontext

from signed_wallet_client import UnexpectedAnswerError, UsageError
from signed_wallet_client._resource import read
from signed_wallet_client._resources import (
    CalendarWindow,
    JournalOrder,
    LimitWithUse,
    Order,
    OrderLeg,
    RollingWindow,
    TransferOrder,
    Webhook,
    WebhookWithSecret,
)
from signed_wallet_client._values import amount_text, read_amount, read_time, time_text, to_json, wire_name, wire_values


class Amounts(unittest.TestCase):
    def test_of_decimal_int_and_text_are_written_as_plain_decimals(self):
        cases = [
            (Decimal("1.10"), "1.10"),
            (Decimal("1E+3"), "1000"),
            (Decimal("1E-7"), "0.0000001"),
            (Decimal("0E-8"), "0.00000000"),
            (10**33, "1" + "0" * 33),
            ("1.10", "1.10"),
        ]
        for given, expected in cases:
            with self.subTest(given=given):
                self.assertEqual(amount_text("amount", given), expected)

    def test_of_34_digits_keep_each_of_them(self):
        text = "1234567890123456789012345678.123456"
        with localcontext() as context:
            context.prec = 5
            self.assertEqual(amount_text("amount", read_amount(text)), text)

    def test_that_would_lose_or_change_digits_are_refused(self):
        for given in (1.1, 1.0, float("nan"), Decimal("NaN"), Decimal("Infinity"), True, None, "", "1e5", "1E5", b"1", [1]):
            with self.subTest(given=given), self.assertRaises(UsageError):
                amount_text("amount", given)

    def test_of_answers_are_exact(self):
        self.assertEqual(str(read_amount("0.00")), "0.00")
        for given in ("1e5", "NaN", "", " 1", "1.", ".5", "+1", 1, None, "١"):
            with self.subTest(given=given), self.assertRaises(ValueError):
                read_amount(given)


class Times(unittest.TestCase):
    def test_with_a_zone_are_sent_as_moments(self):
        east = timezone(timedelta(hours=1))
        odd = timezone(timedelta(minutes=53, seconds=28))
        cases = [
            (datetime(2026, 1, 1, tzinfo=timezone.utc), "2026-01-01T00:00:00Z"),
            (datetime(2026, 1, 1, tzinfo=east), "2025-12-31T23:00:00Z"),
            (datetime(2026, 1, 1, 0, 0, 0, 1500, tzinfo=timezone.utc), "2026-01-01T00:00:00.001500Z"),
            (datetime(2026, 1, 1, 1, tzinfo=odd), "2026-01-01T00:06:32Z"),
            ("2026-01-01T00:00:00+01:00", "2026-01-01T00:00:00+01:00"),
        ]
        for given, expected in cases:
            with self.subTest(given=given):
                self.assertEqual(time_text("to", given), expected)

    def test_without_a_zone_or_out_of_range_are_refused(self):
        beyond = datetime.max.replace(tzinfo=timezone(-timedelta(hours=1)))
        for given in (datetime(2026, 1, 1), date(2026, 1, 1), 0, "", beyond):
            with self.subTest(given=given), self.assertRaises(UsageError):
                time_text("to", given)

    def test_of_answers_are_datetimes_in_utc(self):
        utc = timezone.utc
        cases = [
            ("2026-01-01T09:30:00.021Z", datetime(2026, 1, 1, 9, 30, 0, 21000, utc)),
            ("2026-01-01T09:30:00Z", datetime(2026, 1, 1, 9, 30, tzinfo=utc)),
            ("2026-01-01T09:30:00.123456789Z", datetime(2026, 1, 1, 9, 30, 0, 123456, utc)),
            ("2026-01-01T09:30:00+05:30", datetime(2026, 1, 1, 4, 0, tzinfo=utc)),
        ]
        for given, expected in cases:
            with self.subTest(given=given):
                self.assertEqual(read_time(given), expected)
                self.assertIs(read_time(given).tzinfo, utc)

    def test_of_answers_that_are_none_are_told(self):
        for given in ("2026-01-01", "2026-01-01T09:30:00", "2026-13-01T00:00:00Z", "0001-01-01T00:00:00+01:00", 1, None):
            with self.subTest(given=given), self.assertRaises(ValueError):
                read_time(given)


class Names(unittest.TestCase):
    def test_of_the_wire_are_made_of_pythons(self):
        pairs = {"biz_id": "bizId", "from_": "from", "previous_secret_valid_until": "previousSecretValidUntil", "to": "to"}
        self.assertEqual({name: wire_name(name) for name in pairs}, pairs)

    def test_within_metadata_are_left_alone(self):
        values = wire_values({"biz_id": None, "metadata": {"my_key": "x", "bizId": "y"}})
        self.assertEqual(values, {"metadata": {"my_key": "x", "bizId": "y"}})


class Lists(unittest.TestCase):
    def test_of_limits_and_alerts_are_written_in_the_names_of_the_wire(self):
        limit = {"name": "day", "amount": Decimal("1E+2"), "window": {"calendar": "day", "time_zone": "UTC"}}
        alert = {"name": "used", "limit_used": {"limit": "day", "share": Decimal("0.80")}}
        self.assertEqual(
            wire_values({"limits": [limit], "alerts": [{"name": "low", "available_below": 10}, alert]}),
            {
                "limits": [{"name": "day", "amount": "100", "window": {"calendar": "day", "timeZone": "UTC"}}],
                "alerts": [{"name": "low", "availableBelow": "10"}, {"name": "used", "limitUsed": {"limit": "day", "share": "0.80"}}],
            },
        )
        with self.assertRaisesRegex(UsageError, r"alerts\[0\]\.limit_used\.share"):
            wire_values({"alerts": [{"name": "used", "limit_used": {"limit": "day", "share": 0.8}}]})


class Bodies(unittest.TestCase):
    def test_are_compact_json_in_utf_8(self):
        body = {"note": "ä", "amount": Decimal("1E+1"), "at": datetime(2026, 1, 1, tzinfo=timezone.utc)}
        self.assertEqual(to_json(body), '{"note":"ä","amount":"10","at":"2026-01-01T00:00:00Z"}'.encode())

    def test_that_json_would_not_hold_are_refused(self):
        loop: dict[str, object] = {}
        loop["loop"] = loop
        for body in ("text", None, [1], loop, {"a": float("nan")}, {"a": len}, {"a": "\ud800"}, {"a": datetime(2026, 1, 1)}):
            with self.subTest(body=repr(body)), self.assertRaises(UsageError):
                to_json(body)


class Resources(unittest.TestCase):
    def test_have_amounts_times_and_what_is_within_them(self):
        hold = {"state": "HELD", "remaining": "80.00", "expiresAt": "2026-01-08T09:30:01.000Z"}
        order = read(Order, {"transferId": "tr_1", "amount": "80.00", "hold": hold, "metadata": {"aB": "c"}}, 200)
        self.assertEqual(order.amount, Decimal("80.00"))
        self.assertEqual(order.hold.expires_at, datetime(2026, 1, 8, 9, 30, 1, tzinfo=timezone.utc))
        self.assertEqual(order.metadata, {"aB": "c"})

    def test_are_of_the_class_of_their_type(self):
        leg = {"sourceWalletId": "wa_1", "targetWalletId": "EXTERNAL", "amount": "1.10", "currency": "USD", "reversedAmount": "0.00"}
        journal = read(Order, {"transferId": "tr_1", "type": "JOURNAL", "amount": None, "legs": [leg]}, 200)
        self.assertIs(type(journal), JournalOrder)
        self.assertIsNone(journal.amount)
        self.assertIs(type(journal.legs[0]), OrderLeg)
        self.assertEqual(journal.legs[0].amount, Decimal("1.10"))
        for name, kind in (("TRANSFER", TransferOrder), ("NEW", Order), (None, Order)):
            self.assertIs(type(read(Order, {"transferId": "tr_1", "type": name}, 200)), kind)

    def test_of_another_service_have_none_for_what_it_does_not_send_and_raw_for_what_it_adds(self):
        order = read(Order, {"transferId": "tr_1", "later": 1}, 200)
        self.assertIsNone(order.amount)
        self.assertEqual(order.raw["later"], 1)

    def test_are_immutable_and_can_be_hashed_and_compared(self):
        data = {"transferId": "tr_1", "amount": "1.0", "metadata": {"a": "b"}}
        one, other = read(Order, data, 200), read(Order, {**data, "later": 1}, 200)
        self.assertEqual({one}, {other})
        with self.assertRaises(AttributeError):
            one.amount = Decimal(2)

    def test_hold_lists_as_tuples(self):
        webhook = read(Webhook, {"id": "wh_1", "events": ["transfer.failed"]}, 200)
        self.assertEqual(webhook.events, ("transfer.failed",))

    def test_may_have_a_member_of_several_forms(self):
        for window, expected in (
            ("order", "order"),
            ({"rolling": "PT24H"}, RollingWindow("PT24H")),
            ({"calendar": "day", "timeZone": "UTC"}, CalendarWindow("day", "UTC")),
            ({"moon": "full"}, {"moon": "full"}),
        ):
            with self.subTest(window=window):
                self.assertEqual(read(LimitWithUse, {"name": "a", "used": "1.10", "window": window}, 200).window, expected)
        failure = {"code": "TR4231", "limit": {"name": "a", "used": "1.10", "window": "total"}}
        order = read(Order, {"transferId": "tr_1", "failure": failure}, 200)
        self.assertEqual((order.failure.limit.used, order.failure.limit.window), (Decimal("1.10"), "total"))

    def test_show_no_secret(self):
        made = read(WebhookWithSecret, {"id": "wh_1", "secret": "whsec_abc"}, 200)
        self.assertEqual(made.secret, "whsec_abc")
        self.assertNotIn("whsec_abc", repr(made))

    def test_that_are_not_of_their_form_are_told(self):
        for data in (None, [], "x", {"amount": 1}, {"amount": "1e5"}, {"createdAt": "now"}, {"hold": "x"}, {"hold": {"captured": "-"}}):
            with self.subTest(data=data), self.assertRaises(UnexpectedAnswerError):
                read(Order, data, 200)
