"""What takes a whole machine: what a delivery costs the load client and what its heap holds; 18,000 people and a restart."""
import sys

from .. import proc
from ..bench import client_cost, many
from ..common import ROOT, Problem, Skipped, call, expect
from .registry import LONG, check

MOST_MICROS = 0.25
#: Between the heaps of runs of different lengths, with as many messages in flight.
MOST_MEGABYTES_MORE = 9.6
MEGABYTES_PER_MILLION_IN_FLIGHT = 36
ROUNDING = 2  # the collector's log speaks in whole MB
FRAMES = 64


@check("client-cost", "a delivery costs the load client a quarter of a microsecond", 90, when=LONG, needs=("linux",), uses_programs=True)
def cost(run):
    run.session.lab()
    runs = [client_cost.run(run.site, FRAMES, 500) for _ in range(5)]
    expect({one["counts"]["deliveries"] for one in runs} == {25_051_000}, "not every delivery was made")
    micros = sorted(one["client"]["cpuMicrosPerDelivery"] for one in runs)
    if micros[2] > MOST_MICROS and any(map(proc.is_disturbed, runs)):
        raise Skipped(f"{micros[2]:.2f} µs, but others used up to {100 * max(one['foreign'] for one in runs):.0f} % of the cores")
    expect(micros[2] <= MOST_MICROS, f"median of {micros}, at most {MOST_MICROS} µs")
    return f"{micros[2]:.2f} µs"


@check("client-heap", "the load client's heap stays flat, and a burst takes memory for its own messages alone", 300, when=LONG,
       needs=("linux",), uses_programs=True)
def heap(run):
    """Five times and twenty times the messages, as many in flight: what was proved is forgotten."""
    run.session.lab()

    def alive(messages, *options):
        return client_cost.heap_megabytes(run.site, FRAMES, messages, *options)

    small, more, most = (alive(messages, "--in-flight=16") for messages in (100, 500, 2000))
    expect(max(abs(more - small), abs(most - small)) <= MOST_MEGABYTES_MORE, f"MB alive: {small}, {more}, {most}")
    burst, large = alive(100), alive(500)  # all of a burst is in flight at once: 0.4 million messages more than a fifth of it
    expect(large <= burst + 0.4 * MEGABYTES_PER_MILLION_IN_FLIGHT + ROUNDING, f"MB alive in a burst: {burst}, {large}")
    return f"{small}, {more}, {most} MB; burst {burst}, {large} MB"


@check("many", "18,000 connections to a server in each form, and all are back with all they missed after its restart", 360, when=LONG,
       needs=("linux", "rabbitmq"), uses_programs=True)
def many_people(run):
    run.session.lab()
    connections = 18_000
    try:
        many.check_limits(connections)
    except Problem as e:
        raise Skipped(str(e)) from e
    run.say("bench many", call(sys.executable, "-B", ROOT / "infra/python", "bench", "many", "--forms", "launcher,tomcat",
                               "--connections", connections))
    return f"{connections:,} connections"
