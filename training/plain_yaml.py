"""YAML as settings are written in it: in files, and in the values of flags.

Refused are aliases, which can grow without bound; keys that are set twice and merge keys, which
hide a setting; and tags, which stand for more than plain values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jsonargparse
import yaml

_MODE = "plain_yaml"


def load_plain(text: str) -> Any:
    """The plain values that a text stands for.

    Raises:
        YAMLError: it is not YAML, has what this module refuses, holds a number or date that cannot
            be, or is nested too deeply.
    """
    return _loaded(lambda: yaml.load(text, Loader=_PlainLoader))


def breaks_yaml(text: str) -> bool:
    """Whether a text is worse than no YAML: reading it fails in no orderly way, as of `!!int ""`.

    The parser of flags reads some values by itself, and is not prepared for that.
    """
    try:
        yaml.safe_load(text)
    except (yaml.YAMLError, ValueError):
        return False
    except (ArithmeticError, AttributeError, LookupError, RecursionError):
        return True
    return False


def plain_parser(prog: str, description: str) -> jsonargparse.ArgumentParser:
    """A parser of flags that raises its errors; the values of flags are YAML as described here."""
    return jsonargparse.ArgumentParser(
        prog=prog,
        description=description,
        exit_on_error=False,
        allow_abbrev=False,
        parser_mode=_MODE,
    )


class _PlainLoader(yaml.SafeLoader):
    """YAML without what can hide something."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            raise _refused("aliases are not supported", event)
        if getattr(event, "tag", None) is not None:
            raise _refused("tags, written with !, are not supported", event)
        return super().compose_node(parent, index)

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                continue
            if key.tag == "tag:yaml.org,2002:merge":
                raise _refused("merge keys, written <<, are not supported", key)
            if key.value in seen:
                raise _refused(f"{key.value!r} is set twice", key)
            seen.add(key.value)
        return node


def _refused(words: str, place: Any) -> yaml.YAMLError:
    return yaml.YAMLError(f"{words} (line {place.start_mark.line + 1})")


def _loaded(load: Callable[[], Any]) -> Any:
    try:
        return load()
    except (ValueError, OverflowError) as error:
        raise yaml.YAMLError(str(error)) from error
    except RecursionError as error:
        raise yaml.YAMLError("nested too deeply") from error


def _flag_value(text: str) -> Any:
    """A flag's value, or a file's content, in the parser's dialect once it is known to be plain."""
    _loaded(lambda: yaml.compose(text, Loader=_PlainLoader))
    return _loaded(lambda: _load_dialect(text))


_load_dialect = jsonargparse.get_loader("yaml")
"""Takes dates for text, and numbers such as 1e-3, which YAML 1.1 takes for text, for numbers."""
jsonargparse.set_loader(_MODE, _flag_value, (yaml.YAMLError,))
