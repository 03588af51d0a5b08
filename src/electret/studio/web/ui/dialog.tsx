// A dialog over the page: Esc and a button close it.
import { h, useEffect, useRef } from "/vendor/ui.js";
import type { ComponentChildren } from "/vendor/ui.js";
import { Icon } from "./icons";

interface Props {
  /** Whether it is wanted; closing it unsets this. */
  open: { value: boolean };
  label: string;
  /** What stands above it, if that is not the label. */
  title?: string;
  class?: string;
  /** Called when it is there. */
  onShow?: (dialog: HTMLDialogElement) => void;
  children: ComponentChildren;
}

export function Dialog({ open, label, title, onShow, children, ...rest }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const shown = open.value;
  const close = () => (open.value = false);
  useEffect(() => {
    const element = dialog.current;
    if (!shown || !element) return element?.close();
    element.showModal();
    onShow?.(element);
  }, [shown]);
  return (
    <dialog ref={dialog} aria-label={label} onClose={close} {...rest}>
      <header>
        <h2>{title ?? label}</h2>
        <button type="button" class="tool" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
