"""Each kind of benchmark at its smallest: that it runs and that every delivery is exact, not what it measures."""
import sys

from ..common import ROOT, call
from .registry import LONG, check

KINDS = """
idle --connections 100 --broker embedded --settle 1 --repeat 1
rates --rates 200 --brokers embedded --rooms 2 --seconds 1 --settle 1 --repeat 1
hops --broker embedded --rate 200 --seconds 2 --settle 1 --repeat 1
path -- --rooms 2 --messages 20
micro --include FlightBenchmark.single --repeat 1 --seconds 1
client --frames 16 --messages 20 --repeat 1
peers --servers chatflow-embedded,ws --rooms 2 --members 5 --rate 100 --seconds 1 --settle 1 --repeat 1
record --stores sqlite --batches 100 --commits 5 --rows 2000 --rate 200 --seconds 1 --through=
code
"""
#: Those that start many servers or wait for them.
LONG_KINDS = """
pace --broker embedded --servers 2 --rates 200 --seconds 1 --settle 1 --repeat 1
start --repeat 1
many --forms launcher,several --connections 200 --servers 2 --settle 1 --beats 0 --seconds 1
large --connections 60 --servers 1,2 --rates 5 --seconds 2 --enter 1 --repeat 1
"""


@check("benchmarks", "each kind of benchmark at its smallest", 190, needs=("linux",), uses_programs=True)
def benchmarks(run):
    return small(run, KINDS)


@check("benchmarks-long", "the same of those that start many servers, or wait for them", 200, when=LONG, needs=("linux", "rabbitmq"),
       uses_programs=True)
def benchmarks_long(run):
    return small(run, LONG_KINDS)


def small(run, kinds):
    run.session.lab()
    kinds = kinds.strip().splitlines()
    for kind in kinds:
        run.say(f"bench {kind}", call(sys.executable, "-B", ROOT / "infra/python", "bench", *kind.split()))
    return f"{len(kinds)} kinds"
