// Export: a picture of what is seen, a movie of the past, a ray-traced picture, the session as a run, and the commands that repeat them.
import { computed, Fragment, h, signal } from "/vendor/ui.js";
import type { ComponentChildren } from "/vendor/ui.js";
import { request, sentence } from "../connection";
import { commandOfMovie, commandOfPicture, commandOfRun, fileName, partsOf, saveAs, usualName } from "../exports";
import { digits, plural } from "../format";
import { beginTracing, dropTraced, newNumber, tracing } from "../kept";
import { canEncode, film, filming, stepsOf, stopFilming, whyNoMovie } from "../movie";
import type { MovieWish } from "../movie";
import * as store from "../store";
import { makeShots, sightOf, viewPixels } from "../view/control";
import { LEAST_SIDE, MOST_SIDE, whyNoSize } from "../view/shots";
import { isRun, open } from "./actions";
import { Dialog } from "./dialog";
import { NumberField } from "./number";
import { FIRST_FOLDER } from "./save";

type Kind = "picture" | "movie" | "traced" | "run";
const KINDS: [Kind, string][] = [
  ["picture", "Picture"],
  ["movie", "Movie"],
  ["traced", "Ray-traced"],
  ["run", "Run"],
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
const runName = signal("");
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
const isRecording = computed(() => store.recording.value?.going ?? false);
/** Whether this kind can be had of what is open. */
const hasKind = (each: Kind) => (each === "movie" ? canEncode : each !== "run" || !isRun());

/** Opens the dialog with what fits what is shown. */
export function openExport(wanted = kind.value): void {
  const last = store.run.value?.recorded.last ?? 0;
  if (!isBusy.value) {
    kind.value = hasKind(wanted) ? wanted : "picture";
    runName.value = `${partsOf(store.system.value?.folder)[1].replace(/\.studio$/, "")}-played`;
    if (size.value[0] === 1280 && size.value[1] === 720) size.value = viewPixels();
    name.value = usualName();
    if (range.value.to === 0 || range.value.to > last) range.value = { ...range.value, from: 0, to: last };
    fault.value = "";
    dropTraced();
  }
  store.exportOpen.value = true;
}

export function ExportDialog() {
  return (
    <Dialog open={store.exportOpen} label="Export" class="export">
      {store.exportOpen.value && store.system.value !== null && <Content />}
    </Dialog>
  );
}

function Content() {
  const chosen = kind.value;
  const ended = chosen === "traced" ? tracing.value : chosen === "run" && store.recording.value;
  const said = fault.value || (ended && ended.error ? sentence(ended.error) : "");
  return (
    <>
      <div class="kinds" role="group" aria-label="What is exported">
        {KINDS.filter(([each]) => hasKind(each)).map(([each, label]) => (
          <button type="button" key={each} aria-pressed={each === chosen} disabled={isBusy.value} onClick={() => choose(each)}>
            {label}
          </button>
        ))}
      </div>
      <p class="quiet">{ABOUT[chosen]}</p>
      {chosen !== "run" && <SizeFields />}
      {chosen === "movie" && <RangeFields />}
      {chosen !== "run" && (
        <div class="checks">
          {chosen !== "traced" && <Flag of={scales} label="Colour scale, scale bar and axes" />}
          <Flag of={time} label={chosen === "traced" ? "Time, and scale of charges" : "Time"} />
          {chosen === "traced" && <Flag of={floor} label="Floor with shadows" />}
        </div>
      )}
      {chosen === "run" ? <NameField of={runName} label="Name of the folder" place={`, in ${partsOf(store.system.value?.folder)[0] || FIRST_FOLDER}`} /> : <NameField of={name} label="Name of the file" />}
      {said && (
        <p class="fault" role="alert">
          {said}
        </p>
      )}
      <Action />
      {chosen === "traced" && <Traced />}
      {chosen === "run" && <Recorded />}
      <CommandLines />
    </>
  );
}

const ABOUT: Record<Kind, string> = {
  picture: "What the view shows, as PNG, with nothing left out.",
  movie: "The past as WebM: each picture is seen from the time of its step on.",
  traced: "The present step with light and shadows, as PNG. The scene runs on meanwhile.",
  run: "All that was simulated, in a folder as electret run makes it: trajectory, energies, report. The scene runs on meanwhile.",
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

function NameField({ of, label, place }: { of: { value: string }; label: string; place?: string }) {
  const onInput = (event: Event) => {
    of.value = text(event);
    fault.value = "";
  };
  return (
    <label class="field">
      <span>
        {label}
        {place}
      </span>
      <input type="text" aria-label={label} value={of.value} maxLength={120} onInput={onInput} />
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
  const ofRun = kind.value === "run";
  const whySize = ofRun ? "" : whyNoSize(...size.value);
  const why = whySize || (kind.value === "movie" ? whyNoMovie(movieWish.value) : "");
  const label = { picture: "Save the picture", movie: "Make the movie", traced: "Trace the picture", run: "Record the run" }[kind.value];
  const act = { picture: savePicture, movie: makeMovie, traced: trace, run: record }[kind.value];
  const now = ofRun ? isRecording.value && store.recording.value : filming.value ?? (isTracing.value && tracing.value);
  const stop = () => (!ofRun && filming.value ? stopFilming() : void request(ofRun ? "stop-recording" : "stop-tracing"));
  return (
    <>
      {whySize && <p class="fault">{whySize}</p>}
      <div class="row">
        <button type="button" class="play" disabled={why !== "" || (ofRun ? isRecording.value : isBusy.value)} onClick={() => void act()}>
          {label}
        </button>
        {ofRun && fault.value.includes("not written over") && (
          <button type="button" onClick={() => void record(true)}>
            Write over it
          </button>
        )}
        {now && <progress aria-label="Progress" max={now.total || 1} value={now.done} />}
        {now && (
          <button type="button" onClick={stop}>
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

function record(over = false): Promise<void> {
  return attempt(async () => {
    const error = await request("record", { name: runName.value, over });
    if (error !== null) throw new Error(error);
  });
}

/** The run that was recorded last. */
function Recorded() {
  const now = store.recording.value;
  if (!now?.open) return null;
  return (
    <p role="status">
      The run is in {now.folder}.{" "}
      <button type="button" onClick={() => ((store.exportOpen.value = false), open(now.open))}>
        Open the run
      </button>
    </p>
  );
}

/** The ray-traced picture. */
function Traced() {
  const now = tracing.value;
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
  if (kind.value === "run") return <Lines lines={commandOfRun(runName.value.trim())}>The command that makes it</Lines>;
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
      {kind.value !== "run" && store.scalarName.value !== "charge" && <p class="quiet">The command colours by charge.</p>}
    </div>
  );
}
