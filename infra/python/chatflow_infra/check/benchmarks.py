"""Runs benchmarks at their smallest: they work and every delivery is exact. Their results are not judged."""
import sys

from ..common import ROOT, call
from .registry import NAMED, check

SMALLEST = """
idle --set name=smallest --set broker=embedded --set rooms=4 --set wait=1 --repeat 1
rates --set broker=embedded --set rate=200 --set rooms=2 --set duration=3s --repeat 1
hops --set broker=embedded --set neighbour=yes --set rate=200 --set duration=2s --repeat 1
path-embedded --set CHATFLOW_SINK=direct --set rooms=2 --set messages=20 --repeat 1
peers --set form=ws --set rooms=2 --set members=5 --set rate=100 --set talk_seconds=1 --repeat 1
micro --include FlightBenchmark.single --repeat 1 --seconds 1
code
"""
#: Benchmarks that start many servers or a broker, or wait.
SMALLEST_LONG = """
pace --set servers=2 --set rate=200 --set duration=3s --repeat 1
many --set form=launcher --set rooms=4 --set beats=0 --set wait=1 --set talk_seconds=2
several --set servers=2 --set rooms=2 --set beats=0 --set wait=1
large --set members=60 --set servers=1,2 --set rate=5 --set enter_seconds=1 --set talk_seconds=2
record --set store=sqlite --set rate=200 --set rooms=10 --set duration=3s
tables-cores --set messages=20 --repeat 1
"""


@check("benchmarks", "benchmarks at their smallest", 190, needs=("linux",), uses_programs=True)
def benchmarks(run):
    return small(run, SMALLEST)


@check("benchmarks-long", "smallest benchmarks with many servers or waits", 200, when=NAMED, needs=("linux", "rabbitmq"),
       uses_programs=True)
def benchmarks_long(run):
    return small(run, SMALLEST_LONG)


def small(run, lines):
    run.session.lab()
    lines = lines.strip().splitlines()
    for line in lines:
        run.say(f"bench {line}", call(sys.executable, "-B", ROOT / "infra/python", "bench", *line.split()))
    return f"{len(lines)} benchmarks"
