"""Compiled rules of Commander Chess, one file per chapter of the rules.

    workspace              scratch memory
    stacks      R7.1–R7.6  pieces on one point: splitting, merging, standing
    headquarters  R4.4     who captures a headquarters with its commander
    river       R3.5       crossing the river without capturing
    rays        R2.2, R3, R4   where land pieces go and capture; what all kinds' rays share
    navy        R5         where navies go, missile and gun
    flight      R8         where aircraft go and strike, air-defence zones
    commander   R6         where the commander goes, lines of sight
    groups                 all actions of one group, by its kind
    losses      R2.3, R10.1–R10.3, R10.6   removing pieces, points, lost divisions
    sub_move    R4.1, R7.3, R7.8    playing one group's move or strike
    deploy      R7.7–R7.10  whether a turn that began so can still be completed
    attack      R6.4, R9.1, R10.8   who attacks a stack, a commander's above all
    heroes      R9         promotions
    placement   R10.7      the placement phase
    legal                  the legal actions of a state
    outcome     R10.2, R10.4–R10.6, R10.9   ending a turn and the game
    apply                  playing one action
    notes                  what a row of the caller's buffers holds
    observe                observation planes
    attackers   R9.1       for people who look: which pieces could capture on a point
    step                   the entry point: playing, legal actions, mask and observation

The editions (R12) have no kernels of their own: where they differ a kernel tests a bit of the
state's `switches`, or reads a table at an index cut from them.

Kernels trust their input: records of `state.STATE_DTYPE` and legal actions. `board` is the uint16
[132] of a record, `group` the pieces that act as one stack (with the side bit), `origin` their
point, `work` the scratch memory of a call.
"""
