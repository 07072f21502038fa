"""Measurements. `python -m training.bench` prints the first figures of this machine."""
