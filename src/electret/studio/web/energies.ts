// The energies' table as columns, appended as rows come.
import { signal } from "/vendor/ui.js";
import type { EnergyRows } from "./protocol";
import { interval, stepOf } from "./store";

export const energies = {
  columns: [] as string[],
  values: [] as (number | null)[][],
};
/** Counts the changes of the table. */
export const energyChanges = signal(0);

export function appendEnergies(event: EnergyRows): void {
  if (event.restart || event.columns.join() !== energies.columns.join()) {
    energies.columns = event.columns;
    energies.values = event.columns.map(() => []);
  }
  energies.values.forEach((column, k) => {
    column.length = Math.min(column.length, Math.max(0, event.from));
    for (const row of event.rows) column.push(row[k] ?? null);
  });
  energyChanges.value++;
}

export function column(name: string): (number | null)[] | null {
  const at = energies.columns.indexOf(name);
  return at < 0 ? null : energies.values[at];
}

/** The step (frame of a run) nearest to `time`. */
export function stepAt(time: number): number {
  const times = column("time");
  const steps = column("step");
  if (!times || !steps || times.length === 0) return Math.max(0, Math.round(stepOf(time)));
  let best = 0;
  let low = 0;
  let high = times.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    best = middle;
    const value = times[middle] ?? 0;
    if (value < time) low = middle + 1;
    else high = middle - 1;
  }
  const near = [best - 1, best, best + 1].filter((k) => k >= 0 && k < times.length);
  near.sort((a, b) => Math.abs((times[a] ?? 0) - time) - Math.abs((times[b] ?? 0) - time));
  // Rows are thinned; between two of them the step grows with time.
  const at = near[0];
  return Math.max(0, Math.round((steps[at] ?? 0) + (interval.value > 0 ? (time - (times[at] ?? 0)) / interval.value : 0)));
}
