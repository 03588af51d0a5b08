// Charges that this page sets: values of fields and sliders, strokes of the brush. The server sets them, and tells.
import { signal } from "/vendor/ui.js";
import { request, sentence } from "./connection";
import { dirty, picture, wake } from "./frames";
import { autoKey } from "./keyframes";
import * as store from "./store";

/** What is said beside the fields; empty if nothing is wrong. */
export const fault = signal("");

let lastGesture = 0;
/** The last gesture that began while Auto-key was on: it writes keys to its end. */
let writing = 0;
/** Moves with one number are one step of undo. */
export function newGesture(): number {
  lastGesture++;
  if (autoKey.value) writing = lastGesture;
  return lastGesture;
}
/** What was set while a slider moved becomes keys, if it is to. */
export function endGesture(gesture: number): void {
  if (gesture > 0 && gesture === writing) void send("end-keys", { gesture });
}

interface Wish {
  message: string;
  fields: Record<string, unknown>;
}
let wanted: Wish[] = [];
let sending = false;

/** One request at a time, of each kind the newest wish next; each gesture is ended. */
async function send(message: string, fields: Record<string, unknown>): Promise<void> {
  const isOther = (each: Wish) => each.message !== message || (message === "end-keys" && each.fields.gesture !== fields.gesture);
  wanted = [...wanted.filter(isOther), { message, fields }];
  if (sending) return;
  sending = true;
  for (let wish = wanted.shift(); wish; wish = wanted.shift()) {
    const error = await request(wish.message, wish.fields);
    fault.value = error === null ? "" : sentence(error);
  }
  sending = false;
}

/** With auto-key, what a slider sets becomes keys when it is let go of. */
const asKey = (gesture: number) => ((gesture > 0 ? gesture === writing : autoKey.value) ? { key: true } : {});

export function setCharge(body: number, group: string | null, value: number, gesture: number): Promise<void> {
  return send("charge", { body, group, value, ...(gesture > 0 ? { gesture } : {}), ...(group !== null ? asKey(gesture) : {}) });
}

/** The charge (C) or the place (m) of an external charge. */
export function setExternal(external: number, what: { charge: number } | { position: number[] }, gesture: number): Promise<void> {
  return send("external", { external, ...what, ...(gesture > 0 ? { gesture } : {}), ...asKey(gesture) });
}

/** Sets charges of vertices of a body. Whether it was done. */
export async function paint(body: number, vertices: number[], charges: number[]): Promise<boolean> {
  if (vertices.length === 0) return true;
  const error = await request("paint", { body, vertices, charges });
  fault.value = error === null ? "" : sentence(error);
  if (error === null) store.spoken.value = `Charged ${vertices.length} ${vertices.length === 1 ? "vertex" : "vertices"}`;
  return error === null;
}

export async function makeGroup(body: number, name: string, vertices: number[]): Promise<boolean> {
  const error = await request("group", { body, name, vertices });
  fault.value = error === null ? "" : sentence(error);
  if (error === null) store.spoken.value = `Group ${name} made`;
  return error === null;
}

export function undo(): void {
  void request("undo").then(tellOutcome("Undone"));
}
export function redo(): void {
  void request("redo").then(tellOutcome("Redone"));
}
/** Writes the scene's file, or asks for a name where there is none; `over` also if something else has written it meanwhile. */
export async function save(over = false): Promise<void> {
  if (store.scene.value?.path === "") return openSaveAs();
  const error = await request("save", over ? { over } : {});
  clash.value = error !== null && error.includes("changed by something else");
  if (error === null) store.spoken.value = "Saved";
  else if (!clash.value) store.notify(sentence(error), "error");
}
/** Asks for a name to save the scene under. */
export function openSaveAs(): void {
  if (canSave()) store.saveOpen.value = true;
}
export const canSave = (): boolean => !store.system.value?.run && ["paused", "running", "diverged"].includes(store.run.value?.state ?? "");
/** Writes the scene into another file of its folder; `over` also if there is one. What is wrong with that, or null. */
export async function saveAs(name: string, over: boolean): Promise<string | null> {
  const error = await request("save", { name, ...(over ? { over } : {}) });
  if (error === null) store.spoken.value = "Saved";
  return error;
}

/** Whether the file is another one than was read. */
export const clash = signal(false);

const tellOutcome = (done: string) => (error: string | null) => {
  if (error === null) store.spoken.value = done;
  else store.notify(sentence(error), "note");
};

/** Shows charges that the server does not know yet. */
export function preview(charges: Float32Array): void {
  picture.charges = charges;
  dirty.colours = true;
  wake();
}

/** The mean of some vertices' charges, and whether they all have it. */
export function chargeOf(vertices: ArrayLike<number>): { value: number; same: boolean } | null {
  const { charges } = picture;
  if (!charges || vertices.length === 0) return null;
  let [sum, low, high] = [0, Infinity, -Infinity];
  for (let k = 0; k < vertices.length; k++) {
    const value = charges[vertices[k]];
    sum += value;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const same = low === high;
  return { value: same ? low : sum / vertices.length, same };
}
