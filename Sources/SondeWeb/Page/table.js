// Rows of the view: only those in sight are elements, so that ten thousand cost what forty do.

import { brief, element, setAttribute, setText } from "./dom.js";
import { drawCourse, sparkline } from "./sparkline.js";

// Rows above and below of what is in sight.
const SPARE = 8;
const MOST_WITHOUT_SCROLLING = 60;

/** The table of a page; `handlers` has `select(place)`, `sort(name)` and `move(count)`. */
export class Table {
  constructor(host, handlers) {
    Object.assign(this, { handlers, rows: [], columns: [], pool: [], first: 0, height: 30, selected: null });
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
  show(table, { sort, sorts, range }) {
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
    this.most = this.rows.reduce((most, row) => Math.max(most, row.values?.[0] ?? 0), 0);
    this.showsShares = columns.at(-1) === "share";
    setAttribute(this.grid, "aria-rowcount", (table?.total ?? this.rows.length) + 1);
    setAttribute(this.grid, "aria-label", brief(table?.title || columns[0] || "rows"));
    this.grid.hidden = this.rows.length === 0;
    this.empty.hidden = this.rows.length > 0;
    setText(this.empty, table?.note || "no rows");
    this.body.classList.toggle("scrolls", this.rows.length > MOST_WITHOUT_SCROLLING);
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

  draw() {
    const scrolls = this.rows.length > MOST_WITHOUT_SCROLLING;
    const room = scrolls ? Math.ceil((this.body.clientHeight || 600) / this.height) + 2 * SPARE : this.rows.length;
    const last = Math.max(0, this.rows.length - room);
    const first = scrolls ? Math.min(last, Math.max(0, Math.floor(this.body.scrollTop / this.height) - SPARE)) : 0;
    const shown = this.rows.slice(first, first + room);
    while (this.pool.length < shown.length) this.addRow();
    this.first = first;
    this.pool.forEach((node, place) => this.fill(node, shown[place], first + place));
    this.window.style.paddingTop = `${first * this.height}px`;
    this.window.style.paddingBottom = `${Math.max(0, this.rows.length - first - shown.length) * this.height}px`;
    if (!this.isMeasured && shown.length && this.body.clientHeight) {
      this.isMeasured = true;
      const before = this.height;
      this.measure();
      if (Math.abs(before - this.height) > 0.5) this.draw();
    }
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

  fill(node, row, place) {
    node.hidden = !row;
    if (!row) return node.removeAttribute("id");
    node.id = `row-${place}`;
    node.dataset.place = place;
    setAttribute(node, "aria-rowindex", this.offset + place + 2);
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
    const place = this.placeOf(this);
    const id = this.rows[place]?.id ?? null;
    setAttribute(this.grid, "aria-activedescendant", place < 0 ? null : `row-${place}`);
    if (id === this.selected) return;
    this.selected = id;
    if (place < 0) return;
    const [top, bottom] = [place * this.height, (place + 1) * this.height];
    if (top < this.body.scrollTop) this.body.scrollTop = top;
    else if (bottom > this.body.scrollTop + this.body.clientHeight) this.body.scrollTop = bottom - this.body.clientHeight;
    this.draw();
    if (document.activeElement === this.grid) document.getElementById(`row-${place}`)?.scrollIntoView({ block: "nearest" });
  }

  clicked(event) {
    const row = event.target.closest(".row");
    if (row) this.handlers.select(Number(row.dataset.place));
  }

  key(event) {
    if (event.target !== this.grid || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.body.clientHeight / this.height) - 1);
    const counts = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -1e6, End: 1e6 };
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
