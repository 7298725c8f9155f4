// Light and dark: what the system prefers, until the reader chooses.

import { setText } from "./dom.js";

const KEY = "sonde.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

function current() {
  return localStorage.getItem(KEY) || (system.matches ? "dark" : "light");
}

function apply(button) {
  document.documentElement.dataset.theme = current();
  if (!button) return;
  const other = current() === "dark" ? "Light" : "Dark";
  setText(button, other);
  button.title = `${other} colors (x)`;
}

/** Makes a button the switch, and returns what it does. */
export function useTheme(button) {
  const toggle = () => {
    const chosen = current() === "dark" ? "light" : "dark";
    // What the system prefers anyway needs no memory, and goes on following it.
    if (chosen === (system.matches ? "dark" : "light")) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, chosen);
    apply(button);
  };
  button.addEventListener("click", toggle);
  system.addEventListener("change", () => apply(button));
  apply(button);
  return toggle;
}

apply();
