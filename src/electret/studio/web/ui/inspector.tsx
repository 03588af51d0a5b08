// Facts of what is selected, charges, how hands hold, and what the view shows.
import { h } from "/vendor/ui.js";
import type { ComponentChildren } from "/vendor/ui.js";
import { chooseScalar } from "../connection";
import { count, quantity, vector } from "../format";
import type { Selection } from "../store";
import type { SystemFacts } from "../protocol";
import * as store from "../store";
import { fitRange } from "../view/control";
import { ChargePanel } from "./charge";
import { ExternalPanel } from "./external";
import { FieldPanel } from "./field";
import { GradientPanel } from "./gradient";
import { BallPanel, HandPanel } from "./tools";
import { TunePanel } from "./tune";

export function Inspector() {
  const system = store.system.value;
  if (!system) return <aside class="inspector" aria-label="Inspector" />;
  return (
    <aside class="inspector" aria-label="Inspector">
      <ColourBy system={system} />
      <GradientPanel system={system} />
      <FieldPanel system={system} />
      <ChargePanel system={system} />
      <ExternalPanel system={system} />
      <TunePanel system={system} />
      {store.tool.value === "charge" && <BallPanel system={system} />}
      {(store.tool.value === "grab" || store.tool.value === "view") && <HandPanel system={system} />}
      <Shown system={system} />
      <Facts {...factsOf(system, store.selection.value)} />
    </aside>
  );
}

function ColourBy({ system }: { system: SystemFacts }) {
  const own = store.gradientUnit.value === null ? [] : [{ name: store.GRADIENT, label: "gradient ∂ℒ/∂q" }];
  const all = [...system.scalars, ...own];
  const names = all.map((each) => each.name);
  const onChange = (event: Event) => chooseScalar(names[(event.currentTarget as HTMLSelectElement).selectedIndex]);
  return (
    <section>
      <h2>Colour</h2>
      <div class="row">
        <label class="field">
          <span>Colour by</span>
          <select aria-label="Colour by" onChange={onChange}>
            {all.map((each) => (
              <option key={each.name} value={each.name} selected={each.name === store.scalarName.value}>
                {each.label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="row">
        <button type="button" onClick={fitRange} title="Make the colours span the values shown now">
          Fit range
        </button>
      </div>
    </section>
  );
}

function Shown({ system }: { system: SystemFacts }) {
  const hasFaces = system.bodies.some((each) => each.faces[1] > 0);
  const hasSprings = system.bodies.some((each) => each.springs[1] > 0);
  const around = system.external.length + system.obstacles.length > 0;
  return (
    <section>
      <h2>Show</h2>
      {hasFaces && <Check name="surface" label="Surface" />}
      <Check name="discs" label="Vertices" />
      {store.show.value.discs && <Check name="signs" label="Signs + and − in the vertices" />}
      {hasSprings && <Check name="springs" label="Springs" />}
      {around && <Check name="shapes" label="Obstacles and external charges" />}
      <Check name="grid" label="Ground grid" />
      {store.show.value.discs && (
        <label class="field">
          <span>Size of vertices</span>
          <input type="range" min="0.3" max="3" step="0.1" value={String(store.discSize.value)} onInput={(event: Event) => (store.discSize.value = Number((event.currentTarget as HTMLInputElement).value))} />
        </label>
      )}
    </section>
  );
}

function Check({ name, label }: { name: keyof typeof store.show.value; label: string }) {
  const flip = () => (store.show.value = { ...store.show.value, [name]: !store.show.value[name] });
  return (
    <label class="check">
      <input type="checkbox" checked={store.show.value[name]} onChange={flip} />
      <span>{label}</span>
    </label>
  );
}

type Row = [string, ComponentChildren];

function Facts({ title, rows }: { title: string; rows: Row[] }) {
  return (
    <section class="facts">
      <h2>{title}</h2>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function factsOf(system: SystemFacts, chosen: Selection): { title: string; rows: Row[] } {
  switch (chosen?.kind) {
    case "body":
      return bodyFacts(system, chosen.index);
    case "group":
      return groupFacts(system, chosen.index);
    case "external":
      return externalFacts(system, chosen.index);
    case "obstacle":
      return obstacleFacts(system, chosen.index);
    case "field": {
      const field = system.fields[chosen.index];
      return { title: field.kind, rows: field.value ? [["value", vector(field.value, "V/m")]] : [["value", "an expression of place and time"]] };
    }
    default:
      return sceneFacts(system);
  }
}

function sceneFacts(system: SystemFacts): { title: string; rows: Row[] } {
  const rows: Row[] = [
    ["method", system.method],
    [system.run ? "frames every" : "time step", quantity(system.run ? system.frame_interval ?? system.time_step : system.time_step, "s")],
    ["vertices", count(system.vertices)],
    ["springs", count(system.bodies.reduce((sum, each) => sum + each.springs[1], 0))],
    ["charge", quantity(system.bodies.reduce((sum, each) => sum + each.charge, 0), "C")],
    ["mass", quantity(system.bodies.reduce((sum, each) => sum + each.mass, 0), "kg")],
    ["pins", count(system.pins.length)],
  ];
  if (system.gravity && Math.hypot(...system.gravity) > 0) rows.push(["gravity", vector(system.gravity, "m/s²")]);
  if (system.run) rows.push(["frames", `${count(system.frames)}${system.growing ? ", growing" : ""}`]);
  return { title: system.run ? "Recorded run" : "Scene", rows: rows.filter(([, value]) => value !== "0") };
}

function bodyFacts(system: SystemFacts, index: number): { title: string; rows: Row[] } {
  const body = system.bodies[index];
  const rows: Row[] = [
    ["vertices", count(body.count)],
    ["springs", count(body.springs[1])],
    ["faces", count(body.faces[1])],
    ["charge", quantity(body.charge, "C")],
    ["mass", quantity(body.mass, "kg")],
    ["pinned", count(system.pins.filter((each) => each >= body.first && each < body.first + body.count).length)],
    ["kind", body.filled ? "filled surface" : body.solid ? "solid of elements" : "springs"],
  ];
  return { title: body.name, rows };
}

function groupFacts(system: SystemFacts, index: number): { title: string; rows: Row[] } {
  const group = system.groups[index];
  return { title: group.name, rows: [["group of", system.bodies[group.body]?.name ?? ""], ["vertices", count(group.count)]] };
}

function externalFacts(system: SystemFacts, index: number): { title: string; rows: Row[] } {
  const charge = system.external[index];
  const rows: Row[] = [
    ["kind", charge.kind],
    ["charge", quantity(charge.charge, "C")],
    ["position", vector(charge.position, "m")],
  ];
  if (charge.width) rows.push(["width", quantity(charge.width, "m")]);
  return { title: charge.name || `Charge ${index + 1}`, rows };
}

function obstacleFacts(system: SystemFacts, index: number): { title: string; rows: Row[] } {
  const obstacle = system.obstacles[index];
  const rows: Row[] = [
    ["shape", obstacle.shape],
    ["bodies are", obstacle.inside ? "inside" : "outside"],
    ["place", vector(obstacle.placement.slice(0, 3), "m")],
  ];
  if (obstacle.shape === "plane") rows.push(["normal", vector(obstacle.size, "").trim()]);
  else if (obstacle.size.length > 0) rows.push(["size", `${obstacle.size.map((each) => quantity(each, "m")).join(" × ")}`]);
  return { title: obstacle.name || `Obstacle ${index + 1}`, rows };
}
