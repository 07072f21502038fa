"""Redraws the pictures of the documentation: `python docs/draw_pictures.py`, or `make pictures`.

board.png and board.svg show the starting position; position.png a position in the middle of a game,
with stacks, heroic pieces, air-defence zones and the last move.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from cotulenh_env.commander.board import parse_point
from cotulenh_env.commander.drawing import Marks, draw_picture, draw_svg
from cotulenh_env.commander.fen import START_FEN, state_from_fen
from cotulenh_env.commander.rules import RuleSet

FOLDER = Path(__file__).parent

MIDDLE_FEN = (
    "11/1n3(hc)fh3/3a5a1/2n1g+t1tg2/2ie2s2ei/8(+fm)2/3(FTI)1(EG)5/"
    "2IE2M4/1(N+FT)2A3G2/6S2A1/1N6H2/5(HC)5 r - - 3 21"
)


def main() -> None:
    """Writes the pictures next to this file."""
    start = state_from_fen(START_FEN, RuleSet())["board"]
    Image.fromarray(draw_picture(start)).save(FOLDER / "board.png", optimize=True)
    (FOLDER / "board.svg").write_text(draw_svg(start), encoding="utf-8")
    middle = state_from_fen(MIDDLE_FEN, RuleSet(battle="full"))["board"]
    marks = Marks(player=0, last_move=(parse_point("g10"), parse_point("g8")), zones=(1,))
    picture = draw_picture(middle, marks)
    Image.fromarray(picture).save(FOLDER / "position.png", optimize=True)


if __name__ == "__main__":
    main()
