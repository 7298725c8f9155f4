// One series over a range: a line, an area or bars, with peaks, gaps, a zoom, and a reading by pointer and keys.

import { drawing, element, say, setAttribute, setText } from "./dom.js";
import { duration, instants, level, quantity, steps } from "./text.js";

const MARGIN = { top: 10, right: 14, bottom: 24, left: 66 };
const NARROWEST_ZOOM = 10;
// Beyond what numbers can be scaled with.
const BOUND = 1e300;

/** The chart of a page; `changed` is called when another stretch is shown. */
export class Chart {
  constructor(host, clock, changed) {
    Object.assign(this, { host, clock, changed, zoom: null, showsPeaks: true, cursor: null, anchor: null });
    Object.assign(this, { points: [], marks: [], kind: "line", unit: "", step: 0, from: 0, to: 1, end: 1, length: 1 });
    this.build();
    new ResizeObserver(() => this.draw()).observe(host);
    this.listen();
  }

  build() {
    this.gaps = drawing("g", { class: "gaps" });
    this.grid = drawing("g", { class: "mesh" });
    this.labels = drawing("g", { class: "labels" });
    this.band = drawing("path", { class: "band" });
    this.area = drawing("path", { class: "area" });
    this.peaks = drawing("path", { class: "peaks" });
    this.line = drawing("path", { class: "line" });
    this.bars = drawing("path", { class: "bars" });
    this.selection = drawing("rect", { class: "selection", hidden: true });
    this.hair = drawing("line", { class: "hair", hidden: true });
    this.dot = drawing("circle", { class: "dot", r: 3.5, hidden: true });
    const hatch = drawing("pattern", { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      drawing("line", { y2: 6, class: "hatch" }));
    this.frame = drawing("rect", { x: MARGIN.left, y: 0 });
    const inside = drawing("g", { "clip-path": "url(#frame)" },
      this.bars, this.band, this.area, this.peaks, this.line, this.selection, this.hair);
    this.svg = drawing("svg", { "aria-hidden": "true" },
      drawing("defs", {}, hatch, drawing("clipPath", { id: "frame" }, this.frame)),
      this.gaps, this.grid, this.labels, inside, this.dot);
    this.tip = element("div", { class: "tip", hidden: true, "aria-hidden": "true" });
    this.empty = element("p", { class: "empty", hidden: true });
    this.plot = element("div", {
      class: "plot", tabindex: 0, role: "application", "aria-roledescription": "chart",
    }, this.svg, this.empty, this.tip);
    this.host.append(this.plot);
  }

  // What is shown

  /** Shows a series of the view; `end` is the instant of the newest data. */
  show(series, { kind, end, length, title }) {
    this.series = series;
    this.points = known(series?.points || []);
    this.unit = series?.unit || "";
    this.step = series?.step > 0 ? Math.min(series.step, 1e7) : 0;
    this.end = Number.isFinite(end) ? end : this.points.at(-1)?.time ?? Date.now() / 1000;
    Object.assign(this, { kind, length, title });
    this.spacing = spacing(this.points, this.step);
    this.draw();
  }

  /** Shows a stretch of the range; null: all of it. */
  zoomTo(stretch) {
    if (!stretch && !this.zoom) return;
    const isZoom = stretch && stretch.to - stretch.from >= NARROWEST_ZOOM;
    this.zoom = isZoom ? { from: stretch.from, to: stretch.to } : null;
    this.anchor = null;
    this.draw();
    this.changed();
    say(this.zoom ? `zoomed to ${this.clock.instant(this.from)} to ${this.clock.instant(this.to)}` : "the whole range");
  }

  /** Now, average and highest: of the range as the agent has them, of a part of it as they are drawn. */
  get summary() {
    const { now, average, highest } = this.series || {};
    return now && !this.zoom ? [["now", now], ["average", average], ["highest", highest]] : this.summaryOfPart;
  }

  get summaryOfPart() {
    const shown = this.shown;
    const values = shown.map((point) => point.value);
    const peaks = shown.map((point) => Math.max(point.value, point.peak ?? point.value));
    const text = (value) => quantity(value, this.unit);
    return [
      ["last", text(values.at(-1))],
      ["average", text(values.length ? values.reduce((sum, value) => sum + value / values.length, 0) : null)],
      ["highest", text(peaks.length ? peaks.reduce((a, b) => Math.max(a, b)) : null)],
    ];
  }

  get hasPeaks() {
    return this.points.some((point) => point.peak !== null);
  }

  get shown() {
    return this.points.filter((point) => point.time >= this.from && point.time <= this.to);
  }

  // Drawing

  draw() {
    const { clientWidth: width, clientHeight: height } = this.plot;
    if (width < 80 || height < 60) return;
    this.width = width - MARGIN.left - MARGIN.right;
    this.height = height - MARGIN.top - MARGIN.bottom;
    this.from = this.zoom?.from ?? this.end - this.length;
    this.to = this.zoom?.to ?? this.end;
    setAttribute(this.svg, "viewBox", `0 0 ${width} ${height}`);
    this.marks = this.kind === "bar" ? this.bins() : this.points.filter((point) => this.isNear(point.time));
    setAttribute(this.frame, "width", this.width + 1);
    setAttribute(this.frame, "height", height - MARGIN.bottom + 1);
    setAttribute(this.svg, "class", this.marks.length > this.width * 0.6 ? "dense" : null);
    this.drawAxes();
    this.drawGaps();
    this.drawMarks();
    this.drawCursor();
    this.describe();
  }

  isNear(time) {
    return time >= this.from - this.spacing && time <= this.to + this.spacing;
  }

  /** The points in bars that are wide enough to be seen. */
  bins() {
    const width = Math.max(this.spacing, ((this.to - this.from) * 7) / this.width);
    const bins = new Map();
    for (const point of this.points) {
      if (!this.isNear(point.time)) continue;
      const place = Math.floor(point.time / width);
      const bin = bins.get(place) || { time: (place + 0.5) * width, width, sum: 0, count: 0, peak: null };
      bin.sum += point.value;
      bin.count += 1;
      if (point.peak !== null) bin.peak = Math.max(bin.peak ?? point.peak, point.peak);
      bins.set(place, bin);
    }
    return [...bins.values()].map((bin) => ({ ...bin, value: bin.sum / bin.count }));
  }

  drawAxes() {
    const inside = this.marks.filter((mark) => mark.time >= this.from && mark.time <= this.to);
    const values = inside.flatMap((mark) => (this.showsPeaks && mark.peak !== null ? [mark.value, mark.peak] : [mark.value]));
    const least = values.reduce((a, b) => Math.min(a, b), 0);
    const most = values.reduce((a, b) => Math.max(a, b), least) || 1;
    const levels = steps(least, most, this.unit, Math.max(2, Math.round(this.height / 48)));
    [this.least, this.most] = [levels[0], levels.at(-1)];
    const right = MARGIN.left + this.width;
    const bottom = MARGIN.top + this.height;
    const lines = levels.map((mark) => drawing("line", {
      x1: MARGIN.left, x2: right, y1: this.y(mark), y2: this.y(mark), class: mark === 0 ? "zero" : null,
    }));
    const texts = levels.map((mark) => label(MARGIN.left - 8, this.y(mark) + 4, level(mark, this.unit), "end"));
    for (const { time, text } of instants(this.clock, this.from, this.to, Math.max(2, this.width / 84))) {
      const x = this.x(time);
      lines.push(drawing("line", { x1: x, x2: x, y1: MARGIN.top, y2: bottom, class: "instant" }));
      if (x > MARGIN.left + 18 && x < right - 18) texts.push(label(x, bottom + 17, text, "middle"));
    }
    this.grid.replaceChildren(...lines);
    this.labels.replaceChildren(...texts);
  }

  /** Where nothing is known: before, between and after the points. */
  drawGaps() {
    const stretches = [];
    let before = this.from;
    const times = this.points.map((point) => point.time);
    times.push(Infinity);
    for (const time of times) {
      const from = Math.max(before, this.from);
      const to = Math.min(time, this.to);
      if (to - from > this.spacing * 1.6) stretches.push([from, to]);
      before = Math.max(before, time);
    }
    this.gaps.replaceChildren(...stretches.map(([from, to]) => drawing("rect", {
      x: this.x(from), y: MARGIN.top, width: Math.max(0, this.x(to) - this.x(from)), height: this.height, fill: "url(#hatch)",
    })));
    this.gapCount = stretches.length;
    this.empty.hidden = this.points.length > 0;
    setText(this.empty, this.points.length ? "" : this.series?.note || "nothing is known of this range");
  }

  drawMarks() {
    const isBar = this.kind === "bar";
    const rows = this.segments();
    setAttribute(this.line, "d", isBar ? "" : rows.map((row) => this.path(row, "value")).join(""));
    const base = this.y(Math.max(0, this.least));
    const closed = (row) => `${this.path(row, "value")}L${this.x(row.at(-1).time)} ${base}L${this.x(row[0].time)} ${base}Z`;
    setAttribute(this.area, "d", this.kind === "area" ? rows.map(closed).join("") : "");
    setAttribute(this.bars, "d", isBar ? this.marks.map((mark) => this.bar(mark, base)).join("") : "");
    const peaks = this.showsPeaks ? rows.flatMap((row) => runs(row, (point) => point.peak !== null)) : [];
    setAttribute(this.peaks, "d", isBar
      ? (this.showsPeaks ? this.marks.filter((mark) => mark.peak !== null).map((mark) => this.tick(mark)).join("") : "")
      : peaks.map((row) => this.path(row, "peak")).join(""));
    setAttribute(this.band, "d", isBar ? "" : peaks.map((row) => this.between(row)).join(""));
  }

  /** Points that follow each other without a gap. */
  segments() {
    const rows = [];
    let row = [];
    for (const point of this.marks) {
      if (row.length && (point.isCut || point.time - row.at(-1).time > this.spacing * 1.6)) {
        rows.push(row);
        row = [];
      }
      row.push(point);
    }
    return row.length ? [...rows, row] : rows;
  }

  path(row, member) {
    const points = row.map((point) => `${this.x(point.time)} ${this.y(point[member])}`);
    return points.length === 1 ? `M${points[0]}h.1` : `M${points.join("L")}`;
  }

  between(row) {
    const back = row.toReversed().map((point) => `${this.x(point.time)} ${this.y(point.value)}`);
    return `${this.path(row, "peak")}L${back.join("L")}Z`;
  }

  bar(mark, base) {
    const [left, right] = [this.x(mark.time - mark.width / 2), this.x(mark.time + mark.width / 2)];
    const [from, to] = [Math.max(left + 0.5, MARGIN.left), Math.min(right - 0.5, MARGIN.left + this.width)];
    return to > from ? `M${from} ${base}V${this.y(mark.value)}H${to}V${base}Z` : "";
  }

  tick(mark) {
    const from = Math.max(this.x(mark.time - mark.width / 2), MARGIN.left);
    const to = Math.min(this.x(mark.time + mark.width / 2), MARGIN.left + this.width);
    return to > from ? `M${from} ${this.y(mark.peak)}H${to}` : "";
  }

  x(time) {
    const place = ((time - this.from) / (this.to - this.from)) * this.width;
    return round(MARGIN.left + Math.max(-this.width, Math.min(2 * this.width, place)));
  }

  y(value) {
    const share = (value - this.least) / (this.most - this.least);
    return round(MARGIN.top + this.height * (1 - Math.max(0, Math.min(1, share))));
  }

  time(x) {
    return this.from + (Math.max(0, Math.min(this.width, x - MARGIN.left)) / this.width) * (this.to - this.from);
  }

  // Reading

  /** The mark at an instant; null where nothing is known. */
  markAt(time) {
    let nearest = null;
    for (const mark of this.marks) {
      if (!nearest || Math.abs(mark.time - time) < Math.abs(nearest.time - time)) nearest = mark;
    }
    const reach = Math.max((nearest?.width ?? this.spacing) * 0.8, (this.to - this.from) / this.width);
    return nearest && Math.abs(nearest.time - time) <= reach ? nearest : null;
  }

  drawCursor() {
    const isShown = this.cursor !== null && this.cursor >= this.from && this.cursor <= this.to;
    for (const node of [this.hair, this.tip]) setHidden(node, !isShown);
    setHidden(this.dot, true);
    this.drawSelection();
    if (!isShown) return;
    const mark = this.markAt(this.cursor);
    const x = this.x(mark?.time ?? this.cursor);
    for (const [name, value] of Object.entries({ x1: x, x2: x, y1: MARGIN.top, y2: MARGIN.top + this.height })) {
      this.hair.setAttribute(name, value);
    }
    if (mark) {
      setHidden(this.dot, false);
      this.dot.setAttribute("cx", x);
      this.dot.setAttribute("cy", this.y(mark.value));
    }
    this.tip.replaceChildren(...this.reading(mark).map(([name, text]) => element("span", { class: name || null }, text)));
    const room = MARGIN.left + this.width - x;
    this.tip.style.transform = `translate(${Math.round(room < 150 ? x - this.tip.offsetWidth - 10 : x + 10)}px, ${MARGIN.top + 4}px)`;
  }

  reading(mark) {
    const lines = [["when", this.clock.instant(mark?.time ?? this.cursor)]];
    if (!mark) return [...lines, ["none", "no data"]];
    lines.push(["value", quantity(mark.value, this.unit)]);
    if (mark.peak !== null) lines.push(["peak", `peak ${quantity(mark.peak, this.unit)}`]);
    return lines;
  }

  drawSelection() {
    setHidden(this.selection, this.anchor === null || this.cursor === null);
    if (this.anchor === null || this.cursor === null) return;
    const [from, to] = [this.x(Math.min(this.anchor, this.cursor)), this.x(Math.max(this.anchor, this.cursor))];
    const size = { x: from, y: MARGIN.top, width: to - from, height: this.height };
    for (const [name, value] of Object.entries(size)) this.selection.setAttribute(name, value);
  }

  describe() {
    const values = this.summary.map(([name, text]) => `${name} ${text}`).join(", ");
    const gaps = this.gapCount ? `, ${this.gapCount} ${this.gapCount === 1 ? "stretch" : "stretches"} without data` : "";
    const keys = "Arrow keys read values, with Shift they select, Enter zooms, plus and minus zoom, 0 shows all.";
    setAttribute(this.plot, "aria-label", `${this.title}: ${values}${gaps}. ${keys}`);
  }

  // Pointer and keys

  listen() {
    const at = (event) => this.time(event.clientX - this.plot.getBoundingClientRect().left);
    this.plot.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.anchor = this.cursor = at(event);
      this.isDragging = true;
      this.plot.setPointerCapture(event.pointerId);
    });
    this.plot.addEventListener("pointermove", (event) => this.moveTo(at(event)));
    this.plot.addEventListener("pointerup", (event) => this.isDragging && this.endDrag(at(event)));
    this.plot.addEventListener("pointercancel", () => this.leave());
    this.plot.addEventListener("pointerleave", () => !this.isDragging && this.leave());
    this.plot.addEventListener("dblclick", () => this.zoom && this.zoomTo(null));
    this.plot.addEventListener("blur", () => this.leave());
    this.plot.addEventListener("keydown", (event) => this.key(event) && (event.preventDefault(), event.stopPropagation()));
  }

  moveTo(time) {
    this.cursor = time;
    this.drawCursor();
  }

  leave() {
    Object.assign(this, { cursor: null, anchor: null, isDragging: false });
    this.drawCursor();
  }

  endDrag(time) {
    this.isDragging = false;
    const from = this.anchor;
    this.anchor = null;
    // A click is no stretch.
    if (Math.abs(this.x(time) - this.x(from)) < 6) return this.moveTo(time);
    this.cursor = null;
    this.zoomTo({ from: Math.min(from, time), to: Math.max(from, time) });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    switch (event.key) {
      case "ArrowLeft": return this.readNext(-1, event.shiftKey);
      case "ArrowRight": return this.readNext(1, event.shiftKey);
      case "PageUp": return this.readNext(-10, event.shiftKey);
      case "PageDown": return this.readNext(10, event.shiftKey);
      case "Home": return this.readNext(-Infinity, event.shiftKey);
      case "End": return this.readNext(Infinity, event.shiftKey);
      case "Enter": return this.zoomToSelection();
      case "Escape": return this.back();
      default: return false;
    }
  }

  /** Reads the mark that is so many further; with a selection up to there. */
  readNext(count, selects) {
    const marks = this.marks.filter((mark) => mark.time >= this.from && mark.time <= this.to);
    if (!marks.length) return true;
    const place = this.cursor === null ? (count > 0 ? -1 : marks.length) : nearest(marks, this.cursor);
    const next = marks[Math.max(0, Math.min(marks.length - 1, place + count))];
    if (selects) this.anchor ??= this.cursor ?? next.time;
    else this.anchor = null;
    this.moveTo(next.time);
    say(this.reading(this.markAt(next.time)).map(([, text]) => text).join(", "));
    return true;
  }

  zoomToSelection() {
    if (this.anchor === null || this.cursor === null) return true;
    this.zoomTo({ from: Math.min(this.anchor, this.cursor), to: Math.max(this.anchor, this.cursor) });
    return true;
  }

  back() {
    if (this.anchor !== null || this.cursor !== null) this.leave();
    else if (this.zoom) this.zoomTo(null);
    else return false;
    return true;
  }

  /** Shows a part of what is shown, or more, around what is read or the newest. */
  scale(factor) {
    const middle = this.cursor ?? (factor < 1 ? this.to : (this.from + this.to) / 2);
    const length = (this.to - this.from) * factor;
    if (length >= this.length) return this.zoomTo(null);
    const first = this.end - this.length;
    const from = Math.max(first, Math.min(middle - length / 2, this.end - length));
    this.zoomTo({ from, to: from + length });
  }

  /** What the swatches stand for. */
  legend() {
    const over = this.step ? `average of ${duration(this.kind === "bar" ? this.marks[0]?.width ?? this.step : this.step)}` : "value";
    return { value: over, peak: this.hasPeaks ? "peak" : null };
  }
}

function known(points) {
  const all = [];
  let isCut = false;
  for (const [time, value, peak] of points) {
    if (!Number.isFinite(time)) continue;
    if (!Number.isFinite(value)) isCut = true;
    else {
      all.push({ time, value: bounded(value), peak: Number.isFinite(peak) ? bounded(peak) : null, isCut });
      isCut = false;
    }
  }
  return all.sort((a, b) => a.time - b.time);
}

function bounded(value) {
  return Math.max(-BOUND, Math.min(BOUND, value));
}

/** How far points are from each other where none is missing. */
function spacing(points, step) {
  const distances = points.slice(1).map((point, place) => point.time - points[place].time).sort((a, b) => a - b);
  return Math.max(step, distances[distances.length >> 1] ?? 0, 1);
}

function runs(points, holds) {
  const all = [];
  let run = [];
  for (const point of points) {
    if (holds(point)) run.push(point);
    else if (run.length) {
      all.push(run);
      run = [];
    }
  }
  return run.length ? [...all, run] : all;
}

function nearest(marks, time) {
  return marks.reduce((best, mark, place) => (Math.abs(mark.time - time) < Math.abs(marks[best].time - time) ? place : best), 0);
}

function label(x, y, text, anchor) {
  return drawing("text", { x, y, "text-anchor": anchor }, text);
}

function setHidden(node, isHidden) {
  setAttribute(node, "hidden", isHidden ? "" : null);
}

function round(value) {
  return Math.round(value * 10) / 10;
}
