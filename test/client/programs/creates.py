"""
Creates transfers with the installed package, in several threads, and waits for the end of each: python3 creates.py COUNT. A line
for each that is created; then one of JSON.
"""

import json
import os
import sys
import uuid
from concurrent.futures import ThreadPoolExecutor

from signed_wallet_client import Client

CONCURRENCY = 16
env = os.environ
count = int(sys.argv[1])
repetitions = []
client = Client(
    base_url=env["BASE_URL"],
    api_key=env["API_KEY"],
    api_secret=env["API_SECRET"],
    # A process that starts on a busy machine may take long.
    attempts_max=20,
    pool_size=CONCURRENCY,
    on_retry=repetitions.append,
)
given = {"source_wallet_id": env["SOURCE"], "target_wallet_id": env["TARGET"], "amount": "0.01", "currency": "USD"}


def create(biz_id):
    order = client.transfer.create(**given, biz_id=biz_id)
    print(order.transfer_id, flush=True)
    return order.transfer_id


with client, ThreadPoolExecutor(CONCURRENCY) as threads:
    biz_ids = [str(uuid.uuid4()) for _ in range(count)]
    made = list(threads.map(create, biz_ids))
    completed = list(threads.map(lambda id: client.transfer.completed(id, timeout=120), made))
    listed = [order.biz_id for order in client.transfer.list_of_wallet(env["TARGET"])]
    balance = str(client.wallet.balance(env["TARGET"]).balance)
print(
    json.dumps(
        {
            "repetitions": len(repetitions),
            "completed": len(completed),
            "bizIds": biz_ids,
            "listed": listed,
            "balance": balance,
        }
    )
)
