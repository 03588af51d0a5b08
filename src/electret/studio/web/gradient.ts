// The gradient of a loss: what is asked for, how far it is, and what is shown of it.
import { signal } from "/vendor/ui.js";
import { chooseScalar, request, sentence } from "./connection";
import { dirty, picture, wake } from "./frames";
import { newNumber } from "./kept";
import type { GradientRow, GradientState, VertexGradient } from "./protocol";
import * as store from "./store";
import type { Vec } from "./view/camera";

export type LossKind = "off" | "energy" | "centre_of_mass" | "final_position";

/** What the loss is. */
export const lossKind = signal<LossKind>("off");
/** Where the centre of mass is to be, m; null: the middle of the bodies. */
export const lossPoint = signal<Vec | null>(null);
export const lossFile = signal("");
export const arrowsOn = signal(true);

/** A gradient that is computed, or was. */
export interface Gradient {
  number: number;
  loss: LossKind;
  done: number;
  total: number;
  error: string;
  /** Once it is there. */
  found: { loss: number | null; steps: number; notice: string; table: GradientRow[]; arrows: Float32Array | null } | null;
}
export const gradient = signal<Gradient | null>(null);

export const pointOfLoss = (): Vec => lossPoint.value ?? ((store.system.value?.box.centre.slice() as Vec | undefined) ?? [0, 0, 0]);
/** The unit of a loss: of energy J, of squared distances m². */
export const unitOf = (loss: LossKind): string => (loss === "energy" ? "J" : "m²");

function lossText(): string {
  if (lossKind.value === "centre_of_mass") return `centre_of_mass:${pointOfLoss().map((each) => Number(each.toPrecision(7))).join(",")}`;
  return lossKind.value === "final_position" ? `final_position:${lossFile.value.trim()}` : "energy";
}

export const isComputing = (): boolean => gradient.value !== null && !gradient.value.found && !gradient.value.error;

export async function computeGradient(): Promise<void> {
  const number = newNumber();
  dropGradient();
  gradient.value = { number, loss: lossKind.value, done: 0, total: 0, error: "", found: null };
  const error = await request("gradient", { number, loss: lossText() });
  if (error !== null && gradient.value?.number === number) gradient.value = { ...gradient.value, error: sentence(error) };
}

export function stopGradient(): void {
  void request("stop-gradient");
}

export function takeGradient(event: GradientState): void {
  const now = gradient.value;
  if (now?.number !== event.number) return;
  const { done, total, error, table } = event;
  const found = table ? { loss: event.loss ?? null, steps: event.steps ?? 0, notice: event.notice ?? "", table, arrows: coming } : null;
  gradient.value = { ...now, done, total, error: error ? sentence(error) : "", found };
  if (found) store.spoken.value = "The gradient is here";
}

/** The arrows of the gradient whose table comes next. */
let coming: Float32Array | null = null;

export function takeVertexGradient({ number, generation, byCharge, byPlace }: VertexGradient): void {
  const now = gradient.value;
  if (now?.number !== number || generation !== picture.generation) return;
  coming = byPlace;
  picture.gradient = byCharge;
  store.gradientUnit.value = `${unitOf(now.loss)}/C`;
  chooseScalar(store.GRADIENT);
  showArrows(arrowsOn.value);
}

export function showArrows(on: boolean): void {
  arrowsOn.value = on;
  picture.arrows = on ? gradient.value?.found?.arrows ?? coming : null;
  dirty.colours = true;
  wake();
}

/** It is shown no more. */
export function dropGradient(): void {
  if (store.scalarName.value === store.GRADIENT) chooseScalar(store.run.value?.scalar ?? "charge");
  coming = picture.gradient = picture.arrows = null;
  store.gradientUnit.value = null;
  gradient.value = null;
  dirty.colours = true;
  wake();
}

/** The connection was cut: what is not here does not come. */
export function forgetGradient(): void {
  if (isComputing() && gradient.value) gradient.value = { ...gradient.value, error: "The connection was cut." };
}
