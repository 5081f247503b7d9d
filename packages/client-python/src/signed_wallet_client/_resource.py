"""What the service answers, as objects of Python."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any, Callable, TypeVar, Union, get_args, get_origin, get_type_hints

from ._errors import UnexpectedAnswerError
from ._values import read_amount, read_time, wire_name


class Resource:
    """What all resources are: immutable, with amounts as Decimal and times as datetime in UTC. What an older service does not send is None."""

    @property
    def raw(self) -> Mapping[str, Any]:
        """As it came, in the names of the wire; also what a later service sends besides."""
        return self.__dict__.get("_raw", {})


Kind = TypeVar("Kind", bound=Resource)


def read(kind: type[Kind], data: Any, status: int, *needed: str) -> Kind:
    """
    Raises UnexpectedAnswerError where `data` is not of this kind.

    needed: names on the wire of texts without which it is none.
    """
    try:
        if isinstance(data, dict) and all(isinstance(data.get(name), str) for name in needed):
            return _made(kind, data)
        told = ""
    except (TypeError, ValueError) as error:
        told = f": {error}"
    name = re.sub("(?<!^)[A-Z]", lambda letter: f" {letter[0]}", kind.__name__).lower()
    raise unexpected(f"The answer has no {name}{told}.", status, data)


def unexpected(message: str, status: int, data: Any) -> UnexpectedAnswerError:
    return UnexpectedAnswerError(message, status=status, received=json.dumps(data, ensure_ascii=False))


def _made(kind: type[Kind], data: Mapping[str, Any]) -> Kind:
    kind = _by_type(kind).get(str(data.get("type")), kind)
    values = {}
    for name, on_wire, convert in _members(kind):
        value = data.get(on_wire)
        try:
            values[name] = None if value is None else convert(value)
        except ValueError as error:
            raise ValueError(f"{on_wire}: {error}") from error
    return with_raw(kind(**values), data)


def with_raw(made: Kind, data: Mapping[str, Any]) -> Kind:
    # The dataclass is frozen, and this is no field of it.
    object.__setattr__(made, "_raw", data)
    return made


@lru_cache(maxsize=None)
def _by_type(kind: Any) -> dict[str, Any]:
    """What a resource of this kind is, by its `type`, where that decides it."""
    return {get_args(get_type_hints(each)["type"])[0]: each for each in kind.__subclasses__()}


@lru_cache(maxsize=None)
def _members(kind: Any) -> list[tuple[str, str, Callable[[Any], Any]]]:
    hints = get_type_hints(kind)
    return [(field.name, wire_name(field.name), _converter(hints[field.name])) for field in fields(kind)]


def _converter(hint: Any) -> Callable[[Any], Any]:
    if get_origin(hint) is Union:
        kinds = [each for each in get_args(hint) if isinstance(each, type) and issubclass(each, Resource)]
        # Optional: None is not converted.
        others = [each for each in get_args(hint) if each not in kinds and each is not type(None)]
        return partial(_one_of, kinds) if kinds and len(kinds) + len(others) > 1 else _converter(get_args(hint)[0])
    if get_origin(hint) is tuple:
        convert = _converter(get_args(hint)[0])
        return lambda values: tuple(convert(value) for value in values)
    if hint is Decimal:
        return read_amount
    if hint is datetime:
        return read_time
    if isinstance(hint, type) and issubclass(hint, Resource):
        return partial(_inner, hint)
    return lambda value: value


def _one_of(kinds: list[type[Resource]], value: Any) -> Any:
    """An object as the kind whose members it has; a text, and what a later service has, as it came."""
    members = value if isinstance(value, dict) else {}
    found = [kind for kind in kinds if all(on_wire in members for _, on_wire, _ in _members(kind))]
    return _made(found[0], value) if found else value


def _inner(kind: type[Kind], value: Any) -> Kind:
    if not isinstance(value, dict):
        raise ValueError("no object")
    return _made(kind, value)
