// What was chosen, in the address: a link shows the same, and so does a page that has lost its server.

const DEFAULTS = { tab: "overview", range: "1h", chart: "line", sort: "importance" };

function parameters() {
  return new URLSearchParams(location.hash.slice(1));
}

/** Takes the token out of the address, before anybody copies or sees it; null: there is none. */
export function takeToken() {
  const all = parameters();
  const token = all.get("token");
  if (token === null) return null;
  all.delete("token");
  history.replaceState(null, "", address(all));
  return token;
}

function address(all) {
  const text = all.toString();
  return text ? `#${text}` : location.pathname + location.search;
}

/** The intents that make a session show what the address says; a new one, without a view, shows what it begins with. */
export function intents(view = {}) {
  const all = parameters();
  const wanted = [];
  const want = (action, name) => {
    const value = all.get(name) || DEFAULTS[name];
    if (value && value !== (view[name] || DEFAULTS[name])) wanted.push([action, value]);
  };
  want("show", "tab");
  want("range", "range");
  want("metric", "metric");
  want("list", "list");
  want("chart", "chart");
  want("sort", "sort");
  if (all.get("filter")) wanted.push(["type", all.get("filter")]);
  else if (view.filter) wanted.push(["clearFilter"]);
  if ((all.get("idle") === "1") !== (view.showsIdleRows || false)) wanted.push(["toggleIdleRows"]);
  if (all.get("row")) wanted.push(["select", all.get("row")]);
  return wanted;
}

/** The page that the address names. */
export function tab() {
  return parameters().get("tab") || DEFAULTS.tab;
}

/** The stretch of time that the chart is zoomed to; null: the whole range. */
export function zoom() {
  const [from, to] = (parameters().get("zoom") || "").split("-").map(Number);
  return from > 0 && to > from && to < 1e11 ? { from, to } : null;
}

/** Writes what is shown into the address; a new page is a new entry, for the key Back. */
export function remember(view, zoomed) {
  const row = view.table?.rows?.find((row) => row.selected);
  const chosen = {
    tab: view.tab, range: view.range, metric: view.metric, list: view.list, chart: view.chart, sort: view.sort,
    filter: view.filter, idle: view.showsIdleRows ? "1" : "", row: row && row.id.length < 200 ? row.id : "",
    zoom: zoomed ? `${Math.round(zoomed.from)}-${Math.round(zoomed.to)}` : "",
  };
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(chosen)) {
    if (value && value !== DEFAULTS[name]) all.set(name, value);
  }
  const next = address(all);
  if (next === (location.hash || location.pathname + location.search)) return;
  const isOtherPage = tab() !== (view.tab || DEFAULTS.tab);
  history[isOtherPage ? "pushState" : "replaceState"](null, "", next);
}
