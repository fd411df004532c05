"""Computes medians, ratios and tables of rows. A row is a dict of figures."""
import statistics

from .. import proc


def median_row(rows, names):
    """Returns medians over the undisturbed windows, or over all if none is left. `windows` is the number of used windows of
    all; `disturbed` is set if none was clean.
    """
    clean = [row for row in rows if not proc.is_disturbed(row)]
    used = clean or rows
    medians = {}
    for name in names:
        values = [row[name] for row in used if row.get(name) is not None]
        medians[name] = statistics.median(values) if values else None
    medians["windows"] = f"{len(clean)}/{len(rows)}"
    medians["disturbed"] = not clean
    medians["verdict"] = " / ".join(sorted({row["verdict"] for row in rows}))
    return medians


def ratio(value, base):
    """Returns a ratio; None without a base."""
    return value / base if value is not None and base else None


def add_ratios(rows, figure, base):
    """Adds to each row its figure relative to the first row with the values of `base`."""
    bases = [row for row in rows if base.items() <= row.items()]
    for row in rows:
        row["ratio"] = ratio(row.get(figure), bases[0].get(figure)) if bases else None


def shown(value):
    if value is None:
        return "-"
    if isinstance(value, (str, bool)):
        return str(value)
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3f}"


def table(columns, rows):
    """Returns a Markdown table; columns are pairs of name and title."""
    lines = ["| " + " | ".join(title for _, title in columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(shown(row.get(name)) for name, _ in columns) + " |" for row in rows]
    return "\n".join(lines)
