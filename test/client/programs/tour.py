"""Makes the calls of the installed package against a running service, and prints what they told, as JSON."""

import json
import os
import sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import signed_wallet_client
from signed_wallet_client import ApiError, Client, StillPendingError, TransferCancelledError, TransferFailedError

env = os.environ
source, target = env["SOURCE"], env["TARGET"]
client = Client(base_url=env["BASE_URL"], api_key=env["API_KEY"], api_secret=env["API_SECRET"])
between = {"source_wallet_id": source, "target_wallet_id": target, "currency": "USD"}
told = {"python": sys.version.split()[0], "installed": signed_wallet_client.__file__}


def ended(order):
    return client.transfer.completed(order.transfer_id)


def refusal(call):
    try:
        call()
    except (ApiError, TransferFailedError, TransferCancelledError, StillPendingError) as error:
        reason = getattr(error, "reason", None) or getattr(error, "code", None) or type(error).__name__
        return [reason, getattr(error, "field", None)]
    return None


key = client.key()
told["key"] = [key.workspace_id == env["WORKSPACE"], "transfer:create" in key.scopes, key.rate.burst > 0]

made = client.transfer.create(**between, amount=Decimal("1.10"), biz_id="py-1", metadata={"my_key": "ä"})
done = ended(made)
told["completed"] = [done.status, str(done.amount), done.metadata, done.completed_at.tzinfo is timezone.utc]
told["again"] = client.transfer.create(**between, amount="1.1", biz_id="py-1").transfer_id == made.transfer_id
told["refused"] = [
    refusal(lambda: client.transfer.create(**between, amount=2, biz_id="py-1")),
    refusal(lambda: client.transfer.create(**{**between, "target_wallet_id": "wa_0"}, amount=1)),
    refusal(lambda: ended(client.transfer.create(**between, amount=10**9))),
    refusal(lambda: client.wallet.get("wa_0")),
]
told["flows"] = [[flow.direction, str(flow.amount)] for flow in client.wallet.flows(source, direction="DEBIT", size=1)]

hold = ended(client.transfer.hold(**between, amount="20", expires_at=datetime.now(timezone.utc) + timedelta(hours=1)))
told["held"] = [hold.hold.state, str(hold.hold.remaining), str(client.wallet.get(source).held)]
captured = ended(client.transfer.capture(transfer_id=hold.transfer_id, amount="5.50", final=False))
released = ended(client.transfer.release(transfer_id=hold.transfer_id))
reversal = ended(client.transfer.reverse(transfer_id=captured.transfer_id, amount="0.50"))
told["types"] = [captured.type, released.type, reversal.type, str(client.transfer.get(captured.transfer_id).reversed_amount)]
told["hold"] = [client.transfer.get(hold.transfer_id).hold.state, str(client.wallet.balance(source).held)]

ended(client.transfer.deposit(target_wallet_id=source, amount=3, currency="USD"))
ended(client.transfer.withdraw(source_wallet_id=source, amount=3, currency="USD"))
preview = client.transfer.preview(**between, amount="0.40")
told["preview"] = [preview.status, str(preview.target.balance)]

lines = [{**between, "amount": "0.01"} for _ in range(600)] + [{**between, "amount": "0"}]
results = list(client.transfer.batch(lines, wait=5))
told["batch"] = [sum(result.order is not None for result in results), results[-1].error.reason, results[-1].error.field]
atomic = list(client.transfer.batch(lines[:100], atomic=True))
told["atomic"] = len({ended(result.order).batch_id for result in atomic})

later = client.transfer.create(**between, amount=1, execute_at=datetime.now(timezone.utc) + timedelta(hours=1))
told["pending"] = refusal(lambda: client.transfer.completed(later.transfer_id, timeout=0.1))
told["cancelled"] = [client.transfer.cancel(later.transfer_id).status, refusal(lambda: ended(later))]
told["listed"] = [
    len(list(client.transfer.list(type="CAPTURE", parent_id=hold.transfer_id))),
    len(list(client.transfer.list_of_wallet(source, from_=made.created_at))) > 700,
    len(list(client.wallet.list(currency="USD"))),
]

webhook = client.webhook.create(url=env["WEBHOOK_URL"], events=["transfer.completed"])
told["webhook"] = [
    refusal(lambda: client.webhook.create(url=env["WEBHOOK_URL"], events=["transfer.failed"])),
    [each.id == webhook.id for each in client.webhook.list()],
    [client.webhook.disable(webhook.id).status, client.webhook.enable(webhook.id).status],
    client.webhook.rotate(webhook.id).secret != webhook.secret,
    client.webhook.test(webhook.id).startswith("ev_"),
    client.webhook.replay(webhook.id, since=datetime.now(timezone.utc)).status,
    refusal(lambda: client.webhook.replay(webhook.id, event_id="ev_0")),
    isinstance(list(client.webhook.deliveries(webhook.id)), list),
    client.webhook.delete(webhook.id),
    client.webhook.list(),
]
told["balance"] = str(client.wallet.balance(target).balance)
client.close()
print(json.dumps(told))
