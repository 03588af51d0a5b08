// What the page knows, as signals: components follow what they read. Frames are kept apart (frames.ts), because there
// are many and only the newest counts.
import { computed, signal } from "/vendor/ui.js";
import type { Choice, Earlier, FileChange, Finding, HandFacts, Recording, SavedAs, Scalar, SessionFacts, StudioDocument, StudioState, SystemFacts, TextChecked } from "./protocol";

export type Link = "connecting" | "open" | "reconnecting" | "full" | "refused" | "other-version" | "ended";

export const link = signal<Link>("connecting");
export const version = signal("");
export const run = signal<StudioState | null>(null);
export const scene = signal<StudioDocument | null>(null);
export const system = signal<SystemFacts | null>(null);
export const choices = signal<Choice[] | null>(null);
export const folder = signal("");
export const progress = signal<{ what: string; done: number; total: number } | null>(null);

/** Step and time of the picture that is shown; frames are newer than the state. */
export const shownStep = signal(0);
export const shownTime = signal(0);

export type Tab = "timeline" | "energies" | "findings" | "text" | "session";
export const tab = signal<Tab>("timeline");
export const paneOpen = signal(true);
/** The line of the text that was asked for; `asked` counts, so that the same line may be asked for twice. */
export const textLine = signal<{ line: number; column: number; asked: number } | null>(null);

/** What is typed and not applied; null where the editor shows the scene's text. `revision` is of the text it was made from. */
export interface Draft {
  text: string;
  revision: number;
  /** The start of the studio that counted the revision, of what was kept over a reload. */
  start?: string;
}
export const draft = signal<Draft | null>(null);
/** What the checker said to the draft as it stands; null while it is being checked. */
export const checked = signal<TextChecked | null>(null);
export const applying = signal(false);
/** The line of the editor with the cursor, and the number of lines that it marks. */
export const editing = signal({ line: 0, marks: 0 });
export const earlier = signal<Earlier | null>(null);
/** Files that are no longer what the scene was read from. */
export const changedFiles = signal<FileChange[]>([]);

export type Selection = { kind: "body" | "group" | "external" | "obstacle" | "field"; index: number } | null;
export const selection = signal<Selection>(null);

/** What is drawn. */
export const show = signal({ surface: true, discs: true, springs: true, signs: false, grid: true, shapes: true });
export const discSize = signal(1);
export const scalarName = signal("charge");
export const range = signal<{ low: number; high: number }>({ low: -1, high: 1 });

/** What drawing leaves out to keep up: level 0 is everything. */
export const thinning = signal({ level: 0, springs: false, every: 1, ms: 0 });
export const rates = signal({ received: 0, drawn: 0 });
export const hover = signal<{ index: number; x: number; y: number } | null>(null);

export type Tool = "grab" | "charge" | "paint" | "box" | "lasso" | "view";
/** What dragging on a body does. */
export const tool = signal<Tool>("grab");
/** The radius of what a hand holds, m, and the part of the strength that is safe. */
export const brush = signal(0);
export const strength = signal(1);
export const hands = signal<HandFacts[]>([]);
/** What the brush does with charges (C), and whether it reaches what looks away. */
export const painting = signal<{ mode: "set" | "add" | "smooth" | "clear"; value: number; through: boolean }>({ mode: "set", value: 1e-7, through: false });
/** Vertices of a body that were picked, counted from its first. */
export const picked = signal<{ body: number; vertices: number[] } | null>(null);
/** What is drawn around vertices to pick them, pixels of the view. */
export const outline = signal<[number, number][] | null>(null);
/** Counts frames with other charges. */
export const chargesAt = signal(0);
/** The same of external charges. */
export const externalAt = signal(0);
/** The number that the server knows this page by. */
export const pageNumber = signal(0);
/** Counts drawings: what lies over the picture follows it. */
export const drawnAt = signal(0);

export const rate = signal<number | null>(1);
/** Whether a run starts again at its end. */
export const loops = signal(false);
export const keysOn = signal(true);
export const helpOpen = signal(false);
export const quitOpen = signal(false);
export const openOpen = signal(false);
/** What the folder holds and what was done, as it was told last. */
export const session = signal<SessionFacts | null>(null);
/** The recording of the session as a run, as it was told last. */
export const recording = signal<Recording | null>(null);
export const exportOpen = signal(false);
export const saveOpen = signal(false);
/** The copy that this page saved last, until it is opened or put aside. */
export const savedCopy = signal<SavedAs | null>(null);
export const spoken = signal("");

export interface Notice {
  id: number;
  text: string;
  severity: string;
}
export const notices = signal<Notice[]>([]);
let lastNotice = 0;
export function notify(text: string, severity: string): void {
  const id = ++lastNotice;
  notices.value = [...notices.value.filter((each) => each.text !== text).slice(-3), { id, text, severity }];
}
export function dismiss(id: number): void {
  notices.value = notices.value.filter((each) => each.id !== id);
}

/** The name of the scalar that this page makes: the derivative of a loss by charges. */
export const GRADIENT = "gradient";
/** The unit of ∂ℒ/∂q; null where there is none to be shown. */
export const gradientUnit = signal<string | null>(null);
export const scalar = computed<Scalar | null>(() => {
  if (scalarName.value === GRADIENT) return gradientUnit.value === null ? null : { name: GRADIENT, label: "∂ℒ/∂q", unit: gradientUnit.value, symmetric: true, per: "vertex", range: null };
  return system.value?.scalars.find((each) => each.name === scalarName.value) ?? null;
});
/** What is open, by the name that its scene gives itself. */
export const openName = computed(() => system.value?.name || scene.value?.name || "Electret studio");
export const isMoving = computed(() => run.value?.state === "running" || run.value?.state === "playing");
/** Of the draft where there is one, else of the scene. */
export const findings = computed<Finding[]>(() => (draft.value && checked.value ? checked.value.findings : scene.value?.findings ?? []));
export const draftIsWrong = computed(() => draft.value !== null && checked.value?.effect === "wrong");
/** Seconds between two steps of the scene, or two frames of the run. */
export const interval = computed(() => system.value?.frame_interval ?? system.value?.time_step ?? 0);
/** Step, time (s) and time step of each part of what was simulated. */
const legs = computed<[number, number, number][]>(() => (system.value?.legs?.length ? system.value.legs : [[0, 0, interval.value]]));
/** The time of a step, or of a part of one, s. */
export function timeOf(step: number): number {
  const [from, time, length] = legs.value.filter((each) => each[0] <= step).at(-1) ?? legs.value[0];
  return time + (step - from) * length;
}
/** The step at a time, s, with the part of the next one. */
export function stepOf(time: number): number {
  const [from, start, length] = legs.value.filter((each) => each[1] <= time + 1e-9 * each[2]).at(-1) ?? legs.value[0];
  return from + (time - start) / (length || 1);
}
export const lastStep = computed(() => Math.max(run.value?.last_step ?? 0, run.value?.recorded.last ?? 0, shownStep.value));
