"""JMH: codec, room log, lane, people."""
import json
import tempfile

from ..common import LAB, call, java
from .report import Report


def micro(options):
    """Nanoseconds an operation, with JMH's own error."""
    report = Report(
        "micro", [("benchmark", "benchmark"), ("parameters", "parameters"), ("nanos", "ns"), ("error", "± ns")],
        f"JMH, 1 fork, {options.repeat} iterations of {options.seconds} s after {options.repeat} to warm up",
        options.docs)
    report.rows = [row(result) for result in _run(options)]
    return report.finish()


def row(result):
    """A row of JMH's JSON."""
    name = result["benchmark"].split(".")
    error = result["primaryMetric"]["scoreError"]
    return dict(benchmark=f"{name[-2].removesuffix('Benchmark')}.{name[-1]}",
                parameters=", ".join(f"{k} {v}" for k, v in result.get("params", {}).items()) or "-",
                nanos=result["primaryMetric"]["score"], error=None if error == "NaN" else error)


def _run(options):
    with tempfile.NamedTemporaryFile("r", suffix=".json") as results:
        call(java(), "-cp", LAB, "org.openjdk.jmh.Main", options.include, "-foe", "true", "-f", 1,
             "-wi", options.repeat, "-i", options.repeat, "-w", f"{options.seconds}s",
             "-r", f"{options.seconds}s", "-rf", "json", "-rff", results.name, timeout=7200)
        return json.load(results)
