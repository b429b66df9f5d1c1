// Plots as SVG, with hover, zoom and keys. Data comes from the page or as JSON; texts only ever become text nodes.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const LEFT = 62;
  const RIGHT = 16;
  const TOP = 12;
  const BOTTOM = 44;
  const SERIES = 18;

  const make = (name, attributes = {}, ...children) => {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const html = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };

  const count = (n) => Math.round(n).toLocaleString("en-US");
  const time = (s) => {
    if (s >= 100) return `${s.toFixed(0)} s`;
    if (s >= 1) return `${s.toPrecision(3)} s`;
    return s >= 0.001 ? `${(s * 1000).toPrecision(3)} ms` : `${(s * 1e6).toFixed(0)} µs`;
  };

  // An axis: from values to pixels and back.
  const axis = ({ log, low, high }, from, to) => {
    const f = log ? Math.log10 : (v) => v;
    const g = log ? (v) => 10 ** v : (v) => v;
    const [a, b] = [f(low), f(high)];
    return {
      at: (v) => from + ((f(Math.max(v, log ? low / 1e6 : -Infinity)) - a) / (b - a || 1)) * (to - from),
      value: (p) => g(a + ((p - from) / (to - from)) * (b - a)),
    };
  };
  const ticks = ({ log, low, high }) => {
    if (log && high / low >= 8) {
      const list = [];
      for (let e = Math.ceil(Math.log10(low) - 1e-9); e <= Math.log10(high) + 1e-9; e++) list.push(10 ** e);
      if (list.length >= 2) return list;
    }
    const raw = (high - low) / 6;
    const unit = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((n) => n * unit).find((n) => n >= raw);
    const list = [];
    for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-6; v += step) list.push(v);
    return list;
  };

  class Plot {
    constructor(figure) {
      this.figure = figure;
      this.hidden = new Set();
      this.zoom = null;
      this.cursor = null;
      this.tools = html("div", { class: "plot-tools", role: "group", "aria-label": "Zoom" });
      for (const [text, label, work] of [
        ["+", "Zoom in", () => this.scale(0.5)],
        ["−", "Zoom out", () => this.scale(2)],
        ["reset", "Show all", () => this.set_zoom(null)],
      ]) {
        const button = html("button", { type: "button", "aria-label": label, title: label }, text);
        button.addEventListener("click", work);
        this.tools.append(button);
      }
      this.box = html("div", { class: "plot-box" });
      this.tip = html("div", { class: "plot-tip", "aria-live": "polite" });
      this.tip.hidden = true;
      this.legend = html("ul", { class: "legend" });
      this.note = html("p", { class: "note" });
      this.area = html("div", { class: "plot-area" }, this.box, this.tip);
      figure.append(this.tools, this.area, this.legend, this.note);
      new ResizeObserver(() => this.draw()).observe(this.area);
      this.listen();
    }

    show(data) {
      this.data = data;
      this.figure.hidden = false;
      this.note.textContent = data.note || "";
      this.draw_legend();
      this.draw();
    }

    draw_legend() {
      if (!this.data.lines) {
        const items = [
          ["k-ok", "both solve it"],
          ["k-no", "one or both do not"],
          ["k-bad", "one or both are wrong"],
        ];
        const item = ([key, text]) => html("li", {}, html("span", { class: `key ${key}` }), ` ${text}`);
        this.legend.replaceChildren(...items.map(item));
        return;
      }
      const names = JSON.stringify(this.data.lines.map((line) => line.name));
      if (names === this.names) return;
      this.names = names;
      const item = (line, at) => {
        const swatch = make("svg", { class: "swatch", viewBox: "0 0 28 8", "aria-hidden": "true" });
        swatch.append(make("path", { class: `line s${at % SERIES}`, d: "M1 4H27" }));
        const button = html("button", { type: "button", "aria-pressed": "true", title: "Show or hide" }, swatch, ` ${line.name}`);
        button.addEventListener("click", () => {
          if (!this.hidden.delete(at)) this.hidden.add(at);
          button.setAttribute("aria-pressed", String(!this.hidden.has(at)));
          this.draw();
        });
        return html("li", {}, button);
      };
      this.legend.replaceChildren(...this.data.lines.map(item));
    }

    set_zoom(zoom) {
      this.zoom = zoom;
      this.draw();
    }

    // Around the middle of the view.
    scale(factor) {
      const part = (axis_data) => {
        const a = axis(axis_data, 0, 1);
        const [low, high] = [a.value(0.5 - factor / 2), a.value(0.5 + factor / 2)];
        return { ...axis_data, low, high };
      };
      const { x, y } = this.view();
      const next = { x: part(x), y: part(y) };
      const all = this.data;
      const is_all = next.x.low <= all.x.low && next.x.high >= all.x.high;
      this.set_zoom(is_all ? null : { x: this.inside(next.x, all.x), y: this.inside(next.y, all.y) });
    }

    inside(part, all) {
      return { ...part, low: Math.max(part.low, all.low), high: Math.min(part.high, all.high) };
    }

    view() {
      return this.zoom ? { x: { ...this.data.x, ...this.zoom.x }, y: { ...this.data.y, ...this.zoom.y } } : this.data;
    }

    draw() {
      if (!this.data || this.figure.hidden) return;
      const width = Math.max(this.area.clientWidth, 260);
      const height = Math.round(Math.min(this.data.square ? width : 460, Math.max(260, width * (this.data.square ? 1 : 0.42))));
      const { x, y } = this.view();
      this.x = axis(x, LEFT, width - RIGHT);
      this.y = axis(y, height - BOTTOM, TOP);
      this.frame = { width, height, right: width - RIGHT, base: height - BOTTOM };
      const svg = make("svg", {
        viewBox: `0 0 ${width} ${height}`, width, height, tabindex: "0", role: "img",
        "aria-label": `${this.data.title}. ${this.data.text || ""} Arrow keys read values, + and − zoom, 0 shows all.`,
      });
      const clip = `clip-${this.figure.dataset.plot}`;
      const shape = { x: LEFT, y: TOP, width: this.frame.right - LEFT, height: this.frame.base - TOP };
      svg.append(make("defs", {}, make("clipPath", { id: clip }, make("rect", shape))));
      this.grid(svg, x, y);
      this.inner = make("g", { "clip-path": `url(#${clip})` });
      this.shapes(x, y);
      this.mark = make("g", { class: "mark" });
      svg.append(this.inner, this.mark);
      const focused = this.box.contains(document.activeElement);
      this.box.replaceChildren(svg);
      if (focused) svg.focus({ preventScroll: true });
    }

    grid(svg, x, y) {
      const { right, base, width, height } = this.frame;
      const line = (d) => svg.append(make("path", { class: "gridline", d }));
      const label = (text, attributes) => svg.append(make("text", { class: "tick", ...attributes }, text));
      let last = -Infinity;
      for (const v of ticks(x)) {
        const at = this.x.at(v);
        line(`M${at} ${TOP}V${base}`);
        if (at - last < 46) continue;
        label(x.format(v), { x: at, y: base + 16, class: "tick mid" });
        last = at;
      }
      for (const v of ticks(y)) {
        const at = this.y.at(v);
        line(`M${LEFT} ${at}H${right}`);
        label(y.format(v), { x: LEFT - 6, y: at + 4, class: "tick end" });
      }
      svg.append(make("text", { class: "axis mid", x: (LEFT + right) / 2, y: height - 8 }, x.label));
      const middle = (TOP + base) / 2;
      svg.append(make("text", { class: "axis mid", transform: `translate(13 ${middle}) rotate(-90)` }, y.label));
      void width;
    }

    shapes() {
      const { right, base } = this.frame;
      const { limit, diagonal, lines, dots } = this.data;
      const path = (kind, d) => this.inner.append(make("path", { class: kind, d }));
      if (limit.x) path("limit", `M${this.x.at(limit.x)} ${TOP}V${base}`);
      if (limit.y) path("limit", `M${LEFT} ${this.y.at(limit.y)}H${right}`);
      if (diagonal) {
        const [low, high] = [Math.min(this.data.x.low, this.data.y.low), Math.max(this.data.x.high, this.data.y.high)];
        path("diagonal", `M${this.x.at(low)} ${this.y.at(low)}L${this.x.at(high)} ${this.y.at(high)}`);
      }
      lines?.forEach((line, at) => {
        if (this.hidden.has(at) || !line.points.length) return;
        const place = ([vx, vy]) => [this.x.at(vx).toFixed(1), this.y.at(vy).toFixed(1)];
        const points = line.points.map(place);
        const start = line.step ? `M${points[0][0]} ${this.y.at(0).toFixed(1)}V${points[0][1]}` : `M${points[0].join(" ")}`;
        const rest = points.slice(1).map(([px, py]) => (line.step ? `H${px}V${py}` : `L${px} ${py}`));
        const end = line.step ? `H${right}` : "";
        path(`line s${at % SERIES}`, start + rest.join("") + end);
        if (!line.step) path(`marks s${at % SERIES}`, points.map(([px, py]) => `M${px} ${py}h0`).join(""));
      });
      for (const kind of [0, 1, 2]) {
        const some = dots?.filter((dot) => dot.kind === kind) || [];
        const d = some.map((dot) => `M${this.x.at(dot.x).toFixed(1)} ${this.y.at(dot.y).toFixed(1)}h0`).join("");
        if (d) path(`dot ${["d-ok", "d-no", "d-bad"][kind]}`, d);
      }
    }

    // What is at a place: a text, the point that it is about, and a link.
    found(px, py) {
      if (this.data.lines) {
        const value = this.x.value(px);
        const at = (line) => {
          const n = line.points.findLastIndex(([vx]) => vx <= value * (1 + 1e-9));
          if (line.step) return n < 0 ? 0 : line.points[n][1];
          const near = line.points.reduce((a, b) => (Math.abs(b[0] - value) < Math.abs(a[0] - value) ? b : a), line.points[0]);
          return near?.[1];
        };
        const shown = this.data.lines.map((line, i) => [line, i]).filter(([l, i]) => !this.hidden.has(i) && l.points.length);
        const rows = shown.map(([line]) => [line.name, at(line)]).sort((a, b) => b[1] - a[1]);
        const heading = this.data.x.format(value, true);
        return { x: px, lines: [heading, ...rows.map(([name, v]) => `${name}: ${this.data.y.format(v, true)}`)] };
      }
      let best = null;
      for (const dot of this.data.dots) {
        const distance = Math.hypot(this.x.at(dot.x) - px, this.y.at(dot.y) - py);
        if (distance < (best?.distance ?? 24)) best = { distance, dot };
      }
      return best && { x: this.x.at(best.dot.x), y: this.y.at(best.dot.y), lines: best.dot.lines, link: best.dot.link };
    }

    point(px, py) {
      const { right, base } = this.frame;
      const is_inside = px >= LEFT && px <= right && py >= TOP && py <= base;
      const found = is_inside ? this.found(px, py) : null;
      this.mark.replaceChildren();
      this.tip.hidden = !found;
      this.link = found?.link;
      this.box.firstChild.classList.toggle("has-link", Boolean(this.link));
      if (!found) return;
      if (found.y === undefined) this.mark.append(make("path", { class: "cursor", d: `M${found.x} ${TOP}V${base}` }));
      else this.mark.append(make("circle", { class: "cursor", cx: found.x, cy: found.y, r: 6 }));
      this.tip.replaceChildren(...found.lines.map((line, i) => html(i ? "div" : "strong", {}, line)));
      const left = found.x + 14 + this.tip.offsetWidth > this.frame.width ? found.x - 14 - this.tip.offsetWidth : found.x + 14;
      this.tip.style.left = `${Math.max(left, 0)}px`;
      this.tip.style.top = `${Math.max(TOP, Math.min((found.y ?? py) - 20, base - this.tip.offsetHeight))}px`;
    }

    listen() {
      const at = (event) => {
        const box = this.box.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
      };
      let start = null;
      this.box.addEventListener("pointerdown", (event) => {
        if (event.pointerType === "touch" || event.button) return;
        start = at(event);
      });
      this.box.addEventListener("pointermove", (event) => {
        const [px, py] = at(event);
        if (!start || Math.hypot(px - start[0], py - start[1]) < 6) return this.point(px, py);
        this.tip.hidden = true;
        const [x, y] = [Math.min(px, start[0]), Math.min(py, start[1])];
        const size = { width: Math.abs(px - start[0]), height: Math.abs(py - start[1]) };
        this.mark.replaceChildren(make("rect", { class: "selection", x, y, ...size }));
        this.selected = { x, y, ...size };
        event.preventDefault();
      });
      const end = () => {
        const area = this.selected;
        this.selected = null;
        start = null;
        if (!area || !area.width || !area.height) return;
        this.set_zoom({
          x: { low: this.x.value(Math.max(area.x, LEFT)), high: this.x.value(Math.min(area.x + area.width, this.frame.right)) },
          y: { low: this.y.value(Math.min(area.y + area.height, this.frame.base)), high: this.y.value(Math.max(area.y, TOP)) },
        });
      };
      addEventListener("pointerup", end);
      this.box.addEventListener("pointerleave", () => !start && this.point(-1, -1));
      this.box.addEventListener("dblclick", () => this.set_zoom(null));
      this.box.addEventListener("click", () => this.link && (location.href = this.link));
      this.box.addEventListener("keydown", (event) => this.key(event));
    }

    key(event) {
      const keys = { "+": () => this.scale(0.5), "=": () => this.scale(0.5), "-": () => this.scale(2), 0: () => this.set_zoom(null) };
      if (keys[event.key]) {
        event.preventDefault();
        return keys[event.key]();
      }
      if (event.key === "Enter" && this.link) location.href = this.link;
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      if (this.data.dots) {
        const order = [...this.data.dots].sort((a, b) => a.x - b.x || a.y - b.y);
        if (!order.length) return;
        this.cursor = ((this.cursor ?? -1) + by + order.length) % order.length;
        return this.point(this.x.at(order[this.cursor].x), this.y.at(order[this.cursor].y));
      }
      const { right } = this.frame;
      this.cursor = Math.min(right, Math.max(LEFT, (this.cursor ?? LEFT) + by * ((right - LEFT) / 20)));
      this.point(this.cursor, TOP + 30);
    }
  }

  const seconds = (v, exact) => (exact ? `within ${time(v)}` : time(v).replace(/\.0+(?= )/, ""));
  const bounds = (values, limit) => {
    const low = Math.min(limit, ...values);
    const high = Math.max(limit, ...values);
    const floor = 10 ** (Math.floor(Math.log10(Math.max(low, 1e-4)) * 2) / 2);
    return { log: true, low: floor, high: Math.max(high, floor * 10) * 1.05 };
  };

  const cactus = (figure) => {
    const plot = new Plot(figure);
    const read = () => {
      const data = figure.querySelector(".series");
      if (!data) return;
      const limit = Number(data.dataset.limit) / 1e6;
      const line = (node) => ({
        name: node.dataset.name,
        step: true,
        points: node.dataset.points.trim().split(" ").filter(Boolean).map((pair) => {
          const [us, runs] = pair.split(",").map(Number);
          return [Math.max(us / 1e6, 1e-4), runs];
        }),
      });
      const lines = [...data.children].map(line);
      const points = lines.flatMap((l) => l.points);
      figure.classList.toggle("empty", !points.length);
      plot.show({
        title: "Runs solved within a time",
        text: [...data.children].map((node) => node.textContent).join(" "),
        x: { ...bounds(points.map((p) => p[0]), limit), label: "wall-clock time of a run (logarithmic)", format: seconds },
        y: {
          low: 0, high: Math.max(1, ...points.map((p) => p[1])) * 1.04, label: "runs solved",
          format: (v, exact) => (exact ? `${count(v)} solved` : count(v)),
        },
        limit: { x: limit },
        lines,
      });
    };
    figure.addEventListener("part", read);
    read();
  };

  // Fetches the data of a plot when it comes into view, and again when something is chosen.
  const when_seen = (figure, work) => {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      work();
    }, { rootMargin: "300px" });
    observer.observe(figure);
  };
  const load = async (address) => {
    const reply = await fetch(address);
    if (!reply.ok) throw new Error(reply.statusText);
    return reply.json();
  };

  const scatter = (figure) => {
    const plot = new Plot(figure);
    const form = figure.querySelector(".filter");
    const [a, b] = form.querySelectorAll("select");
    const wish = new URLSearchParams(location.search);
    for (const [select, name] of [[a, "a"], [b, "b"]]) {
      if ([...select.options].some((option) => option.value === wish.get(name))) select.value = wish.get(name);
    }
    const kinds = ["both solve it", "one or both do not solve it", "one or both are wrong"];
    const read = async () => {
      const address = `${figure.dataset.source}?a=${encodeURIComponent(a.value)}&b=${encodeURIComponent(b.value)}`;
      let data;
      try {
        data = await load(address);
      } catch {
        plot.note.textContent = "The plot cannot be loaded now.";
        return;
      }
      const dots = data.dots.map(([x, y, kind, runs, instance, seed]) => ({
        x, y, kind,
        lines: [
          runs > 1 ? `${instance} and ${count(runs - 1)} more` : instance,
          `${data.a}: ${x > data.limit ? "not solved" : time(x)}`, `${data.b}: ${y > data.limit ? "not solved" : time(y)}`, kinds[kind],
        ],
        link: `${figure.dataset.runs}?instance=${encodeURIComponent(instance)}&solver=${encodeURIComponent(kind && y > x ? b.value : a.value)}&seed=${seed}`,
      }));
      const range = bounds(dots.flatMap((d) => [d.x * 1.3, d.y * 1.3, d.x, d.y]), data.limit);
      const format = (v) => (v > data.limit * 1.5 ? "" : seconds(v));
      plot.show({
        title: `${data.a} against ${data.b}`, text: data.text, note: `${data.text} ${data.note}.`, square: true,
        x: { ...range, label: data.a, format }, y: { ...range, label: data.b, format },
        limit: { x: data.limit, y: data.limit }, diagonal: true, dots,
      });
    };
    form.hidden = false;
    form.addEventListener("change", () => {
      const query = new URLSearchParams(location.search);
      query.set("a", a.value);
      query.set("b", b.value);
      history.replaceState(null, "", `?${query}${location.hash}`);
      plot.zoom = null;
      read();
    });
    when_seen(figure, read);
  };

  const scaling = (figure) => {
    const read = async () => {
      const { limit, curves } = await load(figure.dataset.source);
      if (!curves.length) return;
      figure.hidden = false;
      const plot = new Plot(figure);
      const form = figure.querySelector(".filter");
      const select = form.querySelector("select");
      select.replaceChildren(...curves.map((c, at) => html("option", { value: String(at) }, `${c.name}: ${c.property}`)));
      const show = () => {
        const curve = curves[Number(select.value)];
        const lines = curve.lines.map(({ name, points }) => ({ name, points: points.map(([v, s]) => [v, s]) }));
        const points = lines.flatMap((l) => l.points);
        plot.zoom = null;
        plot.show({
          title: `${curve.name}: time against ${curve.property}`,
          x: {
            low: 0, high: Math.max(1, ...points.map((p) => p[0])) * 1.02, label: curve.property,
            format: (v, exact) => (exact ? `${curve.property} ${count(v)}` : count(v)),
          },
          y: { ...bounds(points.map((p) => p[1]), limit), label: "wall-clock time (logarithmic)", format: (v) => seconds(v) },
          limit: { y: limit }, lines,
        });
      };
      form.hidden = curves.length < 2;
      form.addEventListener("change", show);
      show();
    };
    // Hidden figures are never seen; this one is shown if there is something to show.
    read().catch(() => {});
  };

  const kinds = { cactus, scatter, scaling };
  for (const figure of document.querySelectorAll("figure.plot")) kinds[figure.dataset.plot]?.(figure);
})();
