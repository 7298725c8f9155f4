// The keys of `sonde top`, and a few that only a page can have.

import { element } from "./dom.js";

const EXPLAINED = [
  ["1 to 7, ← →", "another page"],
  ["j k, and ↑ ↓ in the table", "choose a row; the chart is of it"],
  ["r", "range: 1h, 6h, 24h, 7d, 30d"],
  ["m", "metric of the chart"],
  ["l", "another list of services, talkers or dns"],
  ["c", "chart: line, area, bar"],
  ["s", "sort: importance, name, current, average, peak"],
  ["/", "filter rows by their names; Enter goes back, Esc takes it away"],
  ["a", "show rows that were zero for the whole window, or hide them"],
  ["p, Space", "pause: nothing is asked for, and nothing moves"],
  ["t", "retry; with a failure of the page: what its button says"],
  ["d", "take a failure off the screen"],
  ["e, E", "export what the chart is of, as CSV or JSON"],
  ["+ − 0", "zoom in, out, and back to the whole range"],
  ["g", "to the chart: ← → read values, Shift selects, Enter zooms there; the pointer drags"],
  ["o", "show peaks, or hide them"],
  ["x, u", "light or dark; time of this browser or UTC"],
  ["Esc", "back: no reading, no zoom, no row, no filter"],
  ["?, h", "these keys"],
];

/** Calls `commands` for keys that no element under the focus takes; each is named by its key. */
export function useKeys(commands) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]") || takesText(event.target)) return;
    // A button under the focus is pressed by it.
    if (event.key === " " && event.target.closest?.("button, select, a")) return;
    const command = commands[event.key] ?? (/^[1-9]$/.test(event.key) ? () => commands.page(Number(event.key)) : null);
    if (!command) return;
    event.preventDefault();
    command();
  });
}

function takesText(node) {
  return node.matches?.("input, select, textarea") ?? false;
}

/** The keys, explained, in a dialog. */
export function explainKeys(dialog) {
  if (!dialog.firstChild) {
    dialog.append(
      element("h2", { id: "help-title" }, "Keys"),
      element("dl", {}, ...EXPLAINED.flatMap(([keys, meaning]) => [element("dt", {}, keys), element("dd", {}, meaning)])),
      element("form", { method: "dialog" }, element("div", { class: "buttons" }, element("button", { class: "main" }, "Close"))));
    dialog.addEventListener("keydown", (event) => {
      if (event.key !== "?") return;
      event.preventDefault();
      dialog.close();
    });
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }
  if (!dialog.open) dialog.showModal();
}
