"""Alpha-beta search for Commander Chess, on its kernels: the one agent that plays but one game.

    agent               AlphaBetaAgent: actions for batches of positions
    settings            AlphaBetaSettings: depth, time, nodes, memory
    searcher            AlphaBetaSearch: iterative deepening of one position
    search              the search itself, one compiled loop
    actions             what actions do, and the order in which they are tried
    memory              what frames put into the table and take from it
    table               the transposition table
    evaluation          what a position is worth, standing still
    evaluation_weights  EvaluationWeights: the numbers of that
    values              the scale of values: wins, losses
    workspace           the search's arrays

See docs/alphabeta.md.
"""

from agents.alphabeta.agent import AlphaBetaAgent
from agents.alphabeta.evaluation import evaluate
from agents.alphabeta.evaluation_weights import EvaluationWeights
from agents.alphabeta.searcher import AlphaBetaSearch, SearchResult
from agents.alphabeta.settings import AlphaBetaSettings

__all__ = [
    "AlphaBetaAgent",
    "AlphaBetaSearch",
    "AlphaBetaSettings",
    "EvaluationWeights",
    "SearchResult",
    "evaluate",
]
