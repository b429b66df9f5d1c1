"""Plots as SVG."""
import math

COLORS = ("#1b6ca8", "#c8553d", "#588157", "#777777")


def cactus(times, limit):
    """Solved files by CPU time, a line for each solver; the time is logarithmic, from 1 ms."""
    width, height, left, top = 560, 260, 40, 30
    first = math.log(0.001)
    across = math.log(limit) - first
    most = max(len(t) for t in times.values())
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + left + 20} {height + top + 40}" font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="#ffffff"/>',
           f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#bbbbbb"/>']

    def place(seconds, count):
        x = left + width * (math.log(min(max(seconds, 0.001), limit)) - first) / across
        return f"{x:.1f},{top + height - height * count / (1.05 * most):.1f}"

    for k, (name, list_) in enumerate(times.items()):
        color = COLORS[k % len(COLORS)]
        out.append(f'<text x="{left + 130 * k}" y="18" fill="{color}">— {name}</text>')
        ordered = sorted(list_)
        points = [place(t, i + 1) for i, t in enumerate(ordered) if i % 4 == 0 or i + 1 == len(ordered)]
        points.append(place(limit, len(ordered)))
        out.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{color}" stroke-width="1.6"/>')
    for seconds, label in ((0.001, "1 ms"), (0.01, "10 ms"), (0.1, "100 ms"), (1, "1 s"), (limit, f"{limit} s")):
        x = place(seconds, 0).split(",")[0]
        out.append(f'<text x="{x}" y="{top + height + 16}" text-anchor="middle" fill="#555555">{label}</text>')
    for count in range(0, most + 1, 100):
        y = place(1, count).split(",")[1]
        out.append(f'<text x="{left - 4}" y="{y}" text-anchor="end" fill="#555555">{count}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"
