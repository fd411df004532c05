"""Writes the results of a benchmark: a table on the screen, rows and table in results/, optionally the table in docs."""
import datetime
import json
import os
import re
from pathlib import Path

from .. import proc
from ..common import ROOT, Problem, counted
from . import figures

DOCS = ROOT / "docs"


def machine():
    model = next((line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n")
                  if line.startswith("model name")), "unknown processor")
    return f"{proc.CORES} cores of {model}"


class Report:
    """Collects the rows of one benchmark."""

    def __init__(self, plan, rounds, docs=False):
        self.plan, self.docs = plan, docs
        self.settings = settings(plan, rounds)
        self.started = datetime.datetime.now(datetime.timezone.utc)
        self.load = os.getloadavg()[0]
        self.windows, self.rows, self.lacks = [], [], []
        self.dimensions = plan.dimensions()
        self.titles = [title for title, _ in plan.columns.values()]
        self.directory = ROOT / "results" / f"{self.started:%Y%m%d-%H%M%S}-bench-{plan.name}"
        print(f"{plan.name}: {self.settings}; load average before {self.load:.2f}", flush=True)

    def window(self, row):
        """Adds a measured window."""
        self.windows.append(row)
        flag = f"  (disturbed: other processes used {100 * row['foreign']:.0f} % of the cores)" if proc.is_disturbed(row) else ""
        print("  " + "  ".join(f"{name} {figures.shown(value)}" for name, value in row.items() if value is not None and name != "foreign")
              + flag, flush=True)

    def lacking(self, row):
        """Adds a row that is unavailable on this machine."""
        if row not in self.lacks:
            self.lacks.append(row)
        print(f"  {row}", flush=True)

    def medians(self):
        """Returns one row per setting, in the order of their first window."""
        groups = {}
        for row in self.windows:
            groups.setdefault(tuple(row[name] for name in self.dimensions), []).append(row)
        self.rows = [dict(zip(self.dimensions, key)) | figures.median_row(rows, [*self.titles, "foreign"]) for key, rows in groups.items()]
        if self.plan.ratio:
            figures.add_ratios(self.rows, self.plan.ratio["of"], self.plan.ratio["base"])
        if len(self.plan.theirs.get("values", ())) == len(self.rows):
            for row, value in zip(self.rows, self.plan.theirs["values"]):
                row["theirs"] = value
        self.rows += self.lacks

    def finish(self):
        """Writes all files; returns False if a run had wrong deliveries."""
        columns = [(name, name) for name in [*self.dimensions, *self.titles]]
        columns += [("ratio", "ratio")] if self.plan.ratio else []
        columns += [("theirs", self.plan.theirs["title"])] if self.plan.theirs else []
        text = figures.table([*columns, ("windows", "windows"), ("verdict", "verdict")], self.rows)
        head = f"{self.started:%Y-%m-%d %H:%M} UTC, {machine()}, load average before {self.load:.2f}; {self.settings}."
        self.directory.mkdir(parents=True, exist_ok=True)
        (self.directory / "table.md").write_text(f"{head}\n\n{text}\n", encoding="utf-8")
        (self.directory / "rows.json").write_text(json.dumps(
            dict(name=self.plan.name, settings=self.settings, started=self.started.isoformat(), machine=machine(),
                 load=self.load, windows=self.windows, medians=self.rows), indent=1) + "\n", encoding="utf-8")
        print(f"\n{text}\n\nin {self.directory.relative_to(ROOT)}\n", flush=True)
        if self.docs:
            into(DOCS / self.plan.common["page"], self.plan.name, f"{head}\n\n{text}")
        return all(row["verdict"].startswith("exact") for row in self.windows)


def settings(plan, rounds):
    """Returns the common values of all rows in a line."""
    common = plan.common
    given = [f"{key} {value}" for key, value in [*plan.load.items(), *((key, value) for key, value in common.items() if key.isupper())]
             if key not in plan.vary]
    limits = [f"{common[key]} cores {whose}" for key, whose in (("server_cpu", "a server"), ("broker_cpu", "the broker"), ("client_cpu", "the client"))
              if common[key]]
    return ", ".join([common["about"], *given, *limits, f"-Xmx{common['heap']}", counted(rounds, "round")])


def into(document, name, content):
    """Writes the table to its page."""
    filled = fill(document.read_text(encoding="utf-8"), name, content)
    if filled is None:
        raise Problem(f"{document.name} has no marks for {name}")
    document.write_text(filled, encoding="utf-8")


def fill(document, name, content):
    """Replaces the content between the marks of a benchmark; None without marks."""
    begin, end = f"<!-- bench {name} -->", f"<!-- end {name} -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
    return pattern.sub(lambda _: f"{begin}\n{content}\n{end}", document) if pattern.search(document) else None
