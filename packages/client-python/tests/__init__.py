"""The Python client's own tests: python3 -m unittest, in packages/client-python."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
