// Charge and place of the external charge that is selected.
import { h, useSignal } from "/vendor/ui.js";
import { endGesture, newGesture, setExternal } from "../charges";
import { quantity } from "../format";
import { picture } from "../frames";
import type { SystemFacts } from "../protocol";
import * as store from "../store";
import { QuantityField } from "./quantity";
import { canEdit } from "./tools";

/** As it is shown now: four numbers of the picture, or what the scene says of the start. */
function shownNow(system: SystemFacts, index: number): { charge: number; place: number[] } {
  const { external, frame } = picture;
  const { charge, position } = system.external[index];
  if (!external || !frame || external.length < 4 * index + 4) return { charge, place: position };
  return { charge: external[4 * index + 3], place: [0, 1, 2].map((k) => external[4 * index + k] + frame.origin[k]) };
}

export function ExternalPanel({ system }: { system: SystemFacts }) {
  const chosen = store.selection.value;
  if (system.run || chosen?.kind !== "external" || !system.external[chosen.index]) return null;
  return <ExternalFields key={chosen.index} system={system} index={chosen.index} />;
}

function ExternalFields({ system, index }: { system: SystemFacts; index: number }) {
  store.externalAt.value;
  const gesture = useSignal(0);
  const span = useSignal(0);
  const { charge, place } = shownNow(system, index);
  const name = system.external[index].name;
  const reach = Math.max(span.value, 2 * Math.abs(system.external[index].charge), 1.25 * Math.abs(charge), 1e-9);
  const slide = (event: Event) => {
    if (gesture.value === 0) {
      gesture.value = newGesture();
      span.value = reach;
    }
    const part = Number((event.currentTarget as HTMLInputElement).value) / 100;
    void setExternal(index, { charge: Number((part * span.value).toPrecision(4)) }, gesture.value);
  };
  const release = () => {
    endGesture(gesture.value);
    gesture.value = 0;
  };
  const move = (axis: number) => (value: number) => void setExternal(index, { position: place.map((each, k) => (k === axis ? value : Number(each.toPrecision(7)))) }, 0);
  return (
    <section aria-label="External charge">
      <h2>{name}</h2>
      <label class="field">
        <span>Charge{system.external[index].kind === "mesh" ? " of all its points" : ""}</span>
        <QuantityField label={`Charge of ${name}`} value={charge} unit="C" disabled={!canEdit()} commit={(value) => void setExternal(index, { charge: value }, 0)} />
      </label>
      <input type="range" class="wide" aria-label={`Slider of the charge of ${name}`} aria-valuetext={quantity(charge, "C")} min="-100" max="100" step="1" disabled={!canEdit()}
        value={String(Math.round((100 * charge) / reach))} onInput={slide} onChange={release} />
      <div class="row">
        {["x", "y", "z"].map((axis, k) => (
          <label key={axis} class="field">
            <span>{axis}</span>
            <QuantityField label={`${axis} of ${name}`} value={place[k]} unit="m" disabled={!canEdit() || system.external[index].kind === "mesh"} commit={move(k)} />
          </label>
        ))}
      </div>
    </section>
  );
}
