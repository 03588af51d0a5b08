import { h } from "/vendor/ui.js";
import * as store from "../store";
import { quit } from "./actions";
import { Dialog } from "./dialog";
import { Icon } from "./icons";
import { KEYS, POINTER } from "./keys";

export function HelpDialog() {
  return (
    <Dialog open={store.helpOpen} label="Keys and help" title="Keys">
      <p class="quiet">They work in the view and in the timeline, never in a field.</p>
      <Keys rows={KEYS} />
      <h3>In the view</h3>
      <Keys rows={POINTER} />
      <label class="check">
        <input type="checkbox" checked={store.keysOn.value} onChange={() => (store.keysOn.value = !store.keysOn.value)} />
        <span>Keys are on</span>
      </label>
      <p class="quiet">
        Electret {store.version.value}. The page is made with three.js, Preact and uPlot (<a href="/licences.txt" target="_blank" rel="noreferrer">licences</a>).
      </p>
    </Dialog>
  );
}

function Keys({ rows }: { rows: [string, string][] }) {
  return (
    <dl class="keys">
      {rows.map(([key, meaning]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

export function QuitDialog() {
  return (
    <Dialog open={store.quitOpen} label="Quit" title="End the studio?">
      <p>The session is kept in the output folder.</p>
      <div class="row end">
        <button type="button" onClick={() => (store.quitOpen.value = false)}>
          Go on
        </button>
        <button type="button" class="play" onClick={quit}>
          Quit
        </button>
      </div>
    </Dialog>
  );
}

export function Notices() {
  return (
    <div class="notices" role="log" aria-label="Notices">
      {store.notices.value.map(({ id, text, severity }) => (
        <div key={id} class={`notice notice-${severity}`}>
          <Icon name={severity === "error" ? "error" : severity === "warning" ? "warning" : "note"} />
          <span>{text}</span>
          <button type="button" class="tool" aria-label="Dismiss" onClick={() => store.dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
