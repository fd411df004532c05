"""Runs the JMH benchmarks: codec, room log, lane, presence."""
import json
import tempfile

from ..common import LAB, call, java
from . import figures, report


def add_options(parser):
    """Adds the options of ./chatflow bench micro."""
    parser.add_argument("--include", default="Benchmark", help="regular expression")
    parser.add_argument("--seconds", type=int, default=1, help="length of an iteration")
    parser.add_argument("--docs", action="store_true")


def main(options):
    """Prints nanoseconds per operation with JMH's error."""
    iterations = options.repeat or 3
    rows = [row(result) for result in _run(options, iterations)]
    text = (f"JMH on {report.machine()}, 1 fork, {iterations} iterations of {options.seconds} s after {iterations} to warm up.\n\n"
            + figures.table([("benchmark", "benchmark"), ("parameters", "parameters"), ("nanos", "ns"), ("error", "± ns")], rows))
    print(text)
    if options.docs:
        report.into(report.DOCS / "lab/performance.md", "micro", text)
    return 0


def row(result):
    """Converts a row of JMH's JSON."""
    name = result["benchmark"].split(".")
    error = result["primaryMetric"]["scoreError"]
    return dict(benchmark=f"{name[-2].removesuffix('Benchmark')}.{name[-1]}",
                parameters=", ".join(f"{k} {v}" for k, v in result.get("params", {}).items()) or "-",
                nanos=result["primaryMetric"]["score"], error=None if error == "NaN" else error)


def _run(options, iterations):
    with tempfile.NamedTemporaryFile("r", suffix=".json") as results:
        call(java(), "-cp", LAB, "org.openjdk.jmh.Main", options.include, "-foe", "true", "-f", 1,
             "-wi", iterations, "-i", iterations, "-w", f"{options.seconds}s",
             "-r", f"{options.seconds}s", "-rf", "json", "-rff", results.name, timeout=7200)
        return json.load(results)
