"""Runs all tests, and tells of each in a line of JSON what became of it: python3 -m tests."""

import json
import sys
import unittest
from pathlib import Path


class Told(unittest.TestResult):
    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self.faults = []

    def addError(self, test, err) -> None:
        super().addError(test, err)
        self.faults.append(self.errors[-1][1])
        if not isinstance(test, unittest.TestCase) or type(test).__module__.startswith("unittest"):
            # A module that does not load, or a class that does not begin, is no test that was started.
            self.tell(test.id())

    def addFailure(self, test, err) -> None:
        super().addFailure(test, err)
        self.faults.append(self.failures[-1][1])

    def addSubTest(self, test, subtest, err) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.faults.append((self.errors + self.failures)[-1][1])

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        self.tell(test.id())

    def tell(self, name: str) -> None:
        print(json.dumps({"name": name, "faults": self.faults}), flush=True)
        self.faults = []


top = Path(__file__).parents[1]
result = Told()
result.faults = []
unittest.defaultTestLoader.discover(str(top / "tests"), top_level_dir=str(top)).run(result)
sys.exit(0 if result.wasSuccessful() else 1)
