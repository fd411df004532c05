"""Medians, ratios and tables of rows. A row is a dict of figures."""
import statistics

from .. import proc


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
