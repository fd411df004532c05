"""Each kind of benchmark at its smallest: that it runs and that every delivery is exact, not what it measures."""
import sys

from ..common import ROOT, call
from .registry import check

KINDS = """
fanout --connections 100 --windows 4 --seconds 1 --settle 1 --repeat 1
rooms --largest 10 --seconds 1 --settle 1 --repeat 1
idle --connections 100 --broker embedded --settle 1 --repeat 1
rates --rates 200 --brokers embedded --rooms 2 --seconds 1 --settle 1 --repeat 1
pace --broker embedded --servers 2 --paces 5ms --rates 200 --seconds 1 --settle 1 --repeat 1
start --repeat 1
hops --broker embedded --rate 200 --seconds 2 --settle 1 --repeat 1
posts --brokers embedded --in-flight 4 --seconds 1 --settle 1 --repeat 1
path -- --rooms 2 --messages 20
jvm --broker embedded --collectors Serial --repeat 1 -- --rooms 2 --messages 20
micro --include FlightBenchmark.single --repeat 1 --seconds 1
client --frames 16 --messages 20 --repeat 1
audit --repeat 1 -- --rooms 2 --messages 20
peers --servers chatflow-embedded,ws --rooms 2 --members 5 --rate 100 --seconds 1 --settle 1 --repeat 1
record --stores sqlite --batches 100 --commits 5 --rows 2000 --rate 200 --seconds 1 --through=
many --forms launcher,several --connections 200 --servers 2 --settle 1 --beats 0 --seconds 1
large --connections 60 --servers 1,2 --rates 5 --seconds 2 --enter 1 --repeat 1
readers --servers 1,2 --seconds 4 --settle 1 --repeat 1
scale-model
shards --shards 4,8 --servers 1 --rooms 4 --room-size 4 --rate 50 --messages 5 --warm 5 --seconds 1
code
"""


@check("benchmarks", "each kind of benchmark at its smallest", 280, needs=("linux", "wrk", "rabbitmq"), uses_programs=True)
def benchmarks(run):
    run.session.lab()
    kinds = KINDS.strip().splitlines()
    for kind in kinds:
        run.say(f"bench {kind}", call(sys.executable, "-B", ROOT / "infra/python", "bench", *kind.split()))
    return f"{len(kinds)} kinds"
