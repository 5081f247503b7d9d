"""Has the events of a workspace sent to WEBHOOK_URL, and prints the secret that verifies them."""

import os

from signed_wallet_client import ApiError, Client

env = os.environ
url = env["WEBHOOK_URL"]


def make_secret(client: Client) -> str:
    try:
        return client.webhook.create(url=url, events=["transfer.completed", "transfer.failed"]).secret
    except ApiError as error:
        if error.reason != "WEBHOOK_EXISTS":
            raise
    webhook = next(each for each in client.webhook.list() if each.url == url)
    # Sends what waits for it right away, however long it failed.
    client.webhook.enable(webhook.id)
    return client.webhook.rotate(webhook.id).secret


with Client(base_url=env["BASE_URL"], api_key=env["API_KEY"], api_secret=env["API_SECRET"]) as client:
    print(make_secret(client))
