from decimal import Decimal

from signed_wallet_client import ApiError, UsageError

from .scene import AGAIN, ORDER, TRANSFER, Scene


def accept(response, request):
    """An order for each line."""
    items = [{"order": {**ORDER, **line}} for line in request.json()["transfers"]]
    response.succeed({"batchId": "ba_1", "items": items})


class Batches(Scene):
    def setUp(self):
        super().setUp()
        self.server.answer(lambda response, _, request: accept(response, request))

    def lines_of(self):
        return [len(request.json()["transfers"]) for request in self.server.received]

    def test_of_any_length_are_sent_in_requests_of_500_lines(self):
        results = list(self.client().transfer.batch(TRANSFER for _ in range(1_201)))
        self.assertEqual(self.lines_of(), [500, 500, 201])
        self.assertEqual([result.line for result in results], list(range(1, 1_202)))
        sent = [line["bizId"] for request in self.server.received for line in request.json()["transfers"]]
        self.assertEqual([result.biz_id for result in results], sent)
        self.assertEqual(len(set(sent)), 1_201)

    def test_keep_each_request_within_512_kib(self):
        metadata = {"note": "ä" * 500, "other": "x" * 500}
        given = [{**TRANSFER, "metadata": metadata, "biz_id": f"line-{number}"} for number in range(700)]
        results = list(self.client().transfer.batch(given))
        sizes = [len(request.body) for request in self.server.received]
        self.assertLessEqual(max(sizes), 512 * 1024)
        # None is shorter than it has to be.
        self.assertEqual(len(sizes), -(-sum(sizes) // (512 * 1024)))
        self.assertEqual([result.biz_id for result in results], [line["biz_id"] for line in given])

    def test_read_no_further_than_their_results_are_taken(self):
        read = []

        def given():
            for number in range(5_000):
                read.append(number)
                yield TRANSFER

        results = self.client().transfer.batch(given())
        self.assertEqual(read, [])
        for _ in range(500):
            next(results)
        self.assertEqual((self.lines_of(), len(read)), ([500], 501))

    def test_are_repeated_with_the_same_biz_ids_that_were_told_before(self):
        def script(response, index, request):
            if index == 0:
                response.refuse(503, "SY5031", AGAIN)
            elif index == 1:
                response.destroy()
            else:
                accept(response, request)

        self.server.answer(script)
        told = []
        given = [{**TRANSFER, "biz_id": "mine", "amount": Decimal("1E+1")}, TRANSFER]
        results = list(self.client().transfer.batch(given, on_send=told.extend))
        self.assertEqual(told, [(result.line, result.biz_id) for result in results])
        self.assertEqual(told[0], (1, "mine"))
        self.assertEqual(len({request.body for request in self.server.received}), 1)
        self.assertEqual(self.server.received[0].json()["transfers"][0]["amount"], "10")

    def test_tell_why_a_line_was_refused_beside_the_orders_of_the_others(self):
        refused = {"code": "WA4041", "message": "NO", "reason": "WALLET_NOT_FOUND", "field": "targetWalletId"}
        items = [{"order": ORDER}, refused]
        self.server.answer(lambda response, *_: response.succeed({"batchId": "ba_1", "items": items}))
        first, second = self.client().transfer.batch([TRANSFER, TRANSFER])
        self.assertEqual((first.order.amount, first.error), (Decimal("1.10"), None))
        self.assertEqual((second.order, second.error.reason, second.error.field), (None, "WALLET_NOT_FOUND", "targetWalletId"))

    def test_that_are_atomic_are_one_request_and_wait_if_that_is_asked_for(self):
        self.assertEqual(len(list(self.client().transfer.batch([TRANSFER] * 100, atomic=True, wait=3))), 100)
        (request,) = self.server.received
        self.assertEqual((request.headers["Prefer"], request.json()["atomic"]), ("wait=3", True))

    def test_of_nothing_send_nothing(self):
        self.assertEqual(list(self.client().transfer.batch([])), [])
        self.assertEqual(self.server.received, [])

    def test_that_cannot_be_sent_are_refused_and_nothing_is_sent(self):
        large = {**TRANSFER, "metadata": {f"k{number}": "x" * 1_000 for number in range(600)}}
        cases = [
            ([TRANSFER] * 101, {"atomic": True}, "Line 101 is one too many: an atomic batch"),
            ([large], {}, "Line 1 is larger than a whole request"),
            (5, {}, "must be an iterable of orders"),
            ("abc", {}, "must be an iterable of orders"),
            (TRANSFER, {}, "must be an iterable of orders"),
            ([TRANSFER, "x"], {}, "Line 2 must be a mapping"),
            ([{**TRANSFER, "amount": 1.0}], {}, "Line 1: amount must be"),
            ([{**TRANSFER, "biz_id": 1}], {}, "Line 1: biz_id is required"),
            ([{**TRANSFER, "bizId": "x"}], {}, 'Line 1: A TRANSFER has no "bizId"'),
            ([{**TRANSFER, "metadata": {"a": len}}], {}, "cannot be written as JSON"),
            ([TRANSFER], {"wait": 11}, "wait must be a whole number from 0 to 10"),
            ([TRANSFER], {"atomic": "yes"}, "atomic must be True or False"),
            ([TRANSFER], {"on_send": 1}, "on_send must be a function"),
        ]
        for given, options, message in cases:
            with self.subTest(message), self.assertRaisesRegex(UsageError, message):
                list(self.client().transfer.batch(given, **options))
        self.assertEqual(self.server.received, [])

    def test_end_with_the_error_of_their_request_after_the_results_before_it(self):
        def script(response, index, request):
            if index == 0:
                accept(response, request)
            else:
                response.refuse(401, "GA2011")

        self.server.answer(script)
        seen = []
        with self.assertRaises(ApiError):
            for result in self.client().transfer.batch([TRANSFER] * 501):
                seen.append(result.line)
        self.assertEqual(len(seen), 500)
