// The session at the server: its events in, intents out, and what is done when it is lost.

const RETRY = 2000;
// Browsers open six connections to a server, and a page in the background must not hold one of them, nor cost the agent anything.
const HIDDEN = 15000;

/** One session after the other, as long as the page is open. */
export class Session {
  /** `handlers` has `opened(first)`, `view(changed)` and `state(name, sentence)`. */
  constructor(access, handlers) {
    Object.assign(this, { access, handlers, id: null, canOrder: false, count: 0, queue: Promise.resolve() });
    document.addEventListener("visibilitychange", () => this.visibilityChanged());
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && this.open());
  }

  open() {
    this.close();
    const source = new EventSource("events");
    this.source = source;
    source.addEventListener("session", (event) => this.began(JSON.parse(event.data)));
    source.addEventListener("view", (event) => this.handlers.view(JSON.parse(event.data)));
    source.addEventListener("error", () => source === this.source && this.failed(source));
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
    this.id = null;
  }

  began(event) {
    this.id = event.session;
    this.canOrder = event.canOrder === true;
    this.count += 1;
    this.handlers.opened(this.count === 1);
    this.handlers.state("open");
  }

  failed(source) {
    this.id = null;
    if (source.readyState !== EventSource.CLOSED) return this.handlers.state("lost");
    // An answer that was none: only a request of our own says why.
    this.ask();
  }

  async ask() {
    const control = new AbortController();
    let status = 0;
    let sentence = "";
    try {
      const answer = await fetch("events", { signal: control.signal, headers: { Accept: "text/event-stream" } });
      status = answer.status;
      if (!answer.ok) sentence = await message(answer);
    } catch {
      status = 0;
    }
    control.abort();
    if (status === 401) {
      this.handlers.state("locked");
      if (await this.login(sentence)) return this.open();
    } else {
      this.handlers.state(status === 503 ? "full" : "lost", sentence);
    }
    this.later();
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => !document.hidden && this.open(), RETRY);
  }

  async login(sentence) {
    if (!this.access.token && !(await this.access.ask(sentence || "This page is read with a token only."))) return false;
    const answer = await fetch("login", {
      method: "POST", body: JSON.stringify({ token: this.access.token }), headers: { "Content-Type": "application/json" },
    }).catch(() => null);
    if (answer?.status === 401) this.access.forget();
    return answer?.ok ?? false;
  }

  visibilityChanged() {
    clearTimeout(this.hiding);
    if (document.hidden) this.hiding = setTimeout(() => this.close(), HIDDEN);
    else if (!this.source) this.open();
  }

  /** Sends an intent, after those before it; the answer has `status` and, where it was refused, a `sentence`. */
  send(action, value, headers = {}) {
    const sent = this.queue.then(() => this.post(action, value, headers));
    this.queue = sent.catch(() => null);
    return sent;
  }

  async post(action, value, headers) {
    if (!this.id) return { status: 0, sentence: "The server does not answer." };
    const body = JSON.stringify(value === undefined ? { do: action } : { do: action, value });
    try {
      const answer = await fetch(`intent?session=${encodeURIComponent(this.id)}`, {
        method: "POST", body, headers: { "Content-Type": "application/json", ...headers },
      });
      return { status: answer.status, sentence: answer.ok ? "" : await message(answer) };
    } catch {
      return { status: 0, sentence: "The server does not answer." };
    }
  }

  /** Sends an order, which needs the token; asks for it where it is missing or wrong. */
  async order(action, value) {
    if (!this.canOrder && !this.access.token && !(await this.access.ask("Orders to the agent need the token."))) {
      return { status: 401, sentence: "Nothing was ordered: the token is missing." };
    }
    const answer = await this.send(action, value, this.access.headers);
    if (answer.status !== 401) return answer;
    this.access.forget();
    if (!(await this.access.ask(answer.sentence || "This is not the token."))) return answer;
    return this.send(action, value, this.access.headers);
  }

  /** Where a file of the chart comes from. */
  exportAddress(format) {
    return `export?session=${encodeURIComponent(this.id || "")}&format=${format}`;
  }
}

async function message(answer) {
  try {
    return String((await answer.json()).message || "");
  } catch {
    return `The server answered ${answer.status}.`;
  }
}
