// Charges that this page holds in its hands: Gaussian balls. The server simulates them, and tells all that are held.
import { signal } from "/vendor/ui.js";
import { request, sentence } from "./connection";
import { picture } from "./frames";
import type { HandFacts } from "./protocol";
import * as store from "./store";
import type { Vec } from "./view/camera";

/** Numbers of a frame for a ball: place, charge, width. */
export const BALL_NUMBERS = 5;

/** The charge of the next ball, C; null: minus half of what is selected. */
export const wanted = signal<number | null>(null);

/** Minus half of the selected body's charge, or of all bodies; where there is none, a microcoulomb. */
export function usualCharge(): number {
  const system = store.system.value;
  const chosen = store.selection.value;
  const body = chosen?.kind === "body" ? system?.bodies[chosen.index] : undefined;
  const charge = body ? body.charge : system?.bodies.reduce((sum, each) => sum + each.charge, 0) ?? 0;
  return charge !== 0 ? Number((-0.5 * charge).toPrecision(3)) : -1e-6;
}
export const ballCharge = (): number => wanted.value ?? usualCharge();

/** The numbers that the server knows balls of a page by: one for pointers, one for the form. */
export const POINTER_BALL = 0;
export const FORM_BALL = 1;

interface Holding {
  at: Vec;
  /** The server has told it: what it told before was of an earlier one. */
  isSeen: boolean;
  isTold: boolean;
  isAnswered: boolean;
}
const holdings = new Map<number, Holding>();

export const holdsBall = (ball: number): boolean => holdings.has(ball);

/** Holds a ball of `charge` (C) at a place (m). Whether the server agreed. */
export async function holdBall(ball: number, at: Vec, charge: number): Promise<boolean> {
  if (holdings.has(ball) || !picture.frame) return false;
  const holding: Holding = { at, isSeen: false, isTold: true, isAnswered: false };
  holdings.set(ball, holding);
  const error = await request("ball", { do: "begin", hand: ball, at, charge, width: store.brush.value });
  holding.isAnswered = true;
  if (error === null) {
    holding.isSeen = true;
    store.spoken.value = "Holding a charge";
    tell(ball, holding);
    return true;
  }
  if (holdings.get(ball) === holding) holdings.delete(ball);
  store.notify(sentence(error), "error");
  return false;
}

/** It is told with the next picture of the screen, one place at a time. */
export function moveBall(ball: number, at: Vec): void {
  const holding = holdings.get(ball);
  if (!holding) return;
  holding.at = at;
  if (!holding.isTold) return;
  holding.isTold = false;
  requestAnimationFrame(() => tell(ball, holding));
}

function tell(ball: number, holding: Holding): void {
  if (holdings.get(ball) !== holding || holding.isTold || !holding.isAnswered) return;
  holding.isTold = true;
  holding.isAnswered = false;
  void request("ball", { do: "move", hand: ball, to: holding.at }).then(() => {
    holding.isAnswered = true;
    tell(ball, holding);
  });
}

/** The end is told in any case: the server may hold what this page has forgotten. */
export function dropBall(ball: number): void {
  const holding = holdings.get(ball);
  if (holding && !holding.isTold) void request("ball", { do: "move", hand: ball, to: holding.at });
  holdings.delete(ball);
  void request("ball", { do: "end", hand: ball });
}

export function dropAllBalls(): boolean {
  const balls = [...holdings.keys()];
  for (const each of balls) dropBall(each);
  return balls.length > 0;
}

/** Those of ours that the server let go are no longer held. What has not begun yet is not one of them. */
export function takeBalls(hands: HandFacts[]): void {
  const kept = new Set(hands.filter((each) => each.kind === "ball" && each.page === store.pageNumber.value).map((each) => each.hand));
  for (const [ball, holding] of holdings) if (holding.isSeen && !kept.has(ball)) holdings.delete(ball);
}

/** The connection is cut: the server lets go. */
export function forgetBalls(): void {
  holdings.clear();
}
