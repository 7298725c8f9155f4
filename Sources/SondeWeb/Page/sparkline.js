// The course of a row in a few pixels: what is not known is a gap.

import { drawing } from "./dom.js";

/** A drawing that `drawCourse` fills. */
export function sparkline() {
  return drawing("svg", { class: "spark", viewBox: "0 0 96 20", preserveAspectRatio: "none", "aria-hidden": "true" },
    drawing("path", { class: "fill" }), drawing("path", { class: "stroke", "vector-effect": "non-scaling-stroke" }));
}

/** Draws values, oldest first; null where nothing is known. */
export function drawCourse(svg, values) {
  const [fill, stroke] = svg.children;
  const { line, area } = paths(values || []);
  if (stroke.getAttribute("d") === line) return;
  stroke.setAttribute("d", line);
  fill.setAttribute("d", area);
}

function paths(values) {
  const most = values.reduce((most, value) => Math.max(most, value ?? 0), 0) || 1;
  const x = (place) => ((place + 0.5) * 96) / values.length;
  const y = (value) => 19 - (Math.max(0, value) / most) * 17;
  let [line, area] = ["", ""];
  for (let from = 0; from < values.length; from += 1) {
    if (values[from] === null || values[from] === undefined) continue;
    let to = from;
    while (to + 1 < values.length && values[to + 1] !== null && values[to + 1] !== undefined) to += 1;
    const points = values.slice(from, to + 1).map((value, place) => `${x(from + place).toFixed(1)} ${y(value).toFixed(1)}`);
    line += from === to ? `M${points[0]}h.1` : `M${points.join("L")}`;
    area += `M${x(from).toFixed(1)} 20L${points.join("L")}L${x(to).toFixed(1)} 20Z`;
    from = to;
  }
  return { line, area };
}
