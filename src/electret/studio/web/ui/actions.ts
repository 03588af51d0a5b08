// What buttons and keys do.
import { computed, effect, untracked } from "/vendor/ui.js";
import { command, request } from "../connection";
import { picture } from "../frames";
import * as store from "../store";

const current = () => store.run.value?.state ?? "empty";
export const isRun = () => store.system.value?.run ?? false;

/** Whether the scene's last step is reached: who plays on there means to go beyond it. */
export const atEnd = computed(() => !(store.system.value?.run ?? false) && (store.run.value?.step ?? 0) >= (store.run.value?.last_step ?? Infinity));
const beyond = () => (atEnd.value ? { beyond: true } : {});

export function play(): void {
  goal = null;
  void command("play", { rate: store.rate.value, ...beyond() });
}

export function toggle(): void {
  if (store.isMoving.value) void command("pause");
  else play();
}

export function stepOn(n = 1): void {
  goal = null;
  void command("step", { n, ...beyond() });
}

/** The step that was asked for and is not reached yet: quick presses of a key add up. */
let goal: number | null = null;
effect(() => {
  if (store.run.value?.step === goal) goal = null;
});

/** Where the session is, as far as was told: drawing may lag behind it. */
function newestStep(): number {
  const told = store.isMoving.value ? picture.frame?.step : store.run.value?.step;
  return told ?? store.shownStep.value;
}

function goTo(step: number): void {
  goal = step;
  void command("seek", { step }).then((done) => {
    if (!done) goal = null;
  });
}

/** One recorded step back. */
export function stepBack(): void {
  const first = store.run.value?.recorded.first ?? 0;
  const from = goal ?? newestStep();
  if (from > first) goTo(from - 1);
}

export function reset(): void {
  goal = null;
  void command("reset");
}

export function setRate(rate: number | null): void {
  store.rate.value = rate;
  if (store.isMoving.value) play();
}

/** Esc: stops what is in progress. */
export function stop(): void {
  if (current() === "loading" || current() === "rewinding") void command("stop");
}

let sought: number | null = null;
let seeking = false;

/** Shows a past step while the play head is dragged: one request at a time, the newest wish next. */
export async function scrub(step: number): Promise<void> {
  goal = null;
  sought = step;
  if (seeking) return;
  seeking = true;
  while (sought !== null) {
    const wish: number = sought;
    sought = null;
    await request("seek", { step: wish, live: true });
  }
  seeking = false;
}

/** Goes to a step exactly. */
export function seek(step: number): void {
  sought = null;
  const recorded = store.run.value?.recorded;
  const last = recorded ? Math.max(recorded.last, store.shownStep.value) : step;
  goTo(Math.min(Math.max(step, recorded?.first ?? 0), last));
}

export function oneSecondBack(): void {
  const at = store.shownStep.value;
  seek(Math.min(at - 1, Math.round(store.stepOf(store.timeOf(at) - 1))));
}

export function open(name: string): void {
  goal = null;
  store.openOpen.value = false;
  void command("open", { name });
}

export function quit(): void {
  store.quitOpen.value = false;
  void command("quit");
}

/** Shows a finding's line in the text. */
export function showLine(line: number, column: number): void {
  store.tab.value = "text";
  store.paneOpen.value = true;
  store.textLine.value = { line, column, asked: (store.textLine.value?.asked ?? 0) + 1 };
}

export const loops = store.loops;

/** A run that has come to its end begins again, if that is wished; `play` at the end starts from the beginning. */
export function watchForLoops(): void {
  let before = "";
  effect(() => {
    const now = store.run.value;
    const ended = before === "playing" && now?.state === "viewing" && now.step >= now.last_step;
    before = now?.state ?? "";
    if (ended && loops.peek()) untracked(play);
  });
}
