// The token: what orders need, and elsewhere than on loopback everything.

import { element, part } from "./dom.js";

const KEY = "sonde.token";

/** The token of this tab; it is forgotten with it. */
export class Access {
  constructor(token) {
    if (token) sessionStorage.setItem(KEY, token);
    this.dialog = part("access");
    this.waiting = null;
  }

  get token() {
    return sessionStorage.getItem(KEY);
  }

  forget() {
    sessionStorage.removeItem(KEY);
  }

  /** The header that shows the token. */
  get headers() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  /** Asks the person for the token, saying why; false: it was not given. */
  ask(reason) {
    if (!this.waiting) {
      this.waiting = this.question(reason).finally(() => {
        this.waiting = null;
      });
    }
    return this.waiting;
  }

  question(reason) {
    const entry = element("input", {
      id: "token", type: "password", autocomplete: "off", spellcheck: "false", required: true,
    });
    const form = element("form", { method: "dialog" },
      element("h2", { id: "access-title" }, "The token, please"),
      element("p", {}, reason),
      element("p", { class: "faint" }, "It is in the link that sonde web has printed, or in the file of --token-file."),
      element("label", { for: "token" }, "Token"), entry,
      element("div", { class: "buttons" },
        element("button", { type: "button", click: () => this.dialog.close() }, "Cancel"),
        element("button", { type: "submit", class: "main" }, "Go on")));
    this.dialog.replaceChildren(form);
    return new Promise((resolve) => {
      let given = false;
      form.addEventListener("submit", () => {
        const token = entry.value.trim();
        if (token) sessionStorage.setItem(KEY, token);
        given = token !== "";
      });
      this.dialog.addEventListener("close", () => resolve(given), { once: true });
      if (!this.dialog.open) this.dialog.showModal();
      entry.focus();
    });
  }
}
