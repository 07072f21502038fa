"""Agents as one word of text, for the command line, settings and tables.

    random
    alphabeta:depth=2
    runs/a:num_simulations=400,reuse_subtrees=true

A name, or the path of a folder; behind a colon its options, separated by commas, with values typed
as scalars of YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from agents.agent import Agent
from agents.errors import AgentError
from agents.registry import agent_names, make_agent, option_names
from cotulenh_env.errors import shown
from cotulenh_env.game import Game

LIMITS = ("num_simulations", "time_limit_seconds", "depth", "num_nodes")
"""Options that say how long an agent thinks, whichever of them it has."""

_MAX_LENGTH = 1000
_OPTIONS_BEGIN = re.compile(r":(?=[A-Za-z_]\w*=)")
_TYPED = ("null", "bool", "int", "float")
"""Scalars of YAML that are not taken as text."""


@dataclass(frozen=True)
class AgentSpec:
    """An agent that can be loaded.

    Attributes:
        text: as the user wrote it, on one line.
        name: one of `agents.agent_names()`, or a path.
        options: of the agent, by name.
    """

    text: str = field(compare=False)
    name: str
    options: Mapping[str, Any]

    def load(self, game: str | Game | None, defaults: Mapping[str, Any] | None = None) -> Agent:
        """The agent.

        Args:
            game: see `agents.load`.
            defaults: options for agents that know them, where the spec does not set them. One that
                limits how long the agent thinks is left out if the spec sets any such limit.

        Raises:
            CotulenhError: see `agents.load`; the message names the spec.
        """
        known = option_names(self.name)
        limited = any(name in self.options for name in LIMITS)
        chosen = {
            name: value
            for name, value in (defaults or {}).items()
            if name in known and not (limited and name in LIMITS)
        }
        return make_agent(self.name, game, {**chosen, **self.options})


def parse_agent_spec(text: str) -> AgentSpec:
    """Reads `name[:option=value[,option=value…]]`.

    A colon belongs to the path if the whole text is a path that exists, or if no `option=` follows.

    Raises:
        AgentError: the text has another form. Whether there is such an agent is seen by `load`.
    """
    given_text: object = text
    is_text = isinstance(given_text, str) and bool(text.strip()) and "\0" not in text
    if not is_text or len(text) > _MAX_LENGTH:
        raise AgentError(
            f"an agent is written name[:option=value,…] in at most {_MAX_LENGTH} characters, "
            f"got {shown(given_text)}"
        )
    name, given = _split(text.strip())
    if not name.strip():  # which would be the working directory
        raise AgentError(f"an agent is written name[:option=value,…], got no name in {shown(text)}")
    options: dict[str, Any] = {}
    for part in given.split(",") if given is not None else ():
        option, equals, value = part.partition("=")
        option = option.strip()
        if not equals or not option.isidentifier():
            raise AgentError(
                f"options of an agent are written option=value, got {shown(part)} in {shown(text)}"
            )
        if option in options:
            raise AgentError(f"option {option} is set twice in {shown(text)}")
        options[option] = _scalar(value.strip(), text)
    printable = "".join(letter if letter.isprintable() else "?" for letter in text.strip())
    return AgentSpec(printable, name, options)


def unique_labels(specs: Iterable[AgentSpec]) -> list[str]:
    """Labels for tables: the texts, a repeated one with its number, such as `random #2`."""
    labels: list[str] = []
    for spec in specs:
        number, label = 1, spec.text
        while label in labels:
            number += 1
            label = f"{spec.text} #{number}"
        labels.append(label)
    return labels


def _split(text: str) -> tuple[str, str | None]:
    """The name, and what stands behind its colon if anything does."""
    head, colon, tail = text.partition(":")
    if head in agent_names():
        return head, tail if colon else None
    if _exists(text):
        return text, None
    places = [match.start() for match in _OPTIONS_BEGIN.finditer(text)]
    if not places:
        return text, None
    # The first that leaves an existing path; an option's value may hold a colon, as in cuda:1.
    place = next((place for place in places if _exists(text[:place])), places[0])
    return text[:place], text[place + 1 :]


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long, or no path at all
        return False


def _scalar(value: str, text: str) -> Any:
    """A value as YAML types a plain scalar; no other syntax of YAML is read."""
    loader = yaml.SafeLoader("")
    tag = loader.resolve(yaml.ScalarNode, value, (True, False))  # type: ignore[no-untyped-call]
    kind = tag.rpartition(":")[2]
    if not value or kind not in _TYPED:
        return value
    try:
        return loader.construct_object(yaml.ScalarNode(tag, value))
    except (ValueError, OverflowError):
        raise AgentError(f"{shown(value)} is no number, in {shown(text)}") from None
