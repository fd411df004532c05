"""What a benchmark leaves: a table on the screen; rows, table and charts in results/; on request, the same in docs/."""
import datetime
import json
import os
import re
import sys
from pathlib import Path

from .. import proc
from ..common import ROOT
from . import figures

DOCS = ROOT / "docs"
DOCUMENT = DOCS / "performance.md"
CHARTS = DOCS / "charts"


def machine():
    model = next((line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().split("\n")
                  if line.startswith("model name")), "unknown processor")
    return f"{proc.CORES} cores of {model}"


class Report:
    """Gathers the rows of one benchmark."""

    def __init__(self, kind, columns, settings, docs=False, document=DOCUMENT):
        self.kind, self.columns, self.settings, self.docs, self.document = kind, columns, settings, docs, document
        self.started = datetime.datetime.now(datetime.timezone.utc)
        self.load = os.getloadavg()[0]
        self.windows, self.rows, self.charts, self.notes = [], [], {}, []
        self.directory = ROOT / "results" / f"{self.started:%Y%m%d-%H%M%S}-bench-{kind}"
        print(f"{kind}: {settings}; load average before {self.load:.2f}", flush=True)

    def window(self, row):
        """One window, as it was measured."""
        self.windows.append(row)
        flag = "  (disturbed: others used %.0f %% of the cores)" % (100 * row["foreign"]) \
            if proc.is_disturbed(row) else ""
        print("  " + "  ".join(f"{title} {figures.shown(row.get(name))}" for name, title in self.columns
                               if row.get(name) is not None) + flag, flush=True)

    def medians(self, same, names):
        """One row for each setting, in the order in which they were first seen."""
        groups = {}
        for row in self.windows:
            groups.setdefault(tuple(row[key] for key in same), []).append(row)
        self.rows = [dict(zip(same, key), **figures.median_row(rows, names)) for key, rows in groups.items()]
        return self.rows

    def chart(self, name, text):
        """A picture beside the table; one that there is nothing to show in is left out."""
        if text:
            self.charts[name] = text

    def finish(self):
        """Writes everything; false when a run did not deliver what it must."""
        text = "\n\n".join([figures.table(self.columns, self.rows), *self.notes])
        head = (f"{self.started:%Y-%m-%d %H:%M} UTC, {machine()}, load average before {self.load:.2f}; "
                f"{self.settings}.")
        directory = self.directory
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "table.md").write_text(f"{head}\n\n{text}\n")
        (directory / "rows.json").write_text(json.dumps(
            dict(kind=self.kind, settings=self.settings, started=self.started.isoformat(), machine=machine(),
                 load=self.load, windows=self.windows, medians=self.rows), indent=1) + "\n")
        for name, svg in self.charts.items():
            (directory / f"{name}.svg").write_text(svg)
        print(f"\n{text}\n\nin {directory.relative_to(ROOT)}\n", flush=True)
        if self.docs:
            self._document(head, text)
        return all(row.get("verdict", "exact").startswith("exact") for row in self.windows)

    def _document(self, head, text):
        CHARTS.mkdir(exist_ok=True)
        for name, svg in self.charts.items():
            (CHARTS / f"{name}.svg").write_text(svg)
        charts = os.path.relpath(CHARTS, self.document.parent)
        images = "\n\n".join(f"![{name}]({charts}/{name}.svg)" for name in self.charts)
        filled = fill(self.document.read_text(), self.kind, "\n\n".join(filter(None, [head, text, images])))
        if filled is None:
            print(f"{self.document.name} has no place for {self.kind}", file=sys.stderr)
        else:
            self.document.write_text(filled)


def fill(document, kind, content):
    """Puts content between the marks of a benchmark; None when there are none."""
    begin, end = f"<!-- bench {kind} -->", f"<!-- end {kind} -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
    if not pattern.search(document):
        return None
    return pattern.sub(lambda _: f"{begin}\n{content}\n{end}", document)
