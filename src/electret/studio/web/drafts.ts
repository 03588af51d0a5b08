// What is typed in the editor: kept until it is applied or given up, checked while it is typed.
import { batch } from "/vendor/ui.js";
import { request, sentence, startName, TOO_LONG } from "./connection";
import type { StudioDocument, TextChecked } from "./protocol";
import * as store from "./store";

/** ms after the last key until the text is checked. */
const PAUSE = 300;
const KEPT = "electret-draft";
const NO_REVISION = -1;

/** A text as editors show it: its lines end alike, and a mark of the byte order is no character. */
export const asShown = (text: string): string => text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");

/** The text in the editor. */
export const editorText = (): string => store.draft.value?.text ?? asShown(store.scene.value?.text ?? "");

let lastNumber = 0;
let timer = 0;
let key = "";
const others = new Map<string, store.Draft>();
/** What was sent to be applied, and is not answered yet. The text that comes of it is told before the answer. */
let sent: { number: number; text: string } | null = null;
let onApplied: ((applied: boolean) => void) | null = null;

/** Drafts outlive a reload of the page, not the window. */
function keep(): void {
  try {
    if (store.draft.value) sessionStorage.setItem(KEPT, JSON.stringify({ key, draft: store.draft.value, start: startName() }));
    else sessionStorage.removeItem(KEPT);
  } catch {
    // Without storage they live as long as the page.
  }
}

function kept(): void {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as { key: string; draft: store.Draft; start?: string } | null;
    if (found && typeof found.draft?.text === "string") others.set(found.key, { ...found.draft, start: found.start });
  } catch {
    // What is not ours is nothing.
  }
}
kept();

function setDraft(draft: store.Draft | null): void {
  batch(() => {
    store.draft.value = draft;
    store.checked.value = null;
  });
  keep();
  clearTimeout(timer);
  lastNumber++;
  if (draft) timer = window.setTimeout(check, PAUSE);
}

/** The editor's text is another. */
export function typed(text: string): void {
  const document = store.scene.value;
  if (!document || text === editorText()) return;
  setDraft(text === asShown(document.text) ? null : { text, revision: store.draft.value?.revision ?? document.revision });
}

export function discard(): void {
  setDraft(null);
}

/** The draft is meant for the text as it is now, whatever it was made from. */
export function rebase(): void {
  if (store.draft.value && store.scene.value) setDraft({ ...store.draft.value, revision: store.scene.value.revision });
}

/** Whether the text has become another since the draft was begun. */
export const isStale = (): boolean => store.draft.value !== null && store.draft.value.revision !== store.scene.value?.revision;

function check(): void {
  const draft = store.draft.value;
  if (draft) void send(draft, false);
}

async function send({ text, revision }: store.Draft, apply: boolean): Promise<void> {
  clearTimeout(timer);
  const number = ++lastNumber;
  if (apply) sent = { number, text };
  const error = await request("text", { number, revision: Math.max(0, revision), text, apply });
  if (error === null) return;
  if (error === TOO_LONG) return refuse(number, apply);
  if (number === sent?.number) {
    end(false);
    store.notify(sentence(error), "error");
  } else if (!apply && number === lastNumber) {
    // The session is busy; what is typed is checked when it is not.
    timer = window.setTimeout(check, 3 * PAUSE);
  }
}

/** No server reads it: that is a finding, which asking again would not change. */
function refuse(number: number, apply: boolean): void {
  if (apply) end(false);
  if (number !== lastNumber) return;
  const message = sentence(TOO_LONG);
  store.checked.value = { number, findings: [{ severity: "error", line: 1, column: 1, file: "", message }], effect: "wrong", waiting: [], applied: false };
}

/** What was sent is answered. */
function end(applied: boolean): void {
  sent = null;
  store.applying.value = false;
  onApplied?.(applied);
  onApplied = null;
}

/** Applies the draft; whether that was done. */
export function apply(): Promise<boolean> {
  const draft = store.draft.value;
  if (!draft) return Promise.resolve(true);
  if (store.applying.value || isStale()) return Promise.resolve(false);
  store.applying.value = true;
  return new Promise((resolve) => {
    onApplied = resolve;
    void send(draft, true);
  });
}

export function takeChecked(said: TextChecked): void {
  const asked = said.number === sent?.number ? sent : null;
  if (!asked && said.number !== lastNumber) return;
  batch(() => {
    if (said.number === lastNumber) store.checked.value = said;
    if (said.error) store.notify(sentence(said.error), "error");
    if (said.applied) store.spoken.value = said.effect === "reset" ? "Applied, some of it at reset" : "Applied";
    else if (said.effect === "wrong" && asked) store.spoken.value = "The text has findings: nothing was applied";
  });
  if (!asked) return;
  // What was typed since stays.
  if (said.applied && store.draft.value?.text === asked.text) setDraft(null);
  end(said.applied);
}

/** The connection was cut: what was asked is asked again when it is there. */
export function forgetRequests(): void {
  end(false);
}

/** Of another start of the studio, a draft's revision says nothing: it is of no text that is here. */
function ofThisStart(draft: store.Draft | undefined): store.Draft | null {
  if (!draft) return null;
  const isOurs = draft.start === undefined || draft.start === startName();
  return { text: draft.text, revision: isOurs ? draft.revision : NO_REVISION };
}

/** Counts documents that were opened. One that gets a file of its own is the same. */
export let opened = 0;

export function takeDocument(document: StudioDocument): void {
  const name = document.path || document.name;
  const before = store.scene.value;
  batch(() => {
    store.scene.value = document;
    if (name !== key && before?.path === "" && before.revision === document.revision) {
      key = name;
      keep();
    } else if (name !== key) {
      opened++;
      if (store.draft.value && key) others.set(key, store.draft.value);
      key = name;
      setDraft(ofThisStart(others.get(name)));
      others.delete(name);
    } else if (store.draft.value && !store.checked.value) {
      clearTimeout(timer);
      timer = window.setTimeout(check, PAUSE);
    }
    if (store.draft.value?.text === asShown(document.text)) setDraft(null);
  });
}
