// The top bar: what is open, playing, and how fast.
import { computed, h } from "/vendor/ui.js";
import { quantity, seconds } from "../format";
import * as store from "../store";
import { atEnd, isRun, loops, reset, setRate, stepBack, stepOn, toggle } from "./actions";
import { openSaveAs, redo, save, undo } from "../charges";
import { command } from "../connection";
import { canEdit } from "./tools";
import { openExport } from "./export";
import { Icon } from "./icons";
import type { IconName } from "./icons";

const RATES: [string, number | null][] = [
  ["¼ ×", 0.25],
  ["½ ×", 0.5],
  ["1 ×", 1],
  ["2 ×", 2],
  ["4 ×", 4],
  ["max", null],
];

/** Whether there is nothing before the picture. */
const atFirst = computed(() => store.shownStep.value <= (store.run.value?.recorded.first ?? 0));

const BUSY = new Set(["loading", "rewinding", "empty", "broken"]);

export function Bar() {
  const run = store.run.value;
  const system = store.system.value;
  const state = run?.state ?? "empty";
  return (
    <header class="bar" aria-label="Playing">
      <h1 class="title" title={store.scene.value?.path ?? ""}>
        {store.openName.value}
        {store.scene.value?.unsaved && <span class="unsaved" title="The text has changes that are not in the file"> *</span>}
      </h1>
      {system && <span class={`badge state-${state}`}>{stateWord(state)}</span>}
      {system && <Transport busy={BUSY.has(state)} moving={store.isMoving.value} />}
      {system && <Clock />}
      {system && <Rate />}
      <span class="space" />
      {system && !system.run && <UndoButtons />}
      {system?.run && (
        <button type="button" class="plain" title="Make a session of the run, from its last state on" disabled={BUSY.has(state) || system.growing} onClick={() => void command("continue")}>
          Continue
        </button>
      )}
      {system && (
        <button type="button" class="plain" title="A picture, a movie, a ray-traced picture, or a run" onClick={() => openExport()}>
          Export
        </button>
      )}
      {system && (
        <button type="button" class="plain" onClick={openChoices}>
          Open
        </button>
      )}
      <button type="button" class="plain" aria-label="Keys and help" title="Keys and help (?)" onClick={() => (store.helpOpen.value = true)}>
        ?
      </button>
      <button type="button" class="plain" title="End the studio; the session is kept" onClick={() => (store.quitOpen.value = true)}>
        Quit
      </button>
    </header>
  );
}

/** They are looked for anew each time. */
function openChoices() {
  store.openOpen.value = true;
  void command("choices");
}

function UndoButtons() {
  const document = store.scene.value;
  const busy = !canEdit();
  const stuck = busy && store.run.value?.state !== "broken";
  return (
    <div class="transport" role="group" aria-label="Edits">
      <button type="button" class="plain" title="Undo (Ctrl+Z)" disabled={stuck || !document?.undo} onClick={undo}>
        Undo
      </button>
      <button type="button" class="plain" title="Save the scene's file (Ctrl+S)" disabled={busy || !(document?.unsaved || document?.path === "")} onClick={() => void save()}>
        Save
      </button>
      <button type="button" class="plain" title="Save the scene under another name (Ctrl+Shift+S)" disabled={busy} onClick={openSaveAs}>
        Save as
      </button>
      <button type="button" class="plain" title="Redo (Ctrl+Shift+Z)" disabled={stuck || !document?.redo} onClick={redo}>
        Redo
      </button>
    </div>
  );
}

function stateWord(state: string): string {
  const words: Record<string, string> = { viewing: "recorded run", playing: "recorded run", rewinding: "going back" };
  return words[state] ?? state;
}

function Transport({ busy, moving }: { busy: boolean; moving: boolean }) {
  return (
    <div class="transport" role="group" aria-label="Play">
      <Tool icon="reset" name="Reset" hint="Reset to step 0 (Home)" disabled={busy} onClick={reset} />
      <Tool icon="back" name="One step back" hint="One recorded step back (←)" disabled={busy || moving || atFirst.value} onClick={stepBack} />
      <button type="button" class="play" disabled={busy} title={moving ? "Pause (Space)" : atEnd.value ? "Play on beyond the scene's last step (Space)" : "Play (Space)"} onClick={toggle}>
        <Icon name={moving ? "pause" : "play"} />
        <span>{moving ? "Pause" : "Play"}</span>
      </button>
      <Tool icon="step" name="One step" hint={atEnd.value ? "One step beyond the scene's last one (→)" : "One step (→)"} disabled={busy || moving} onClick={() => stepOn()} />
      {isRun() && (
        <button type="button" class="tool" aria-pressed={loops.value} aria-label="Play in a loop" title="Play in a loop" onClick={toggleLoop}>
          <Icon name="loop" />
        </button>
      )}
    </div>
  );
}

function toggleLoop() {
  loops.value = !loops.value;
}

function Tool(props: { icon: IconName; name: string; hint: string; disabled: boolean; onClick: () => void }) {
  return (
    <button type="button" class="tool" aria-label={props.name} title={props.hint} disabled={props.disabled} onClick={props.onClick}>
      <Icon name={props.icon} />
    </button>
  );
}

/** Time and step follow the frames; only these texts change then. */
function Clock() {
  return (
    <div class="clock">
      <span class="reading">
        <span class="label">t</span> <output aria-label="Time">{seconds(store.shownTime.value)} s</output>
      </span>
      <span class="reading">
        <span class="label">{isRun() ? "frame" : "step"}</span> <output aria-label={isRun() ? "Frame" : "Step"}>{store.shownStep.value}</output>
      </span>
    </div>
  );
}

function Rate() {
  const reached = store.run.value?.reached ?? null;
  const chosen = RATES.findIndex(([, rate]) => rate === store.rate.value);
  const onChange = (event: Event) => setRate(RATES[(event.currentTarget as HTMLSelectElement).selectedIndex][1]);
  return (
    <div class="rate">
      <label>
        <span class="label">wanted</span>
        <select aria-label="Wanted rate, times real time" value={String(chosen)} onChange={onChange}>
          {RATES.map(([name], k) => (
            <option key={name} value={String(k)} selected={k === chosen}>
              {name}
            </option>
          ))}
        </select>
        <span class="label">real</span>
      </label>
      <span class="reading reached">
        <span class="label">reached</span> <output aria-label="Reached rate">{reached === null ? "–" : `${reached.toFixed(2)} ×`}</output>
      </span>
    </div>
  );
}

export function stepTime(): string {
  const run = store.run.value;
  if (!run || run.step_ms === null || run.step_ms === undefined) return "";
  const parts = Object.entries(run.parts_ms ?? {}).map(([name, ms]) => `${name} ${ms.toPrecision(2)}`);
  return `step ${quantity(run.step_ms / 1000, "s", 2)}${parts.length > 0 ? `: ${parts.join(", ")}` : ""}`;
}
