// What fails, with what to do about it.

import { brief, element, setAttribute, setText } from "./dom.js";

/** The failures of sources and sinks, and the one of the page itself; `handlers` has `retry(id)`, `recover()`, `dismiss()` and `show()`. */
export class Failures {
  constructor(list, notice, handlers) {
    Object.assign(this, { list, notice, handlers });
  }

  /** Shows sources and sinks that fail: in full, or in one line that leads there. */
  show(failures, { isFull, needsToken }) {
    // How long it fails changes every second: the rest stays, with what is selected or under the focus.
    const signature = JSON.stringify([failures.map((failure) => ({ ...failure, since: null })), isFull, needsToken]);
    if (signature === this.signature) return this.showAges(failures);
    this.signature = signature;
    this.list.hidden = failures.length === 0;
    const focused = document.activeElement?.dataset?.retry;
    this.list.replaceChildren(...(isFull ? failures.map((failure) => this.card(failure, needsToken)) : [this.line(failures)]));
    // A second later the same button is another element.
    if (focused !== undefined) this.list.querySelector(`[data-retry="${CSS.escape(focused)}"]`)?.focus();
  }

  showAges(failures) {
    const ages = this.list.querySelectorAll(".since");
    failures.forEach((failure, place) => ages[place] && setText(ages[place], age(failure)));
  }

  card(failure, needsToken) {
    const head = element("div", { class: "title" },
      element("span", { class: "mark", "aria-hidden": "true" }, "✗"),
      element("bdi", { class: "what" }, brief(failure.plugin, 120)),
      element("code", {}, brief(failure.code, 40)),
      element("span", { class: "since" }, age(failure)));
    if (failure.canRetry) head.append(this.retryButton(failure, needsToken));
    const card = element("article", { class: "failure" }, head, element("p", { dir: "auto" }, brief(failure.message, 600)));
    card.append(...advice(failure));
    return card;
  }

  retryButton(failure, needsToken) {
    return element("button", {
      type: "button", class: "retry", "data-retry": brief(failure.plugin, 120),
      title: needsToken ? "Needs the token, which is asked for (t)" : "Makes it try again at once (t)",
      "aria-label": `Try ${brief(failure.plugin, 120)} again${needsToken ? "; needs the token" : ""}`,
      click: () => this.handlers.retry(failure.plugin),
    }, "Try again", needsToken ? element("small", {}, "needs the token") : null);
  }

  line(failures) {
    const names = failures.slice(0, 3).map((failure) => `${brief(failure.plugin, 40)} ${brief(failure.code, 40)}`).join(", ");
    const more = failures.length > 3 ? ` and ${failures.length - 3} more` : "";
    return element("button", { type: "button", class: "line", click: () => this.handlers.show() },
      element("span", { class: "mark", "aria-hidden": "true" }, "✗"), element("bdi", {}, `${names}${more}`),
      element("span", { class: "faint" }, failures.length === 1 ? "fails: what to do" : "fail: what to do"));
  }

  /** Shows what the page has to say of itself: no server, no agent, a request that failed; null: nothing. */
  say(notice) {
    const signature = JSON.stringify(notice);
    if (signature === this.said) return;
    this.said = signature;
    this.notice.hidden = notice === null;
    if (!notice) return this.notice.replaceChildren();
    setAttribute(this.notice, "data-kind", notice.kind);
    const title = element("div", { class: "title" }, element("strong", { dir: "auto" }, brief(notice.text, 600)));
    if (notice.code) title.prepend(element("code", {}, brief(notice.code, 40)));
    if (notice.action) {
      title.append(element("button", { type: "button", id: "recover", click: () => this.handlers.recover() }, brief(notice.action, 60)));
    }
    if (notice.canDismiss) title.append(element("button", { type: "button", id: "dismiss", click: () => this.handlers.dismiss() }, "Dismiss"));
    this.notice.replaceChildren(title, ...advice(notice));
  }
}

function age(failure) {
  return failure.since ? `for ${brief(failure.since, 40)}` : "";
}

function advice({ advice, yaml }) {
  const parts = [];
  if (advice?.length) {
    parts.push(element("ul", {}, ...advice.slice(0, 10).map((text) => element("li", { dir: "auto" }, brief(text, 400)))));
  }
  if (yaml) {
    const line = element("code", { tabindex: 0 }, brief(yaml, 400));
    parts.push(element("p", { class: "yaml" }, element("span", { class: "faint" }, "in the configuration "), line));
  }
  return parts;
}
