"""What every argument is held against before anything is sent."""

from __future__ import annotations

import re
from typing import Any

from ._errors import UsageError

_HEADER_TEXT = re.compile(r"[!-~](?:[ -~]*[!-~])?")


def check_text(what: str, value: Any) -> str:
    """A text that is not empty."""
    if isinstance(value, str) and value:
        return value
    kind = "an empty one" if value == "" else type(value).__name__
    raise UsageError(f"{what} is required: a text that is not empty, not {kind}.")


def check_header_text(what: str, value: Any) -> str:
    """A text that a header can carry: printable ASCII, no space at either end."""
    if _HEADER_TEXT.fullmatch(check_text(what, value)):
        return str(value)
    # The value may be a secret: it is not repeated.
    raise UsageError(f"{what} must be printable ASCII without spaces around it.")


def check_secret(what: str, value: Any) -> str:
    """Without the line end of the file that it comes from."""
    text = check_text(what, value)
    if text.strip() == text:
        return text
    raise UsageError(f"{what} begins or ends with a space or a line end, which is none of the secret: strip it.")


def check_count(what: str, value: Any, least: int, most: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise UsageError(f"{what} must be a whole number from {least} to {most}.")


def check_seconds(what: str, value: Any, least: float, most: float) -> float:
    # What is no number is not between either.
    if isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most:
        return float(value)
    raise UsageError(f"{what} must be a number of seconds from {least:g} to {most:g}.")


def check_callable(what: str, value: Any) -> None:
    if value is not None and not callable(value):
        raise UsageError(f"{what} must be a function.")
