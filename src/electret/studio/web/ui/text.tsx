// The scene's text in an editor, with findings beside the lines; what is typed is applied by Ctrl+Enter.
import { h, useEffect, useRef, useState } from "/vendor/ui.js";
import { openSaveAs, save } from "../charges";
import { apply, discard, editorText, isStale, opened, rebase, typed } from "../drafts";
import { plural } from "../format";
import * as store from "../store";
import { makeEditor } from "./editor";
import type { Editor } from "./editor";
import { isOfScene } from "./findings";
import { Icon } from "./icons";

/** The editor outlives its pane: what is typed, the cursor and its own undo stay. */
let editor: Promise<Editor> | null = null;
let shown = -1;

function openEditor(): Promise<Editor> {
  return (editor ??= makeEditor("Text of the scene", {
    changed: typed,
    moved: (line) => (store.editing.value = { ...store.editing.value, line }),
    apply: () => void apply(),
    save: () => void applyAndSave(),
    saveAs: () => void apply().then((done) => done && openSaveAs()),
  }));
}

/** Shows the text as it is; that of another scene without what could be undone before. */
function fill(made: Editor): void {
  if (!store.scene.value) return;
  made.setText(editorText(), opened !== shown);
  shown = opened;
}

async function applyAndSave(): Promise<void> {
  if ((await apply()) && (store.scene.value?.unsaved || store.scene.value?.path === "")) await save();
}

export function Text() {
  const place = useRef<HTMLDivElement>(null);
  const [pane, setPane] = useState<Editor | null>(null);
  const document = store.scene.value;
  const draft = store.draft.value;
  const findings = store.findings.value;
  const wanted = store.textLine.value;
  const isRun = store.system.value?.run ?? false;
  useEffect(() => {
    let gone = false;
    void openEditor().then((made) => {
      if (gone || !place.current) return;
      fill(made);  // Before anything can be typed.
      place.current.append(made.host);
      setPane(made);
    });
    return () => (gone = true);
  }, []);
  useEffect(() => {
    if (!pane || !document) return;
    fill(pane);
    pane.setReadOnly(isRun);
  }, [pane, document?.text, document?.path, document?.name, draft?.text, isRun]);
  useEffect(() => {
    if (!pane) return;
    const own = findings.filter(isOfScene);
    pane.setFindings(own);
    store.editing.value = { ...store.editing.value, marks: own.length };
  }, [pane, findings, document?.path]);
  useEffect(() => {
    if (pane && wanted) pane.goTo(wanted.line, wanted.column);
  }, [pane, wanted]);
  return (
    <div class="text-pane">
      {!isRun && <TextBar />}
      <div class="text-place" ref={place} />
    </div>
  );
}

/** What the draft would do, and what can be done with it. */
function TextBar() {
  const draft = store.draft.value;
  const stale = isStale();
  return (
    <div class="text-bar">
      <span class="text-says" role="status">
        <Says />
      </span>
      {draft && stale && (
        <button type="button" title="Keep what is typed here; applied, it takes the place of the other text" onClick={rebase}>
          Keep mine
        </button>
      )}
      {draft && (
        <button type="button" title="Show the scene's text again" onClick={discard}>
          {stale ? "Take the other" : "Discard"}
        </button>
      )}
      <button type="button" class="play" title="Apply the text (Ctrl+Enter)" disabled={!draft || stale || store.applying.value || store.draftIsWrong.value} onClick={() => void apply()}>
        Apply
      </button>
    </div>
  );
}

const EFFECTS: Record<string, string> = {
  nothing: "Changes no value",
  live: "Live: acts from the next step on",
  reset: "At reset",
  load: "Loads the scene",
};

function Says() {
  const draft = store.draft.value;
  const said = store.checked.value;
  const waiting = store.scene.value?.waiting ?? [];
  if (!draft) {
    if (waiting.length > 0) return <span>At reset: <Keys keys={waiting} /></span>;
    return <span class="quiet">{store.scene.value?.unsaved ? "Applied, not saved" : store.scene.value?.path ? "As in the file" : "Not in a file"}</span>;
  }
  if (isStale()) return <span class="warned"><Icon name="warning" /> The scene's text has been changed since this was typed.</span>;
  if (!said) return <span class="quiet">{store.applying.value ? "Applying …" : "Checking …"}</span>;
  const errors = said.findings.filter((each) => each.severity === "error").length;
  if (errors > 0) {
    return (
      <span class="wrong">
        <Icon name="error" /> {plural(errors, "error", "errors")}: nothing is applied. F8 goes to the next.
      </span>
    );
  }
  return (
    <span>
      <span class="badge">{EFFECTS[said.effect] ?? ""}</span> {said.effect === "reset" && <Keys keys={said.waiting} />}
    </span>
  );
}

function Keys({ keys }: { keys: string[] }) {
  return <code class="keys-named">{keys.slice(0, 4).join(", ")}{keys.length > 4 ? " …" : ""}</code>;
}
