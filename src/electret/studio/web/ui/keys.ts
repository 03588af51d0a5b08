// Keys of the view and the timeline. In fields and on buttons keys mean what they mean there.
import { frameAll, lookAlong, turnBy, zoomBy } from "../view/control";
import { cancelStroke } from "../view/pointer";
import { openSaveAs, redo, save, undo } from "../charges";
import * as store from "../store";
import { dropAllBalls } from "../ball";
import { releaseAll } from "../hands";
import { keyAtHead } from "../keyframes";
import { scaleBrush, setTool } from "./tools";
import { reset, stepBack, stepOn, stop, toggle } from "./actions";

const TURN = 24;

/** [key, what it does], for the table of keys. */
export const KEYS: [string, string][] = [
  ["Space", "play or pause"],
  ["→", "one step"],
  ["←", "one recorded step back"],
  ["Home", "reset to step 0"],
  ["G  V", "grab bodies; turn the view only"],
  ["Q  P", "hold a charge in the hand; paint charges"],
  ["B  L", "pick vertices by a box, by a lasso"],
  ["Ctrl + Z", "undo; with Shift redo"],
  ["Ctrl + Enter", "apply the text (in its editor)"],
  ["Ctrl + S", "save the scene's file; with Shift under another name"],
  ["[  ]", "smaller, larger brush"],
  ["H", "leave a tack where a hand pulls"],
  ["K", "a key at the play head; Del deletes the one that is chosen (in the timeline)"],
  ["F", "frame the selection, or all"],
  ["1  2  3", "look along x, y, z"],
  ["Shift + arrows", "turn the camera"],
  ["+  −", "nearer, farther"],
  ["Esc", "let go, stop what is in progress, or deselect"],
  ["?", "these keys"],
];

export const POINTER: [string, string][] = [
  ["drag on a body", "pull it (Grab); with Shift towards you or away"],
  ["drag on a body", "charge what the brush covers (Paint)"],
  ["drag anywhere", "hold a charge there (Charge); begun with Shift the opposite one"],
  ["drag", "turn the camera; with the right button everywhere"],
  ["Shift + drag", "move the camera sideways"],
  ["wheel", "zoom to the pointer"],
];

const actions: Record<string, () => void> = {
  " ": toggle,
  ArrowRight: () => stepOn(),
  ArrowLeft: stepBack,
  Home: reset,
  g: () => setTool("grab"),
  q: () => setTool("charge"),
  p: () => setTool("paint"),
  b: () => setTool("box"),
  l: () => setTool("lasso"),
  v: () => setTool("view"),
  h: () => void releaseAll(true),
  "[": () => scaleBrush(0.8),
  "]": () => scaleBrush(1.25),
  k: keyAtHead,
  f: frameAll,
  "1": () => lookAlong(0),
  "2": () => lookAlong(1),
  "3": () => lookAlong(2),
  "+": () => zoomBy(0.8),
  "=": () => zoomBy(0.8),
  "-": () => zoomBy(1.25),
};

const turns: Record<string, [number, number]> = {
  ArrowLeft: [TURN, 0],
  ArrowRight: [-TURN, 0],
  ArrowUp: [0, TURN],
  ArrowDown: [0, -TURN],
};

function isOurs(target: EventTarget | null): boolean {
  if (target === document.body || target === document.documentElement) return true;
  return target instanceof Element && target.closest("[data-keys]") !== null && target.closest("button, input, select, textarea, a, dialog") === null;
}

/** Undo and redo; in fields the browser undoes what was typed. */
function withControl(event: KeyboardEvent): void {
  const key = event.key.toLowerCase();
  if ((key !== "z" && key !== "s") || !isOurs(event.target) || !store.keysOn.value || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  if (key === "s") void (event.shiftKey ? openSaveAs() : save());
  else if (event.shiftKey) redo();
  else undo();
}

export function listenToKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey) return;
    if (event.ctrlKey || event.metaKey) return withControl(event);
    if (!isOurs(event.target) || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") {
      if (cancelStroke() || releaseAll() || dropAllBalls()) return;
      stop();
      if (store.picked.value) store.picked.value = null;
      else store.selection.value = null;
      return;
    }
    if (!store.keysOn.value) return;
    if (event.key === "?") {
      event.preventDefault();
      store.helpOpen.value = true;
      return;
    }
    if (store.system.value === null) return;
    const turn = event.shiftKey ? turns[event.key] : undefined;
    const action = turn ? () => turnBy(...turn) : actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    if (event.repeat && (event.key === " " || event.key === "Home")) return;
    action();
  });
}
