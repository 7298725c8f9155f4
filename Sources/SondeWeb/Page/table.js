// Rows of the view, which has a stretch of all rows: those in sight are elements, and the stretch follows the scrolling, so that
// ten thousand cost what forty do.

import { brief, element, setAttribute, setText } from "./dom.js";
import { drawCourse, sparkline } from "./sparkline.js";

// Rows above and below of what is in sight.
const SPARE = 8;
const MOST_WITHOUT_SCROLLING = 60;

// How soon after one stretch another one is asked for.
const PATIENCE = 150;

/** The table of a page; `handlers` has `select(place)`, `sort(name)`, `move(count)` and `scroll(first)`. */
export class Table {
  constructor(host, handlers) {
    Object.assign(this, { handlers, rows: [], columns: [], pool: [], offset: 0, total: 0, height: 30, selected: null, asked: 0 });
    this.headRow = element("div", { role: "row", class: "row names" });
    this.body = element("div", { class: "body", role: "rowgroup" });
    this.window = element("div", { class: "window", role: "presentation" });
    this.body.append(this.window);
    this.grid = element("div", { role: "grid", tabindex: 0, class: "grid" },
      element("div", { role: "rowgroup", class: "head" }, this.headRow), this.body);
    this.empty = element("p", { class: "empty" });
    host.append(this.grid, this.empty);
    this.body.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.resized()).observe(host);
    this.body.addEventListener("click", (event) => this.clicked(event));
    this.grid.addEventListener("keydown", (event) => this.key(event));
  }

  /** Shows a table of the view; null: the page has none. */
  show(table, { sort, sorts, range, subject }) {
    const columns = table?.columns || [];
    const courses = (table?.rows || []).some((row) => row.course);
    const signature = JSON.stringify([columns, table?.align, courses && range, sort]);
    if (signature !== this.signature) {
      this.signature = signature;
      Object.assign(this, { columns, align: table?.align || [], hasCourses: courses, words: wordCount(table) });
      this.drawNames(sort, sorts || [], range);
      this.grid.classList.toggle("courses", courses);
      this.grid.classList.toggle("wide", columns.length > 4);
      this.isMeasured = false;
      this.pool.forEach((row) => row.remove());
      this.pool = [];
    }
    this.rows = table?.rows || [];
    this.offset = table?.first || 0;
    this.total = Math.max(table?.total || 0, this.offset + this.rows.length);
    if (subject !== this.subject) {
      this.subject = subject;
      this.body.scrollTop = 0;
    }
    this.most = this.rows.reduce((most, row) => Math.max(most, row.values?.[0] ?? 0), 0);
    this.showsShares = columns.at(-1) === "share";
    setAttribute(this.grid, "aria-rowcount", this.total + 1);
    setAttribute(this.grid, "aria-label", brief(table?.title || columns[0] || "rows"));
    this.grid.hidden = this.total === 0;
    this.empty.hidden = this.total > 0;
    setText(this.empty, table?.note || "no rows");
    this.body.classList.toggle("scrolls", this.scrolls);
    this.draw();
    this.follow();
  }

  drawNames(sort, sorts, range) {
    this.grid.style.setProperty("--columns", this.align.map((side, place) => width(side, place)).join(" ") + (this.hasCourses ? " 112px" : ""));
    const names = this.columns.map((name, place) => {
      const order = orderOf(name, place, this.align);
      const cell = element("div", { role: "columnheader", class: `cell ${this.align[place] || "left"}` });
      if (order && sorts.includes(order)) {
        const isChosen = order === sort;
        cell.append(element("button", { type: "button", click: () => this.handlers.sort(isChosen ? "importance" : order) },
          `${name}${isChosen ? (order === "name" ? " ▴" : " ▾") : ""}`));
        setAttribute(cell, "aria-sort", isChosen ? (order === "name" ? "ascending" : "descending") : "none");
      } else cell.append(name);
      return cell;
    });
    if (this.hasCourses) names.push(element("div", { role: "columnheader", class: "cell course" }, range || ""));
    this.headRow.replaceChildren(...names);
  }

  resized() {
    this.measure();
    this.draw();
  }

  measure() {
    const height = this.pool.find((row) => !row.hidden)?.getBoundingClientRect().height;
    if (height > 0) this.height = height;
  }

  get scrolls() {
    return this.total > MOST_WITHOUT_SCROLLING;
  }

  draw() {
    const room = this.scrolls ? Math.ceil((this.body.clientHeight || 600) / this.height) + 2 * SPARE : this.total;
    const last = Math.max(0, this.total - room);
    const first = this.scrolls ? Math.min(last, Math.max(0, Math.floor(this.body.scrollTop / this.height) - SPARE)) : 0;
    const count = Math.min(room, this.total - first);
    while (this.pool.length < count) this.addRow();
    this.pool.forEach((node, place) => this.fill(node, place < count ? first + place : null));
    this.window.style.paddingTop = `${first * this.height}px`;
    this.window.style.paddingBottom = `${Math.max(0, this.total - first - count) * this.height}px`;
    this.ask(first, count);
    if (!this.isMeasured && count && this.body.clientHeight) {
      this.isMeasured = true;
      const before = this.height;
      this.measure();
      if (Math.abs(before - this.height) > 0.5) this.draw();
    }
  }

  /** Asks for the stretch around what is in sight, where it is not here. */
  ask(first, count) {
    const isHere = first >= this.offset && first + count <= this.offset + this.rows.length;
    if (isHere || !this.rows.length || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.draw();
    }, PATIENCE);
    if (Date.now() - this.asked < PATIENCE) return;
    this.asked = Date.now();
    this.handlers.scroll(Math.max(0, Math.round(first + count / 2 - this.rows.length / 2)));
  }

  addRow() {
    const cells = this.columns.map((_, place) => {
      const text = element(place < this.words ? "bdi" : "span", {});
      const side = this.align[place] || "left";
      return element("div", { role: "gridcell", class: `cell ${side}${place === 0 ? " first" : ""}` }, text);
    });
    if (this.hasCourses) cells.push(element("div", { role: "gridcell", class: "cell course" }, sparkline()));
    const row = element("div", { role: "row", class: "row" }, ...cells);
    this.pool.push(row);
    this.window.append(row);
  }

  fill(node, place) {
    node.hidden = place === null;
    if (place === null) return node.removeAttribute("id");
    // One that is not here yet has its place all the same.
    const row = this.rows[place - this.offset] || {};
    node.id = `row-${place}`;
    node.dataset.place = place - this.offset;
    setAttribute(node, "aria-rowindex", place + 2);
    setAttribute(node, "aria-selected", row.selected === true);
    node.classList.toggle("failing", row.failing === true);
    for (let column = 0; column < this.columns.length; column += 1) {
      const cell = node.children[column];
      const text = row.cells?.[column] ?? "";
      const words = brief(text, 400);
      setText(cell.firstChild, words);
      setAttribute(cell, "data-name", this.columns[column]);
      if (column < this.words) setAttribute(cell, "title", words.length > 24 ? words : null);
    }
    if (this.showsShares) {
      const share = this.most > 0 ? Math.max(0, (row.values?.[0] ?? 0) / this.most) : 0;
      node.children[0].style.setProperty("--share", `${(Math.min(1, share) * 100).toFixed(1)}%`);
    }
    if (this.hasCourses) drawCourse(node.lastChild.firstChild, row.course);
  }

  // The row that is chosen

  /** The place of the chosen row among those of a table; -1: none of them is. */
  placeOf(table) {
    return (table?.rows || []).findIndex((row) => row.selected);
  }

  /** Keeps the chosen row in sight when it changes. */
  follow() {
    const own = this.placeOf(this);
    const place = this.offset + own;
    const id = this.rows[own]?.id ?? null;
    setAttribute(this.grid, "aria-activedescendant", own < 0 ? null : `row-${place}`);
    if (id === this.selected) return;
    // Out of this stretch it is still the one that is chosen.
    if (own < 0 && this.rows.length < this.total) return;
    this.selected = id;
    if (own < 0) return;
    const [top, bottom] = [place * this.height, (place + 1) * this.height];
    if (top < this.body.scrollTop) this.body.scrollTop = top;
    else if (bottom > this.body.scrollTop + this.body.clientHeight) this.body.scrollTop = bottom - this.body.clientHeight;
    this.draw();
    if (document.activeElement === this.grid) document.getElementById(`row-${place}`)?.scrollIntoView({ block: "nearest" });
  }

  clicked(event) {
    const place = Number(event.target.closest(".row")?.dataset.place ?? -1);
    if (this.rows[place]) this.handlers.select(place);
  }

  key(event) {
    if (event.target !== this.grid || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.body.clientHeight / this.height) - 1);
    const counts = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -this.total, End: this.total };
    if (!(event.key in counts)) return;
    event.preventDefault();
    event.stopPropagation();
    this.handlers.move(counts[event.key]);
  }
}

function wordCount(table) {
  const place = (table?.align || []).indexOf("right");
  return place < 0 ? table?.columns?.length || 0 : place;
}

function width(side, place) {
  if (place === 0) return "minmax(140px, 2fr)";
  return side === "right" ? "minmax(84px, 1fr)" : "minmax(90px, 1fr)";
}

/** The order that the name of a column stands for; null: there is none. */
function orderOf(name, place, align) {
  if (place === 0) return "name";
  if (name === "average" || name === "peak") return name;
  return align[place] === "right" && align.indexOf("right") === place ? "current" : null;
}
