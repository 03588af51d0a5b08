// Key-frames of the scene's text: what can be moved by keys, what is chosen of it, and what becomes of it.
import { signal } from "/vendor/ui.js";
import { request, sentence } from "./connection";
import type { KeyLane, KeyTable } from "./protocol";
import * as store from "./store";

export const tables = signal<KeyTable[]>([]);
/** From this step on, what was simulated is out of date. */
export const staleFrom = signal<number | null>(null);
/** Sliders write keys. */
export const autoKey = signal(false);
/** The table whose keys are shown, and the number of the key that is chosen. */
export const chosen = signal<{ key: string; at: number | null } | null>(null);
/** What is said beside the keys; empty if nothing is wrong. */
export const keyFault = signal("");

export function takeKeys(all: KeyTable[], stale: number | null): void {
  tables.value = all;
  staleFrom.value = stale;
  const now = chosenTable();
  if (!now) chosen.value = null;
  else if (chosen.value?.at != null && chosen.value.at >= now.times.length) chosen.value = { key: now.key, at: null };
}

export const chosenTable = (): KeyTable | undefined => tables.value.find((each) => each.key === chosen.value?.key);

/** The value of a lane at a time, as the simulation has it between linear and step keys; of cubic ones about. */
export function valueAt(table: KeyTable, lane: KeyLane, time: number): number[] {
  const { times, interpolation } = table;
  if (lane.values.length === 0) return lane.value.length > 0 ? lane.value : Array.from({ length: lane.columns }, () => 0);
  const row = (k: number) => lane.values.slice(k * lane.columns, (k + 1) * lane.columns);
  const near = 1e-6 * store.interval.value;
  let last = 0;
  while (last + 1 < times.length && times[last + 1] <= time + near) last++;
  if (time <= times[0] || last + 1 >= times.length || interpolation === "step") return row(last);
  const part = (time - times[last]) / (times[last + 1] - times[last]);
  return row(last).map((value, k) => value + part * (row(last + 1)[k] - value));
}

/** A key of all lanes: its time, and their values. */
interface Key {
  time: number;
  rows: number[][];
}

const keysOf = (table: KeyTable): Key[] => table.times.map((time, k) => ({ time, rows: table.lanes.map((lane) => lane.values.slice(k * lane.columns, (k + 1) * lane.columns)) }));

/** A table is made from the text that is here: it takes the place of no other's work. */
const sendKeys = (fields: Record<string, unknown>): Promise<string | null> => request("keys", { ...fields, ...(store.scene.value ? { revision: store.scene.value.revision } : {}) });

/** Sends a table whose keys are these; lanes without keys stay so. Whether it was taken. */
async function put(table: KeyTable, keys: Key[], interpolation = table.interpolation): Promise<boolean> {
  const sorted = [...keys].sort((a, b) => a.time - b.time);
  const lanes = table.lanes.map((lane, k) => ({
    key: lane.key,
    ...(keys.some((each) => each.rows[k].length > 0) ? { values: sorted.flatMap((each) => each.rows[k]) } : lane.value.length > 0 ? { value: lane.value } : {}),
  }));
  const error = await sendKeys({ table: table.key, times: sorted.map((each) => each.time), interpolation, lanes });
  keyFault.value = error === null ? "" : sentence(error);
  return error === null;
}

/** A time at a step. */
export const snapped = (time: number): number => {
  return Number(store.timeOf(Math.max(0, Math.round(store.stepOf(time)))).toPrecision(12));
};

/** A key at a time, with the values that are there; a lane that has no keys yet gets them if it is the only one, or is named. */
export function insertKey(table: KeyTable, time: number, only = 0): void {
  const first = table.times.length === 0;
  const keys = keysOf(table).filter((each) => Math.abs(each.time - time) > 1e-9);
  const rows = table.lanes.map((lane, k) => (lane.values.length > 0 || (first && k === only) ? valueAt(table, lane, time) : []));
  void put(table, [...keys, { time, rows }]).then((done) => {
    if (!done) return;
    select(table.key, time);
    store.spoken.value = `Key at ${time} seconds`;
  });
}

/** The key at `time` of a table is chosen. */
function select(key: string, time: number): void {
  const at = tables.value.find((each) => each.key === key)?.times.findIndex((each) => Math.abs(each - time) < 1e-9) ?? -1;
  chosen.value = { key, at: at >= 0 ? at : null };
}

export function moveKey(table: KeyTable, at: number, time: number): void {
  const keys = keysOf(table);
  if (Math.abs(keys[at].time - time) < 1e-12) return;
  const moved = { ...keys[at], time };
  void put(table, [...keys.filter((each, k) => k !== at && Math.abs(each.time - time) > 1e-9), moved]).then((done) => done && select(table.key, time));
}

export function copyKey(table: KeyTable, at: number, time: number): void {
  const keys = keysOf(table);
  void put(table, [...keys.filter((each) => Math.abs(each.time - time) > 1e-9), { ...keys[at], time }]).then((done) => done && select(table.key, time));
}

/** Without its last key a quantity is constant again, with the value of that key. */
export function deleteKey(table: KeyTable, at: number): void {
  const keys = keysOf(table);
  store.spoken.value = "Key deleted";
  if (keys.length > 1) {
    void put(table, keys.filter((_, k) => k !== at));
    return;
  }
  const lanes = table.lanes.map((lane, k) => ({ key: lane.key, ...(lane.constant !== "" && (keys[at].rows[k].length > 0 || lane.value.length > 0) ? { value: keys[at].rows[k].length > 0 ? keys[at].rows[k] : lane.value } : {}) }));
  void sendKeys({ table: table.key, times: [], interpolation: "linear", lanes }).then((error) => (keyFault.value = error === null ? "" : sentence(error)));
}

export function setValue(table: KeyTable, at: number, lane: number, column: number, value: number): void {
  const keys = keysOf(table);
  keys[at].rows[lane] = keys[at].rows[lane].map((each, k) => (k === column ? value : each));
  void put(table, keys);
}

export function setInterpolation(table: KeyTable, interpolation: KeyTable["interpolation"]): void {
  if (table.times.length > 0) void put(table, keysOf(table), interpolation);
}

/** K: a key at the play head, of what is chosen, or else of what is selected on the left. */
export function keyAtHead(): void {
  const table = chosenTable() ?? selectedTable();
  if (table) insertKey(table, snapped(store.shownTime.value));
  else store.notify("Choose a track of the timeline, or select a group or an external charge first.", "note");
}

function selectedTable(): KeyTable | undefined {
  const selected = store.selection.value;
  const system = store.system.value;
  if (selected?.kind === "external") return tables.value.find((each) => each.key === `external_charge.${selected.index}`);
  if (selected?.kind !== "group" || !system) return undefined;
  const { body, name } = system.groups[selected.index];
  const label = `${name} of ${system.bodies[body].name}`;
  return tables.value.filter((each) => each.key.startsWith(`body.${body}.group_charge.`) && each.label === label).at(-1);
}

/** Del in the timeline: the chosen key. Whether there was one. */
export function deleteChosen(): boolean {
  const table = chosenTable();
  const at = chosen.value?.at;
  if (!table || at == null) return false;
  deleteKey(table, at);
  return true;
}
