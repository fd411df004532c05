"""The benchmark harness behind ./chatflow bench: Python 3 and its library, Linux's /proc, nothing else."""
