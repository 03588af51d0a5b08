// A field for a number with its unit.
import { h, useSignal } from "/vendor/ui.js";
import { fault } from "../charges";
import { parseQuantity, quantity } from "../format";

interface FieldProps {
  label: string;
  value: number;
  unit: string;
  disabled: boolean;
  /** Significant digits that are shown. */
  digits?: number;
  commit: (value: number) => void;
}

/** A number with its unit: Enter commits, Esc restores, arrows change it by 1 %, with Shift by 10 %. */
/** Many digits are shown for their own sake, without zeros behind them. */
const plainly = (text: string, digits: number) => (digits > 4 ? text.replace(/(\.\d*?)0+(?!\d)/, "$1").replace(/\.(?!\d)/, "") : text);

export function QuantityField({ label, value, unit, disabled, digits = 4, commit }: FieldProps) {
  const typed = useSignal<string | null>(null);
  const wrong = useSignal(false);
  const take = (text: string) => {
    const number = parseQuantity(text, unit);
    wrong.value = number === null;
    if (number === null) {
      const kind = { C: "charge", m: "length", s: "time" }[unit] ?? "number";
      fault.value = `“${text}” is no ${kind}: write for example 6 µ${unit}, 6u${unit} or 6e-6.`;
      return;
    }
    typed.value = null;
    commit(number);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const text = (event.currentTarget as HTMLInputElement).value;
    const factor = { ArrowUp: 0.01, ArrowDown: -0.01 }[event.key];
    if (event.key === "Enter") {
      event.preventDefault();
      take(text);
    } else if (event.key === "Escape") {
      typed.value = null;
      wrong.value = false;
      fault.value = "";
    } else if (factor !== undefined && typed.value === null && value !== 0) {
      event.preventDefault();
      commit(Number((value * (1 + (event.shiftKey ? 10 : 1) * factor)).toPrecision(6)));
    }
  };
  return (
    <input
      type="text"
      inputMode="decimal"
      aria-label={label}
      aria-invalid={wrong.value}
      disabled={disabled}
      value={typed.value ?? plainly(quantity(value, unit, digits), digits)}
      onInput={(event: Event) => (typed.value = (event.currentTarget as HTMLInputElement).value)}
      onKeyDown={onKeyDown}
      onBlur={(event: Event) => typed.value !== null && take((event.currentTarget as HTMLInputElement).value)}
    />
  );
}
