"""Compiled rules of Banqi, one file per chapter of the rules (docs/banqi.md).

    cells                    sets of cells as bits
    legal       rules 3, 4   the legal actions of a state
    apply       rules 2, 3   playing one action; what a flip turns up
    outcome     rule 5       what ends the game
    observe                  observation planes
    step                     the entry point: playing, legal actions, mask and observation

Kernels trust their input: records of `state.STATE_DTYPE`, legal actions, draws in [0, 1). `board`
is the int8 [32] of a record.
"""
