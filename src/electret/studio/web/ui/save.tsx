// The dialog that asks for a name to save the scene under.
import { h, useEffect, useRef, useState } from "/vendor/ui.js";
import { saveAs } from "../charges";
import { sentence } from "../connection";
import * as store from "../store";
import { Icon } from "./icons";

/** A name that no file has yet, likely; of a scene without a file its own. */
function proposed(): string {
  const { name, path } = store.scene.value ?? { name: "", path: "" };
  const stem = name.replace(/\.toml$/, "");
  return path === "" ? `${stem}.toml` : `${stem.replace(/-\d+$/, "")}-${Number(/-(\d+)$/.exec(stem)?.[1] ?? 1) + 1}.toml`;
}

/** Where the file goes. */
function place(): string {
  const path = store.scene.value?.path ?? "";
  if (path === "") return "the folder where the studio was started";
  return path.includes("/") ? path.replace(/\/[^/]*$/, "") || "/" : "the folder of the scene";
}

export function SaveDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const shown = store.saveOpen.value;
  useEffect(() => {
    if (!shown) return dialog.current?.close();
    dialog.current?.showModal();
    const field = dialog.current?.querySelector("input");
    field?.focus();
    field?.setSelectionRange(0, field.value.replace(/\.toml$/, "").length);
  }, [shown]);
  return (
    <dialog ref={dialog} aria-label="Save as" onClose={() => (store.saveOpen.value = false)}>
      <header>
        <h2>Save as</h2>
        <button type="button" class="tool" aria-label="Close" onClick={() => (store.saveOpen.value = false)}>
          <Icon name="close" />
        </button>
      </header>
      {shown && <SaveForm />}
    </dialog>
  );
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
