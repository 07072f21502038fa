"""Compiled rules of Chess with Different Armies, one file per chapter of the rules.

    workspace   scratch memory, and the board as the mover sees it
    attacks     which squares the enemy attacks, who gives check, what is pinned
    pieces      moves of everything but kings and pawns, from the tables of moves.py
    pawns       pawn moves, promotion, capture in passing
    king        steps of the king, castling by each army's own rule
    legal       the legal actions of a state
    apply       playing one action
    outcome     clocks, repetition, the end of a game
    notes       what a row of the caller's buffers holds
    observe     observation planes
    step        the entry point: playing, legal actions, mask and observation
    perft       counting sequences of actions

Everything but `apply` works on the board turned to the mover, so that there is but one forward and
one enemy. Kernels trust their input: records of `state.STATE_DTYPE` and legal actions.
"""
