"""Tic-tac-toe: small enough to be solved exactly, it proves search and learning right."""

from cotulenh_env.tictactoe.game import RuleSet, TicTacToe

__all__ = ["RuleSet", "TicTacToe"]
