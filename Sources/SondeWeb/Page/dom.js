// Elements without markup: every text becomes a text node, so no name can become code.

const SVG = "http://www.w3.org/2000/svg";

/** An element with properties, and children that are elements or texts. */
export function element(name, properties = {}, ...children) {
  return filled(document.createElement(name), properties, children);
}

/** The same in SVG. */
export function drawing(name, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, name), properties, children);
}

function filled(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** The element of the page with that id. */
export function part(id) {
  return document.getElementById(id);
}

/** Sets a text only where it differs: what is selected, or read aloud, stays as it is. */
export function setText(node, text) {
  const words = text === null || text === undefined ? "" : String(text);
  if (node.textContent !== words) node.textContent = words;
}

/** Sets an attribute only where it differs; null takes it away. */
export function setAttribute(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else if (node.getAttribute(name) !== String(value)) {
    node.setAttribute(name, value);
  }
}

// What turns the order of other characters around, or shows nothing at all.
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The beginning of a text that is too long to be shown beside others; nothing in it turns others around. */
export function brief(text, length = 300) {
  const words = String(text).slice(0, length + 1).replace(TURNING, "\ufffd");
  return words.length > length ? `${words.slice(0, length)}…` : words;
}

let said = 0;

/** Says something to those who do not see it. */
export function say(text, part = "say") {
  // The same sentence twice is read twice only if it differs.
  said += 1;
  document.getElementById(part).textContent = said % 2 ? text : `${text} `;
}
