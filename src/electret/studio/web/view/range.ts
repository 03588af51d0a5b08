// The range of the colours: fixed until it is fitted, symmetric about 0 where signs mean something.
import { shownValues } from "../frames";
import { range, scalar } from "../store";

const known = new Map<string, { low: number; high: number }>();
/** The quantity whose range is shown. */
let shownFor = "";

/** The range of the values as they are shown now. */
export function fitRange(): void {
  const values = shownValues();
  const chosen = scalar.value;
  if (!values || !chosen) return;
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!Number.isFinite(low) || !Number.isFinite(high)) return;
  keep(chosen.name, low, high, chosen.symmetric);
}

/** The range of a quantity when it is first shown: that which the system names, or that of the values. */
export function startRange(): void {
  const chosen = scalar.value;
  if (!chosen) return;
  const before = known.get(chosen.name);
  if (before) {
    range.value = before;
    shownFor = chosen.name;
  } else if (chosen.range && chosen.range[1] > chosen.range[0]) keep(chosen.name, chosen.range[0], chosen.range[1], chosen.symmetric);
  else fitRange();
}

/** Another system has ranges of its own. */
export function forgetRanges(): void {
  known.clear();
  shownFor = "";
}

function keep(name: string, low: number, high: number, symmetric: boolean): void {
  let ends = { low, high };
  if (symmetric) {
    const most = Math.max(Math.abs(low), Math.abs(high));
    ends = most > 0 ? { low: -most, high: most } : { low: -1, high: 1 };
  } else if (!(high > low)) {
    ends = { low: low - 0.5 * (Math.abs(low) || 1), high: high + 0.5 * (Math.abs(high) || 1) };
  }
  known.set(name, ends);
  shownFor = name;
  range.value = ends;
}

/** Values of the chosen quantity came: the first ones say its range. */
export function valuesCame(): void {
  if (scalar.value && scalar.value.name !== shownFor) startRange();
}
