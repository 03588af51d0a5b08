// The view with what lies over it: legend, axes, scale bar, the value under the pointer.
import { h, useEffect, useRef } from "/vendor/ui.js";
import { picture, shownValues } from "../frames";
import { digits, niceStep, plural, quantity, signed, vector } from "../format";
import { css, stops } from "../palette";
import * as store from "../store";
import { cameraNow, frameAll, lookAlong, onCamera, pixelOf, startView } from "../view/control";
import { stepTime } from "./bar";
import { Bands, Overlay } from "./bands";
import { LossTarget } from "./gradient";
import { Icon } from "./icons";
import { HandMarks, Tools } from "./tools";
import { signal } from "/vendor/ui.js";

const works = signal(true);
const camera = signal<ReturnType<typeof cameraNow>>(null);

export function View() {
  const element = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    works.value = startView(element.current as HTMLElement, canvas.current as HTMLCanvasElement);
    onCamera(() => {
      camera.value = cameraNow();
      store.drawnAt.value++;
    });
  }, []);
  const system = store.system.value;
  const label = system ? `View of ${system.name}: ${plural(system.vertices, "vertex", "vertices")}` : "View";
  return (
    <main class="middle">
      <Bands />
      <div class="stage">
        <div class={`view${system ? "" : " bare"}`} ref={element} id="view" role="application" aria-label={label} aria-describedby="view-keys" tabIndex={0} data-keys>
          <canvas ref={canvas} aria-hidden="true" />
        </div>
        <span id="view-keys" class="unseen">
          Drag a body to pull it. Space plays, right arrow steps, F frames all, question mark lists the keys.
        </span>
        {works.value && system && <Ornaments />}
        {!works.value && <NoWebGl />}
        <Overlay />
      </div>
      <Status />
    </main>
  );
}

function NoWebGl() {
  return (
    <div class="centre" role="alert">
      <h2>This browser gives no WebGL 2</h2>
      <p>
        The view needs it. Switch on hardware acceleration in the browser's settings, or start Chromium with{" "}
        <code>--ignore-gpu-blocklist</code>; Firefox and Chromium of the last years have WebGL 2. Energies, findings and the
        text work without it.
      </p>
    </div>
  );
}

function Ornaments() {
  return (
    <div class="ornaments">
      <HandMarks />
      <Views />
      <Tools />
      <Legend />
      <Axes />
      <ScaleBar />
      <LossTarget />
      <HoverMark />
      <DivergedMark />
    </div>
  );
}

function Views() {
  const names = ["x", "y", "z"];
  return (
    <div class="views" role="group" aria-label="Camera">
      <button type="button" aria-label="Frame all" title="Frame the selection, or all (F)" onClick={frameAll}>
        <Icon name="frame" />
      </button>
      {names.map((name, k) => (
        <button type="button" key={name} aria-label={`Look along ${name}`} title={`Look along ${name} (${k + 1})`} onClick={() => lookAlong(k)}>
          {name}
        </button>
      ))}
    </div>
  );
}

function Legend() {
  const chosen = store.scalar.value;
  if (!chosen) return null;
  const { low, high } = store.range.value;
  const colours = stops(chosen.symmetric);
  const gradient = `linear-gradient(to top, ${colours.map(css).join(", ")})`;
  const middle = chosen.symmetric ? "0" : quantity(0.5 * (low + high), chosen.unit);
  const end = (value: number) => (chosen.symmetric ? signed(value, chosen.unit) : quantity(value, chosen.unit));
  return (
    <figure class="legend" aria-label={`Colours: ${chosen.label} from ${end(low)} to ${end(high)}`}>
      <figcaption>{chosen.label}</figcaption>
      <div class="scale">
        <div class="ramp" style={{ backgroundImage: gradient }} />
        <div class="ends">
          <span>{end(high)}</span>
          <span>{middle}</span>
          <span>{end(low)}</span>
        </div>
      </div>
    </figure>
  );
}

function Axes() {
  const now = camera.value;
  if (!now) return null;
  const { right, up, back } = now.basis;
  const axes = [0, 1, 2].map((k) => ({ name: "xyz"[k], x: right[k], y: -up[k], depth: back[k] })).sort((a, b) => a.depth - b.depth);
  return (
    <svg class="axes" viewBox="-34 -34 68 68" width="68" height="68" aria-hidden="true">
      {axes.map(({ name, x, y }) => (
        <g key={name} class={`axis axis-${name}`}>
          <line x1="0" y1="0" x2={20 * x} y2={20 * y} />
          <text x={28 * x} y={28 * y} dominant-baseline="central" text-anchor="middle">
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}

function ScaleBar() {
  const now = camera.value;
  if (!now) return null;
  const length = niceStep(110 / now.pixelsPerMetre, 1);
  return (
    <div class="scalebar" aria-hidden="true">
      <span>{quantity(length, "m", 1)}</span>
      <div style={{ width: `${(length * now.pixelsPerMetre).toFixed(1)}px` }} />
    </div>
  );
}

function HoverMark() {
  const at = store.hover.value;
  if (!at) return null;
  return <div class="hovermark" aria-hidden="true" style={{ transform: `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px)` }} />;
}

function DivergedMark() {
  const run = store.run.value;
  if (run?.state !== "diverged" || run.vertex === undefined || !camera.value) return null;
  const at = pixelOf(run.vertex);
  if (!at) return null;
  return (
    <div class="divergedmark" style={{ transform: `translate(${at[0].toFixed(1)}px, ${at[1].toFixed(1)}px)` }}>
      <span>vertex {run.vertex}</span>
    </div>
  );
}

/** The group that gives a vertex its charge: the last one that does. */
function chargingGroup(vertex: number): string {
  const members = picture.topology?.groups;
  return store.system.value?.groups.filter(({ charged, offset, count }) => charged && members?.subarray(offset, offset + count).includes(vertex)).at(-1)?.name ?? "";
}

/** What is under the pointer: body, vertex, value with its unit, place. */
function pointText(): string {
  const at = store.hover.value;
  const system = store.system.value;
  const { frame } = picture;
  if (!at || !system || !frame) return "";
  const body = system.bodies.find(({ first, count, shown_first, shown_count, filled }) =>
    (at.index >= first && at.index < first + count) || (filled && at.index >= shown_first && at.index < shown_first + shown_count));
  const isVertex = at.index < system.vertices;
  const name = isVertex ? `vertex ${at.index - (body?.first ?? 0)}` : "surface";
  const chosen = store.scalar.value;
  const value = shownValues()?.[at.index];
  const place = [0, 1, 2].map((k) => frame.positions[3 * at.index + k] + frame.origin[k]);
  const parts = [`${body?.name ?? ""} ${name}`.trim()];
  if (chosen && value !== undefined) parts.push(`${chosen.label} ${quantity(value, chosen.unit)}`);
  const charging = store.tool.value === "paint" ? chargingGroup(at.index) : "";
  if (charging) parts.push(`charged by the group ${charging}`);
  parts.push(vector(place, "m"));
  return parts.join("   ");
}

function Status() {
  if (!store.system.value) return null;
  const { received, drawn } = store.rates.value;
  const { level, springs, every, ms } = store.thinning.value;
  // Steps change what is under the pointer.
  store.shownStep.value;
  const moving = store.isMoving.value;
  return (
    <div class="status" aria-label="Status">
      <output class="under" aria-label="Under the pointer">
        {pointText() || stepTime()}
      </output>
      {level > 0 && (
        <span class="thinned">
          {thinnedText(springs, every, ms)}{" "}
          <button type="button" class="link" onClick={() => (store.thinning.value = { level: 0, springs: false, every: 1, ms: 0 })}>
            draw all
          </button>
        </span>
      )}
      <span class="frames">{moving || received > 0.5 ? `${digits(received, 2)} frames/s, ${digits(drawn, 2)} drawn` : ""}</span>
    </div>
  );
}

function thinnedText(springs: boolean, every: number, ms: number): string {
  const left = [springs ? "springs" : "", every > 1 ? `all but every ${every === 2 ? "2nd" : `${every}th`} vertex` : ""].filter(Boolean);
  return `left out to keep up: ${left.join(" and ")} (drawing took ${ms.toFixed(0)} ms)`;
}
