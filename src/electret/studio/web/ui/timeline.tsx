// The timeline: what is simulated and what is not, the play head, and the kinetic energy as a landmark.
import { computed, h, useRef } from "/vendor/ui.js";
import { column, energyChanges } from "../energies";
import { brief, niceStep, quantity, seconds } from "../format";
import * as store from "../store";
import { command } from "../connection";
import { staleFrom } from "../keyframes";
import { isRun, scrub, seek } from "./actions";
import { canGrab } from "./tools";
import { Tracks } from "./tracks";

const CURVE_POINTS = 600;

/** The steps that can be gone to. */
const recorded = computed(() => {
  const kept = store.run.value?.recorded ?? { first: 0, last: 0 };
  const moving = store.run.value?.state === "running";
  return { first: kept.first, last: moving ? Math.max(kept.last, store.shownStep.value) : kept.last };
});
const percent = (step: number, last: number) => `${(100 * Math.min(1, Math.max(0, step / Math.max(1, last)))).toFixed(3)}%`;

export function Timeline() {
  energyChanges.value;
  if (!store.system.value) return <p class="quiet pad">Nothing is open.</p>;
  return (
    <div class="timeline">
      <Track />
      <Stale />
      <p class="key quiet">
        <span class="swatch done" /> {isRun() ? "recorded" : "simulated"}
        {!isRun() && <span class="swatch todo" />} {!isRun() && "not simulated yet"}
        {staleFrom.value !== null && !isRun() && <span class="swatch stale" />} {staleFrom.value !== null && !isRun() && "out of date"}
        {(column("kinetic")?.length ?? 0) > 2 && <span class="swatch line" />} {(column("kinetic")?.length ?? 0) > 2 && "kinetic energy"}
      </p>
      <Tracks />
    </div>
  );
}

/** Keys before the play head were changed: what follows them is another motion. */
function Stale() {
  const from = staleFrom.value;
  if (from === null || isRun()) return null;
  const ready = canGrab() && store.shownStep.value > from;
  return (
    <p class="row stale-note" role="status">
      <span>
        <strong>Out of date</strong> from step {from} on: keys are others there than those that were simulated.
      </span>
      <button type="button" disabled={!ready} title="Takes the steps again from there to the play head; hands and sliders repeat what they did" onClick={() => void command("replay")}>
        Replay to here
      </button>
    </p>
  );
}

function Track() {
  const lane = useRef<HTMLDivElement>(null);
  const dragging = useRef(false);
  const last = store.lastStep.value;
  const { first, last: done } = recorded.value;
  const at = store.shownStep.value;
  const stepOf = (event: PointerEvent) => {
    const box = (lane.current as HTMLDivElement).getBoundingClientRect();
    const step = Math.round(((event.clientX - box.left) / Math.max(1, box.width)) * last);
    return Math.min(done, Math.max(first, step));
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    dragging.current = true;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    void scrub(stepOf(event));
  };
  const move = (event: PointerEvent) => {
    if (dragging.current) void scrub(stepOf(event));
  };
  const up = (event: PointerEvent) => {
    if (!dragging.current) return;
    dragging.current = false;
    seek(stepOf(event));
  };
  return (
    <div
      class="slider"
      role="slider"
      tabIndex={0}
      data-keys
      aria-label="Play head"
      aria-valuemin={first}
      aria-valuemax={done}
      aria-valuenow={at}
      aria-valuetext={`${isRun() ? "frame" : "step"} ${at}, ${seconds(store.shownTime.value)} seconds`}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={() => (dragging.current = false)}
      onKeyDown={pageKeys}
    >
      <Ruler />
      <div class="lane" ref={lane}>
        <div class="done" style={{ left: percent(first, last), width: percent(done - first, last) }} />
        {staleFrom.value !== null && !isRun() && <div class="stale" style={{ left: percent(staleFrom.value, last), width: percent(done - staleFrom.value, last) }} />}
        <Curve />
        <div class="head" style={{ left: percent(at, last) }} />
      </div>
    </div>
  );
}

/** A second on or back, and the last recorded step. */
function pageKeys(event: KeyboardEvent): void {
  const at = store.shownStep.value;
  const after = (seconds: number) => Math.round(store.stepOf(store.timeOf(at) + seconds));
  const to = { PageUp: Math.max(at + 1, after(1)), PageDown: Math.min(at - 1, after(-1)), End: recorded.value.last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  seek(to);
}

const ticks = computed(() => {
  const last = store.lastStep.value;
  const length = store.timeOf(last);
  if (!(length > 0)) return [];
  const step = niceStep(length, 9);
  const number = Math.floor(length / step + 1e-6);
  return Array.from({ length: number + 1 }, (_, k) => ({ time: k * step, part: `${((100 * store.stepOf(k * step)) / last).toFixed(3)}%` }));
});

function Ruler() {
  return (
    <div class="ruler" aria-hidden="true">
      {ticks.value.map(({ time, part }, k) => (
        <span key={k} class={k === 0 ? "first" : ""} style={{ left: part }}>
          {k === 0 ? quantity(0, "s") : `${brief(time)} s`}
        </span>
      ))}
    </div>
  );
}

/** The kinetic energy over the time that is simulated; its height is its own. */
function Curve() {
  energyChanges.value;
  const times = column("time");
  const values = column("kinetic");
  const last = store.lastStep.value;
  if (!times || !values || times.length < 3 || !(last > 0)) return null;
  const stride = Math.max(1, Math.floor(times.length / CURVE_POINTS));
  let most = 0;
  for (const value of values) if (value !== null && value > most) most = value;
  if (most <= 0) return null;
  const points: string[] = [];
  for (let k = 0; k < times.length; k += stride) {
    const [time, value] = [times[k], values[k]];
    if (time !== null && value !== null) points.push(`${((1000 * store.stepOf(time)) / last).toFixed(1)},${(96 - (88 * value) / most).toFixed(1)}`);
  }
  return (
    <svg class="curve" viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(" ")} vector-effect="non-scaling-stroke" />
    </svg>
  );
}
