// Numbers with their units and instants, as the tables of the agent write them.

/** What stands for a value that is not known. */
const UNKNOWN = "–";

const PREFIXES = ["", "k", "M", "G", "T", "P", "E"];
const BINARY = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

function threeDigits(value) {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 0.001) return value.toExponential(1);
  if (size < 1) return String(Number(value.toPrecision(2)));
  return value.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

function scaled(value, base, names, separator) {
  let [number, place] = [value, 0];
  while (Math.abs(number) >= base * 0.9995 && place < names.length - 1) {
    number /= base;
    place += 1;
  }
  if (Math.abs(number) >= base) return `${number < 0 ? "<-" : ">"}${base - 1}${separator(names[place])}`;
  const digits = place === 0 && Number.isInteger(number) ? String(number) : threeDigits(number);
  return `${digits}${separator(names[place])}`;
}

/** A value with its unit; the unit is one of UCUM. */
export function quantity(value, unit) {
  if (typeof value !== "number" || !Number.isFinite(value)) return UNKNOWN;
  switch (unit) {
    case "By/s": return scaled(value, 1000, PREFIXES, (prefix) => ` ${prefix}B/s`);
    case "By": return scaled(value, 1024, BINARY, (name) => ` ${name}`);
    case "s": return value >= 10 ? `${threeDigits(value)} s` : `${threeDigits(value * 1000)} ms`;
    case "1": return `${threeDigits(value * 100)} %`;
    default: return scaled(value, 1000, PREFIXES, (prefix) => (prefix ? ` ${prefix}` : "")) + suffix(unit);
  }
}

/** The same for an axis, without digits that say nothing. */
export function level(value, unit) {
  return quantity(value, unit).replace(/(\.\d*?)0+(?=\D|$)/, "$1").replace(/\.(?=\D|$)/, "");
}

function suffix(unit) {
  return unit && unit.endsWith("/s") ? " /s" : "";
}

/** Steps of an axis from 0 to at least `most`: of a decimal or, for bytes, a binary size. */
export function steps(least, most, unit, count) {
  const span = most - least;
  if (!(span > 0)) return [0, 1];
  const binary = unit === "By" ? 1024 ** Math.max(0, Math.floor(Math.log(span) / Math.log(1024))) : 1;
  const rough = span / binary / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999) * binary;
  const first = Math.floor(least / step);
  const places = Math.ceil(span / step + (least / step - first) - 1e-9);
  return Array.from({ length: Math.min(places, 50) + 1 }, (_, place) => (first + place) * step);
}

/** How long a stretch is. */
export function duration(seconds) {
  if (!(seconds > 0)) return UNKNOWN;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const [size, name] = parts.find(([length]) => seconds >= length);
  return `${Number((seconds / size).toFixed(1))} ${name}`;
}

/** Seconds in a range such as `6h`. */
export function rangeLength(range) {
  const match = /^(\d{1,4})([smhd])$/.exec(range || "");
  return match ? Number(match[1]) * { s: 1, m: 60, h: 3600, d: 86400 }[match[2]] : 3600;
}

// Beyond these, a Date is none.
const [FIRST, LAST] = [-6e10, 2.5e11];

/** Instants in the zone that was chosen. */
export class Clock {
  constructor() {
    this.isUTC = localStorage.getItem("sonde.zone") === "utc";
    this.formats = new Map();
  }

  /** Changes between the zone of the browser and UTC. */
  toggle() {
    this.isUTC = !this.isUTC;
    localStorage.setItem("sonde.zone", this.isUTC ? "utc" : "local");
    this.formats.clear();
  }

  /** How far the zone is from UTC at an instant, in seconds. */
  offset(seconds) {
    return this.isUTC ? 0 : -60 * new Date(bounded(seconds) * 1000).getTimezoneOffset();
  }

  time(seconds) {
    return this.text("time", seconds, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  }

  minute(seconds) {
    return this.text("minute", seconds, { hour: "2-digit", minute: "2-digit" });
  }

  day(seconds) {
    return this.text("day", seconds, { day: "numeric", month: "short" });
  }

  /** Day, time and zone. */
  instant(seconds) {
    return this.text("instant", seconds, {
      day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short",
    });
  }

  text(name, seconds, options) {
    if (typeof seconds !== "number" || !Number.isFinite(seconds)) return UNKNOWN;
    if (!this.formats.has(name)) {
      const zone = this.isUTC ? { timeZone: "UTC" } : {};
      this.formats.set(name, new Intl.DateTimeFormat("en-GB", { ...options, ...zone, hourCycle: "h23" }));
    }
    return this.formats.get(name).format(new Date(bounded(seconds) * 1000));
  }
}

/** An instant as programs read it. */
export function machineTime(seconds) {
  return Number.isFinite(seconds) ? new Date(bounded(seconds) * 1000).toISOString() : "";
}

function bounded(seconds) {
  return Math.max(FIRST, Math.min(LAST, seconds));
}

const TIME_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000, 604800, 1209600,
];

/** The instants that an axis names, at whole minutes, hours or days of the zone, with their texts. */
export function instants(clock, from, to, count) {
  const step = TIME_STEPS.find((size) => (to - from) / size <= count) || TIME_STEPS.at(-1);
  const shift = clock.offset(from);
  const marks = [];
  for (let time = Math.ceil((from + shift) / step) * step - shift; time <= to && marks.length < 50; time += step) {
    const isMidnight = (time + shift) % 86400 === 0;
    const text = step >= 86400 || isMidnight ? clock.day(time) : step < 60 ? clock.time(time) : clock.minute(time);
    marks.push({ time, text });
  }
  return marks;
}
