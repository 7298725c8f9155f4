// The host in tiles: one for each row of the overview, with what it was in the last minutes.

import { brief, element, setAttribute, setText } from "./dom.js";
import { drawCourse, sparkline } from "./sparkline.js";

const MOST_VALUES = 120;

/** The tiles; `select(place)` is called for the one that is chosen. */
export class Overview {
  constructor(host, select) {
    Object.assign(this, { host, select, tiles: [], courses: new Map(), time: null });
  }

  /** Forgets what was, which another agent may have been. */
  clear() {
    this.courses.clear();
  }

  /** Takes the values of an instant, whether they are on the screen or not. */
  take(table, time) {
    if (!table || typeof time !== "number" || time === this.time) return;
    this.time = time;
    for (const row of table.rows) {
      const value = row.values?.[0];
      if (!this.courses.has(row.id)) {
        if (this.courses.size >= 64) return;
        this.courses.set(row.id, []);
      }
      const course = this.courses.get(row.id);
      course.push(typeof value === "number" ? value : null);
      if (course.length > MOST_VALUES) course.shift();
    }
  }

  show(table, time) {
    const rows = table?.rows || [];
    this.take(table, time);
    while (this.tiles.length < rows.length) this.add(this.tiles.length);
    while (this.tiles.length > rows.length) this.tiles.pop().remove();
    rows.forEach((row, place) => this.fill(this.tiles[place], row, table.columns || []));
  }

  add(place) {
    const tile = element("button", { type: "button", class: "tile", click: () => this.select(place) },
      element("bdi", { class: "what" }), element("span", { class: "now" }), sparkline(), element("span", { class: "faint" }));
    this.tiles.push(tile);
    this.host.append(tile);
  }

  fill(tile, row, columns) {
    const [what, now, course, others] = tile.children;
    const [name, current, ...rest] = row.cells || [];
    setText(what, brief(name, 200));
    setText(now, current);
    const known = rest.map((text, place) => [columns[place + 2], text]).filter(([, text]) => text && text !== "–");
    setText(others, known.map(([column, text]) => `${column === "average" ? "avg" : column} ${text}`).join(" · "));
    setAttribute(tile, "aria-pressed", row.selected === true);
    setAttribute(tile, "data-domain", domain(row.id));
    setAttribute(tile, "title", brief(name, 400));
    const values = this.courses.get(row.id) || [];
    const isMoving = values.filter((value) => value !== null).length > 1;
    setAttribute(course, "class", isMoving ? "spark" : "spark none");
    drawCourse(course, isMoving ? [...Array(Math.max(0, 30 - values.length)).fill(null), ...values] : []);
  }
}

/** What a metric is about, for its color. */
export function domain(metric) {
  const word = /^[a-z]+/.exec(metric || "")?.[0] ?? "";
  return word === "udp" ? "connections" : word;
}
