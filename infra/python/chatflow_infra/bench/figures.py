"""Medians, ratios and tables of rows. A row is a dict of figures."""
import statistics

from .. import proc
from ..common import expect


def median_row(rows, names):
    """The medians of some figures over the windows that nothing disturbed, or over all when none is left.

    `windows` tells how many of how many were used; `disturbed` that none was clean.
    """
    clean = [row for row in rows if not proc.is_disturbed(row)]
    used = clean or rows
    medians = {}
    for name in names:
        values = [row[name] for row in used if row.get(name) is not None]
        medians[name] = statistics.median(values) if values else None
    medians["windows"] = f"{len(clean)}/{len(rows)}"
    medians["disturbed"] = not clean
    verdicts = sorted({row["verdict"] for row in rows if "verdict" in row})
    if verdicts:
        medians["verdict"] = " / ".join(verdicts)
    return medians


def ratio(value, base):
    """None when there is nothing to compare with."""
    return value / base if value is not None and base else None


def add_ratios(rows, figure, is_base, same, name="ratio"):
    """Adds to each row its figure divided by that of the base row that agrees with it in `same`."""
    for row in rows:
        bases = [base for base in rows if is_base(base) and all(base[key] == row[key] for key in same)]
        row[name] = ratio(row[figure], bases[0][figure]) if bases else None


def fitted(rows, relative=False):
    """Prices, none below 0, of counted things: `rows` are pairs of how many of each and what they cost together.

    By least squares of the error, or of the relative one; what would have a price below 0 is left out.
    """
    if relative:
        rows = [([count / cost for count in counts], 1.0) for counts, cost in rows]
    used = list(range(len(rows[0][0])))
    while True:
        prices = _least_squares([([counts[i] for i in used], cost) for counts, cost in rows])
        if min(prices) >= 0:
            return [dict(zip(used, prices)).get(i, 0.0) for i in range(len(rows[0][0]))]
        used.pop(prices.index(min(prices)))


def _least_squares(rows):
    """By the normal equations, which Gauss and Jordan solve; few unknowns."""
    size = len(rows[0][0])
    lines = [[sum(x[i] * x[j] for x, _ in rows) for j in range(size)] + [sum(x[i] * y for x, y in rows)] for i in range(size)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(lines[k][i]))
        expect(abs(lines[pivot][i]) > 1e-30, "the measured rows do not tell the prices apart")
        lines[i], lines[pivot] = lines[pivot], lines[i]
        lines[i] = [value / lines[i][i] for value in lines[i]]
        for k in range(size):
            if k != i:
                lines[k] = [a - lines[k][i] * b for a, b in zip(lines[k], lines[i])]
    return [line[-1] for line in lines]


def shown(value):
    if value is None:
        return "-"
    if isinstance(value, (str, bool)):
        return str(value)
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3f}"


def table(columns, rows):
    """A Markdown table; columns are pairs of name and title."""
    lines = ["| " + " | ".join(title for _, title in columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(shown(row.get(name)) for name, _ in columns) + " |" for row in rows]
    return "\n".join(lines)
