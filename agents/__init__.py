"""Agents that choose actions in any game of cotulenh_env."""
