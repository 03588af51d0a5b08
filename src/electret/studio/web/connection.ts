// The socket: hello, requests and their answers, credits, and coming back after a break.
import { batch } from "/vendor/ui.js";
import { forgetRequests, takeChecked, takeDocument } from "./drafts";
import { appendEnergies } from "./energies";
import { counters, forgetCredits, forgetScalar, takeFrame, takeTopology } from "./frames";
import { dropGradient, forgetGradient, takeGradient, takeVertexGradient } from "./gradient";
import { forgetField, takeField } from "./fieldarrows";
import { forgetHands, takeHands } from "./hands";
import { forgetAsked, takeAsked, takeRecording, takeTraced, takeTracing } from "./kept";
import { takeKeys } from "./keyframes";
import { parseBinary, PROTOCOL } from "./protocol";
import type { ServerEvent, StudioState, SystemFacts } from "./protocol";
import { speakState } from "./speech";
import * as store from "./store";
import { fieldTables, sceneChanges, takeSchema } from "./tune";

const WAITS = [250, 500, 1000, 2000];
/** The code with which a page is closed that is one too many. */
const FULL = 1013;
/** The brush of a new scene, diagonals. */
const BRUSH = 0.08;
const TOKEN_KEY = "electret-token";

let socket: WebSocket | null = null;
let token = "";
let attempts = 0;
let lastId = 0;
let everOpen = false;
let quitting = false;
const waiting = new Map<number, (error: string | null) => void>();

/** Takes the token out of the address bar, so that it is neither seen nor kept in the history. */
export function takeToken(): void {
  const found = /^#([0-9a-f]{32})$/i.exec(location.hash);
  try {
    if (found) sessionStorage.setItem(TOKEN_KEY, found[1]);
    token = found ? found[1] : sessionStorage.getItem(TOKEN_KEY) ?? "";
  } catch {
    token = found ? found[1] : "";
  }
  if (location.hash) history.replaceState(null, "", location.pathname);
}

export function connect(): void {
  if (!token) {
    store.link.value = "refused";
    return;
  }
  const opened = new WebSocket(`ws://${location.host}/socket`, [`electret.${PROTOCOL}`, `token.${token}`]);
  opened.binaryType = "arraybuffer";
  socket = opened;
  opened.onopen = () => {
    forgetCredits();
    void request("hello", { protocol: PROTOCOL });
  };
  opened.onmessage = ({ data }) => {
    if (opened === socket) receive(data as string | ArrayBuffer);
  };
  opened.onclose = ({ code }) => {
    if (opened === socket) lost(code);
  };
}

function lost(code: number): void {
  socket = null;
  for (const answer of waiting.values()) answer("the connection was cut");
  waiting.clear();
  forgetHands();
  forgetRequests();
  forgetAsked();
  forgetGradient();
  forgetField();
  if (quitting) store.link.value = "ended";
  if (store.link.value === "ended" || store.link.value === "other-version") return;
  if (code === FULL) {
    store.link.value = "full";
    setTimeout(connect, WAITS[WAITS.length - 1]);
    return;
  }
  // A page that was never let in has a token of another start of the studio.
  if (!everOpen && attempts >= 3) {
    store.link.value = "refused";
    return;
  }
  store.link.value = everOpen ? "reconnecting" : "connecting";
  if (everOpen) counters.reconnects++;
  if (code === 1008 || code === 1009) store.notify("The server closed the connection because it did not understand this page.", "warning");
  setTimeout(connect, WAITS[Math.min(attempts++, WAITS.length - 1)]);
}

/** The most bytes of a message; the server closes the connection on more. */
let mostBytes = 8 << 20;
/** What is answered to a message that is longer. */
export const TOO_LONG = "this is longer than the 8 MiB that the studio takes in one message";
/** A character has three bytes at most; surrogates come in pairs of four. */
const isTooLong = (text: string) => 3 * text.length > mostBytes && new TextEncoder().encode(text).length > mostBytes;

/** Names the start of the studio that this page belongs to: revisions are counted anew by each. */
export const startName = (): string => token.slice(0, 8);

/** Sends a request; the promise has the error, or null. */
export function request(kind: string, fields: Record<string, unknown> = {}): Promise<string | null> {
  const open = socket;
  if (!open || open.readyState !== WebSocket.OPEN) return Promise.resolve("there is no connection");
  if (kind === "quit") quitting = true;
  const id = ++lastId;
  const text = JSON.stringify({ t: kind, id, ...fields });
  if (isTooLong(text)) return Promise.resolve(TOO_LONG);
  open.send(text);
  return new Promise((resolve) => waiting.set(id, resolve));
}

/** Sends a request; an error becomes a notice. */
export async function command(kind: string, fields: Record<string, unknown> = {}): Promise<boolean> {
  const error = await request(kind, fields);
  if (error !== null) store.notify(sentence(error), "error");
  return error === null;
}

export function returnCredits(sequences: number[]): void {
  if (socket?.readyState !== WebSocket.OPEN) return;
  for (const sequence of sequences) socket.send(JSON.stringify({ t: "drawn", sequence }));
}

/** Choices that the server has not answered yet: what it says of the quantity until then is of before. */
let choosing = 0;

/** Colours show the same quantity on all pages: frames have one. */
function followScalar(name: string | undefined): void {
  if (!name || choosing > 0 || store.scalarName.value === store.GRADIENT || store.scalarName.value === name) return;
  store.scalarName.value = name;
  forgetScalar();
}

export function chooseScalar(name: string, byHand = true): void {
  store.scalarName.value = name;
  forgetScalar();
  // It is known here alone.
  if (name === store.GRADIENT) return;
  choosing++;
  void request("select-view", { scalar: name }).then((error) => {
    choosing--;
    if (error !== null && byHand) store.notify(sentence(error), "error");
  });
}

function receive(data: string | ArrayBuffer): void {
  if (typeof data !== "string") {
    const system = store.system.value;
    const message = parseBinary(data, system?.obstacles.length ?? 0, system?.external.length ?? 0);
    if (message.kind === "frame") takeFrame(message);
    else if (message.kind === "topology") takeTopology(message);
    else if (message.kind === "asked") takeAsked(message);
    else if (message.kind === "gradient") takeVertexGradient(message);
    else if (message.kind === "field") takeField(message);
    else takeTraced(message);
    return;
  }
  handle(JSON.parse(data) as ServerEvent);
}

function handle(event: ServerEvent): void {
  switch (event.t) {
    case "re": {
      if (!event.ok) quitting = false;
      waiting.get(event.re)?.(event.ok ? null : event.error ?? "refused");
      waiting.delete(event.re);
      return;
    }
    case "welcome":
      store.pageNumber.value = event.page;
      mostBytes = event.limits?.message ?? mostBytes;
      return welcome(event.protocol, event.version);
    case "hands":
      return takeHands(event.hands);
    case "keys":
      return takeKeys(event.tables, event.stale);
    case "schema":
      return takeSchema(event.tables);
    case "fields":
      fieldTables.value = event.tables;
      return;
    case "changes":
      sceneChanges.value = { all: event.all, changes: event.changes };
      return;
    case "choices":
      return batch(() => {
        store.choices.value = event.entries;
        store.folder.value = event.folder ?? "";
      });
    case "state":
      return takeState(event);
    case "document": {
      const { t: _, ...document } = event;
      return takeDocument(document);
    }
    case "checked":
      return takeChecked(event);
    case "earlier":
      store.earlier.value = event.path ? event : null;
      return;
    case "saved":
      store.savedCopy.value = event.copy ? event : null;
      if (!event.copy) store.notify(`Saved as ${event.path}.`, "note");
      return;
    case "session":
      store.session.value = event;
      return;
    case "recording":
      return takeRecording(event);
    case "files":
      store.changedFiles.value = event.changed;
      return;
    case "system":
      return takeSystem(event);
    case "gradient":
      return takeGradient(event);
    case "tracing":
      return takeTracing(event);
    case "energies":
      return appendEnergies(event);
    case "progress":
      store.progress.value = { what: event.what, done: event.done, total: event.total };
      return;
    case "notice":
      return store.notify(sentence(event.text), event.severity);
    case "bye":
      store.link.value = "ended";
      return;
  }
}

function welcome(protocol: number, version: string): void {
  store.version.value = version;
  if (protocol !== PROTOCOL) {
    store.link.value = "other-version";
    return;
  }
  if (everOpen) store.spoken.value = "Connected again";
  everOpen = true;
  attempts = 0;
  store.link.value = "open";
}

function takeState(state: StudioState & { t: "state" }): void {
  const before = store.run.value;
  batch(() => {
    store.run.value = state;
    if (state.state !== "loading" && state.state !== "rewinding") store.progress.value = null;
    if (state.state === "broken" && before?.state !== "broken") showFindings();
  });
  // A new system begins with charges.
  if (before?.state === "loading" && state.state !== "loading" && store.scalarName.value !== "charge" && store.scalarName.value !== store.GRADIENT) chooseScalar(store.scalarName.value, false);
  followScalar(state.scalar);
  speakState(before, state);
}

function showFindings(): void {
  // Who mends the text stays there.
  if (store.tab.value === "text" && store.paneOpen.value) return;
  store.tab.value = "findings";
  store.paneOpen.value = true;
}

function takeSystem(event: SystemFacts & { t: "system" }): void {
  const before = store.system.value;
  const isNew = before?.generation !== event.generation;
  batch(() => {
    store.system.value = event;
    // An undo may have taken the group away that was selected.
    const chosen = store.selection.value;
    if (chosen?.kind === "group" && !event.groups[chosen.index]) store.selection.value = null;
    if (!isNew) return;
    dropGradient();
    store.hover.value = null;
    store.picked.value = null;
    if (before?.name !== event.name) store.selection.value = null;
    store.thinning.value = { level: 0, springs: false, every: 1, ms: 0 };
    if (before?.name !== event.name || store.brush.value === 0) store.brush.value = BRUSH * event.box.size;
    const known = event.scalars.find((each) => each.name === store.scalarName.value);
    if (!known && event.scalars.length > 0) chooseScalar(event.scalars[0].name, false);
  });
}

export function sentence(text: string): string {
  const trimmed = text.trim();
  const first = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
