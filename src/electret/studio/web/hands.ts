// What this page holds. The server finds the vertices and the strength; the page says which point was pressed, and where
// the pointer is.
import { forgetBalls, takeBalls } from "./ball";
import { command, request } from "./connection";
import { picture } from "./frames";
import type { HandFacts } from "./protocol";
import * as store from "./store";
import type { Vec } from "./view/camera";

/** A hand for each pointer that is down, or "form" for the one of the form. */
interface Holding {
  hand: number;
  /** The server has told it: what it told before was of an earlier one. */
  isSeen: boolean;
  /** Where the pointer is, m. */
  at: Vec;
  unanswered: number;
  isTold: boolean;
}

/** The numbers of hands that a page may have. */
const MOST = 8;
/** A server that is busy with a long step gets the newest place when it answers. */
const MOST_UNANSWERED = 8;
const holdings = new Map<number | "form", Holding>();
export const FORM = "form";

/** Numbers of a frame for a hand. */
export const HAND_NUMBERS = 9;

export const isHolding = (pointer: number | "form"): boolean => holdings.has(pointer);
const ours = (hands: HandFacts[]) => hands.filter((each) => each.kind === "held" && each.page === store.pageNumber.value);

/** Takes hold of a point of the picture. `at` is where the pointer is; without it, places that are told mean themselves. */
export async function press(pointer: number | "form", point: number, brush: number, at?: Vec): Promise<string | null> {
  if (!picture.frame) return "there is no picture yet";
  const used = new Set([...holdings.values()].map((each) => each.hand));
  const hand = Array.from({ length: MOST }, (_, k) => k).find((k) => !used.has(k));
  if (hand === undefined) return "no hand is free";
  const holding: Holding = { hand, isSeen: false, at: at ?? [0, 0, 0], unanswered: 0, isTold: true };
  holdings.set(pointer, holding);
  const error = await request("hand", { do: "begin", hand, point, brush, strength: store.strength.value, ...(at ? { at } : {}) });
  if (error === null) holding.isSeen = true;
  else if (holdings.get(pointer) === holding) holdings.delete(pointer);
  return error;
}

/** The pointer has moved: the place is told with the next picture of the screen. */
export function moveTo(pointer: number | "form", at: Vec): void {
  const holding = holdings.get(pointer);
  if (!holding) return;
  holding.at = at;
  if (!holding.isTold) return;
  holding.isTold = false;
  requestAnimationFrame(() => tell(pointer, holding));
}

export function moveBy(pointer: number | "form", by: Vec): void {
  const holding = holdings.get(pointer);
  if (holding) moveTo(pointer, [holding.at[0] + by[0], holding.at[1] + by[1], holding.at[2] + by[2]]);
}

function tell(pointer: number | "form", holding: Holding): void {
  if (holdings.get(pointer) !== holding || holding.isTold || holding.unanswered >= MOST_UNANSWERED) return;
  holding.isTold = true;
  holding.unanswered++;
  void request("hand", { do: "move", hand: holding.hand, to: holding.at }).then(() => {
    holding.unanswered--;
    tell(pointer, holding);
  });
}

/** Lets go; with `stays` a tack is left. What was not told yet is told first. */
export function release(pointer: number | "form", stays = false): void {
  const holding = holdings.get(pointer);
  if (!holding) return;
  if (!holding.isTold) void request("hand", { do: "move", hand: holding.hand, to: holding.at });
  holdings.delete(pointer);
  void request("hand", { do: "end", hand: holding.hand, stays }).then((error) => {
    if (error === null || !stays) return;
    // No step has seen it: there is nothing to leave.
    store.notify(`${error.charAt(0).toUpperCase()}${error.slice(1)}.`, "note");
    void request("hand", { do: "end", hand: holding.hand });
  });
}

/** Esc and H: all hands of this page. Whether there were any. */
export function releaseAll(stays = false): boolean {
  const pointers = [...holdings.keys()];
  for (const each of pointers) release(each, stays);
  return pointers.length > 0;
}

export function removeTack(number: number): void {
  void command("remove-tack", { number });
}

/** What the server says of all hands. Those of ours that it let go are no longer held. */
export function takeHands(hands: HandFacts[]): void {
  const before = store.hands.value;
  store.hands.value = hands;
  takeBalls(hands);
  const kept = new Set(ours(hands).map((each) => each.hand));
  const gone = ours(before).filter((each) => !kept.has(each.hand));
  // What has not begun yet is none of these.
  for (const [pointer, holding] of holdings) if (holding.isSeen && !kept.has(holding.hand)) holdings.delete(pointer);
  if (ours(hands).length > ours(before).length) store.spoken.value = `Holding ${ours(hands).at(-1)?.body}`;
  else if (gone.length > 0) store.spoken.value = "Let go";
}

/** The connection is cut: the server lets go. */
export function forgetHands(): void {
  holdings.clear();
  forgetBalls();
  store.hands.value = [];
}
