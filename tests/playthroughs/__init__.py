"""A game of every kind to be read, `<game>.txt`: a change of its rules or planes shows as a diff.

`python -m tests.playthroughs` (`make playthroughs`) plays them anew; a test compares.
"""
