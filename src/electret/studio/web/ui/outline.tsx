// What the scene holds; a click shows it in the view and in the inspector.
import { h } from "/vendor/ui.js";
import type { ComponentChildren } from "/vendor/ui.js";
import { count, quantity } from "../format";
import type { SystemFacts } from "../protocol";
import * as store from "../store";
import type { Selection } from "../store";
import { HandList } from "./tools";

type Kind = NonNullable<Selection>["kind"];

export function Outline() {
  const system = store.system.value;
  return (
    <nav class="outline" aria-label="Outline">
      {system ? <Contents system={system} /> : <p class="quiet">Nothing is open.</p>}
    </nav>
  );
}

function Contents({ system }: { system: SystemFacts }) {
  return (
    <div>
      <Section title="Bodies" number={system.bodies.length}>
        {system.bodies.map((body, k) => (
          <li key={body.name}>
            <Entry kind="body" index={k} name={body.name} value={count(body.count)} hint={`${count(body.count)} vertices`} />
            <Groups system={system} body={k} name={body.name} />
          </li>
        ))}
      </Section>
      <HandList />
      <Section title="External charges" number={system.external.length}>
        {system.external.map((charge, k) => (
          <li key={k}>
            <Entry kind="external" index={k} name={charge.name || `charge ${k + 1}`} value={quantity(charge.charge, "C")} hint={charge.kind} />
          </li>
        ))}
      </Section>
      <Section title="Obstacles" number={system.obstacles.length}>
        {system.obstacles.map((obstacle, k) => (
          <li key={k}>
            <Entry kind="obstacle" index={k} name={obstacle.name || `obstacle ${k + 1}`} value={obstacle.shape} hint={obstacle.inside ? "inside" : "outside"} />
          </li>
        ))}
      </Section>
      <Section title="Fields" number={system.fields.length}>
        {system.fields.map((field, k) => (
          <li key={k}>
            <Entry kind="field" index={k} name={field.kind} value="" hint="" />
          </li>
        ))}
      </Section>
    </div>
  );
}

function Groups({ system, body, name }: { system: SystemFacts; body: number; name: string }) {
  const own = system.groups.map((group, k) => ({ group, k })).filter(({ group }) => group.body === body);
  if (own.length === 0) return null;
  return (
    <ul class="groups" aria-label={`Groups of ${name}`}>
      {own.map(({ group, k }) => (
        <li key={group.name}>
          <Entry kind="group" index={k} name={group.name} value={count(group.count)} hint={`${count(group.count)} vertices`} />
        </li>
      ))}
    </ul>
  );
}

function Section({ title, number, children }: { title: string; number: number; children: ComponentChildren }) {
  if (number === 0) return null;
  return (
    <section>
      <h2>
        {title} <span class="number">{number}</span>
      </h2>
      <ul>{children}</ul>
    </section>
  );
}

function Entry({ kind, index, name, value, hint }: { kind: Kind; index: number; name: string; value: string; hint: string }) {
  const chosen = store.selection.value;
  const pressed = chosen?.kind === kind && chosen.index === index;
  return (
    <button type="button" class="entry" aria-pressed={pressed} title={`${name}: ${hint || value}`} onClick={() => (store.selection.value = pressed ? null : { kind, index })}>
      <span class="name">{name}</span>
      <span class="value">{value}</span>
    </button>
  );
}
