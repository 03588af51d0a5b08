// What the server sends for what is kept: frames of the past for movies, ray-traced pictures.
import { signal } from "/vendor/ui.js";
import { sentence } from "./connection";
import type { AskedFrame, Frame, Recording, TracedPicture } from "./protocol";
import * as store from "./store";

let lastNumber = 0;
export const newNumber = (): number => ++lastNumber;

const asked = new Map<number, (frame: Frame) => void>();

/** Calls `take` with the frame of this number when it comes. */
export function awaitFrame(number: number, take: (frame: Frame) => void): void {
  asked.set(number, take);
}

export function takeAsked({ number, frame }: AskedFrame): void {
  asked.get(number)?.(frame);
  asked.delete(number);
}

/** A ray-traced picture: how far it is, what went wrong, where it is. */
export interface Tracing {
  number: number;
  done: number;
  total: number;
  error: string;
  /** The picture's address, once it is there. */
  url: string;
  blob: Blob | null;
}
export const tracing = signal<Tracing | null>(null);

export function beginTracing(number: number, rows: number): void {
  dropTraced();
  tracing.value = { number, done: 0, total: rows, error: "", url: "", blob: null };
}

export function takeTracing({ number, done, total, error }: { number: number; done: number; total: number; error?: string }): void {
  const now = tracing.value;
  if (now?.number === number && !now.blob) tracing.value = { ...now, done, total: total || now.total, error: error ?? "" };
}

export function takeTraced({ number, png }: TracedPicture): void {
  const now = tracing.value;
  if (now?.number !== number) return;
  const blob = new Blob([png], { type: "image/png" });
  tracing.value = { ...now, done: now.total, blob, url: URL.createObjectURL(blob) };
}

/** What was traced before is no longer shown. */
export function dropTraced(): void {
  if (tracing.value?.url) URL.revokeObjectURL(tracing.value.url);
  tracing.value = null;
}

/** Where the dialog is closed, its end is said. */
export function takeRecording(now: Recording): void {
  const before = store.recording.value;
  store.recording.value = now;
  if (now.going || !before?.going) return;
  const said = now.error ? sentence(now.error) : `The run is in ${now.folder}.`;
  if (!store.exportOpen.value) store.notify(said, now.error ? "warning" : "note");
}

/** The connection was cut: nothing more of it comes. */
export function forgetAsked(): void {
  asked.clear();
  const now = tracing.value;
  if (now && !now.blob && !now.error) tracing.value = { ...now, error: "the connection was cut" };
}
