"""Self-play training, matches, ratings and the command line."""
