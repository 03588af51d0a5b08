// Charges of bodies and groups, the brush's panel, and the form that picks vertices, charges them and makes groups.
import { computed, h, signal, useSignal } from "/vendor/ui.js";
import { chargeOf, endGesture, fault, makeGroup, newGesture, paint, setCharge } from "../charges";
import { plural, quantity } from "../format";
import { picture } from "../frames";
import type { SystemFacts } from "../protocol";
import * as store from "../store";
import { QuantityField } from "./quantity";
import { canEdit } from "./tools";

interface Target {
  key: string;
  title: string;
  body: number;
  group: string | null;
  vertices: () => ArrayLike<number>;
}

/** The body or group that is selected; the only body where nothing is. */
function targetOf(system: SystemFacts): Target | null {
  const chosen = store.selection.value;
  if (chosen?.kind === "group") {
    const group = system.groups[chosen.index];
    if (!group) return null;
    const name = system.bodies[group.body]?.name ?? "";
    return { key: `${group.body}/${group.name}`, title: `${group.name} of ${name}`, body: group.body, group: group.name, vertices: () => picture.topology?.groups.subarray(group.offset, group.offset + group.count) ?? [] };
  }
  const index = chosen?.kind === "body" ? chosen.index : system.bodies.length === 1 ? 0 : -1;
  const body = system.bodies[index];
  if (!body) return null;
  return { key: `${index}`, title: body.name, body: index, group: null, vertices: () => Array.from({ length: body.count }, (_, k) => body.first + k) };
}

/** Half of what the slider spans, C; it grows with what is typed. */
const spans = signal<Record<string, number>>({});
const usual = computed(() => {
  const range = store.system.value?.scalars.find((each) => each.name === "charge")?.range;
  return range ? 2 * Math.max(Math.abs(range[0]), Math.abs(range[1])) : 1e-6;
});

export function ChargePanel({ system }: { system: SystemFacts }) {
  if (system.run) return null;
  const target = targetOf(system);
  return (
    <section aria-label="Charge">
      <h2>Charge</h2>
      {target ? <ChargeFields key={target.key} target={target} /> : <p class="quiet">Select a body or a group on the left.</p>}
      {store.tool.value === "paint" && <BrushFields system={system} />}
      <Picked system={system} />
      {fault.value && (
        <p class="fault" role="alert">
          {fault.value}
        </p>
      )}
    </section>
  );
}

function ChargeFields({ target }: { target: Target }) {
  store.chargesAt.value;
  const gesture = useSignal(0);
  const held = useSignal<number | null>(null);
  const now = chargeOf(target.vertices());
  const span = spans.value[target.key] ?? Math.max(usual.value, 1.25 * Math.abs(now?.value ?? 0));
  const shown = held.value ?? now?.value ?? 0;
  const send = (value: number) => void setCharge(target.body, target.group, value, gesture.value);
  const slide = (event: Event) => {
    if (gesture.value === 0) {
      gesture.value = newGesture();
      spans.value = { ...spans.value, [target.key]: span };
    }
    const value = Number(((Number((event.currentTarget as HTMLInputElement).value) / 100) * span).toPrecision(4));
    held.value = value;
    send(value);
  };
  const release = () => {
    endGesture(gesture.value);
    gesture.value = 0;
    held.value = null;
  };
  const commit = (value: number) => {
    gesture.value = 0;
    spans.value = { ...spans.value, [target.key]: Math.max(span, 1.25 * Math.abs(value)) };
    send(value);
  };
  return (
    <div>
      <label class="field">
        <span>
          {target.title}: charge of each vertex{now && !now.same ? " (mean of several)" : ""}
        </span>
        <QuantityField label={`Charge of each vertex of ${target.title}`} value={now?.value ?? 0} unit="C" disabled={!canEdit()} commit={commit} />
      </label>
      <input
        type="range"
        class="wide"
        aria-label={`Slider of the charge of ${target.title}`}
        aria-valuetext={quantity(shown, "C")}
        min="-100"
        max="100"
        step="1"
        disabled={!canEdit()}
        value={String(Math.round((100 * shown) / span))}
        onInput={slide}
        onChange={release}
      />
    </div>
  );
}

const MODES: [typeof store.painting.value.mode, string][] = [
  ["set", "set to"],
  ["add", "add"],
  ["smooth", "smooth"],
  ["clear", "clear"],
];

function BrushFields({ system }: { system: SystemFacts }) {
  const { mode, value, through } = store.painting.value;
  const change = (other: Partial<typeof store.painting.value>) => (store.painting.value = { ...store.painting.value, ...other });
  return (
    <div>
      <div class="row">
        <label class="field">
          <span>Brush does</span>
          <select aria-label="What the brush does" onChange={(event: Event) => change({ mode: MODES[(event.currentTarget as HTMLSelectElement).selectedIndex][0] })}>
            {MODES.map(([each, name]) => (
              <option key={each} value={each} selected={each === mode}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {(mode === "set" || mode === "add") && (
          <label class="field">
            <span>Charge</span>
            <QuantityField label="Charge of the brush" value={value} unit="C" disabled={false} commit={(number) => change({ value: number })} />
          </label>
        )}
      </div>
      <label class="field">
        <span>Brush: {quantity(store.brush.value, "m")}</span>
        <input type="range" aria-label="Size of the brush" min="0" max="1" step="0.01" value={String(Math.sqrt(store.brush.value / system.box.size))} onInput={(event: Event) => (store.brush.value = system.box.size * Number((event.currentTarget as HTMLInputElement).value) ** 2)} />
      </label>
      <label class="check">
        <input type="checkbox" checked={through} onChange={() => change({ through: !through })} />
        <span>Through the body</span>
      </label>
      {system.groups.some((each) => each.charged) && <p class="quiet">Hatched vertices have the charge of a group, and keep it.</p>}
    </div>
  );
}

/** `0-3, 7` of 0, 1, 2, 3, 7. */
export function rangesOf(vertices: number[]): string {
  const parts: string[] = [];
  for (let k = 0; k < vertices.length; ) {
    let end = k;
    while (end + 1 < vertices.length && vertices[end + 1] === vertices[end] + 1) end++;
    parts.push(end === k ? `${vertices[k]}` : `${vertices[k]}-${vertices[end]}`);
    k = end + 1;
  }
  return parts.join(", ");
}

/** The vertices that a text names, below `count`; a text says what is wrong. */
export function verticesOf(text: string, count: number): number[] | string {
  const found = new Set<number>();
  for (const part of text.split(",").map((each) => each.trim()).filter(Boolean)) {
    const range = /^(\d+)(?:\s*-\s*(\d+))?$/.exec(part);
    if (!range) return `“${part}” is no vertex: write for example 0-3, 7.`;
    const [from, to] = [Number(range[1]), Number(range[2] ?? range[1])];
    if (to >= count || from > to) return `“${part}” is not from 0 to ${count - 1}.`;
    for (let k = from; k <= to; k++) found.add(k);
  }
  return [...found].sort((a, b) => a - b);
}

const groupName = signal("");
const pickedCharge = signal(1e-7);

function Picked({ system }: { system: SystemFacts }) {
  const typed = useSignal<string | null>(null);
  const picked = store.picked.value;
  const index = picked?.body ?? targetOf(system)?.body ?? 0;
  const body = system.bodies[index];
  if (!body) return null;
  const vertices = picked?.vertices ?? [];
  const pick = (text: string) => {
    const found = verticesOf(text, body.count);
    if (typeof found === "string") {
      fault.value = found;
      return;
    }
    fault.value = "";
    typed.value = null;
    store.picked.value = found.length > 0 ? { body: index, vertices: found } : null;
  };
  const make = async () => {
    if (await makeGroup(index, groupName.value.trim(), vertices)) groupName.value = "";
  };
  const ready = canEdit() && vertices.length > 0;
  return (
    <form class="picked" aria-label="Picked vertices" onSubmit={(event: Event) => event.preventDefault()}>
      <label class="field">
        <span>
          Vertices of {body.name}: {plural(vertices.length, "picked", "picked")}
        </span>
        <input
          type="text"
          aria-label="Picked vertices"
          placeholder="0-3, 7"
          value={typed.value ?? rangesOf(vertices)}
          onInput={(event: Event) => (typed.value = (event.currentTarget as HTMLInputElement).value)}
          onChange={(event: Event) => pick((event.currentTarget as HTMLInputElement).value)}
        />
      </label>
      {vertices.length > 0 && (
        <div>
          <div class="row">
            <QuantityField label="Charge of the picked vertices" value={pickedCharge.value} unit="C" disabled={false} commit={(value) => (pickedCharge.value = value)} />
            <button type="button" disabled={!ready} onClick={() => void paint(index, vertices, vertices.map(() => pickedCharge.value))}>
              Charge them
            </button>
          </div>
          <div class="row">
            <input type="text" aria-label="Name of the new group" placeholder="name" value={groupName.value} onInput={(event: Event) => (groupName.value = (event.currentTarget as HTMLInputElement).value)} />
            <button type="button" disabled={!ready || groupName.value.trim() === ""} onClick={() => void make()}>
              Make a group
            </button>
          </div>
        </div>
      )}
    </form>
  );
}
