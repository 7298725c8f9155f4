// What fails, with what to do about it.

import { brief, element, setAttribute, setText } from "./dom.js";

/** The failures of sources and sinks, and the one of the page itself; `handlers` has `retry(id)`, `recover()`, `dismiss()` and `show()`. */
export class Failures {
  constructor(list, notice, handlers) {
    Object.assign(this, { list, notice, handlers });
  }

  /** Shows sources and sinks that fail: in full, or in one line that leads there. */
  show(failures, { isFull, needsToken }) {
    this.list.hidden = failures.length === 0;
    if (isFull) return this.showCards(failures, needsToken);
    const signature = JSON.stringify(failures.map((failure) => [failure.plugin, failure.code]));
    if (signature === this.signature) return;
    this.signature = signature;
    this.list.replaceChildren(this.line(failures));
  }

  showCards(failures, needsToken) {
    if (this.signature !== null) this.list.replaceChildren();
    this.signature = null;
    // Changed in place: a card that was another element would lose the focus, what is selected, and a click half way.
    while (this.list.children.length > failures.length) this.list.lastChild.remove();
    while (this.list.children.length < failures.length) this.list.append(this.card());
    failures.forEach((failure, place) => this.fill(this.list.children[place], failure, needsToken));
  }

  card() {
    const retry = element("button", {
      type: "button", class: "retry", click: () => this.handlers.retry(card.failure.plugin),
    }, "Try again", element("small", {}, "needs the token"));
    const card = element("article", { class: "failure" },
      element("div", { class: "title" },
        element("span", { class: "mark", "aria-hidden": "true" }, "✗"), element("bdi", { class: "what" }), element("code"),
        element("span", { class: "since" }), retry),
      element("p", { dir: "auto" }), element("div"));
    return card;
  }

  fill(card, failure, needsToken) {
    const [title, message, details] = card.children;
    const [, what, code, since, retry] = title.children;
    const name = brief(failure.plugin, 120);
    card.failure = failure;
    setText(what, name);
    setText(code, brief(failure.code, 40));
    setText(since, failure.since ? `for ${brief(failure.since, 40)}` : "");
    setText(message, brief(failure.message, 600));
    retry.hidden = !failure.canRetry;
    retry.lastChild.hidden = !needsToken;
    setAttribute(retry, "data-retry", name);
    setAttribute(retry, "title", needsToken ? "Needs the token, which is asked for (t)" : "Makes it try again at once (t)");
    setAttribute(retry, "aria-label", `Try ${name} again${needsToken ? "; needs the token" : ""}`);
    const signature = JSON.stringify([failure.advice, failure.yaml]);
    if (card.signature === signature) return;
    card.signature = signature;
    details.replaceChildren(...advice(failure));
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
