// The dialog that asks for a name to save the scene under.
import { h, useRef, useState } from "/vendor/ui.js";
import { saveAs } from "../charges";
import { sentence } from "../connection";
import * as store from "../store";
import { Dialog } from "./dialog";

/** A name that no file has yet, likely; of a scene without a file its own. */
function proposed(): string {
  const { name, path } = store.scene.value ?? { name: "", path: "" };
  const stem = name.replace(/\.toml$/, "");
  return path === "" ? `${stem}.toml` : `${stem.replace(/-\d+$/, "")}-${Number(/-(\d+)$/.exec(stem)?.[1] ?? 1) + 1}.toml`;
}

/** The one of relative paths. */
export const FIRST_FOLDER = "the folder where the studio was started";

/** Where the file goes. */
function place(): string {
  const path = store.scene.value?.path ?? "";
  if (path === "") return FIRST_FOLDER;
  return path.includes("/") ? path.replace(/\/[^/]*$/, "") || "/" : "the folder of the scene";
}

export function SaveDialog() {
  return (
    <Dialog open={store.saveOpen} label="Save as" onShow={beginName}>
      {store.saveOpen.value && <SaveForm />}
    </Dialog>
  );
}

function beginName(dialog: HTMLDialogElement): void {
  const field = dialog.querySelector("input");
  field?.focus();
  field?.setSelectionRange(0, field.value.replace(/\.toml$/, "").length);
}

function SaveForm() {
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(proposed);
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const isThere = fault.includes("not written over");
  const send = async (over: boolean) => {
    if (busy) return;
    setBusy(true);
    const error = await saveAs(name, over);
    setBusy(false);
    if (error === null) store.saveOpen.value = false;
    else {
      setFault(sentence(error));
      field.current?.focus();
    }
  };
  return (
    <form
      onSubmit={(event: Event) => {
        event.preventDefault();
        void send(false);
      }}
    >
      <label class="field">
        <span>Name of the file, in {place()}</span>
        <input
          ref={field}
          type="text"
          aria-label="Name of the file"
          aria-invalid={fault !== ""}
          aria-describedby="save-fault"
          spellcheck={false}
          autocomplete="off"
          value={name}
          onInput={(event: Event) => {
            setName((event.currentTarget as HTMLInputElement).value);
            setFault("");
          }}
        />
      </label>
      <p id="save-fault" class="fault" role="alert">
        {fault}
      </p>
      <div class="row end">
        <button type="button" onClick={() => (store.saveOpen.value = false)}>
          Cancel
        </button>
        {isThere && (
          <button type="button" disabled={busy} onClick={() => void send(true)}>
            Write over it
          </button>
        )}
        <button type="submit" class="play" disabled={busy}>
          Save it
        </button>
      </div>
    </form>
  );
}
