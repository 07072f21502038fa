"""Slow, obvious readings of the rules, written apart from the kernels they are compared with."""
