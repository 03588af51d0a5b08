// A field for a plain number.
import { h, useSignal } from "/vendor/ui.js";

interface NumberProps {
  label: string;
  value: number;
  step: string;
  min?: string;
  max?: string;
  disabled?: boolean;
  /** Significant digits that are shown. */
  digits?: number;
  /** What was typed so far; NaN where that is no number. */
  commit: (value: number) => void;
}

/** What is typed stays as it is while it is typed: "-" and "0." are no numbers yet, and the field is not to put others in their place. */
export function NumberField({ label, value, step, min, max, disabled, digits = 17, commit }: NumberProps) {
  const typed = useSignal<string | null>(null);
  const take = (event: Event) => {
    typed.value = (event.currentTarget as HTMLInputElement).value;
    commit(Number(typed.value || NaN));
  };
  const leave = () => (typed.value = null);
  const shown = Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : "";
  return <input type="number" aria-label={label} min={min} max={max} step={step} disabled={disabled} value={typed.value ?? shown} onInput={take} onChange={leave} onBlur={leave} />;
}
