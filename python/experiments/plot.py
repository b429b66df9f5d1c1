"""Line plots as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

COLOURS = ("#0a7d32", "#1f5fb4", "#c25700", "#8a2be2", "#777777", "#b00020")
_W, _H, _LEFT, _TOP, _RIGHT, _BOTTOM = 720, 420, 70, 30, 170, 50


def _ticks(top: float) -> list[float]:
    step = 10 ** len(str(int(top))) / 10
    while top / step < 4:
        step /= 2
    return [i * step for i in range(int(top / step) + 1)]


def lines(title: str, x: str, y: str, series: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """A plot with one line for each series, in order."""
    right = max((p[0] for points in series.values() for p in points), default=1) or 1
    top = max((p[1] for points in series.values() for p in points), default=1) or 1
    width, height = _W - _LEFT - _RIGHT, _H - _TOP - _BOTTOM

    def place(px: float, py: float) -> str:
        return f"{_LEFT + width * px / right:.1f},{_TOP + height * (1 - py / top):.1f}"

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_W}" height="{_H}" font-family="sans-serif" font-size="12">',
        f'<rect width="{_W}" height="{_H}" fill="white"/>',
        f'<text x="{_LEFT}" y="18" font-size="14">{escape(title)}</text>',
    ]
    for tick in _ticks(top):
        _, at = place(0, tick).split(",")
        out.append(f'<path d="M{_LEFT} {at}H{_W - _RIGHT}" stroke="#ddd"/>')
        out.append(f'<text x="{_LEFT - 6}" y="{float(at) + 4}" text-anchor="end">{tick:g}</text>')
    for tick in _ticks(right):
        at, _ = place(tick, 0).split(",")
        out.append(f'<text x="{at}" y="{_H - _BOTTOM + 16}" text-anchor="middle">{tick:g}</text>')
    out.append(f'<text x="{_LEFT + width / 2}" y="{_H - 12}" text-anchor="middle">{escape(x)}</text>')
    out.append(
        f'<text transform="translate(16 {_TOP + height / 2}) rotate(-90)" text-anchor="middle">{escape(y)}</text>'
    )
    out.append(f'<path d="M{_LEFT} {_TOP}V{_H - _BOTTOM}H{_W - _RIGHT}" fill="none" stroke="black"/>')
    for i, (name, points) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        path = " ".join(place(*point) for point in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{_W - _RIGHT + 10}" y="{_TOP + 18 * i + 12}" fill="{colour}">{escape(name)}</text>')
    return "\n".join([*out, "</svg>", ""])
