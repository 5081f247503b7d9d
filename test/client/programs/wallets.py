"""Makes and changes wallets with the installed package against a running service, and prints what the calls told, as JSON."""

import json
import os
from datetime import datetime, timedelta, timezone
from decimal import Decimal

from signed_wallet_client import ApiError, Client

env = os.environ
client = Client(base_url=env["BASE_URL"], api_key=env["API_KEY"], api_secret=env["API_SECRET"])
told = {}


def refusal(call):
    try:
        call()
    except ApiError as error:
        return error.reason
    return None


began = datetime.now(timezone.utc) - timedelta(seconds=5)
limit = Decimal("1E+1")
wallet = client.wallet.create(currency="USD", name="Ann", reference="user-7", metadata={"a_b": "c"}, credit_limit=limit)
told["made"] = [wallet.name, wallet.reference, wallet.metadata, str(wallet.credit_limit), str(wallet.available)]
told["again"] = client.wallet.create(currency="USD", reference="user-7").id == wallet.id
told["other"] = client.wallet.create(currency="USD").id == wallet.id
told["conflict"] = refusal(lambda: client.wallet.create(currency="EUR", reference="user-7"))
told["found"] = [each.id == wallet.id for each in client.wallet.list(reference="user-7")]

client.wallet.freeze(wallet.id)
told["states"] = [client.wallet.freeze(wallet.id).status, client.wallet.unfreeze(wallet.id).status]
told["limit"] = str(client.wallet.limit(wallet.id, credit_limit=5).credit_limit)
for number in range(1, 4):
    given = {"target_wallet_id": wallet.id, "amount": number, "currency": "USD", "biz_id": f"in-{number}"}
    client.transfer.completed(client.transfer.deposit(**given).transfer_id)
last = next(client.wallet.flows(wallet.id))
spent = client.transfer.withdraw(source_wallet_id=wallet.id, amount=9, currency="USD")
client.transfer.completed(spent.transfer_id)
told["in use"] = refusal(lambda: client.wallet.limit(wallet.id, credit_limit=2))

now = next(client.wallet.flows(wallet.id)).created_at + timedelta(milliseconds=1)
statement = client.wallet.statement(wallet.id, from_=began, to=now, size=2)
told["statement"] = [str(getattr(statement, name)) for name in ("opening_balance", "closing_balance", "debits", "credits")]
told["entries"] = [[entry.type, str(entry.balance_after)] for entry in statement]
told["count"] = statement.count
at = client.wallet.balance(wallet.id, at=last.created_at)
told["at"] = [str(at.balance), at.held, at.sequence, at.as_of == last.created_at]
told["ahead"] = refusal(lambda: client.wallet.balance(wallet.id, at=datetime.now(timezone.utc) + timedelta(hours=1)))

told["not empty"] = refusal(lambda: client.wallet.close(wallet.id))
deposit = client.transfer.deposit(target_wallet_id=wallet.id, amount=3, currency="USD")
client.transfer.completed(deposit.transfer_id)
told["closed"] = [client.wallet.close(wallet.id).status, refusal(lambda: client.wallet.unfreeze(wallet.id))]
client.close()
print(json.dumps(told))
