"""Batched Monte Carlo tree search over any `Game`, with a network seen only as an `Evaluator`."""

from agents.search.batched import BatchedSearch
from agents.search.result import SearchResult
from agents.search.settings import SearchSettings

__all__ = ["BatchedSearch", "SearchResult", "SearchSettings"]
