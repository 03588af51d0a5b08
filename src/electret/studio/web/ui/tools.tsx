// The tools: a hand that pulls, and the view, which touches nothing; and the marks of what is held.
import { h, signal } from "/vendor/ui.js";
import { quantity } from "../format";
import { NumberField } from "./number";
import { QuantityField } from "./quantity";
import { FORM, HAND_NUMBERS, isHolding, moveTo, press, release, removeTack } from "../hands";
import { chooseScalar, sentence } from "../connection";
import { picture } from "../frames";
import { ballCharge, BALL_NUMBERS, dropBall, FORM_BALL, holdBall, holdsBall, moveBall, usualCharge, wanted } from "../ball";
import type { SystemFacts } from "../protocol";
import * as store from "../store";
import { cameraNow, pixelOfPlace } from "../view/control";
import type { Vec } from "../view/camera";

export function canGrab(): boolean {
  const state = store.run.value?.state;
  return !store.system.value?.run && (state === "paused" || state === "running");
}

/** Whether the scene can be changed now: also where it diverged, so that what was too much is taken back. */
export function canEdit(): boolean {
  return canGrab() || store.run.value?.state === "diverged";
}

export function setTool(tool: store.Tool): void {
  store.tool.value = tool;
  // What is painted is to be seen.
  if (tool === "paint" && store.scalarName.value !== "charge") chooseScalar("charge");
}

/** [ and ]: a smaller or larger brush. */
export function scaleBrush(factor: number): void {
  const size = store.system.value?.box.size ?? 1;
  store.brush.value = Math.min(size, Math.max(0.005 * size, store.brush.value * factor));
}

export function Tools() {
  if (store.system.value?.run) return null;
  const tools: [store.Tool, string, string][] = [
    ["grab", "Grab", "Press on a body and drag: it follows (G)"],
    ["charge", "Charge", "Press anywhere and drag: a charge in the hand attracts or repels (Q)"],
    ["paint", "Paint", "Drag on a body to charge what the brush covers (P)"],
    ["box", "Box", "Drag a rectangle to pick vertices; Shift adds, Alt removes (B)"],
    ["lasso", "Lasso", "Draw around vertices to pick them; Shift adds, Alt removes (L)"],
    ["view", "View", "Turn and move the camera; touches nothing (V)"],
  ];
  return (
    <div class="tools" role="group" aria-label="Tools">
      {tools.map(([tool, name, title]) => (
        <button type="button" key={tool} aria-pressed={store.tool.value === tool} title={title} onClick={() => setTool(tool)}>
          {name}
        </button>
      ))}
    </div>
  );
}

const number = (event: Event) => Number((event.currentTarget as HTMLInputElement).value);

/** How the hand holds, and a form that does what pointers do. */
export function HandPanel({ system }: { system: SystemFacts }) {
  if (system.run) return null;
  const size = system.box.size;
  return (
    <section>
      <h2>Hand</h2>
      <label class="field">
        <span>Brush: {quantity(store.brush.value, "m")}</span>
        <input type="range" aria-label="Brush" min="0" max="1" step="0.01" value={String(Math.sqrt(store.brush.value / size))} onInput={(event: Event) => (store.brush.value = size * number(event) ** 2)} />
      </label>
      <label class="field">
        <span>Strength: {Math.round(100 * store.strength.value)} %</span>
        <input type="range" aria-label="Strength" min="0.01" max="1" step="0.01" value={String(store.strength.value)} onInput={(event: Event) => (store.strength.value = number(event))} />
      </label>
      <PullForm system={system} />
    </section>
  );
}

const ballPlace = signal<Vec | null>(null);

/** The charge in the hand: how large it is, and a form that does what pointers do. */
export function BallPanel({ system }: { system: SystemFacts }) {
  if (system.run) return null;
  store.hands.value;
  const holds = holdsBall(FORM_BALL);
  const charge = ballCharge();
  const span = 4 * Math.max(Math.abs(usualCharge()), 0.25 * Math.abs(charge));
  const place = ballPlace.value ?? system.box.centre;
  const setPlace = (axis: number) => (value: number) => {
    if (Number.isFinite(value)) ballPlace.value = place.map((each, k) => (k === axis ? value : each)) as Vec;
  };
  const hold = () => {
    if (holds) moveBall(FORM_BALL, place);
    else void holdBall(FORM_BALL, place, charge);
  };
  return (
    <section>
      <h2>Charge in the hand</h2>
      <label class="field">
        <span>Charge of the ball</span>
        <QuantityField label="Charge of the ball" value={charge} unit="C" disabled={false} commit={(value) => (wanted.value = value !== 0 ? value : null)} />
      </label>
      <input type="range" class="wide" aria-label="Slider of the charge of the ball" aria-valuetext={quantity(charge, "C")} min="-100" max="100" step="1" value={String(Math.round((100 * charge) / span))}
        onInput={(event: Event) => number(event) !== 0 && (wanted.value = Number(((number(event) / 100) * span).toPrecision(3)))} />
      <label class="field">
        <span>Width of the ball: {quantity(store.brush.value, "m")}</span>
        <input type="range" aria-label="Width of the ball" min="0.05" max="1" step="0.01" value={String(Math.sqrt(store.brush.value / system.box.size))} onInput={(event: Event) => (store.brush.value = system.box.size * number(event) ** 2)} />
      </label>
      <form class="pull" aria-label="Hold a charge" onSubmit={(event: Event) => (event.preventDefault(), hold())}>
        {["x", "y", "z"].map((axis, k) => (
          <label key={axis}>
            <span>{axis}, m</span>
            <NumberField label={`Ball at ${axis}`} step="any" value={place[k]} digits={6} commit={setPlace(k)} />
          </label>
        ))}
        <div class="row">
          <button type="submit" disabled={!canGrab()}>
            {holds ? "Move the charge" : "Hold a charge"}
          </button>
          <button type="button" disabled={!holds} onClick={() => dropBall(FORM_BALL)}>
            Let it go
          </button>
        </div>
      </form>
    </section>
  );
}

const wish = signal({ vertex: 0, place: [0, 0, 0] as Vec });

function PullForm({ system }: { system: SystemFacts }) {
  // What is held changes what the form can do.
  store.hands.value;
  const holds = isHolding(FORM);
  const { vertex, place } = wish.value;
  const setVertex = (value: number) => {
    if (Number.isFinite(value)) wish.value = { vertex: value, place };
  };
  const setPlace = (axis: number) => (value: number) => {
    if (Number.isFinite(value)) wish.value = { vertex, place: place.map((each, k) => (k === axis ? value : each)) as Vec };
  };
  const pull = async () => {
    const error = holds ? null : await press(FORM, vertex, store.brush.value);
    if (error !== null) store.notify(sentence(error), "error");
    else moveTo(FORM, place);
  };
  return (
    <form class="pull" aria-label="Pull a vertex" onSubmit={(event: Event) => (event.preventDefault(), void pull())}>
      <label>
        <span>vertex</span>
        <NumberField label="Vertex" min="0" max={String(system.vertices - 1)} step="1" value={vertex} disabled={holds} commit={setVertex} />
      </label>
      {["x", "y", "z"].map((axis, k) => (
        <label key={axis}>
          <span>{axis}, m</span>
          <NumberField label={`To ${axis}`} step="any" value={place[k]} commit={setPlace(k)} />
        </label>
      ))}
      <div class="row">
        <button type="submit" disabled={!canGrab()}>
          Pull
        </button>
        <button type="button" disabled={!holds} onClick={() => release(FORM)}>
          Let go
        </button>
        <button type="button" disabled={!holds} title="Leave a tack: the pull stays (H)" onClick={() => release(FORM, true)}>
          Tack
        </button>
      </div>
    </form>
  );
}

/** What pulls: hands of all pages, tacks, and hands of the past that is played again. */
export function HandList() {
  const hands = store.hands.value;
  if (hands.length === 0) return null;
  const kinds = { held: "held", ball: "held", tack: "tack", recorded: "as recorded" };
  return (
    <section aria-label="Hands">
      <h2>
        Hands <span class="number">{hands.length}</span>
      </h2>
      <ul>
        {hands.map((each) => (
          <li key={`${each.charge === undefined}/${each.number}/${each.page}/${each.hand}`} class="hand">
            <span class="name">
              {each.charge === undefined ? each.body : "a charge"} <span class="quiet">{kinds[each.kind]}</span>
            </span>
            <span class="value">{each.charge === undefined ? quantity(each.stiffness, "N/m") : quantity(each.charge, "C")}</span>
            {each.kind === "tack" && (
              <button type="button" class="link" aria-label={`Remove tack ${each.number}`} onClick={() => removeTack(each.number)}>
                remove
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Charges in hands as they are seen. */
function ballMarks(pixelsPerMetre: number): { at: [number, number]; radius: number; charge: number }[] {
  const values = picture.balls;
  const marks = [];
  for (let k = 0; values && k + BALL_NUMBERS <= values.length; k += BALL_NUMBERS) {
    const at = pixelOfPlace([values[k], values[k + 1], values[k + 2]]);
    if (at) marks.push({ at, radius: Math.max(7, values[k + 4] * pixelsPerMetre), charge: values[k + 3] });
  }
  return marks;
}

/** Rubber lines with their forces, charges in hands, and the brush under the pointer. */
export function HandMarks() {
  const camera = store.drawnAt.value && cameraNow();
  const values = picture.hands;
  const at = store.hover.value;
  if (!camera) return null;
  const marks = [];
  for (let k = 0; values && k + HAND_NUMBERS <= values.length; k += HAND_NUMBERS) {
    const from = pixelOfPlace([values[k], values[k + 1], values[k + 2]]);
    const to = pixelOfPlace([values[k + 3], values[k + 4], values[k + 5]]);
    if (from && to) marks.push({ from, to, force: values[k + 6], isStretched: values[k + 7] > 0 });
  }
  const balls = ballMarks(camera.pixelsPerMetre);
  const brush = at && (store.tool.value === "grab" || store.tool.value === "paint") && canGrab() ? store.brush.value * camera.pixelsPerMetre : 0;
  const outline = store.outline.value;
  if (marks.length === 0 && balls.length === 0 && !brush && !outline) return null;
  return (
    <svg class="hands" aria-hidden="true">
      {outline && <polygon class="outline" points={outline.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")} />}
      {at && brush > 2 && <circle class="brush" cx={at.x} cy={at.y} r={brush} />}
      {balls.map(({ at: [x, y], radius, charge }, k) => (
        <g key={`ball ${k}`} class={charge < 0 ? "ball negative" : "ball"}>
          <circle cx={x} cy={y} r={radius} />
          <text x={x} y={y} class="sign">
            {charge < 0 ? "−" : "+"}
          </text>
          <text x={x + radius + 6} y={y - 6}>
            {quantity(charge, "C", 2)}
          </text>
        </g>
      ))}
      {marks.map(({ from, to, force, isStretched }, k) => (
        <g key={k} class={isStretched ? "stretched" : ""}>
          <line x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} />
          <circle cx={from[0]} cy={from[1]} r="6" />
          <circle class="target" cx={to[0]} cy={to[1]} r="4" />
          {force > 0 && (
            <text x={to[0] + 10} y={to[1] - 8}>
              {quantity(force, "N", 2)}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}
