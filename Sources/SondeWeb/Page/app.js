// The page: the view of the server on the screen, and what a person does as intents back.

import { Access } from "./access.js";
import * as address from "./address.js";
import { Chart } from "./chart.js";
import { options, segments, Tabs } from "./controls.js";
import { brief, element, part, say, setAttribute, setText } from "./dom.js";
import { Failures } from "./failures.js";
import { explainKeys, useKeys } from "./keys.js";
import { domain, Overview } from "./overview.js";
import { Session } from "./session.js";
import { Table } from "./table.js";
import { Clock, machineTime, rangeLength } from "./text.js";
import { useTheme } from "./theme.js";

// As many rows as are held at a time, and as a row may be far from another one.
const HELD_ROWS = 200;
const FARTHEST = 1000;
const LONGEST_RESTORE = 2000;
const WORDS = { running: "live", failing: "live, with failures", gone: "the agent is gone, looking for it", unknown: "connecting" };
const LOST = {
  lost: "sonde web does not answer; trying again.",
  full: "sonde web has no room for another page; trying again.",
  locked: "The token is needed to read this page.",
};

const clock = new Clock();
const access = new Access(address.takeToken());
const toggleTheme = useTheme(part("theme"));
let view = {};
let connection = "connecting";
let sentence = "";
let restoring = null;
let told = null;
let telling = 0;
let announced = {};

const session = new Session(access, {
  opened(isFirst) {
    view = {};
    overview.clear();
    restore();
    if (!isFirst) say("connected again");
  },
  view(changed) {
    if (changed.order && changed.order !== view.order) tell("good", brief(changed.order, 200));
    Object.assign(view, changed);
    overview.take(view.tab === "overview" ? view.table : null, view.time);
    settle();
    draw();
  },
  state(name, words = "") {
    [connection, sentence] = [name, words];
    draw();
  },
});

const send = (action, value) => session.send(action, value).then((answer) => {
  if (answer.status >= 400) say(answer.sentence, "alarm");
  return answer;
});
const chart = new Chart(part("chart"), clock, () => {
  drawChartWords();
  if (!restoring) address.remember(view, chart.zoom);
});
const table = new Table(part("table"), {
  select: (place) => selectRow(place),
  sort: (name) => send("sort", name),
  move: (count) => move(count),
  scroll: (first) => send("scroll", first),
});
const overview = new Overview(part("overview"), (place) => selectRow(place));
const tabs = new Tabs(part("tabs"), part("main"), (id) => send("show", id));
const failures = new Failures(part("failures"), part("notice"), {
  retry: (id) => retry(id),
  recover: () => recover(),
  dismiss: () => send("dismiss"),
  show: () => send("show", "plugins"),
});

// What a person does

/** Makes a new session, or one before whose address is another, show what the address says. */
function restore() {
  const wanted = [["fit", HELD_ROWS], ...address.intents(view)];
  const own = (restoring = { tab: address.tab(), isSent: false });
  chart.zoomTo(address.zoom());
  Promise.all(wanted.map(([action, value]) => session.send(action, value))).then(() => {
    own.isSent = true;
    settle();
  });
  setTimeout(() => restoring === own && settle(true), LONGEST_RESTORE);
}

/** Goes on once the view is what was wanted: until then it would only flash, and be taken for a choice. */
function settle(isLate = false) {
  if (!restoring || !(isLate || (restoring.isSent && view.tab === restoring.tab))) return;
  restoring = null;
  draw();
}

function rows() {
  return view.table?.rows || [];
}

/** Moves to the row at a place among those of the view, as keys do: the chart follows. */
function selectRow(place) {
  const before = table.placeOf(view.table);
  if (place === before) return send("select", null);
  // Where the one that was chosen is not here, it is not known how far it is.
  if (rows().length < view.table.total) return send("select", rows()[place].id);
  return send("move", before < 0 ? place + 1 : place - before);
}

function move(count) {
  for (let rest = count; rest !== 0; ) {
    const step = Math.max(-FARTHEST, Math.min(FARTHEST, rest));
    send("move", step);
    rest -= step;
  }
}

function following(all, current) {
  const ids = all.map((choice) => choice.id ?? choice);
  return ids[(ids.indexOf(current) + 1) % ids.length];
}

function nextList() {
  const all = listChoices();
  if (all.length > 1) chooseList(following(all, view.list ?? ""));
}

function chooseList(id) {
  send("list", id === "" ? null : id);
}

function cycle(action, all, current) {
  if (all?.length) send(action, following(all, current));
}

function showPage(place) {
  const tab = view.tabs?.[place - 1];
  if (tab) send("show", tab.id);
}

function neighbour(step) {
  const all = view.tabs || [];
  const place = all.findIndex((tab) => tab.id === view.tab);
  if (place >= 0) send("show", all[(place + step + all.length) % all.length].id);
}

/** Makes a source or sink try again. */
async function retry(id) {
  const { status, sentence } = await session.order("recover", id);
  // What comes of it is in the view.
  if (status !== 204) tell("warn", sentence);
}

/** Says for a while what came of an order. */
function tell(kind, text) {
  told = { kind, text };
  say(text, kind === "good" ? "say" : "alarm");
  clearTimeout(telling);
  telling = setTimeout(() => {
    told = null;
    draw();
  }, 8000);
  draw();
}

/** What the button of the notice does; on the page of plugins, what is selected or fails first tries again. */
async function recover() {
  if (view.failure?.recovery === "retry_export") return exportAs(lastFormat);
  const failing = (view.failures || []).filter((failure) => failure.canRetry);
  const chosen = failing.find((failure) => failure.plugin === rows().find((row) => row.selected)?.id);
  if (!view.failure && failing.length) return retry((chosen || failing[0]).plugin);
  if (view.failure) send("recover");
}

let lastFormat = "csv";

function exportAs(format) {
  if (!session.id || !view.metric) return;
  lastFormat = format;
  const link = element("a", { href: session.exportAddress(format), download: "" });
  link.click();
}

function back() {
  if (chart.back()) return;
  if (rows().some((row) => row.selected)) send("select", null);
  else if (view.filter) send("clearFilter");
}

function togglePeaks() {
  chart.showsPeaks = !chart.showsPeaks;
  chart.draw();
  drawChartWords();
}

function toggleZone() {
  clock.toggle();
  draw();
}

// The screen

let frame = 0;

function draw() {
  if (frame) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    drawHead();
    drawNotice();
    if (!view.tabs || restoring) return;
    drawPages();
    drawDrop();
    drawChart();
    drawChanges();
    drawTable();
    address.remember(view, chart.zoom);
    if (!document.body.dataset.ready) performance.mark("sonde-ready");
    document.body.dataset.ready = "true";
  });
}

function drawHead() {
  const agent = view.agent || { state: "unknown", text: "" };
  const isLost = connection !== "open";
  const state = isLost ? "unknown" : agent.state;
  setAttribute(part("agent"), "data-state", view.paused ? "paused" : state);
  setText(part("agent-word"), isLost ? "connecting" : view.paused ? "paused" : WORDS[state] ?? state);
  setText(part("agent-text"), isLost ? "" : brief(agent.text, 300));
  setText(part("host"), brief(agent.host ?? "", 120));
  setText(part("time"), view.time ? clock.instant(view.time) : "");
  if (view.time) setAttribute(part("time"), "datetime", machineTime(view.time));
  document.title = `${state === "gone" ? "gone: " : state === "failing" ? "✗ " : ""}${brief(agent.host || "", 60)} – Sonde`;
  setText(part("pause"), view.paused ? "Go on" : "Pause");
  setAttribute(part("pause"), "aria-pressed", view.paused === true);
  document.body.classList.toggle("stale", isLost || state === "gone");
  announce({ state: isLost ? "connecting" : WORDS[state], paused: view.paused ? "paused" : "" });
}

/** Says what changed to those who do not see it; at the first time nothing has. */
function announce(words) {
  for (const [name, text] of Object.entries(words)) {
    if (name in announced && announced[name] !== text) say(text || "goes on");
    announced[name] = text;
  }
}

function drawNotice() {
  failures.say(notice());
  if (!view.failures) return;
  const isFull = view.tab === "overview" || view.tab === "plugins";
  failures.show(view.failures, { isFull, needsToken: !session.canOrder && !access.token });
  const names = view.failures.map((failure) => `${brief(failure.plugin, 60)} ${failure.code}`).join(", ");
  if (announced.failures !== undefined && names && announced.failures !== names) say(`fails: ${names}`, "alarm");
  announced.failures = names;
}

/** The one thing that is said above everything else. */
function notice() {
  if (connection === "connecting") return null;
  if (connection !== "open") return { kind: "bad", text: sentence || LOST[connection] };
  if (told) return told;
  const failure = view.failure;
  if (view.agent?.state === "gone") {
    return {
      kind: "bad", code: failure?.code, text: `The agent is gone, looking for it. ${failure?.message ?? ""}`.trim(),
      advice: failure?.advice, yaml: failure?.yaml, action: failure ? failure.label : null,
    };
  }
  if (failure) {
    return {
      kind: "warn", code: failure.code, text: failure.message, advice: failure.advice, yaml: failure.yaml,
      action: failure.recovery === "dismiss" || failure.yaml ? null : failure.label, canDismiss: true,
    };
  }
  return view.paused ? { kind: "warn", text: "Paused: nothing is asked for, and nothing moves. p goes on." } : null;
}

function drawPages() {
  tabs.show(view.tabs, view.tab);
  part("overview").hidden = view.tab !== "overview" || rows().length === 0;
  if (!part("overview").hidden) overview.show(view.table, view.time);
}

/** The packets that are dropped most, with what to try. */
function drawDrop() {
  const drop = view.drop;
  part("drop").hidden = !drop;
  const signature = JSON.stringify(drop);
  if (!drop || part("drop").dataset.is === signature) return;
  part("drop").dataset.is = signature;
  const words = [drop.reason, drop.meaning].filter(Boolean).map((text) => brief(text, 300)).join(": ");
  part("drop").replaceChildren(element("div", { class: "title" },
    element("span", { "aria-hidden": "true" }, "▼"), element("span", {}, "packets dropped within 1h:"), element("b", {}, brief(drop.packets, 40)),
    element("code", {}, brief(drop.counter, 80)), element("span", {}, words)),
  ...(drop.advice ? [element("ul", {}, element("li", { dir: "auto" }, brief(drop.advice, 500)))] : []));
}

function titled(ids) {
  return (ids || []).map((id) => ({ id, title: id }));
}

function drawChart() {
  for (const id of ["chart-card", "table-card"]) setAttribute(part(id), "data-domain", domain(view.metric));
  part("chart-card").hidden = !view.metric;
  if (!view.metric) return;
  options(part("metric"), view.metrics || [], view.metric);
  segments(part("range"), titled(view.ranges), view.range, (id) => send("range", id));
  segments(part("kind"), titled(view.charts), view.chart, (id) => send("chart", id));
  setAttribute(part("chart-card"), "aria-busy", view.loading === "loading");
  const series = view.series;
  const metric = (view.metrics || []).find((metric) => metric.id === view.metric);
  const title = brief(series?.title || metric?.title || "", 200);
  setText(part("chart-title"), title);
  chart.show(series, {
    kind: view.chart, end: series?.to ?? view.time, length: rangeLength(view.range), title: `${title}, ${view.range}`,
  });
  drawChartWords();
}

function drawChartWords() {
  part("zoom-reset").hidden = !chart.zoom;
  part("chart-values").replaceChildren(...chart.summary.flatMap(([name, text]) =>
    [element("span", {}, element("span", { class: "faint" }, `${name} `), element("b", {}, text))]));
  const { value, peak } = chart.legend();
  const parts = [element("span", { class: "swatch value" }, value)];
  if (peak) {
    parts.push(element("button", {
      type: "button", class: "swatch peak", "aria-pressed": String(chart.showsPeaks), "aria-keyshortcuts": "o", click: togglePeaks,
      title: "Show or hide peaks (o)",
    }, peak));
  }
  if (chart.gapCount) parts.push(element("span", { class: "swatch gap" }, "no data"));
  const signature = parts.map((node) => node.outerHTML).join();
  if (part("legend").dataset.is !== signature) {
    part("legend").dataset.is = signature;
    part("legend").replaceChildren(...parts);
  }
  const file = view.export;
  setText(part("export-state"), !file ? "" : file.isComplete ? "exported" : `exporting, ${file.done} of ${file.count || "?"} parts`);
}

function drawChanges() {
  const changes = view.tab === "overview" ? view.changes || [] : [];
  const host = part("changes");
  host.hidden = changes.length === 0;
  const signature = JSON.stringify(changes);
  if (host.dataset.is === signature) return;
  host.dataset.is = signature;
  host.replaceChildren(element("div", { class: "head" }, element("h2", {}, "What changed")),
    element("ul", { class: "changes" }, ...changes.slice(0, 10).map((change) => element("li", {},
      element("bdi", { class: "what" }, brief(change.text, 300)),
      element("span", { class: "from" }, brief(change.before ?? "", 60), " → ", element("b", {}, brief(change.now ?? "", 60))),
      element("span", { class: "faint" }, change.since ? `since ${brief(change.since, 60)}` : "")))));
}

function listChoices() {
  const all = view.lists || [];
  if (!all.length) return [];
  // Where the page has other rows, they are a choice too.
  const others = view.tab === "dns" ? [{ id: "", title: "all" }] : [];
  return [...others, ...all];
}

function drawTable() {
  const isShown = view.tab !== "overview" || rows().length === 0;
  part("table-card").hidden = !isShown;
  if (!isShown) return;
  segments(part("lists"), listChoices(), view.list ?? "", chooseList);
  options(part("sort"), (view.sorts || []).map((id) => ({ id, title: `by ${id}` })), view.sort);
  const filter = part("filter");
  if (document.activeElement !== filter && filter.value !== view.filter) filter.value = view.filter ?? "";
  setAttribute(part("idle"), "aria-pressed", view.showsIdleRows === true);
  const tab = view.tabs.find((tab) => tab.id === view.tab);
  setText(part("table-title"), brief(view.table?.title || tab?.title || "", 200));
  table.show(view.table, {
    sort: view.sort, sorts: view.sorts, range: view.range, subject: JSON.stringify([view.tab, view.list, view.sort, view.filter]),
  });
  drawFoot();
}

function drawFoot() {
  const { total = 0, hidden = 0 } = view.table || {};
  const words = [];
  if (total) words.push(`${total} ${total === 1 ? "row" : "rows"}`);
  if (hidden) words.push(`${hidden} idle hidden`);
  if (view.filter) words.push(`with “${brief(view.filter, 64)}”`);
  setText(part("table-note"), words.join(" · "));
}

// Controls and keys

function listen() {
  part("pause").addEventListener("click", () => send("togglePause"));
  part("keys").addEventListener("click", () => explainKeys(part("help")));
  part("metric").addEventListener("change", (event) => send("metric", event.target.value));
  part("sort").addEventListener("change", (event) => send("sort", event.target.value));
  part("idle").addEventListener("click", () => send("toggleIdleRows"));
  part("export-csv").addEventListener("click", () => exportAs("csv"));
  part("export-json").addEventListener("click", () => exportAs("json"));
  part("zoom-reset").addEventListener("click", () => chart.zoomTo(null));
  const filter = part("filter");
  filter.addEventListener("input", () => send(filter.value ? "type" : "clearFilter", filter.value || undefined));
  filter.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    if (event.key === "Escape") {
      filter.value = "";
      send("clearFilter");
    }
    part("table").querySelector("[role=grid]").focus();
  });
  addEventListener("popstate", restore);
  addEventListener("hashchange", () => {
    const token = address.takeToken();
    if (token) location.reload();
  });
}

function focusOn(node) {
  if (!node || node.closest("[hidden]")) return;
  node.focus();
  node.scrollIntoView({ block: "nearest" });
}

listen();
useKeys({
  page: showPage,
  ArrowLeft: () => neighbour(-1),
  ArrowRight: () => neighbour(1),
  ArrowUp: () => move(-1),
  ArrowDown: () => move(1),
  j: () => move(1),
  k: () => move(-1),
  r: () => cycle("range", view.ranges, view.range),
  m: () => cycle("metric", view.metrics, view.metric),
  l: nextList,
  c: () => cycle("chart", view.charts, view.chart),
  s: () => cycle("sort", view.sorts, view.sort),
  "/": () => focusOn(part("filter")),
  a: () => send("toggleIdleRows"),
  p: () => send("togglePause"),
  " ": () => send("togglePause"),
  t: recover,
  d: () => send("dismiss"),
  e: () => exportAs("csv"),
  E: () => exportAs("json"),
  "+": () => chart.scale(0.5),
  "=": () => chart.scale(0.5),
  "-": () => chart.scale(2),
  0: () => chart.zoomTo(null),
  g: () => focusOn(part("chart").firstChild),
  o: togglePeaks,
  x: toggleTheme,
  u: toggleZone,
  "?": () => explainKeys(part("help")),
  h: () => explainKeys(part("help")),
  Escape: back,
});
session.open();
