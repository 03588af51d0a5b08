// Fields of the scene's text: what the schema says of them, what is written, and what this page makes of them.
import { signal } from "/vendor/ui.js";
import { request, sentence } from "./connection";
import type { FieldRow, FieldTable, SceneChange, SchemaTable } from "./protocol";
import * as store from "./store";

export const schema = signal<Map<string, SchemaTable>>(new Map());
export const fieldTables = signal<FieldTable[]>([]);
/** The last edits that were made while the scene ran, and how many there are. */
export const sceneChanges = signal<{ all: number; changes: SceneChange[] }>({ all: 0, changes: [] });
/** What is said beside fields, by key. */
export const faults = signal<Record<string, string>>({});

export function takeSchema(tables: SchemaTable[]): void {
  schema.value = new Map(tables.map((each) => [each.table, each]));
}

export function sayFault(key: string, text: string): void {
  const { [key]: _, ...others } = faults.value;
  faults.value = text ? { ...others, [key]: text } : others;
}

/** A value as it is typed in TOML, as the page has it, or none: the key is removed. */
export type Wanted = { toml: string } | { value: number | string | boolean | number[] | null };

interface Wish {
  key: string;
  what: Wanted;
  gesture: number;
  done: (taken: boolean) => void;
}
let wishes: Wish[] = [];
let sending = false;

/** Gives a field a value; whether it was taken. One request at a time; of a slider's moves only the newest waits. */
export function tune(key: string, what: Wanted, gesture = 0): Promise<boolean> {
  return new Promise((done) => {
    const isOlder = (each: Wish) => gesture > 0 && each.key === key && each.gesture === gesture;
    wishes.filter(isOlder).forEach((each) => each.done(true));
    wishes = [...wishes.filter((each) => !isOlder(each)), { key, what, gesture, done }];
    if (!sending) void sendAll();
  });
}

async function sendAll(): Promise<void> {
  sending = true;
  for (let wish = wishes.shift(); wish; wish = wishes.shift()) {
    const { key, what, gesture, done } = wish;
    const revision = store.scene.value ? { revision: store.scene.value.revision } : {};
    const error = await request("tune", { key, ...what, ...(gesture > 0 ? { gesture } : {}), ...revision });
    sayFault(key, error === null ? "" : sentence(error));
    done(error === null);
  }
  sending = false;
}

let lastGesture = 0;
/** Moves with one number are one step of undo. Fields count apart from charges. */
export const newGesture = (): number => 5e8 + ++lastGesture;

/** The number that a value in TOML is; null of others. */
export function numberOf(toml: string | undefined): number | null {
  if (toml === undefined || !/^[+-]?[\d_]/.test(toml)) return null;
  const number = Number(toml.replace(/_/g, ""));
  return Number.isFinite(number) ? number : null;
}

/** The text that a value in TOML is, without its quotes; as it is written if it has none. */
export function textOf(toml: string | undefined): string {
  if (toml === undefined) return "";
  try {
    const text: unknown = JSON.parse(toml);
    return typeof text === "string" ? text : toml;
  } catch {
    return toml;
  }
}

/** Three numbers of a value in TOML. */
export function vectorOf(toml: string | undefined): number[] | null {
  const parts = (toml ?? "").replace(/[[\]\s]/g, "").split(",").map(numberOf);
  return parts.length === 3 && parts.every((each) => each !== null) ? (parts as number[]) : null;
}

/** Whether a text is a number in TOML, which goes into the file as it is typed. */
export const isTomlNumber = (text: string): boolean => /^[+-]?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text.trim());

/** What a slider of a field spans. */
export interface Span {
  low: number;
  high: number;
  /** Equal ways are equal factors. */
  log: boolean;
}

/** About `value`: two powers of ten where it cannot be negative, within what is allowed. */
export function spanAbout(row: FieldRow, value: number): Span {
  const least = row.range?.least ?? null;
  const most = row.range?.most ?? null;
  if (least !== null && most !== null && least < 0) return { low: least + (row.range?.above ? 1e-3 : 0), high: most - (row.range?.below ? 1e-3 : 0), log: false };
  if (least !== null && least >= 0 && value > 0) {
    const whole = row.kind === "whole" ? 1 : 0;
    return { low: Math.max(value / 10, least, whole), high: Math.min(value * 10, most ?? Infinity), log: true };
  }
  if (least !== null) return { low: least, high: Math.min(most ?? Infinity, Math.max(1, 10 * (numberOf(row.default) ?? 0))), log: false };
  const reach = Math.max(2 * Math.abs(value), 1);
  return { low: -reach, high: Math.min(most ?? Infinity, reach), log: false };
}

/** The places of a slider. On two powers of ten each is 2 % more than the one before. */
export const PLACES = 200;

/** Where a value is on a slider, and the value there. */
export function placeOn({ low, high, log }: Span, value: number): number {
  const part = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.round(PLACES * Math.min(1, Math.max(0, Number.isFinite(part) ? part : 0)));
}
export function valueOn({ low, high, log }: Span, place: number): number {
  const part = place / PLACES;
  return Number((log ? low * (high / low) ** part : low + part * (high - low)).toPrecision(3));
}
