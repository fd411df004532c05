"""Charts as SVG files: groups of bars, lines over time. One look with the client's pictures, whose chart.css they carry.

The rules are those of the section "Charts" in docs/development.md.
"""
import math
from html import escape

from .common import ROOT

STYLE = ROOT / "client/src/main/resources/dev/chatflow/client/report/chart.css"
LOOKS = 6  # of lines and bars, in chart.css
WIDTH, LEFT, RIGHT, PLOT = 900, 70, 880, 184
FIRST_ROW, ROW, LINE, NUMBER = 34, 18, 14, 12
MOST_LINES = 4
CHARACTER = 7  # pixels, rather too many: no font is measured
SECONDS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)


def axis(highest):
    """(last tick, step): from 0 to a round number in about five steps of 1, 2 or 5 times a power of ten."""
    highest = highest if highest and highest > 0 else 1
    power = 10 ** math.floor(math.log10(highest / 5))
    step = next(power * digit for digit in (1, 2, 5, 10) if highest / 5 <= power * digit * (1 + 1e-9))
    return math.ceil(highest / step - 1e-9) * step, step


def number(value, size=None):
    """As short as it can be read; in the thousands or millions of `size`, so that an axis has one kind of label."""
    size = abs(value if size is None else size)
    for limit, divisor, unit in ((999_500, 1e6, "M"), (9_999.5, 1e3, "k"), (0, 1, "")):
        if size >= limit:
            value /= divisor
            text = f"{value:.0f}" if abs(value) >= 100 else f"{value:.2f}" if abs(value) >= 1 else f"{value:.4f}"
            return (text.rstrip("0").rstrip(".") if "." in text else text) + (unit if value else "")
    raise ValueError(size)


def time_label(at, last):
    """Seconds up to two minutes, m:ss or whole minutes beyond."""
    if not at:
        return "0"
    if last <= 120:
        return f"{number(at)} s"
    return f"{at / 60:.0f} min" if at % 60 == 0 else f"{at // 60:.0f}:{at % 60:02.0f}"


class _Frame:
    """Size, title, legend, grid; rows of the legend and lines of labels make it higher."""

    def __init__(self, title, unit, names, is_bars, highest, lines=1):
        entries, x, y = [], LEFT, FIRST_ROW
        for name in names if len(names) > 1 else ():
            wanted = 28 + CHARACTER * len(name) + 16
            if x > LEFT and x + wanted > RIGHT:
                x, y = LEFT, y + ROW
            entries.append((name, x, y))
            x += wanted
        self.top = y + 10
        self.bottom = self.top + PLOT
        self.end, step = axis(highest)
        height = self.bottom + 18 + LINE * lines
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {WIDTH} {height}" role="img" '
            f'aria-label="{escape(title)}"><style>{STYLE.read_text(encoding="utf-8")}</style>'
            '<rect class="paper" width="100%" height="100%"/>',
            f'<text class="title" x="8" y="16">{escape(title)}<tspan class="unit" dx="8">{escape(unit)}</tspan></text>']
        for i, (name, x, y) in enumerate(entries):
            self.parts.append(f'<rect class="bar s{i % LOOKS}" x="{x + 4}" y="{y - 10}" width="14" height="11"/>' if is_bars else
                              f'<line class="line s{i % LOOKS}" x1="{x}" y1="{y - 4}" x2="{x + 22}" y2="{y - 4}"/>')
            self.text(x + 28, y, name)
        for i in range(round(self.end / step) + 1):
            at = self.y(i * step)
            self.parts.append(f'<line class="grid" x1="{LEFT}" y1="{at:.1f}" x2="{RIGHT}" y2="{at:.1f}"/>')
            self.text(LEFT - 6, at + 4, number(i * step, self.end), "end")
        if highest == 0:
            self.text((LEFT + RIGHT) / 2, (self.top + self.bottom) / 2, "all 0", "middle faint")

    def y(self, value):
        return self.bottom - PLOT * min(1, value / self.end)

    def text(self, x, y, text, style="start"):
        self.parts.append(f'<text class="{style}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>')

    def svg(self):
        return "\n".join([*self.parts, "</svg>", ""])


def _wrapped(label, place):
    """A label in lines that fit side by side; what fits in no line is cut."""
    most, lines = max(3, int(place / CHARACTER) - 1), []
    for word in label.split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= most:
            lines[-1] += " " + word
        elif len(lines) < MOST_LINES:
            lines.append(word if len(word) <= most else word[:most - 1] + "…")
    return lines


def bars(title, unit, groups):
    """Bars side by side: groups are pairs of label and a dict from series to value, None for what was not measured.

    None when there is no value at all: an empty axis tells nothing.
    """
    values = [value for _, group in groups for value in group.values() if value is not None]
    if not values:
        return None
    series = list(dict.fromkeys(name for _, group in groups for name in group))
    place = (RIGHT - LEFT) / len(groups)
    width = min(90.0, place * 0.7 / len(series))
    labels = [_wrapped(label, place) for label, _ in groups]
    is_numbered = max(len(number(value)) for value in values) * CHARACTER <= place / len(series)
    highest = max(values) * (1 + NUMBER / PLOT * is_numbered)  # the number above it stays below the legend
    frame = _Frame(title, unit, series, True, highest, max(map(len, labels)))
    for g, (label, group) in enumerate(groups):
        start = LEFT + place * g + (place - width * len(series)) / 2
        for i, line in enumerate(labels[g]):
            frame.text(LEFT + place * (g + 0.5), frame.bottom + 18 + LINE * i, line, "middle")
        for s, name in enumerate(series):
            value = group.get(name)
            if value is not None:
                x, y = start + s * width, frame.y(value)
                frame.parts.append(
                    f'<rect class="bar s{s % LOOKS}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{frame.bottom - y:.1f}">'
                    f"<title>{escape(f'{label}: {number(value)} {unit}')}</title></rect>")
                if is_numbered:
                    frame.text(x + width / 2, y - 4, number(value), "middle small halo")
    return frame.svg()


def lines(title, unit, series):
    """Lines over seconds: a dict from name to a list of pairs of second and value; None when there is no point at all."""
    points = [point for line in series.values() for point in line]
    if not points:
        return None
    first, last = min(at for at, _ in points), max(at for at, _ in points)
    span = max(1e-9, last - first)
    names = [f"{name} (peak {number(max((v for _, v in line), default=0))})" for name, line in series.items()]
    frame = _Frame(title, unit, names, False, max(value for _, value in points))
    step = next((s for s in SECONDS if span <= 10 * s), SECONDS[-1])
    for i in range(int(span / step * 1.0001) + 1):
        frame.text(LEFT + i * step / span * (RIGHT - LEFT), frame.bottom + 18, time_label(i * step, span), "middle")
    for i, (name, line) in enumerate(series.items()):
        path = " ".join(f"{LEFT + (at - first) / span * (RIGHT - LEFT):.1f},{frame.y(value):.1f}" for at, value in line)
        if path:
            frame.parts.append(f'<polyline class="line s{i % LOOKS}" points="{path}"><title>{escape(name)}</title></polyline>')
    return frame.svg()
