"""Tests a program's payments in a sandbox: `. ./sandbox.env`, then `python3 -m unittest test_payments.py`."""

import os
import unittest
from datetime import datetime, timezone
from typing import Any, List

from signed_wallet_client import Client, Order, TransferFailedError

env = os.environ
tenant, landlord = env["WALLET_USD_1"], env["WALLET_USD_2"]


def firsts_after(now: datetime, count: int) -> List[datetime]:
    months = [now.year * 12 + now.month + later for later in range(count)]
    return [datetime(month // 12, month % 12 + 1, 1, tzinfo=timezone.utc) for month in months]


class Payments(unittest.TestCase):
    client: Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.client = Client(base_url=env["BASE_URL"], api_key=env["API_KEY"], api_secret=env["API_SECRET"])
        cls.addClassCleanup(cls.client.close)
        assert cls.client.key().test, "these tests move money, and put the clock forward"
        deposit = cls.client.transfer.deposit(target_wallet_id=tenant, amount=5000, currency="USD")
        cls.client.transfer.completed(deposit)

    def setUp(self) -> None:
        self.had = self.client.wallet.balance(landlord).balance

    def pay(self, amount: int, **more: Any) -> Order:
        transfer = self.client.transfer
        return transfer.create(source_wallet_id=tenant, target_wallet_id=landlord, amount=amount, currency="USD", **more)

    def paid(self) -> int:
        return int(self.client.wallet.balance(landlord).balance - self.had)

    def test_the_rent_is_paid_at_the_first_of_each_of_three_months(self) -> None:
        firsts = firsts_after(self.client.test.clock.get().now, 3)
        orders = [self.pay(900, execute_at=first) for first in firsts]

        self.client.test.clock.advance(to=firsts[-1])

        ended = [self.client.transfer.get(order.transfer_id) for order in orders]
        self.assertEqual([(each.status, each.completed_at) for each in ended], [("COMPLETED", first) for first in firsts])
        self.assertEqual(self.paid(), 2700)

    def test_a_deposit_that_nobody_claims_is_given_back_after_a_week(self) -> None:
        hold = self.client.transfer.hold(source_wallet_id=tenant, target_wallet_id=landlord, amount=300, currency="USD")
        self.client.transfer.completed(hold)
        self.assertEqual(self.client.wallet.get(tenant).held, 300)

        self.client.test.clock.advance(by="P7D")

        ended = self.client.transfer.get(hold.transfer_id).hold
        self.assertEqual(ended and ended.state, "EXPIRED")
        self.assertEqual(self.client.wallet.get(tenant).held, 0)

    def test_a_rent_that_cannot_be_paid_moves_nothing(self) -> None:
        order = self.pay(900, metadata={"simulate": "TR4223"})
        with self.assertRaises(TransferFailedError) as failed:
            self.client.transfer.completed(order)
        self.assertEqual(failed.exception.code, "TR4223")
        self.assertEqual(self.paid(), 0)

    def test_a_rent_whose_answer_is_lost_is_paid_once(self) -> None:
        order = self.pay(1, metadata={"simulate": "LOST_ANSWER"})
        self.client.transfer.completed(order)
        self.assertEqual(self.paid(), 1)


if __name__ == "__main__":
    unittest.main()
