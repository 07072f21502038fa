"""Turns in the official notation, written and read (R11.2).

    T3,5_5,5                a move: the piece, its point, the target
    T3,5@In5,5              a capture that ends on the target's point
    @Af1,4@T5,4             a strike: the attacker stays or returns
    Af1,4@"In5,4            shot down on the way
    Af1,4@Aa5,4><           a kamikaze
    In3,4&T3,5              a join: the stack that is joined stands behind &
    (NAfT)4,2_6,2           a stack
    Af4,2_6,4/T4,2_4,3      a deployment; pieces that it does not name stay
    T3,5_5,5>   T3,5@C5,5^  check, win
    HQ0,4                   a placement of the advanced battle
    Af4,2_6,4/...           a deployment that is not over; T4,2... a group that is selected
    /T4,2_4,3   /           the rest of a turn that began before the position; only its end

Every turn has one spelling in each style; docs/records.md has the whole table. Points are
`vertical,horizontal`, as R1.1 reads them, or `f4`.

>>> from cotulenh_env.commander import Position
>>> position = Position()
>>> actions = parse_turn(position, "T3,5_5,5")
>>> [position.move_text(action) for action in actions]
['T f4-f6 move']
>>> turn_text(position, actions, NotationStyle("vietnamese", "points"))
'Xf4_f6'
"""

from __future__ import annotations

from collections.abc import Iterable

from cotulenh_env.commander.actions import ActionKind
from cotulenh_env.commander.notation_reading import (
    TurnReading,
    checked_position,
    end_mark,
    is_under_way,
    read_turn,
)
from cotulenh_env.commander.notation_symbols import (
    KAMIKAZE_MARK,
    OFFICIAL_STYLE,
    REMARKS,
    SIGNS,
    STRIKE_MARK,
    UNFINISHED_MARK,
    NotationStyle,
    check_style,
    pieces_symbol,
    point_symbol,
)
from cotulenh_env.commander.position import Position
from cotulenh_env.commander.state import STATE_DTYPE
from cotulenh_env.commander.words import board_move, move_word, target_codes
from cotulenh_env.errors import IllegalActionError, NotationError, shown

__all__ = [
    "OFFICIAL_STYLE",
    "REMARKS",
    "NotationStyle",
    "TurnReading",
    "parse_turn",
    "play_turn",
    "read_turn",
    "split_turns",
    "turn_text",
]


def turn_text(
    position: Position, actions: Iterable[int], style: NotationStyle = OFFICIAL_STYLE
) -> str:
    """The actions of one turn, or of the part of it that has been played, in official notation.

    `>` stands behind a turn after which an enemy piece or group could capture the commander of the
    player to move (R10.8), on the board after promotions, in a game that goes on. `^` stands behind
    a turn at whose end the mover has won, for whatever reason. Draws and losses have no mark.

    Args:
        position: where they begin, in mid-turn perhaps; left as it is.
        actions: at least one, legal one after another, none behind the end of the turn.
        style: alphabet and coordinates.

    Raises:
        IllegalActionError: an action is not legal, or belongs to the next turn.
        NotationError: there are no actions; or position, actions or style are none at all.

    >>> from cotulenh_env.commander import Position
    >>> position = Position.from_fen("6c4/11/11/11/11/5i5/11/2(NFT)8/11/11/11/3C7 r - - 5 9")
    >>> after = position.copy()
    >>> for move in ("SELECT c5 T", "T c5-e5 move", "SELECT c5 F", "F c5-c8 move", "END"):
    ...     after.push(after.parse_move(move))
    >>> turn_text(position, after.actions_played)
    'T4,2_4,4/Af4,2_7,2>'
    >>> turn_text(position, after.actions_played, NotationStyle("vietnamese", "points"))
    'Xc5_e5/Kc5_c8>'
    """
    return play_turn(checked_position(position).copy(), actions, style)


def play_turn(
    position: Position, actions: Iterable[int], style: NotationStyle = OFFICIAL_STYLE
) -> str:
    """Plays the actions of one turn, and gives it in official notation; see `turn_text`.

    Args:
        position: where they begin; afterwards, where they lead, or where the refused action was.
        actions: at least one, legal one after another, none behind the end of the turn.
        style: alphabet and coordinates.

    Raises:
        IllegalActionError: an action is not legal, or belongs to the next turn.
        NotationError: there are no actions; or position, actions or style are none at all.
    """
    check_style(style)
    start = checked_position(position).copy(past=False)
    actions = _listed(actions)
    if not actions:
        raise NotationError(f"a turn without actions has no notation, in {start.fen()}")
    mover = start.turn
    sub_moves: list[str] = []
    selected = ""
    for action in actions:
        if position.turn != mover:
            raise IllegalActionError(
                f"action {shown(action)} belongs to the next turn, in {position.fen()}"
            )
        text, is_done = _play_action(position, action, style)
        if is_done:
            sub_moves += [text] if text else []
        selected = "" if is_done else text
    if position.winner is None and position.turn == mover:
        sub_moves.append(selected + UNFINISHED_MARK)
    is_resumed = is_under_way(start)
    return ("/" if is_resumed else "") + "/".join(sub_moves) + end_mark(start, position)


def _listed(actions: Iterable[int]) -> list[int]:
    try:
        return list(actions)
    except TypeError:
        raise NotationError(f"actions come one after another, got {shown(actions)}") from None


def _play_action(position: Position, action: int, style: NotationStyle) -> tuple[str, bool]:
    """Plays one action; its text (none for END), and whether it is a sub-move or placement."""
    before = position.state.view(STATE_DTYPE)[0]
    position.push(action)  # refuses what is not legal
    action = int(action)
    move = board_move(before, action)
    if move.kind == ActionKind.END:
        return "", True
    text = pieces_symbol(move.codes, style) + point_symbol(move.point, style)
    if move.kind in (ActionKind.SELECT, ActionKind.PLACE):
        return text, move.kind == ActionKind.PLACE
    is_strike = move.kind == ActionKind.STRIKE
    word = "strike" if is_strike else move_word(before, action, move)
    target = pieces_symbol(target_codes(before, move), style)
    return (
        (STRIKE_MARK if is_strike else "")
        + text
        + SIGNS[word]
        + target
        + point_symbol(move.target, style)
        + (KAMIKAZE_MARK if word == "kamikaze" else ""),
        True,
    )


def parse_turn(position: Position, text: str) -> list[int]:
    """The actions of the one turn that a text tells.

    Either alphabet and either kind of coordinates are read. Spaces, heroic marks, the letters of
    the target and the marks `> ^ ><` may be missing, but what is there has to be true. A player's
    remark may follow, such as `?`. The signs `_ @ @" &` are never guessed. docs/records.md tells
    all that is tolerated.

    Args:
        position: where the turn begins; left as it is.
        text: a turn in official notation.

    Raises:
        NotationError: the text is malformed, or tells no legal turn, or more than one; with the
            reason, where in the text, and the position.

    >>> from cotulenh_env.commander import Position
    >>> position = Position()
    >>> parse_turn(position, "T3,5_5,5") == parse_turn(position, "x 3,5 – f6 ?")
    True
    >>> parse_turn(position, "T3,5_5,6")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    cotulenh_env.errors.NotationError: nothing goes from 3,5 to 5,6, at character 1 ...
    """
    return list(read_turn(position, text).actions)


def split_turns(position: Position, actions: Iterable[int]) -> list[list[int]]:
    """A game's actions turn by turn; each placement of the advanced battle is one.

    Args:
        position: where they begin, in mid-turn perhaps; left as it is.
        actions: legal one after another.

    Returns:
        The turns in order; the last may be unfinished.

    Raises:
        IllegalActionError: an action is not legal.
        NotationError: position or actions are none at all.
    """
    position = checked_position(position).copy()
    turns: list[list[int]] = []
    is_new = True
    for action in _listed(actions):
        mover = position.turn
        position.push(action)
        if is_new:
            turns.append([])
        turns[-1].append(int(action))
        is_new = position.turn != mover
    return turns
