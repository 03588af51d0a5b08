// Fields of what the scene is compiled with: numbers, words and formulas, with what an edit of each does.
import { h, signal, useSignal } from "/vendor/ui.js";
import type { ComponentChildren } from "/vendor/ui.js";
import { digits, parseQuantity, quantity, seconds, signed } from "../format";
import type { Effect, FieldRow, FieldTable, SystemFacts } from "../protocol";
import * as store from "../store";
import { faults, fieldTables, isTomlNumber, newGesture, numberOf, PLACES, placeOn, sayFault, sceneChanges, schema, spanAbout, textOf, tune, valueOn, vectorOf } from "../tune";
import type { Span, Wanted } from "../tune";
import { canEdit } from "./tools";

/** Tables that are open before anybody has opened or closed them. */
const OPEN_FIRST = ["time", "gravity", "body.springs", "body.material", "electric_field", "obstacle", "external_charge"];
const opened = signal<Record<string, boolean>>({});
const MORE = "more";

/** Those of what is selected; of nothing, those of the scene, and of its only body. */
function tablesFor(system: SystemFacts): FieldTable[] {
  const chosen = store.selection.value;
  const body = chosen?.kind === "body" ? chosen.index : chosen?.kind === "group" ? system.groups[chosen.index]?.body : undefined;
  const isOf = (prefix: string) => (each: FieldTable) => each.key === prefix || each.key.startsWith(`${prefix}.`);
  const all = fieldTables.value;
  if (body !== undefined) return all.filter(isOf(`body.${body}`));
  if (chosen?.kind === "external") return all.filter(isOf(`external_charge.${chosen.index}`));
  if (chosen?.kind === "obstacle") return all.filter(isOf(`obstacle.${chosen.index}`));
  if (chosen?.kind === "field") return all.filter(isOf(`electric_field.${chosen.index}`));
  const whole = all.filter((each) => !/^(body|obstacle|external_charge)\./.test(each.key));
  return system.bodies.length === 1 ? [...all.filter(isOf("body.0")), ...whole] : whole;
}

export function TunePanel({ system }: { system: SystemFacts }) {
  if (system.run) return null;
  const tables = tablesFor(system).filter((each) => schema.value.has(each.table));
  if (tables.length === 0) return null;
  return (
    <section aria-label="Tune">
      <h2>Tune</h2>
      {tables.map((each) => (
        <Table key={each.key} table={each} />
      ))}
      <Changes />
    </section>
  );
}

function Table({ table }: { table: FieldTable }) {
  const about = schema.value.get(table.table);
  const isOpen = opened.value[table.key] ?? OPEN_FIRST.includes(table.table);
  const flip = () => (opened.value = { ...opened.value, [table.key]: !isOpen });
  if (!about) return null;
  const label = table.label.charAt(0).toUpperCase() + table.label.slice(1).replace(/_/g, " ");
  const isWritten = (row: FieldRow) => row.key in table.values || row.kind === "numbers";
  const others = about.rows.filter((row) => !isWritten(row));
  const showsMore = opened.value[`${table.key} ${MORE}`] ?? others.length === about.rows.length;
  return (
    <div class="tune-table">
      <button type="button" class="entry" aria-expanded={isOpen} title={about.about} onClick={flip}>
        <span class="fold" aria-hidden="true">
          {isOpen ? "▾" : "▸"}
        </span>
        <span class="name">{label}</span>
      </button>
      {isOpen && (
        <div class="tune-rows">
          {about.rows.filter(isWritten).map((row) => (
            <Rows key={row.key} table={table} row={row} />
          ))}
          {showsMore && others.map((row) => <Rows key={row.key} table={table} row={row} />)}
          {others.length > 0 && (
            <button type="button" class="link" aria-expanded={showsMore} onClick={() => (opened.value = { ...opened.value, [`${table.key} ${MORE}`]: !showsMore })}>
              {showsMore ? "Fewer" : `${others.length} more`}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** One row, or one for each of named numbers. */
function Rows({ table, row }: { table: FieldTable; row: FieldRow }) {
  if (row.kind !== "numbers") return <Row table={table} row={row} name={row.key} />;
  const names = Object.keys(table.values).filter((each) => each.startsWith(`${row.key}.`));
  return (
    <div>
      {names.map((name) => (
        <Row key={name} table={table} row={{ ...row, kind: "number" }} name={name} />
      ))}
    </div>
  );
}

const EFFECTS: Record<Effect, [string, string]> = {
  input: ["input", "Acts at the next step"],
  live: ["live", "Acts from the next step on: the scene is compiled anew, and positions, velocities and time go on"],
  reset: ["at reset", "Goes into the text now, and into the scene when it starts anew"],
};

/** What an edit will do, before it is made. */
function Badge({ id, effect, waits }: { id: string; effect: Effect; waits: boolean }) {
  const [words, title] = EFFECTS[effect];
  const ms = store.system.value?.rebuild_ms ?? 0;
  const takes = effect === "live" && ms >= 50 ? `, built anew (${digits(ms / 1000, 1)} s)` : "";
  return (
    <span id={id} class={`effect effect-${waits ? "reset" : effect}`} title={title}>
      {waits ? "waits for reset" : words + takes}
    </span>
  );
}

function Row({ table, row, name }: { table: FieldTable; row: FieldRow; name: string }) {
  const key = `${table.key}.${name}`;
  const id = `tune-${key}`.replace(/[^\w-]/g, "-");
  const fault = faults.value[key];
  const waits = (store.scene.value?.waiting ?? []).some((each) => each === key || key.startsWith(`${each}.`));
  const label = `${name.replace(/^constants\./, "").replace(/_/g, " ")}`;
  const field: FieldProps = { id, name: `${label} of ${table.label}`, row, toml: table.values[name], fault, send: (what, gesture) => tune(key, what, gesture), say: (text) => sayFault(key, text) };
  return (
    <div class="tune-row">
      <div class="tune-head">
        <span class="tune-name" title={row.about}>
          {label}
        </span>
        <Badge id={`${id}-effect`} effect={row.effect} waits={waits} />
      </div>
      <Field {...field} />
      {fault && (
        <p class="fault" role="alert" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

interface FieldProps {
  id: string;
  name: string;
  row: FieldRow;
  /** What is written; undefined without it. */
  toml: string | undefined;
  fault: string | undefined;
  send: (what: Wanted, gesture?: number) => Promise<boolean>;
  say: (text: string) => void;
}

function Field(field: FieldProps): ComponentChildren {
  switch (field.row.kind) {
    case "choice":
      return <ChoiceField {...field} />;
    case "flag":
      return <FlagField {...field} />;
    case "vector":
      return <VectorField {...field} />;
    case "number":
    case "whole":
      return <NumberField {...field} />;
    default:
      return <TextField {...field} />;
  }
}

const described = ({ id, fault }: FieldProps) => (fault ? `${id}-effect ${id}-fault` : `${id}-effect`);

function ChoiceField(field: FieldProps) {
  const { row, toml, name, send } = field;
  const now = toml === undefined ? null : textOf(toml);
  const onChange = (event: Event) => {
    const { value } = event.currentTarget as HTMLSelectElement;
    void send({ value: value === "" ? null : value });
  };
  return (
    <select aria-label={name} aria-describedby={described(field)} disabled={!canEdit()} value={now ?? ""} onChange={onChange}>
      {(row.default !== "" || now === null) && <option value="">{row.default ? `${textOf(row.default)} (default)` : "not set"}</option>}
      {now !== null && !row.choices.includes(now) && <option value={now}>{now}</option>}
      {row.choices.map((each) => (
        <option key={each} value={each} selected={each === now}>
          {each}
        </option>
      ))}
    </select>
  );
}

function FlagField(field: FieldProps) {
  const on = (field.toml ?? field.row.default) === "true";
  return (
    <label class="check">
      <input type="checkbox" aria-label={field.name} aria-describedby={described(field)} disabled={!canEdit()} checked={on} onChange={() => void field.send({ value: !on })} />
      <span>{on ? "yes" : "no"}</span>
    </label>
  );
}

/** A text field that keeps what is typed until it is taken: Enter commits, Esc restores, empty removes the key. */
function Typed({ field, shown, label, read, nudge }: { field: FieldProps; shown: string; label?: string; read: (text: string) => Wanted | string; nudge?: (factor: number) => Wanted | null }) {
  const typed = useSignal<string | null>(null);
  const take = async (text: string) => {
    const wanted = text.trim() === "" && field.toml !== undefined ? { value: null } : read(text);
    if (typeof wanted === "string") return field.say(wanted);
    if ((await field.send(wanted)) && typed.value === text) typed.value = null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const factor = { ArrowUp: 0.01, ArrowDown: -0.01 }[event.key];
    if (event.key === "Enter") {
      event.preventDefault();
      void take(typed.value ?? shown);
    } else if (event.key === "Escape") {
      typed.value = null;
      field.say("");
    } else if (factor !== undefined && typed.value === null && nudge) {
      const wanted = nudge(1 + (event.shiftKey ? 10 : 1) * factor);
      if (!wanted) return;
      event.preventDefault();
      void field.send(wanted);
    }
  };
  return (
    <input
      type="text"
      aria-label={label ?? field.name}
      aria-describedby={described(field)}
      aria-invalid={typed.value !== null && field.fault !== undefined}
      disabled={!canEdit()}
      placeholder={field.row.default || (field.toml === undefined ? "not set" : "")}
      value={typed.value ?? shown}
      onInput={(event: Event) => (typed.value = (event.currentTarget as HTMLInputElement).value)}
      onKeyDown={onKeyDown}
      onBlur={() => typed.value !== null && typed.value !== shown && void take(typed.value)}
    />
  );
}

const plainly = (text: string) => text.replace(/(\.\d*?)0+(?!\d)/, "$1").replace(/\.(?!\d)/, "");

/** What a text means for a number's row; a text says what is wrong. */
function readNumber(text: string, row: FieldRow): Wanted | string {
  const trimmed = text.trim();
  if (row.choices.includes(trimmed)) return { value: trimmed };
  if (isTomlNumber(trimmed)) return { toml: trimmed };
  const number = parseQuantity(trimmed, row.unit);
  if (number === null) return `“${trimmed}” is no number: write for example 20${row.unit ? ` ${row.unit}` : ""} or 2e1.`;
  return row.kind === "whole" ? { toml: String(number) } : { value: number };
}

function NumberField(field: FieldProps) {
  const { row, toml, send } = field;
  const held = useSignal<number | null>(null);
  const now = held.value ?? numberOf(toml);
  const shown = now !== null ? plainly(quantity(now, row.unit, 6)) : toml !== undefined ? textOf(toml) : "";
  const stepped = (factor: number): Wanted | null => {
    if (now === null || now === 0) return null;
    const next = Number((now * factor).toPrecision(6));
    if (row.kind !== "whole") return { value: next };
    return { toml: String(Math.round(next) === now ? now + (factor > 1 ? 1 : -1) : Math.round(next)) };
  };
  return (
    <div class="tune-number">
      <Typed field={field} shown={shown} read={(text) => readNumber(text, row)} nudge={stepped} />
      {row.effect !== "reset" && now !== null && <Slider field={field} now={now} held={held} send={send} />}
    </div>
  );
}

/** Logarithmic where the number cannot be negative; its span stays while it is moved. */
function Slider({ field, now, held, send }: { field: FieldProps; now: number; held: { value: number | null }; send: FieldProps["send"] }) {
  const { row } = field;
  const span = useSignal<Span | null>(null);
  const gesture = useSignal(0);
  const fits = span.value && now >= span.value.low && now <= span.value.high;
  const shown = fits && span.value ? span.value : spanAbout(row, now);
  const slide = (event: Event) => {
    if (gesture.value === 0) {
      gesture.value = newGesture();
      span.value = shown;
    }
    const value = valueOn(span.value ?? shown, Number((event.currentTarget as HTMLInputElement).value));
    held.value = row.kind === "whole" ? Math.round(value) : value;
    const mine = gesture.value;
    void send(row.kind === "whole" ? { toml: String(held.value) } : { value: held.value }, mine).then(() => {
      if (gesture.value === 0) held.value = null;
    });
  };
  const release = () => {
    gesture.value = 0;
  };
  return (
    <input
      type="range"
      aria-label={`Slider of ${field.name}`}
      aria-describedby={described(field)}
      aria-valuetext={quantity(now, row.unit)}
      min="0"
      max={String(PLACES)}
      step="1"
      disabled={!canEdit() || shown.high <= shown.low}
      value={String(placeOn(shown, now))}
      onInput={slide}
      onChange={release}
    />
  );
}

function VectorField(field: FieldProps) {
  const { row, toml, name } = field;
  const now = vectorOf(toml);
  const read = (axis: number) => (text: string) => {
    const number = parseQuantity(text, row.unit) ?? numberOf(text.trim());
    if (number === null) return `“${text.trim()}” is no number: write for example 9.81${row.unit ? ` ${row.unit}` : ""}.`;
    return { value: [0, 1, 2].map((k) => (k === axis ? number : now?.[k] ?? 0)) };
  };
  return (
    <div class="tune-vector">
      {["x", "y", "z"].map((axis, k) => (
        <Typed key={axis} field={{ ...field, toml: undefined, row: { ...row, default: "–" } }} label={`${axis}: ${name}`} shown={now ? plainly(digits(now[k], 6)).replace("\u2212", "-") : ""} read={read(k)} />
      ))}
      {row.unit && <span class="quiet">{row.unit}</span>}
    </div>
  );
}

/** Formulas, and what is typed as it stands in the file. */
function TextField(field: FieldProps) {
  const isFormula = field.row.kind === "text";
  const shown = isFormula ? textOf(field.toml) : field.toml ?? "";
  return <Typed field={field} shown={shown} read={(text) => (isFormula ? { value: text } : { toml: text.trim() })} />;
}

/** What edits have done while the scene ran, with the energy that each gained. */
function Changes() {
  const { all, changes } = sceneChanges.value;
  if (changes.length === 0) return null;
  return (
    <div class="tune-changes">
      <h3>Changes{all > 5 ? `, the last 5 of ${all}` : ""}</h3>
      <ul>
        {changes.slice(-5).map((each) => (
          <li key={each.step}>
            <span class="quiet">{seconds(each.time)} s</span> <span class="what">{each.set.slice(0, 3).join(", ")}{each.set.length > 3 ? " …" : ""}</span>{" "}
            <span title="What it gained at the same positions and velocities: work of key-frames">{each.energy === null ? "from the next step on" : signed(each.energy, "J")}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
