// Numbers with SI prefixes, as the field writes them: 6.00 µC.

const PREFIXES: [number, string][] = [
  [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"], [1e-15, "f"],
];
const MINUS = "\u2212";

/** Units whose multiples do not take prefixes: squares, quotients of several, kilograms. */
function takesPrefix(unit: string): boolean {
  return unit !== "" && !/^(kg|°|%|1)/.test(unit) && !/^[^/]*[²³]/.test(unit);
}

/** Three significant digits, without an exponent where a reader needs none. */
export function digits(value: number, significant = 3): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e-4 && size < 1e6 ? plain(value, significant) : value.toExponential(significant - 1).replace("e+", "e");
  return text.replace(/-/g, MINUS);
}

/** The same without zeros that say nothing: "1000", "2.5". */
export const brief = (value: number, significant = 3): string =>
  digits(value, significant).replace(/(\.\d*?)0+(?=e|$)/, "$1").replace(/\.(?=e|$)/, "");

function plain(value: number, significant: number): string {
  const rounded = Number(value.toPrecision(significant));
  const before = rounded === 0 ? 1 : Math.floor(Math.log10(Math.abs(rounded))) + 1;
  const text = rounded.toFixed(Math.max(0, significant - before));
  return Math.abs(rounded) >= 1e4 ? text.replace(/\B(?=(\d{3})+$)/g, "\u202f") : text;
}

/** A quantity with its unit: `quantity(6e-6, "C")` is "6.00 µC". */
export function quantity(value: number | null | undefined, unit: string, significant = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return unit ? `0 ${unit}` : "0";
  if (!takesPrefix(unit)) return unit ? `${digits(value, significant)} ${unit}` : digits(value, significant);
  // What would be rounded up to the next prefix has that one.
  const size = Math.abs(value) * (1 + 0.5 * 10 ** -significant);
  const prefix = PREFIXES.find(([factor]) => size >= factor) ?? PREFIXES[PREFIXES.length - 1];
  return `${digits(value / prefix[0], significant)} ${prefix[1]}${unit}`;
}

/** A signed quantity, for the ends of a scale. */
export function signed(value: number, unit: string): string {
  return value > 0 ? `+${quantity(value, unit)}` : quantity(value, unit);
}

export function seconds(value: number): string {
  return Number.isFinite(value) ? value.toFixed(3).replace("-", MINUS) : "–";
}

export function vector(values: ArrayLike<number>, unit: string): string {
  const parts = Array.from(values, (each) => digits(each));
  return `(${parts.join(", ")}) ${unit}`;
}

export function count(value: number): string {
  return value.toLocaleString("en-GB").replace(/,/g, "\u202f");
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Round steps (1, 2, 5 × 10^n) of which about `wanted` fill `length`. */
export function niceStep(length: number, wanted: number): number {
  const rough = length / Math.max(1, wanted);
  if (!(rough > 0) || !Number.isFinite(rough)) return 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const part = rough / power;
  return (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10) * power;
}

/** A number as it is typed, with a prefix and the unit or without: `6 µC`, `6uC`, `6e-6`. Null if it is none. */
export function parseQuantity(text: string, unit: string): number | null {
  const found = /^\s*([+\-\u2212]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*$/.exec(text.replace(/\u202f/g, ""));
  if (!found) return null;
  const number = Number(found[1].replace("\u2212", "-"));
  const rest = found[2].replace(/^[u\u03bc]/, "µ");
  const prefix = rest.endsWith(unit) ? rest.slice(0, rest.length - unit.length) : rest === "" ? "" : null;
  const factor = prefix === null ? undefined : PREFIXES.find(([, name]) => name === prefix)?.[0];
  // Divided, so that 6 µ is the decimal 6e-6.
  if (factor === undefined || !Number.isFinite(number)) return null;
  return factor < 1 ? number / Math.round(1 / factor) : number * factor;
}
