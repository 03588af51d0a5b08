// Bands above the view (a break, an old picture, a divergence) and panels over it (progress, empty start).
import { h } from "/vendor/ui.js";
import { clash, save } from "../charges";
import { command, sentence } from "../connection";
import { count, plural } from "../format";
import * as store from "../store";
import { oneSecondBack, open, reset, stop } from "./actions";
import { Icon } from "./icons";
import { Start } from "./start";

export function Bands() {
  const state = store.run.value?.state;
  const broken = state === "broken";
  return (
    <div class="bands">
      {store.link.value === "reconnecting" && (
        <div class="band band-warning" role="status">
          <Icon name="warning" /> <strong>Reconnecting …</strong> The picture is the last one that came.
        </div>
      )}
      {((broken && store.system.value) || store.draftIsWrong.value) && (
        <div class="band band-error">
          <Icon name="error" /> <strong>Showing the last good scene.</strong> The text has findings.
        </div>
      )}
      {state !== "loading" && (store.scene.value?.waiting.length ?? 0) > 0 && <Waiting />}
      {store.earlier.value && state !== "loading" && state !== "rewinding" && <EarlierSession />}
      {store.changedFiles.value.length > 0 && <Changed />}
      {state === "diverged" && <Diverged />}
      {clash.value && <Clash />}
      {store.savedCopy.value && state !== "loading" && <SavedCopy />}
    </div>
  );
}

/** What an earlier start of the studio left. */
function EarlierSession() {
  const earlier = store.earlier.value;
  if (!earlier) return null;
  const { path, steps, cut, edited, damage } = earlier;
  return (
    <div class={damage ? "band band-warning" : "band"} role="status">
      <Icon name={damage ? "warning" : "note"} />
      <span>
        <strong>An earlier session {damage ? "is damaged" : cut ? "was cut off" : "is here"}</strong> ({plural(steps, "step", "steps")}
        {edited ? ", with edits that are not in the file" : ""}).{" "}
        {damage ? `It cannot be taken up, and stays in its folder: ${damage}` : "Without it, the first step moves it aside."}
      </span>
      {!damage && (
        <button type="button" title={path} onClick={() => void command("take-up")}>
          Go on with it
        </button>
      )}
      <button type="button" title={path} onClick={() => void command("leave-earlier")}>
        {damage ? "Close" : "Begin anew"}
      </button>
    </div>
  );
}

function Waiting() {
  return (
    <div class="band">
      <Icon name="note" />
      <span>
        <strong>At reset.</strong> Some of the text needs the scene to start anew: {store.scene.value?.waiting.slice(0, 4).join(", ")}
        {(store.scene.value?.waiting.length ?? 0) > 4 ? " …" : ""}
      </span>
      <button type="button" onClick={reset}>
        Reset now
      </button>
    </div>
  );
}

/** Files that something else has written since the scene was read. */
function Changed() {
  const files = store.changedFiles.value;
  const own = files.some(({ path }) => path === store.scene.value?.path);
  const names = files.map(({ path, gone }) => `${path.replace(/^.*\//, "")}${gone ? " (gone)" : ""}`);
  return (
    <div class="band band-warning" role="alert">
      <Icon name="warning" />
      <span>
        <strong>Changed on disk: {names.slice(0, 3).join(", ")}{names.length > 3 ? ` and ${names.length - 3} more` : ""}.</strong>{" "}
        {own && store.scene.value?.unsaved ? "Reload starts the scene anew; Undo then brings edits back that are not saved." : "Reload starts the scene anew."}
      </span>
      <button type="button" onClick={() => void command("reload")}>
        Reload
      </button>
      <button type="button" onClick={() => void command("keep")}>
        Keep what is open
      </button>
    </div>
  );
}

function Clash() {
  return (
    <div class="band band-warning" role="alert">
      <Icon name="warning" />
      <span>
        <strong>Not saved.</strong> Something else has changed the file since it was read.
      </span>
      <button type="button" onClick={() => void save(true)}>
        Write over it
      </button>
      <button type="button" onClick={() => (clash.value = false)}>
        Leave it
      </button>
    </div>
  );
}

/** What was saved under another name beside what is open. */
function SavedCopy() {
  const saved = store.savedCopy.value;
  if (!saved) return null;
  const { path, copy, tables } = saved;
  const close = () => (store.savedCopy.value = null);
  return (
    <div class="band" role="status">
      <Icon name="note" />
      <span>
        <strong>Saved as {path}</strong>
        {tables.length > 0 ? `, with its charges in ${tables.join(", ")}` : ""}. What is open is still {store.scene.value?.name}.
      </span>
      <button type="button" onClick={() => (close(), open(copy))}>
        Open it
      </button>
      <button type="button" onClick={close}>
        Stay here
      </button>
    </div>
  );
}

function Diverged() {
  const run = store.run.value;
  return (
    <div class="band band-error" role="alert">
      <Icon name="error" />
      <span>
        <strong>Diverged.</strong> {run?.reason ? sentence(run.reason) : ""} {run?.advice ? sentence(run.advice) : ""}
      </span>
      <button type="button" onClick={oneSecondBack}>
        One second back
      </button>
      <button type="button" onClick={reset}>
        Reset
      </button>
    </div>
  );
}

/** What lies over the view when there is no picture to look at. */
export function Overlay() {
  const link = store.link.value;
  const state = store.run.value?.state;
  if (link === "refused") return <Message title="This page may not talk to the studio" text="Its address lacks the studio's token, or the studio was started anew. Open the address that electret studio printed." />;
  if (link === "other-version") return <Message title="The studio has another version" text="Reload this page." />;
  if (link === "full") return <Message title="Four pages are open already" text="The studio takes no more at a time. This one comes in when another is closed." />;
  if (link === "ended") return <Message title="The studio has ended" text="The session is kept. This page can be closed." />;
  if (link === "connecting" && !store.system.value) return <Message title="Connecting …" text="" />;
  if (state === "loading" || state === "rewinding") return <Progress />;
  if (state === "empty") return <Start />;
  if (state === "broken" && !store.system.value) {
    return <Message title="The scene cannot be shown yet" text="Its findings are listed below; a click shows the line." />;
  }
  return null;
}

function Message({ title, text }: { title: string; text: string }) {
  return (
    <div class="centre" role="status">
      <h2>{title}</h2>
      {text && <p>{text}</p>}
    </div>
  );
}

function Progress() {
  const now = store.progress.value;
  const known = now !== null && now.total > 0;
  const back = store.run.value?.state === "rewinding";
  return (
    <div class={`progress${store.system.value ? " small" : " centre"}`}>
      <p>{now?.what ?? (back ? "going back" : `reading ${store.scene.value?.name ?? "the scene"}`)}</p>
      {known ? <progress aria-label="Progress" max={now.total} value={now.done} /> : <progress aria-label="Progress" />}
      <div class="row">
        <span class="quiet">{known ? `${count(now.done)} of ${count(now.total)}` : ""}</span>
        <button type="button" onClick={stop}>
          Stop
        </button>
      </div>
    </div>
  );
}
