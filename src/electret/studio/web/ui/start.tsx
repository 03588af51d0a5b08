// Scenes, runs, examples and new scenes to open: the empty start, and the dialog of the bar.
import { h, useEffect, useRef, useState } from "/vendor/ui.js";
import type { Choice } from "../protocol";
import * as store from "../store";
import { open } from "./actions";
import { Dialog } from "./dialog";

const KINDS: [Choice["kind"], string, string][] = [
  ["scene", "Scenes in this folder", "None was found here."],
  ["run", "Recorded runs", ""],
  ["new", "New", ""],
  ["example", "Examples", ""],
];

export function Start() {
  return (
    <div class="start" aria-label="Open" role="region">
      <h2>Open</h2>
      {store.folder.value && <p class="quiet">{store.folder.value}</p>}
      <Choices focuses />
    </div>
  );
}

function Choices({ focuses }: { focuses: boolean }) {
  const list = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState("");
  const all = store.choices.value ?? [];
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = all.filter(({ title, folder, name }) => words.every((word) => `${title} ${folder} ${name}`.toLowerCase().includes(word)));
  useEffect(() => {
    if (focuses && document.activeElement === document.body) list.current?.querySelector("button")?.focus();
  }, [all.length]);
  const move = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const buttons = Array.from(list.current?.querySelectorAll("button") ?? []);
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (by === 0 || at < 0) return;
    event.preventDefault();
    buttons[Math.min(buttons.length - 1, Math.max(0, at + by))].focus();
  };
  return (
    <div class="choices" ref={list} onKeyDown={move}>
      {all.length > 12 && (
        <label class="field filter">
          <span>Filter</span>
          <input type="search" value={wanted} onInput={(event: Event) => setWanted((event.currentTarget as HTMLInputElement).value)} />
        </label>
      )}
      {KINDS.map(([kind, title, none]) => (
        <Kind key={kind} title={title} none={none} entries={entries.filter((each) => each.kind === kind)} />
      ))}
    </div>
  );
}

function Kind({ title, none, entries }: { title: string; none: string; entries: Choice[] }) {
  if (entries.length === 0 && none === "") return null;
  return (
    <section>
      <h3>{title}</h3>
      {entries.length === 0 && <p class="quiet">{none}</p>}
      <ul>
        {entries.map((each) => (
          <li key={each.name}>
            <button type="button" class="choice" onClick={() => open(each.name)}>
              <span class="name">{each.title || each.name}</span>
              {placeOf(each) && <span class="quiet">{placeOf(each)}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Where it is, if that says more than its heading does. */
const placeOf = ({ kind, folder }: Choice) => (folder === "." || kind === "example" || kind === "new" ? "" : folder);

export function OpenDialog() {
  return (
    <Dialog open={store.openOpen} label="Open">
      {store.openOpen.value && (store.choices.value ? <Choices focuses={false} /> : <p class="quiet">Looking …</p>)}
    </Dialog>
  );
}
