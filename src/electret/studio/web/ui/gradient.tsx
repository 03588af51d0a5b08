// The gradient of a loss by charges and places of vertices, and by parameters.
import { Fragment, h } from "/vendor/ui.js";
import { digits, plural, quantity } from "../format";
import { picture } from "../frames";
import { arrowsOn, computeGradient, dropGradient, gradient, isComputing, lossFile, lossKind, lossPoint, pointOfLoss, showArrows, stopGradient, unitOf } from "../gradient";
import type { Gradient, LossKind } from "../gradient";
import type { SystemFacts } from "../protocol";
import * as store from "../store";
import { add } from "../view/camera";
import type { Vec } from "../view/camera";
import { cameraNow, pixelOfPlace } from "../view/control";

const LOSSES: [LossKind, string][] = [
  ["off", "off"],
  ["energy", "energy at the end"],
  ["centre_of_mass", "centre of mass at a point"],
  ["final_position", "final positions from a file"],
];

const text = (event: Event) => (event.currentTarget as HTMLInputElement).value;

export function GradientPanel({ system }: { system: SystemFacts }) {
  if (system.run) return null;
  const now = gradient.value;
  const kind = lossKind.value;
  const onChange = (event: Event) => choose(LOSSES[(event.currentTarget as HTMLSelectElement).selectedIndex][0]);
  const why = store.shownStep.value < 1 ? "Play first: it is of the steps up to the play head." : "";
  return (
    <section aria-label="Gradient">
      <h2>Gradient</h2>
      <label class="field">
        <span>Loss ℒ</span>
        <select aria-label="Loss of the gradient" disabled={isComputing()} onChange={onChange}>
          {LOSSES.map(([each, label]) => (
            <option key={each} selected={each === kind}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {kind === "centre_of_mass" && <PointFields />}
      {kind === "final_position" && (
        <label class="field">
          <span>File beside the scene</span>
          <input type="text" aria-label="File of the final positions" placeholder="goal.obj" value={lossFile.value} onInput={(event: Event) => (lossFile.value = text(event))} />
        </label>
      )}
      {kind !== "off" && (
        <>
          <p class="quiet">{why || "Of the scene as it stands, from its start to the play head, without hands and changes."}</p>
          <div class="row">
            <button type="button" disabled={why !== "" || isComputing()} onClick={() => void computeGradient()}>
              Compute
            </button>
            {isComputing() && now && (now.total > 0 ? <progress aria-label="Progress of the gradient" max={now.total} value={now.done} /> : <progress aria-label="Progress of the gradient" />)}
            {isComputing() && (
              <button type="button" onClick={stopGradient}>
                Stop
              </button>
            )}
          </div>
        </>
      )}
      {now?.error && (
        <p class="fault" role="alert">
          {now.error}
        </p>
      )}
      {now?.found && <Found of={now} />}
    </section>
  );
}

function choose(kind: LossKind): void {
  dropGradient();
  lossKind.value = kind;
}

function PointFields() {
  const point = pointOfLoss();
  const set = (axis: number) => (event: Event) => {
    const value = Number(text(event));
    if (Number.isFinite(value)) lossPoint.value = point.map((each, k) => (k === axis ? value : each)) as Vec;
  };
  return (
    <div class="pull">
      {["x", "y", "z"].map((axis, k) => (
        <label key={axis}>
          <span>{axis}, m</span>
          <input type="number" aria-label={`Centre of mass at ${axis}`} step="any" value={String(Number(point[k].toPrecision(4)))} onChange={set(k)} />
        </label>
      ))}
    </div>
  );
}

function Found({ of }: { of: Gradient }) {
  const { found, loss } = of;
  if (!found) return null;
  const unit = unitOf(loss);
  return (
    <>
      <div class="facts">
        <dl>
          <div>
            <dt>ℒ after {plural(found.steps, "step")}</dt>
            <dd>{quantity(found.loss, unit)}</dd>
          </div>
        </dl>
      </div>
      {found.notice && <p class="quiet">{found.notice}</p>}
      <label class="check">
        <input type="checkbox" checked={arrowsOn.value} onChange={() => showArrows(!arrowsOn.value)} />
        <span>Arrows: ∂ℒ/∂x of the start</span>
      </label>
      <details>
        <summary>By parameter ({found.table.length})</summary>
        <table class="derivatives">
          <tbody>
            {found.table.map((row) => (
              <tr key={row.name}>
                <th scope="row">{row.name.split(".").map((part, k) => (k === 0 ? part : [".", <wbr key={k} />, part]))}</th>
                <td>
                  {row.size > 1 ? `‖${digits(row.value ?? NaN)}‖` : digits(row.value ?? NaN)} {unit}
                  {row.unit && `/${/[ /·]/.test(row.unit) ? `(${row.unit})` : row.unit}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

/** Where the centre of mass is to be: it is dragged in the plane of the screen. */
export function LossTarget() {
  const camera = store.drawnAt.value && cameraNow();
  const { frame } = picture;
  if (!camera || !frame || lossKind.value !== "centre_of_mass" || store.system.value?.run) return null;
  const point = pointOfLoss();
  const at = pixelOfPlace(add(point, frame.origin, -1));
  if (!at) return null;
  const move = (event: PointerEvent) => {
    if (event.buttons !== 1) return;
    const { right, up, back } = camera.basis;
    const offset = add(point, camera.target, -1);
    const depth = camera.distance - (offset[0] * back[0] + offset[1] * back[1] + offset[2] * back[2]);
    const metres = depth / (camera.pixelsPerMetre * camera.distance);
    lossPoint.value = add(add(point, right, event.movementX * metres), up, -event.movementY * metres);
  };
  return (
    <button
      type="button"
      class="losstarget"
      aria-label="Where the centre of mass is to be"
      title="Where the centre of mass is to be: drag it, or give its place on the right"
      style={{ transform: `translate(${at[0].toFixed(1)}px, ${at[1].toFixed(1)}px)` }}
      onPointerDown={(event: PointerEvent) => (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)}
      onPointerMove={move}
    />
  );
}
