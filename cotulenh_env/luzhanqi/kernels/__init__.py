"""Compiled rules of Luzhanqi, one file per chapter.

    workspace         scratch memory: the board as the mover sees it
    moves             where pieces go: road, railway, engineers; the same in both modes
    flip              flip mode: what may be flipped and attacked, playing one action
    referee           referee mode: placing, moving, what is announced
    outcome           no move, repetition, quiet plies
    flip_planes       observation planes of the flip mode
    referee_planes    observation planes of the referee mode
    flip_step         the flip mode's entry point: playing, legal actions, mask, observation
    referee_step      the referee mode's
    evidence          what a player knows of each enemy token by itself
    choices           the same, as counting needs it
    counting          how many layouts the enemy can have
    worlds            counting and drawing them, with what the game's going on says

Kernels trust their input: records of `state.FLIP_DTYPE` or `state.REFEREE_DTYPE` and legal actions.
"""
