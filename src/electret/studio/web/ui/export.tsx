// Export: a picture of what is seen, a movie of the past, a ray-traced picture, and the commands that repeat them.
import { computed, Fragment, h, signal, useEffect, useRef } from "/vendor/ui.js";
import type { ComponentChildren } from "/vendor/ui.js";
import { request, sentence } from "../connection";
import { commandOfMovie, commandOfPicture, fileName, saveAs, usualName } from "../exports";
import { digits, plural } from "../format";
import { beginTracing, dropTraced, newNumber, tracing } from "../kept";
import { canEncode, film, filming, stepsOf, stopFilming, whyNoMovie } from "../movie";
import type { MovieWish } from "../movie";
import * as store from "../store";
import { makeShots, sightOf, viewPixels } from "../view/control";
import { LEAST_SIDE, MOST_SIDE, whyNoSize } from "../view/shots";
import { isRun } from "./actions";
import { Icon } from "./icons";
import { NumberField } from "./number";

type Kind = "picture" | "movie" | "traced";
const KINDS: [Kind, string][] = [
  ["picture", "Picture"],
  ["movie", "Movie"],
  ["traced", "Ray-traced"],
];
const SIZES: [string, [number, number] | null][] = [
  ["as the view", null],
  ["1280 × 720", [1280, 720]],
  ["1920 × 1080", [1920, 1080]],
  ["3840 × 2160", [3840, 2160]],
  ["2000 × 2000", [2000, 2000]],
];

const kind = signal<Kind>("picture");
const size = signal<[number, number]>([1280, 720]);
const name = signal("");
const scales = signal(true);
const time = signal(true);
const floor = signal(true);
const range = signal<{ from: number; to: number; speed: number; rate: number }>({ from: 0, to: 0, speed: 1, rate: 30 });
const fault = signal("");
const busy = signal(false);

const ornaments = () => ({ scales: scales.value, time: time.value });
const movieWish = computed<MovieWish>(() => ({ width: size.value[0], height: size.value[1], ...range.value, ornaments: ornaments() }));
const isTracing = computed(() => tracing.value !== null && !tracing.value.blob && !tracing.value.error);
const isBusy = computed(() => busy.value || filming.value !== null || isTracing.value);

/** Opens the dialog with what fits what is shown. */
export function openExport(): void {
  const last = store.run.value?.recorded.last ?? 0;
  if (!isBusy.value) {
    if (size.value[0] === 1280 && size.value[1] === 720) size.value = viewPixels();
    name.value = usualName();
    if (range.value.to === 0 || range.value.to > last) range.value = { ...range.value, from: 0, to: last };
    fault.value = "";
    dropTraced();
  }
  store.exportOpen.value = true;
}

export function ExportDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const shown = store.exportOpen.value && store.system.value !== null;
  useEffect(() => {
    if (shown) dialog.current?.showModal();
    else dialog.current?.close();
  }, [shown]);
  return (
    <dialog ref={dialog} class="export" aria-label="Export" onClose={() => (store.exportOpen.value = false)}>
      {shown && <Content />}
    </dialog>
  );
}

function Content() {
  const chosen = kind.value;
  return (
    <>
      <header>
        <h2>Export</h2>
        <button type="button" class="tool" aria-label="Close" onClick={() => (store.exportOpen.value = false)}>
          <Icon name="close" />
        </button>
      </header>
      <div class="kinds" role="group" aria-label="What is exported">
        {KINDS.filter(([each]) => each !== "movie" || canEncode).map(([each, label]) => (
          <button type="button" key={each} aria-pressed={each === chosen} disabled={isBusy.value} onClick={() => choose(each)}>
            {label}
          </button>
        ))}
      </div>
      <p class="quiet">{ABOUT[chosen]}</p>
      <SizeFields />
      {chosen === "movie" && <RangeFields />}
      <div class="checks">
        {chosen !== "traced" && <Flag of={scales} label="Colour scale, scale bar and axes" />}
        <Flag of={time} label={chosen === "traced" ? "Time, and scale of charges" : "Time"} />
        {chosen === "traced" && <Flag of={floor} label="Floor with shadows" />}
      </div>
      <label class="field">
        <span>Name of the file</span>
        <input type="text" aria-label="Name of the file" value={name.value} maxLength={120} onInput={(event: Event) => (name.value = text(event))} />
      </label>
      {fault.value && (
        <p class="fault" role="alert">
          {fault.value}
        </p>
      )}
      <Action />
      {chosen === "traced" && <Traced />}
      <CommandLines />
    </>
  );
}

const ABOUT: Record<Kind, string> = {
  picture: "What the view shows, as PNG, with nothing left out.",
  movie: "The past as WebM: each picture is seen from the time of its step on.",
  traced: "The present step with light and shadows, as PNG. The scene runs on meanwhile.",
};

function choose(wanted: Kind): void {
  kind.value = wanted;
  fault.value = "";
}

const text = (event: Event) => (event.currentTarget as HTMLInputElement).value;

function Flag({ of, label }: { of: { value: boolean }; label: string }) {
  return (
    <label class="check">
      <input type="checkbox" checked={of.value} onChange={() => (of.value = !of.value)} />
      <span>{label}</span>
    </label>
  );
}

function SizeFields() {
  const [width, height] = size.value;
  const at = SIZES.findIndex(([, each]) => each !== null && each[0] === width && each[1] === height);
  const onChange = (event: Event) => (size.value = SIZES[(event.currentTarget as HTMLSelectElement).selectedIndex]?.[1] ?? viewPixels());
  return (
    <div class="sizes">
      <label class="field">
        <span>Size</span>
        <select aria-label="Size" onChange={onChange}>
          {SIZES.map(([label], k) => (
            <option key={label} selected={k === (at > 0 ? at : 0)}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {["Width", "Height"].map((label, k) => (
        <label class="field" key={label}>
          <span>{label}</span>
          <NumberField label={`${label}, pixels`} min={String(LEAST_SIDE)} max={String(MOST_SIDE)} step="1" value={size.value[k]} commit={(value) => (size.value = k === 0 ? [value, height] : [width, value])} />
        </label>
      ))}
    </div>
  );
}

const RANGE: [keyof typeof range.value, string, string][] = [
  ["from", "First", "1"],
  ["to", "Last", "1"],
  ["speed", "Speed, × real", "any"],
  ["rate", "Pictures a second", "1"],
];

function RangeFields() {
  const why = whyNoMovie(movieWish.value);
  const { from, to, speed } = range.value;
  const word = isRun() ? "frame" : "step";
  return (
    <>
      <div class="sizes">
        {RANGE.map(([key, label, step]) => (
          <label class="field" key={key}>
            <span>{key === "from" || key === "to" ? `${label} ${word}` : label}</span>
            <NumberField label={`${label.replace(/,.*/, "")} of the movie`} min="0" step={step} value={range.value[key]} commit={(value) => (range.value = { ...range.value, [key]: value })} />
          </label>
        ))}
      </div>
      <p class="quiet">{why || `${plural(stepsOf(movieWish.value).length, "picture")}, ${digits((store.timeOf(to) - store.timeOf(from)) / speed)} s`}</p>
    </>
  );
}

/** The button of what is chosen, and how far it is. */
function Action() {
  const why = whyNoSize(...size.value) || (kind.value === "movie" ? whyNoMovie(movieWish.value) : "");
  const label = { picture: "Save the picture", movie: "Make the movie", traced: "Trace the picture" }[kind.value];
  const act = { picture: savePicture, movie: makeMovie, traced: trace }[kind.value];
  const now = filming.value ?? (isTracing.value ? tracing.value : null);
  return (
    <>
      {whyNoSize(...size.value) && <p class="fault">{whyNoSize(...size.value)}</p>}
      <div class="row">
        <button type="button" class="play" disabled={why !== "" || isBusy.value} onClick={() => void act()}>
          {label}
        </button>
        {now && <progress aria-label="Progress" max={now.total} value={now.done} />}
        {now && (
          <button type="button" onClick={filming.value ? stopFilming : () => void request("stop-tracing")}>
            Stop
          </button>
        )}
      </div>
    </>
  );
}

/** Does something whose failure is said. */
async function attempt(what: () => Promise<void>): Promise<void> {
  fault.value = "";
  busy.value = true;
  try {
    await what();
  } catch (error) {
    fault.value = sentence(error instanceof Error ? error.message : String(error));
  }
  busy.value = false;
}

function savePicture(): Promise<void> {
  return attempt(async () => {
    const shots = makeShots(...size.value);
    try {
      shots.draw(ornaments());
      saveAs(await shots.png(), fileName(name.value, "png"));
      store.spoken.value = "Picture made";
    } finally {
      shots.dispose();
    }
  });
}

function makeMovie(): Promise<void> {
  return attempt(async () => {
    const movie = await film(movieWish.value);
    if (movie) saveAs(movie, fileName(name.value, "webm"));
    store.spoken.value = movie ? "Movie made" : "The movie was stopped";
  });
}

function trace(): Promise<void> {
  return attempt(async () => {
    const [width, height] = size.value;
    const sight = sightOf(width, height);
    if (!sight) throw new Error("This browser gives no WebGL 2.");
    if (store.scalarName.value === store.GRADIENT) throw new Error("A ray-traced picture does not show the gradient: colour by something else.");
    const number = newNumber();
    const { low, high } = store.range.value;
    beginTracing(number, height);
    const error = await request("trace", { number, width, height, ...sight, low, high, springs: store.show.value.springs, no_ground: !floor.value, no_labels: !time.value });
    if (error === null) return;
    dropTraced();
    throw new Error(error);
  });
}

/** The ray-traced picture, or why there is none. */
function Traced() {
  const now = tracing.value;
  if (now?.error) {
    return (
      <p class="fault" role="alert">
        {sentence(now.error)}
      </p>
    );
  }
  const blob = now?.blob;
  if (!now || !blob) return null;
  return (
    <figure class="traced">
      <img src={now.url} alt="The ray-traced picture" />
      <div class="row">
        <button type="button" onClick={() => saveAs(blob, fileName(name.value, "png"))}>
          Save the traced picture
        </button>
      </div>
    </figure>
  );
}

function CommandLines() {
  const [width, height] = size.value;
  store.shownStep.value;
  if (whyNoSize(width, height)) return null;
  if (kind.value === "movie" && whyNoMovie(movieWish.value)) return null;
  const flags = [...(store.show.value.springs ? ["--springs"] : []), ...(floor.value ? [] : ["--no-ground"]), ...(time.value ? [] : ["--no-labels"])];
  const steps = kind.value === "movie" ? stepsOf(movieWish.value) : [];
  const lines = kind.value === "movie" ? commandOfMovie(width & ~1, height & ~1, { ...range.value, every: steps[1] - steps[0] || 1 }) : commandOfPicture(width, height, flags);
  return <Lines lines={lines}>{kind.value === "traced" ? "The command that draws it" : "The command that draws it by rays"}</Lines>;
}

function Lines({ lines, children }: { lines: string[]; children: ComponentChildren }) {
  return (
    <div class="lines">
      <h3 id="export-lines">{children}</h3>
      <pre tabIndex={0} role="textbox" aria-readonly="true" aria-multiline="true" aria-labelledby="export-lines">
        {lines.join("\n")}
      </pre>
      {store.scalarName.value !== "charge" && <p class="quiet">The command colours by charge.</p>}
    </div>
  );
}
