"""Light charts as SVG text: bars in groups, lines over a logarithmic x axis."""
from html import escape

COLOURS = ["#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#9d755d", "#bab0ac"]
WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 70, 16, 58, 46


def nice_ceiling(value):
    """The next number of the form 1, 2, 2.5 or 5 times a power of ten."""
    if value <= 0:
        return 1.0
    power = 1.0
    while power < value:
        power *= 10
    while power >= value * 10:
        power /= 10
    for step in (0.1, 0.2, 0.25, 0.5):
        if power * step >= value:
            return power * step
    return power


def number(value):
    """Short: 1.5M, 20k, 0.25."""
    for limit, unit in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= limit:
            return f"{value / limit:.3g}{unit}"
    return f"{value:.3g}"


def _text(x, y, text, anchor="middle", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>{escape(str(text))}</text>'


def _frame(title, unit, top, x_title):
    plot = HEIGHT - TOP - BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="12" fill="#333">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        _text(LEFT, 20, title, "start", ' font-size="15" font-weight="bold"'),
        _text(14, TOP + plot / 2, unit, "middle", f' transform="rotate(-90 14 {TOP + plot / 2:.1f})"'),
        _text(LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 8, x_title),
    ]
    for i in range(5):
        y = TOP + plot - plot * i / 4
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(_text(LEFT - 6, y + 4, number(top * i / 4), "end"))
    return parts


def _legend(names):
    parts, x = [], LEFT
    for i, name in enumerate(names):
        parts.append(f'<rect x="{x}" y="31" width="11" height="11" fill="{COLOURS[i % len(COLOURS)]}"/>')
        parts.append(_text(x + 15, 41, name, "start"))
        x += 30 + 7 * len(str(name))
    return parts


def bars(title, unit, x_title, groups):
    """Bars side by side: groups are pairs of label and a dict from series to value."""
    series = list(dict.fromkeys(name for _, values in groups for name in values))
    top = nice_ceiling(max((v for _, values in groups for v in values.values() if v is not None), default=1))
    parts = _frame(title, unit, top, x_title) + _legend(series)
    plot = HEIGHT - TOP - BOTTOM
    room = (WIDTH - LEFT - RIGHT) / max(1, len(groups))
    width = min(60.0, room * 0.8 / max(1, len(series)))
    for g, (label, values) in enumerate(groups):
        middle = LEFT + room * (g + 0.5)
        parts.append(_text(middle, HEIGHT - BOTTOM + 16, label))
        for s, name in enumerate(series):
            value = values.get(name)
            if value is None:
                continue
            x = middle + (s - len(series) / 2) * width
            height = plot * value / top
            parts.append(f'<rect x="{x + 1:.1f}" y="{TOP + plot - height:.1f}" width="{width - 2:.1f}" '
                         f'height="{height:.1f}" fill="{COLOURS[s % len(COLOURS)]}"/>')
            parts.append(_text(x + width / 2, TOP + plot - height - 4, number(value), "middle", ' font-size="10"'))
    return "\n".join(parts + ["</svg>", ""])


def lines(title, unit, x_title, series):
    """Lines over equally spaced x values: a dict from name to a list of pairs of x and y."""
    xs = sorted({x for points in series.values() for x, _ in points})
    top = nice_ceiling(max((y for points in series.values() for _, y in points), default=1))
    parts = _frame(title, unit, top, x_title) + _legend(list(series))
    plot = HEIGHT - TOP - BOTTOM
    place = {x: LEFT + (WIDTH - LEFT - RIGHT) * (i + 0.5) / len(xs) for i, x in enumerate(xs)}
    parts += [_text(place[x], HEIGHT - BOTTOM + 16, number(x)) for x in xs]
    for s, points in enumerate(series.values()):
        colour = COLOURS[s % len(COLOURS)]
        spots = [(place[x], TOP + plot - plot * y / top, y) for x, y in sorted(points)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in spots)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for x, y, value in spots:
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
            parts.append(_text(x, y - 7, number(value), "middle", ' font-size="10"'))
    return "\n".join(parts + ["</svg>", ""])
