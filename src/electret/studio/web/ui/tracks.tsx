// Key-frames: a track for everything that keys can move, and the keys of the one that is chosen.
import { h, useRef, useSignal } from "/vendor/ui.js";
import { digits, niceStep, quantity, seconds } from "../format";
import { autoKey, chosen, copyKey, deleteChosen, deleteKey, insertKey, keyFault, moveKey, setInterpolation, setValue, snapped, tables, valueAt } from "../keyframes";
import type { KeyLane, KeyTable } from "../protocol";
import * as store from "../store";
import { QuantityField } from "./quantity";
import { canEdit } from "./tools";

const part = (time: number) => `${(100 * Math.min(1, Math.max(0, store.stepOf(time) / (store.lastStep.value || 1)))).toFixed(3)}%`;

export function Tracks() {
  const all = tables.value;
  if (store.system.value?.run || all.length === 0) return null;
  const table = all.find((each) => each.key === chosen.value?.key);
  return (
    <section class="tracks" aria-label="Key-frames">
      {all.map((each) => (
        <TrackRow key={each.key} table={each} />
      ))}
      <div class="row">
        <label class="check" title="While a slider of a group or of an external charge moves, what it sets becomes keys">
          <input type="checkbox" checked={autoKey.value} onChange={() => (autoKey.value = !autoKey.value)} />
          <span>Auto-key</span>
        </label>
        {keyFault.value && (
          <p class="fault" role="alert">
            {keyFault.value}
          </p>
        )}
      </div>
      {table && <Keys key={table.key} table={table} />}
    </section>
  );
}

function TrackRow({ table }: { table: KeyTable }) {
  const lane = useRef<HTMLDivElement>(null);
  const dragged = useSignal<{ at: number; time: number } | null>(null);
  const pressed = chosen.value?.key === table.key;
  const pick = (at: number | null) => (chosen.value = { key: table.key, at });
  const timeOf = (event: PointerEvent) => {
    const box = (lane.current as HTMLDivElement).getBoundingClientRect();
    const time = store.timeOf(((event.clientX - box.left) / Math.max(1, box.width)) * store.lastStep.value);
    return event.shiftKey ? Number(Math.max(0, time).toPrecision(6)) : snapped(time);
  };
  const down = (at: number) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    pick(at);
    if (!canEdit()) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    dragged.value = { at, time: table.times[at] };
  };
  const move = (event: PointerEvent) => {
    if (dragged.value) dragged.value = { at: dragged.value.at, time: timeOf(event) };
  };
  const up = () => {
    const now = dragged.value;
    dragged.value = null;
    if (now) moveKey(table, now.at, now.time);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key === "Delete" || event.key === "Backspace") && deleteChosen()) event.preventDefault();
  };
  return (
    <div class="track">
      <button type="button" class="entry" aria-pressed={pressed} title={`Keys of ${table.label}`} onClick={() => (chosen.value = pressed ? null : { key: table.key, at: null })}>
        <span class="name">{table.label}</span>
      </button>
      <div class="lane keys" ref={lane} onKeyDown={onKeyDown}>
        {table.times.map((time, k) => (
          <button
            type="button"
            key={k}
            class="diamond"
            aria-pressed={pressed && chosen.value?.at === k}
            aria-label={`Key ${k + 1} of ${table.label} at ${seconds(time)} seconds`}
            style={{ left: part(dragged.value?.at === k ? dragged.value.time : time) }}
            onClick={() => pick(k)}
            onPointerDown={down(k)}
            onPointerMove={move}
            onPointerUp={up}
            onPointerCancel={() => (dragged.value = null)}
          />
        ))}
        {table.times.length === 0 && <span class="quiet">no keys</span>}
        <div class="head" style={{ left: part(store.shownTime.value) }} />
      </div>
    </div>
  );
}

const INTERPOLATIONS: KeyTable["interpolation"][] = ["linear", "step", "cubic"];

/** The keys of one track as a table, with what can be done to them. */
function Keys({ table }: { table: KeyTable }) {
  const head = snapped(store.shownTime.value);
  const at = chosen.value?.at ?? null;
  const names = ["x", "y", "z"];
  return (
    <div class="keytable">
      <div class="row">
        {table.lanes.map((lane, k) =>
          table.times.length === 0 || lane.values.length > 0 ? (
            <button type="button" key={lane.key} disabled={!canEdit()} title="A key at the play head, with the value that is there (K)" onClick={() => insertKey(table, head, k)}>
              {table.lanes.length > 1 && table.times.length === 0 ? `Key ${lane.key} at the play head` : "Key at the play head"}
            </button>
          ) : null,
        )}
        <button type="button" disabled={!canEdit() || at === null} onClick={() => at !== null && copyKey(table, at, head)}>
          Copy to the play head
        </button>
        <label class="field">
          <span>Between keys</span>
          <select aria-label="Interpolation" disabled={!canEdit() || table.times.length === 0} onChange={(event: Event) => setInterpolation(table, INTERPOLATIONS[(event.currentTarget as HTMLSelectElement).selectedIndex])}>
            {INTERPOLATIONS.map((each) => (
              <option key={each} value={each} selected={each === table.interpolation}>
                {each}
              </option>
            ))}
          </select>
        </label>
      </div>
      {table.lanes.map((lane) => lane.columns === 1 && lane.values.length > 0 && <Curve key={lane.key} table={table} lane={lane} />)}
      {table.times.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">time</th>
              {table.lanes.map((lane) => lane.values.length > 0 && <th scope="col" key={lane.key} colSpan={lane.columns}>{lane.key}</th>)}
              <th scope="col">
                <span class="unseen">delete</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {table.times.map((time, k) => (
              <tr key={k} class={k === at ? "chosen" : ""}>
                <td>
                  <QuantityField label={`Time of key ${k + 1}`} value={time} unit="s" digits={9} disabled={!canEdit()} commit={(value) => moveKey(table, k, Math.max(0, value))} />
                </td>
                {table.lanes.map((lane, l) =>
                  lane.values.length === 0
                    ? null
                    : Array.from({ length: lane.columns }, (_, c) => (
                        <td key={`${lane.key} ${c}`}>
                          <QuantityField label={`${lane.key}${lane.columns > 1 ? ` ${names[c]}` : ""} of key ${k + 1}`} value={lane.values[k * lane.columns + c]} unit={lane.unit} disabled={!canEdit()} commit={(value) => setValue(table, k, l, c, value)} />
                        </td>
                      )),
                )}
                <td>
                  <button type="button" class="link" disabled={!canEdit()} aria-label={`Delete key ${k + 1}`} onClick={() => deleteKey(table, k)}>
                    delete
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

const POINTS = 200;

/** A scalar lane over time, with an axis of its values. */
function Curve({ table, lane }: { table: KeyTable; lane: KeyLane }) {
  const all = store.timeOf(store.lastStep.value);
  const [low, high] = [Math.min(...lane.values), Math.max(...lane.values)];
  const span = high - low || Math.abs(high) || 1;
  const y = (value: number) => 92 - (84 * (value - low)) / span;
  const step = niceStep(span, 3);
  const marks = Array.from({ length: 5 }, (_, k) => (Math.ceil(low / step) + k) * step).filter((each) => each <= high + 1e-9 * span);
  const times = [...Array.from({ length: POINTS + 1 }, (_, k) => (k * all) / POINTS), ...table.times.flatMap((time) => [time - 1e-6 * all, time])].filter((each) => each >= 0 && each <= all).sort((a, b) => a - b);
  const points = times.map((time) => `${((1000 * store.stepOf(time)) / (store.lastStep.value || 1)).toFixed(2)},${y(valueAt(table, lane, time)[0]).toFixed(2)}`);
  return (
    <div class="keycurve" aria-hidden="true">
      <div class="axis">
        {marks.map((each) => (
          <span key={each} style={{ top: `${y(each).toFixed(1)}%` }}>
            {lane.unit ? quantity(Math.abs(each) < 1e-9 * span ? 0 : each, lane.unit, 2) : digits(each, 2)}
          </span>
        ))}
      </div>
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none">
        <polyline points={points.join(" ")} vector-effect="non-scaling-stroke" />
      </svg>
    </div>
  );
}
