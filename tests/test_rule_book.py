"""The book of rules, `docs/rules.md`, holds what it says.

- every claim of every example, checked with `Position` and with the slow rules of
  `tests/reference`
- the switch between two editions makes the same difference by itself
- every picture is what the renderer makes of its example now, and none is left over
- the text shows every picture with its example's words, and names every example without one
- every cited rule exists, and every rule of chapters 1 to 10 and 12 is cited
- every link leads somewhere, and Python blocks run
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pytest

from cotulenh_env.commander import Position, RuleSet
from cotulenh_env.commander.board import NUM_POINTS, point_name
from cotulenh_env.commander.fen import board_text
from cotulenh_env.commander.kernels.flight import fill_zones
from cotulenh_env.commander.switches import SWITCHES
from cotulenh_env.errors import PositionError
from docs.rule_book import (
    FOLDER,
    Claims,
    Example,
    claims_after,
    draw_example,
    lines_of_sight,
    read_examples,
    read_pieces,
    read_points,
    sort_moves,
)
from tests.reference.commander import FenError, Game, Rules
from tests.reference.commander.board import parse_point
from tests.reference.commander.fen import parse_fen
from tests.reference.commander.flight import enemy_zones_over

DOCS = Path(__file__).parents[1] / "docs"
BOOK = (DOCS / "rules.md").read_text(encoding="utf-8")
EXAMPLES = read_examples()
SIDES = ("red", "blue")

NUM_RULES = {1: 4, 2: 3, 3: 5, 4: 5, 5: 3, 6: 5, 7: 11, 8: 7, 9: 3, 10: 9, 11: 2, 12: 2}
"""How many rules each chapter has."""

ALL_RULES = {f"R{chapter}.{n}" for chapter, num in NUM_RULES.items() for n in range(1, num + 1)}


# --- two players of the rules ---


class Player(Protocol):
    """Something that plays the game by its rules: `Position`, or the slow reference."""

    def texts(self) -> list[str]:
        """All legal moves in words."""

    def push(self, text: str) -> None:
        """Plays one of them."""

    def seen(self) -> dict[str, Any]:
        """The board, side to move, winner, reason and points."""


def summary(game: Position | Game) -> dict[str, Any]:
    board, turn = game.fen().split()[:2]
    return {
        "pieces": board,
        "turn": {"r": "red", "b": "blue"}[turn],
        "winner": "none" if game.winner is None else game.winner,
        "reason": game.reason,
        "points": "{} {}".format(*game.points),
    }


class KernelPlayer:
    def __init__(self, fen: str, options: dict[str, Any]) -> None:
        self.position = Position.from_fen(fen, RuleSet(**options))

    def texts(self) -> list[str]:
        position = self.position
        return [position.move_text(action) for action in position.legal_actions()]

    def push(self, text: str) -> None:
        self.position.push(self.position.parse_move(text))

    def seen(self) -> dict[str, Any]:
        return summary(self.position)


class ReferencePlayer:
    def __init__(self, fen: str, options: dict[str, Any]) -> None:
        self.game = Game.from_fen(fen, Rules(**options))

    def texts(self) -> list[str]:
        return list(self.game.legal_texts().values())

    def push(self, text: str) -> None:
        (action,) = (n for n, words in self.game.legal_texts().items() if words == text)
        self.game.push(action)

    def seen(self) -> dict[str, Any]:
        return summary(self.game)


def players(fen: str, options: dict[str, Any]) -> Iterator[Player]:
    yield ReferencePlayer(fen, options)
    yield KernelPlayer(fen, options)


# --- claims ---


def assert_moves(player: Player, claims: Claims) -> None:
    if claims.point is None:
        assert claims.can is None
        assert claims.groups is None
        return
    found = sort_moves(player.texts(), claims.point)
    groups = found.pop("select", ())
    if claims.can is not None:
        expected = {word: tuple(sorted(points)) for word, points in claims.can.items()}
        assert found == expected
    if claims.groups is not None:
        assert sorted(groups) == sorted(claims.groups)
    reached = {name for names in found.values() for name in names}
    assert not reached & set(claims.cannot)


def assert_claims(player: Player, claims: Claims) -> None:
    assert_moves(player, claims)
    for text in claims.play:
        assert text in player.texts()
        player.push(text)
    seen = player.seen()
    for key, expected in claims.then.items():
        if key == "pieces":
            assert seen[key] == board_text(read_pieces(expected))
        elif key in seen:
            assert seen[key] == expected, key
        else:
            assert key in ("point", "can", "groups", "cannot")
    assert_moves(player, claims_after(claims))


def each_example_with(has: Callable[[Example], object] = bool) -> pytest.MarkDecorator:
    """A test of every example that has something; there is at least one."""
    chosen = [example for example in EXAMPLES if has(example)]
    assert chosen
    return pytest.mark.parametrize("example", chosen, ids=[each.name for each in chosen])


EACH_EXAMPLE = each_example_with()


@each_example_with(lambda example: example.pieces or example.claims.play)
def test_claims_hold(example: Example) -> None:
    for claims in filter(None, (example.claims, example.unlike)):
        for player in players(example.fen, dict(claims.options)):
            assert_claims(player, claims)


@each_example_with(lambda example: example.switch)
def test_switch_alone_makes_the_difference(example: Example) -> None:
    """R12: each difference between editions has a switch of its own."""
    options = {**example.claims.options, "edition": "official", **example.switch}
    for player in players(example.fen, options):
        assert_claims(player, example.claims)


@each_example_with(lambda example: example.stands)
def test_pieces_stand_where_the_example_says(example: Example) -> None:
    """R1.2."""
    for kind, text in example.stands.items():
        allowed = set(read_points(text))
        for point in range(NUM_POINTS):
            fen = f"{board_text(read_pieces(f'{point_name(point)} {kind}'))} r - - 0 1"
            if point in allowed:
                Position.from_fen(fen)
                Game.from_fen(fen, Rules())
            else:
                with pytest.raises(PositionError):
                    Position.from_fen(fen)
                with pytest.raises(FenError):
                    Game.from_fen(fen, Rules())


@each_example_with(lambda example: example.zone)
def test_zones_cover_what_the_example_says(example: Example) -> None:
    """R8.1."""
    for side, text in example.zone.items():
        zones = np.zeros(NUM_POINTS, np.int32)
        fill_zones(read_pieces(example.pieces), SIDES.index(side), zones)
        assert {point_name(point) for point in np.flatnonzero(zones).tolist()} == set(text.split())
        everywhere = tuple(parse_point(point_name(point)) for point in range(NUM_POINTS))
        board = parse_fen(example.fen).board
        slow = frozenset().union(*enemy_zones_over(board, 1 - SIDES.index(side), everywhere))
        assert slow == {parse_point(name) for name in text.split()}


@each_example_with(lambda example: example.view and example.frames)
def test_a_picture_shows_whose_move_it_marks(example: Example) -> None:
    """A claim about a point that the picture leaves out would teach nobody."""
    shown = {point_name(point) for point in read_points(example.view)}
    asked = [example.claims, claims_after(example.claims)]
    for claims in asked:
        if claims.point and claims.can is not None and claims.can.keys() != {"end"}:
            assert {claims.point, *claims.cannot} <= shown
            captures = ("capture", "strike", "hqonly", "kamikaze", "join", "shot")
            marked = {name for word in captures for name in claims.can.get(word, ())}
            assert marked <= shown


# --- pictures ---


@EACH_EXAMPLE
def test_pictures_are_those_of_the_example(example: Example) -> None:
    for name, document in draw_example(example):
        drawn = (FOLDER / name).read_text(encoding="utf-8")
        assert drawn == document, f"{name} is out of date: make pictures"


@pytest.mark.parametrize(
    ("pieces", "mover", "ends"),
    [
        ("g3 C, g7 c, d7 t", 0, {"g12", "k7", "g1", "d7"}),
        ("g3 C, g7 c, d7 t", 1, {"g12", "k7", "g3", "d7"}),
        ("g3 C, g7 c, d7 t", None, {"g12", "k7", "g3", "d7"}),
        ("g3 CI, g7 c, d7 t", 0, {"g12", "k7", "g3", "d7"}),
        ("g3 C, g7 tc", 0, set()),
        ("g7 c", 0, set()),
    ],
)
def test_lines_of_sight(pieces: str, mover: int | None, ends: set[str]) -> None:
    """R6.2: a lone commander about to move hides nothing; without an enemy nothing is drawn."""
    lines = list(lines_of_sight(read_pieces(pieces), ["blue"], mover))
    assert {point_name(start) for start, _ in lines} <= {"g7"}
    assert {point_name(end) for _, end in lines} == ends


def test_no_picture_is_left_over() -> None:
    names = [name for example in EXAMPLES if example.frames for name in example.pictures]
    assert sorted(path.name for path in FOLDER.glob("*.svg")) == sorted(names)


def test_pictures_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in FOLDER.glob("*.svg")}
    assert max(sizes.values()) <= 60_000
    assert sum(sizes.values()) <= 1_500_000


# --- the text ---


PICTURES = dict(re.findall(r'<img src="rules/([\w-]+\.svg)" alt="([^"]*)"', BOOK))


@EACH_EXAMPLE
def test_book_shows_the_example(example: Example) -> None:
    """Its pictures in their order, each with its words; without a picture, its name."""
    assert set(example.rules) <= ALL_RULES
    if not example.frames:
        assert f"`{example.name}`" in BOOK
        return
    alternatives = [PICTURES.get(name) for name in example.pictures]
    suffixes = [""] if len(alternatives) == 1 else [f" ({n})" for n in range(1, 9)]
    expected = [example.text + suffix for suffix, _ in zip(suffixes, alternatives, strict=False)]
    assert alternatives == expected
    assert BOOK.count(example.text) > len(alternatives), "the words are to be read under it, too"
    places = [BOOK.index(f"rules/{name}") for name in example.pictures]
    assert places == sorted(places)


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", BOOK, re.DOTALL))
def test_python_blocks_run(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "rules.md", "exec"), {})
    assert "move" in capsys.readouterr().out


def test_names_are_unique() -> None:
    names = [example.name for example in EXAMPLES]
    assert len(set(names)) == len(names)


def test_every_rule_is_cited_and_exists() -> None:
    cited = set(re.findall(r"\bR\d+\.\d+\b", BOOK))
    assert cited <= ALL_RULES
    assert {rule for rule in ALL_RULES if not rule.startswith("R11.")} <= cited


def test_every_chapter_has_examples() -> None:
    shown = {rule for example in EXAMPLES for rule in example.rules}
    assert {rule.split(".")[0] for rule in shown} == {f"R{n}" for n in NUM_RULES if n != 11}


def test_switches_are_rule_options() -> None:
    """R12: every switch has an example, and the table has its value there."""
    shown_by_examples = {switch for example in EXAMPLES for switch in example.switch}
    assert shown_by_examples == {switch.name for switch in SWITCHES}
    for example in EXAMPLES:
        for switch, value in example.switch.items():
            shown = f'"{value}"' if isinstance(value, str) else value
            assert f"`{switch}` = `{shown}`" in BOOK


def anchors(text: str) -> set[str]:
    """The names that GitHub gives to the headings of a Markdown text."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


LINKS = re.findall(r"\]\(((?!http)[^)]+)\)", BOOK) + re.findall(r'src="([^"]+)"', BOOK)


@pytest.mark.parametrize("target", sorted(set(LINKS)))
def test_links_lead_somewhere(target: str) -> None:
    path, _, anchor = target.partition("#")
    linked = DOCS / path if path else DOCS / "rules.md"
    assert linked.exists()
    if anchor:
        assert anchor in anchors(linked.read_text(encoding="utf-8"))
