"""
Makes the transfers of a CSV file: python3 transfers_of_file.py FILE NAME

FILE is UTF-8, with commas. Its first line names the columns: source_wallet_id, target_wallet_id, amount, currency and, if wanted,
biz_id, description, reference and execute_at. A row without a biz_id gets one of NAME and its line, such as payroll-2026-01-2, so it
makes one order however often this is run: run it again after a crash, or once you have mended in FILE what FILE.refused.csv tells.
Meanwhile add and remove no line, and give no other file that NAME.
"""

import csv
import os
import re
import sys
from collections import deque
from collections.abc import Iterator
from typing import Deque, List, cast

from signed_wallet_client import Client, ClientError, NewTransfer

# Where a spreadsheet takes what follows for a formula: at the begin of a cell and, in some locales, after a semicolon.
BEFORE_FORMULA = re.compile(r"(^|;\"*)(?=[=+\-@\t\r＝＋－＠])")
DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?")
path, name = sys.argv[1:]
env = os.environ
made = refused = 0
# The line and the cells of each row that was taken, until it is known what became of it.
taken: Deque[List[str]] = deque()


def transfers(rows: "csv.DictReader[str]") -> Iterator[NewTransfer]:
    for row in rows:
        if None in row or None in row.values():
            sys.exit(f"{path}, line {rows.line_num}: it has not as many cells as the first line")
        taken.append([str(rows.line_num), *row.values()])
        given = {column: cell for column, cell in row.items() if cell}
        yield cast(NewTransfer, {"biz_id": f"{name}-{rows.line_num}", **given})


def harmless(cell: str) -> str:
    return cell if DECIMAL.fullmatch(cell) else BEFORE_FORMULA.sub(r"\1'", cell)


with open(path, encoding="utf-8-sig", newline="") as source, Client(
    base_url=env["BASE_URL"], api_key=env["API_KEY"], api_secret=env["API_SECRET"]
) as client, open(f"{path}.refused.csv", "w", encoding="utf-8", newline="") as target:
    rows, out = csv.DictReader(source, strict=True), csv.writer(target)
    out.writerow(["line", *(rows.fieldnames or []), "reason", "field"])
    try:
        for result in client.transfer.batch(transfers(rows)):
            cells = taken.popleft()
            if result.error is None:
                made += 1
                continue
            refused += 1
            out.writerow([harmless(cell) for cell in [*cells, result.error.reason, result.error.field or ""]])
    except (ClientError, csv.Error, UnicodeError) as error:
        sys.exit(f"{path}, near line {rows.line_num}: {error}")
print(f"{made} orders made or known, {refused} rows refused")
sys.exit(1 if refused else 0)
