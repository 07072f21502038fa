"""Redraws the pictures of the documentation: `python -m docs.draw_pictures`, or `make pictures`.

board.png and board.svg show the starting position; position.png shows one in the middle of a game,
with stacks, heroic pieces, air-defence zones and the last move; rules/*.svg are the diagrams of the
book of rules; cwda.svg is a game of Chess with Different Armies, banqi.svg one of Banqi,
luzhanqi.svg one of Luzhanqi.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from cotulenh_env import banqi, luzhanqi
from cotulenh_env.banqi import drawing as banqi_drawing
from cotulenh_env.banqi.state import STATE_DTYPE as BANQI_STATE
from cotulenh_env.commander.board import parse_point
from cotulenh_env.commander.drawing import NO_MARKS, Marks, draw_picture, draw_svg
from cotulenh_env.commander.fen import START_FEN, state_from_fen
from cotulenh_env.commander.landscape import View
from cotulenh_env.commander.rules import RuleSet
from cotulenh_env.cwda import drawing as cwda_drawing
from cotulenh_env.cwda.board import parse_square
from cotulenh_env.cwda.fen import parse_fen as parse_cwda_fen
from cotulenh_env.cwda.rules import RuleSet as DifferentArmiesRules
from cotulenh_env.luzhanqi import drawing as luzhanqi_drawing
from cotulenh_env.luzhanqi.state import FLIP_DTYPE
from cotulenh_env.luzhanqi.views import flip_marks
from docs.rule_book import FOLDER as RULES_FOLDER
from docs.rule_book import draw_example, read_examples

FOLDER = Path(__file__).parent

_NO_CAPTION = View(has_caption=False)

MIDDLE_FEN = (
    "11/1n3(hc)fh3/3a5a1/2n1g+t1tg2/2ie2s2ei/8(+fm)2/3(FTI)1(EG)5/"
    "2IE2M4/1(N+FT)2A3G2/6S2A1/1N6H2/5(HC)5 r - - 3 21"
)

DIFFERENT_ARMIES_FEN = "dw1akfwd/pppp1ppp/4f3/4p3/4P3/5I2/PPPP1PPP/GIHLKH1G w KQkq - 2 3"

BANQI_FEN = "cC1?ass?/?1ca1heh/ersRSG1r/CH??ASH? r r AEERSs 0"

LUZHANQI_FEN = (
    "?1tD?/?mT1?/1d2C/p?a1?/?1xkr/p1??M/?1Kb1/?1?1?/m1A?E/e1M1?/DP?1B/?dmT? "
    "0 b F1M1X1B1R2K2P2E1f1c1b1r1p1e2 15 64"
)


def main() -> None:
    """Writes the pictures, and takes away diagrams that no example has any more."""
    start = state_from_fen(START_FEN, RuleSet())["board"]
    board = draw_picture(start, NO_MARKS, _NO_CAPTION)
    Image.fromarray(board).save(FOLDER / "board.png", optimize=True)
    document = draw_svg(start, NO_MARKS, _NO_CAPTION)
    (FOLDER / "board.svg").write_text(document, encoding="utf-8")
    middle = state_from_fen(MIDDLE_FEN, RuleSet(battle="full"))["board"]
    marks = Marks(player=0, last_move=(parse_point("g10"), parse_point("g8")), zones=(1,))
    picture = draw_picture(middle, marks)
    Image.fromarray(picture).save(FOLDER / "position.png", optimize=True)
    record = banqi.Position.from_fen(BANQI_FEN).state.view(BANQI_STATE)[0]
    document = banqi_drawing.draw_svg(record["board"], banqi_drawing.marks_of(record))
    (FOLDER / "banqi.svg").write_text(document, encoding="utf-8")
    record = luzhanqi.FlipPosition.from_fen(LUZHANQI_FEN).state.view(FLIP_DTYPE)[0]
    document = luzhanqi_drawing.draw_svg(record["board"], flip_marks(record))
    (FOLDER / "luzhanqi.svg").write_text(document, encoding="utf-8")
    setup = parse_cwda_fen(DIFFERENT_ARMIES_FEN, DifferentArmiesRules("NN", "CC"))
    last_move = parse_square("c8"), parse_square("e6")
    shown = cwda_drawing.Marks(setup.player, setup.armies, last_move=last_move)
    document = cwda_drawing.draw_svg(setup.board, shown)
    (FOLDER / "cwda.svg").write_text(document, encoding="utf-8")
    diagrams = dict(diagram for example in read_examples() for diagram in draw_example(example))
    for path in RULES_FOLDER.glob("*.svg"):
        if path.name not in diagrams:
            path.unlink()
    for name, document in diagrams.items():
        (RULES_FOLDER / name).write_text(document, encoding="utf-8")


if __name__ == "__main__":
    main()
