// Choices in rows of buttons and in lists.

import { brief, element, setAttribute, setText } from "./dom.js";

/** Shows choices as buttons; `choose` gets the one that is pressed. */
export function segments(host, choices, chosen, choose) {
  const signature = JSON.stringify(choices);
  if (host.dataset.choices !== signature) {
    host.dataset.choices = signature;
    host.replaceChildren(...choices.map(({ id, title }) =>
      element("button", { type: "button", "data-id": id, click: () => choose(id) }, brief(title, 60))));
  }
  for (const button of host.children) setAttribute(button, "aria-pressed", button.dataset.id === chosen);
  host.hidden = choices.length < 2;
}

/** Shows choices in a list that opens. */
export function options(select, choices, chosen) {
  const signature = JSON.stringify(choices);
  if (select.dataset.choices !== signature) {
    select.dataset.choices = signature;
    select.replaceChildren(...choices.map(({ id, title }) => element("option", { value: id }, brief(title, 60))));
  }
  if (select.value !== chosen) select.value = chosen;
  select.parentNode.hidden = choices.length < 2;
}

/** The pages, as tabs that arrows move between. */
export class Tabs {
  constructor(host, panel, choose) {
    Object.assign(this, { host, panel, choose });
    host.addEventListener("keydown", (event) => this.key(event));
  }

  show(tabs, chosen) {
    while (this.host.children.length > tabs.length) this.host.lastChild.remove();
    while (this.host.children.length < tabs.length) this.host.append(this.tab());
    tabs.forEach((tab, place) => this.fill(this.host.children[place], tab, place, tab.id === chosen));
  }

  tab() {
    const button = element("button", { type: "button", role: "tab", "aria-controls": "main" },
      element("kbd", { "aria-hidden": "true" }), element("span", {}), element("span", { class: "alarm", hidden: true }, "!"));
    button.addEventListener("click", () => this.choose(button.dataset.id));
    return button;
  }

  fill(button, tab, place, isChosen) {
    const [key, title, alarm] = button.children;
    setText(key, place < 9 ? place + 1 : "");
    setText(title, brief(tab.title, 40));
    alarm.hidden = !tab.isFailing;
    setAttribute(alarm, "aria-label", "something fails");
    button.dataset.id = tab.id;
    button.id = `tab-${place}`;
    setAttribute(button, "aria-keyshortcuts", place < 9 ? place + 1 : null);
    setAttribute(button, "aria-selected", isChosen);
    setAttribute(button, "tabindex", isChosen ? 0 : -1);
    if (!isChosen || this.shown === tab.id) return;
    this.shown = tab.id;
    setAttribute(this.panel, "aria-labelledby", button.id);
    button.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (this.host.contains(document.activeElement)) button.focus();
  }

  key(event) {
    const all = [...this.host.children];
    const place = all.findIndex((button) => button.getAttribute("aria-selected") === "true");
    const next = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined || !all.length || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(all[(next + all.length) % all.length].dataset.id);
  }
}
