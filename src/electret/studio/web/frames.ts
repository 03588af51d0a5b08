// The newest frame and what stays from earlier ones. There is one buffer a message and no object a vertex.
import { batch } from "/vendor/ui.js";
import type { FieldGrid } from "./fieldarrows";
import type { Frame, Topology } from "./protocol";
import * as store from "./store";

export interface Counters {
  frames: number;
  drawn: number;
  ignored: number;
  bytes: number;
  reconnects: number;
  whileHidden: number;
  draw_ms: number[];
}

export const counters: Counters = { frames: 0, drawn: 0, ignored: 0, bytes: 0, reconnects: 0, whileHidden: 0, draw_ms: [] };

export interface Picture {
  generation: number;
  topology: Topology | null;
  frame: Frame | null;
  charges: Float32Array | null;
  scalar: Float32Array | null;
  placements: Float32Array | null;
  external: Float32Array | null;
  hands: Float32Array | null;
  balls: Float32Array | null;
  /** ∂ℒ/∂q of each point, and ∂ℒ/∂x of each vertex (3 numbers), where they are shown. */
  gradient: Float32Array | null;
  arrows: Float32Array | null;
  /** The electric field on a plane, V/m, 3 numbers a point of the grid. */
  field: (FieldGrid & { values: Float32Array; largest: number }) | null;
}

/** The picture as it stands: the newest frame with the charges and scalars that came with it or before. */
export const picture: Picture = {
  generation: -1,
  topology: null,
  frame: null,
  charges: null,
  scalar: null,
  placements: null,
  external: null,
  hands: null,
  balls: null,
  gradient: null,
  arrows: null,
  field: null,
};

/** What a renderer must bring to the GPU again. */
export interface Dirty {
  topology: boolean;
  positions: boolean;
  colours: boolean;
  shapes: boolean;
}
export const dirty: Dirty = { topology: false, positions: false, colours: false, shapes: false };

let unreturned: number[] = [];
export let wake: () => void = () => undefined;
export function onFrame(callback: () => void): void {
  wake = callback;
}

export function takeTopology(topology: Topology): void {
  picture.generation = topology.generation;
  picture.topology = topology;
  picture.frame = picture.charges = picture.scalar = picture.placements = picture.external = picture.hands = picture.balls = picture.field = null;
  dirty.topology = true;
  wake();
}

export function takeFrame(frame: Frame): void {
  counters.frames++;
  counters.bytes += frame.bytes;
  if (document.hidden) counters.whileHidden++;
  unreturned.push(frame.sequence);
  if (frame.generation !== picture.generation || frame.points !== picture.topology?.points) {
    counters.ignored++;
    wake();
    return;
  }
  picture.frame = frame;
  picture.hands = frame.hands ?? null;
  picture.balls = frame.balls ?? null;
  dirty.positions = true;
  if (frame.charges) {
    picture.charges = frame.charges;
    store.chargesAt.value++;
  }
  if (frame.scalar) picture.scalar = frame.scalar;
  if (frame.charges || frame.scalar) dirty.colours = true;
  if (frame.placements) picture.placements = frame.placements;
  if (frame.external) {
    picture.external = frame.external;
    store.externalAt.value++;
  }
  if (frame.placements || frame.external) dirty.shapes = true;
  wake();
}

/** Another quantity was asked for: values of the last one would be shown with its unit. */
export function forgetScalar(): void {
  picture.scalar = null;
  dirty.colours = true;
  wake();
}

/** The sequences of all frames since the last drawing; each gives its credit back. */
export function takeCredits(): number[] {
  const result = unreturned;
  unreturned = [];
  return result;
}

export function forgetCredits(): void {
  unreturned = [];
}

/** The values that the colours of a picture show. */
export function valuesOf(of: Picture): Float32Array | null {
  if (store.scalarName.value === store.GRADIENT) return of.gradient;
  return store.scalarName.value === "charge" ? of.charges : of.scalar;
}
export const shownValues = (): Float32Array | null => valuesOf(picture);

export function publishShown(frame: Frame): void {
  batch(() => {
    store.shownStep.value = frame.step;
    store.shownTime.value = frame.time;
  });
}
