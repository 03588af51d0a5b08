// The panel of the field's arrows: on which plane they are, and how strong the field is there.
import { h } from "/vendor/ui.js";
import { EXTENT, fault, largest, plane } from "../fieldarrows";
import { quantity } from "../format";
import type { SystemFacts } from "../protocol";
import { DECADES } from "../view/fieldarrows";

const AXES = ["x", "y", "z"];

export function FieldPanel({ system }: { system: SystemFacts }) {
  const chosen = plane.value;
  const reach = 0.5 * EXTENT * (system.box.size || 1);
  const choose = (event: Event) => {
    const index = (event.currentTarget as HTMLSelectElement).selectedIndex;
    plane.value = index === 0 ? null : { axis: (index - 1) as 0 | 1 | 2, offset: chosen?.offset ?? 0 };
  };
  const move = (event: Event) => {
    if (chosen) plane.value = { ...chosen, offset: (reach * Number((event.currentTarget as HTMLInputElement).value)) / 100 };
  };
  const most = largest.value;
  return (
    <section>
      <h2>Electric field</h2>
      <label class="field">
        <span>Arrows on a plane</span>
        <select aria-label="Arrows of the electric field on a plane" onChange={choose}>
          <option selected={chosen === null}>off</option>
          {AXES.map((axis, k) => (
            <option key={axis} selected={chosen?.axis === k}>
              at right angles to {axis}
            </option>
          ))}
        </select>
      </label>
      {chosen && (
        <label class="field">
          <span>{chosen.offset === 0 ? "Through the middle of the bodies" : `${quantity(chosen.offset, "m")} from the middle of the bodies`}</span>
          <input type="range" aria-label="Place of the plane" aria-valuetext={quantity(chosen.offset, "m")} min="-100" max="100" step="1" value={String(Math.round((100 * chosen.offset) / reach))} onInput={move} />
        </label>
      )}
      {chosen && most !== null && (
        <p class="quiet">
          {most > 0 ? `Longest: ${quantity(most, "V/m")}. Length and colour are by decades, ${DECADES} of them.` : "There is no field here."}
        </p>
      )}
      {chosen && fault.value && <p class="fault">{fault.value}</p>}
    </section>
  );
}
