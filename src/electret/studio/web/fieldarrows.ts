// The electric field on a plane through the bodies: what is asked for, and what came. One request at a time.
import { effect, signal } from "/vendor/ui.js";
import { request, sentence } from "./connection";
import { dirty, picture, wake } from "./frames";
import { newNumber } from "./kept";
import type { FieldValues, Frame } from "./protocol";
import * as store from "./store";
import type { Vec } from "./view/camera";

/** Points along a side of the grid. */
const SIDE = 21;
/** A side of the plane, diagonals of the bodies at the start. */
export const EXTENT = 1.6;

/** The plane is at right angles to this axis, so far from the middle of the bodies (m); null: no arrows. */
export const plane = signal<{ axis: 0 | 1 | 2; offset: number } | null>(null);
/** The largest field on it, V/m; null while there is none. */
export const largest = signal<number | null>(null);
export const fault = signal("");

export interface FieldGrid {
  corner: Vec;
  across: Vec;
  along: Vec;
  spacing: number;
}

interface Asked {
  number: number;
  grid: FieldGrid;
  frame: Frame;
  plane: typeof plane.value;
}
/** What is to be answered, and what was asked for last. */
let asked: Asked | null = null;
let last: Asked | null = null;

/** The middle of the bodies' box in a frame, m. */
function middleOf(frame: Frame, vertices: number): Vec {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < 3 * vertices; k++) {
    const value = frame.positions[k];
    if (value < low[k % 3]) low[k % 3] = value;
    if (value > high[k % 3]) high[k % 3] = value;
  }
  return low.map((value, axis) => (value <= high[axis] ? 0.5 * (value + high[axis]) : 0) + frame.origin[axis]) as Vec;
}

/** The grid moves with the bodies by whole distances of its points, so that arrows stay where they are. */
function gridOf(frame: Frame, { axis, offset }: NonNullable<typeof plane.value>): FieldGrid {
  const system = store.system.value;
  const spacing = (EXTENT * (system?.box.size || 1)) / (SIDE - 1);
  const middle = middleOf(frame, Math.min(system?.vertices ?? 0, frame.points));
  const corner = middle.map((value, k) => (k === axis ? value + offset : spacing * (Math.round(value / spacing) - (SIDE - 1) / 2))) as Vec;
  const along = (way: number) => [0, 1, 2].map((k) => (k === way % 3 ? spacing : 0)) as Vec;
  return { corner, across: along(axis + 1), along: along(axis + 2), spacing };
}

/** Asks for the field of the newest frame, unless that was done or an answer is still to come. */
async function ask(): Promise<void> {
  const wish = plane.value;
  const { frame } = picture;
  if (asked || !wish || !frame || (last?.frame === frame && last.plane === wish)) return;
  const grid = gridOf(frame, wish);
  const now = { number: newNumber(), grid, frame, plane: wish };
  asked = last = now;
  const { corner, across, along } = grid;
  const error = await request("field", { number: now.number, corner, across, along, columns: SIDE, rows: SIDE });
  if (error !== null && asked === now) asked = null;
  fault.value = error === null ? "" : sentence(error);
}

export function takeField({ number, generation, values }: FieldValues): void {
  const now = asked;
  if (now?.number !== number) return;
  asked = null;
  if (plane.value && generation === picture.generation) {
    let most = 0;
    for (let k = 0; k < values.length; k += 3) most = Math.max(most, Math.hypot(values[k], values[k + 1], values[k + 2]));
    picture.field = { ...now.grid, values, largest: most };
    largest.value = most;
    dirty.colours = true;
    wake();
  }
  void ask();
}

function drop(): void {
  last = null;
  if (!picture.field) return;
  picture.field = null;
  largest.value = null;
  dirty.colours = true;
  wake();
}

/** The connection was cut: what was asked for does not come. */
export function forgetField(): void {
  asked = last = null;
}

export function watchField(): void {
  effect(() => {
    store.drawnAt.value;
    if (plane.value && store.link.value === "open") void ask();
    if (!plane.value) drop();
  });
}
