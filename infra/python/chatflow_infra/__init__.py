"""Runs, checks and measures ChatFlow: what ./chatflow hands on to Python. Nothing here but the standard library."""
