// The studio's page: connects, draws what comes, and says what the server can be asked.
import { effect, h, render } from "/vendor/ui.js";
import { connect, takeToken } from "./connection";
import { editorText } from "./drafts";
import { watchField } from "./fieldarrows";
import { counters, picture, shownValues } from "./frames";
import { gradient, pointOfLoss } from "./gradient";
import { tracing } from "./kept";
import { autoKey, chosen, staleFrom, tables } from "./keyframes";
import { filming } from "./movie";
import * as store from "./store";
import { faults, fieldTables, sceneChanges, schema } from "./tune";
import { watchForLoops } from "./ui/actions";
import { Bar } from "./ui/bar";
import { Bottom } from "./ui/bottom";
import { HelpDialog, Notices, QuitDialog } from "./ui/dialogs";
import { ExportDialog } from "./ui/export";
import { Inspector } from "./ui/inspector";
import { listenToKeys } from "./ui/keys";
import { Outline } from "./ui/outline";
import { SaveDialog } from "./ui/save";
import { OpenDialog } from "./ui/start";
import { View } from "./ui/view";
import { cameraNow, pixelOf, pointAt } from "./view/control";

function Page() {
  return (
    <div class={`page${store.system.value ? "" : " bare"}${store.run.value?.state === "broken" ? " broken" : ""}`}>
      <Bar />
      <Outline />
      <View />
      <Inspector />
      {store.run.value?.state !== "empty" && store.scene.value && <Bottom />}
      <Notices />
      <HelpDialog />
      <QuitDialog />
      <ExportDialog />
      <OpenDialog />
      <SaveDialog />
      <div class="unseen" role="status" aria-live="polite" id="spoken">
        {store.spoken.value}
      </div>
    </div>
  );
}

/** What tests read; nothing of it can be written. */
function expose(): void {
  const facts = {
    get state() {
      return store.run.value;
    },
    get system() {
      return store.system.value;
    },
    get document() {
      return store.scene.value;
    },
    get link() {
      return store.link.value;
    },
    get shown() {
      return {
        step: picture.frame?.step ?? -1,
        drawn: store.shownStep.value,
        time: picture.frame?.time ?? 0,
        sequence: picture.frame?.sequence ?? -1,
        generation: picture.generation,
        thinning: store.thinning.value,
        rates: store.rates.value,
        range: store.range.value,
        scalar: store.scalarName.value,
      };
    },
    get hands() {
      return store.hands.value;
    },
    get brush() {
      return store.brush.value;
    },
    get picked() {
      return store.picked.value;
    },
    /** The editor: what is typed, what the checker says, where the cursor is. */
    get text() {
      return { draft: store.draft.value, checked: store.checked.value, shown: editorText(), ...store.editing.value };
    },
    get keys() {
      return { tables: tables.value, stale: staleFrom.value, chosen: chosen.value, auto: autoKey.value };
    },
    get fields() {
      return { tables: fieldTables.value, schema: [...schema.value.values()], faults: faults.value };
    },
    get changes() {
      return sceneChanges.value;
    },
    get earlier() {
      return store.earlier.value;
    },
    get files() {
      return store.changedFiles.value;
    },
    get gradient() {
      return gradient.value;
    },
    get lossPoint() {
      return pointOfLoss().map((each) => Number(each.toPrecision(7)));
    },
    get exporting() {
      return { filming: filming.value, recording: store.recording.value, tracing: tracing.value && { ...tracing.value, blob: tracing.value.blob?.size ?? 0 } };
    },
    get tool() {
      return store.tool.value;
    },
    get thinning() {
      return store.thinning.value;
    },
    counters,
    rubber: () => picture.hands,
    balls: () => picture.balls,
    field: () => picture.field,
    positions: () => ({ values: picture.frame?.positions ?? null, origin: picture.frame?.origin ?? null }),
    charges: () => picture.charges,
    scalar: () => shownValues(),
    camera: cameraNow,
    pick: pointAt,
    pixel: pixelOf,
  };
  Object.defineProperty(window, "electret", { value: Object.freeze(facts), writable: false });
}

/** The window's title follows what is open. */
function entitle(): void {
  const name = store.openName.value;
  document.title = name === "Electret studio" ? name : `${name} – Electret studio`;
}

takeToken();
effect(entitle);
expose();
listenToKeys();
watchForLoops();
watchField();
render(<Page />, document.getElementById("page") as HTMLElement);
connect();
