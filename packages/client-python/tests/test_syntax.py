import ast
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[1]


class Sources(unittest.TestCase):
    def test_are_of_python_3_9(self):
        files = [path for path in ROOT.rglob("*.py") if "build" not in path.parts]
        self.assertGreater(len(files), 20)
        for path in files:
            with self.subTest(path.name):
                ast.parse(path.read_text("utf-8"), feature_version=(3, 9))

    def test_import_nothing_but_the_standard_library_and_themselves(self):
        known = {
            *("base64 binascii collections dataclasses datetime decimal email functools hashlib hmac http io json math os".split()),
            *("random re select socket ssl threading time types typing urllib uuid weakref __future__".split()),
        }
        for path in (ROOT / "src" / "signed_wallet_client").glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.level == 0:
                    names = [node.module]
                for name in names:
                    with self.subTest(path=path.name, name=name):
                        self.assertIn(name.split(".")[0], known)
