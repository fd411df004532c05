"""Runs, checks and measures ChatFlow: the Python verbs of ./chatflow. Uses only the standard library."""
