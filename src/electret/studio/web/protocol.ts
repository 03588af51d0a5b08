// The messages of the studio's protocol, version 1: JSON events and binary frames.

export const PROTOCOL = 1;

export type Run = "empty" | "loading" | "broken" | "paused" | "running" | "rewinding" | "diverged" | "viewing" | "playing";

export interface StudioState {
  state: Run;
  step: number;
  time: number;
  last_step: number;
  recorded: { first: number; last: number };
  wanted: number | null;
  reached: number | null;
  step_ms: number | null;
  parts_ms?: Record<string, number>;
  reason?: string;
  advice?: string;
  vertex?: number;
  beyond: boolean;
  /** That frames have, for all pages. */
  scalar?: string;
}

export interface Finding {
  severity: "error" | "warning" | "note";
  line: number;
  column: number;
  file: string;
  message: string;
}

export interface StudioDocument {
  name: string;
  path: string;
  text: string;
  findings: Finding[];
  unsaved: boolean;
  undo: boolean;
  redo: boolean;
  /** Grows when the text changes. */
  revision: number;
  /** Keys that come at Reset. */
  waiting: string[];
}

/** Values of a key-framed quantity: times × columns, or `columns` of a constant. */
export interface KeyLane {
  key: string;
  unit: string;
  columns: number;
  /** The key that says it without times; empty if there is none. */
  constant: string;
  values: number[];
  value: number[];
}

/** A table of the scene's text that has, or may have, key-frames. Its lanes share their times. */
export interface KeyTable {
  key: string;
  label: string;
  times: number[];
  interpolation: "linear" | "step" | "cubic";
  lanes: KeyLane[];
}

/** What an edit of a key does: it is an input of the next step, is compiled anew, or waits for Reset. */
export type Effect = "input" | "live" | "reset";

/** A key of the scene's text that is a field. */
export interface FieldRow {
  key: string;
  /** `text` is a formula, `toml` a value as it is written, `numbers` named ones. */
  kind: "number" | "whole" | "flag" | "choice" | "vector" | "text" | "toml" | "numbers";
  effect: Effect;
  unit: string;
  /** As it would be written; empty without one. */
  default: string;
  about: string;
  choices: string[];
  range?: { least: number | null; most: number | null; above: boolean; below: boolean; says: string };
}

export interface SchemaTable {
  table: string;
  about: string;
  rows: FieldRow[];
  /** Keys of which only one may be written. */
  alternatives: string[][];
}

/** A table of the scene's text that has fields, with the values that are written, in TOML. */
export interface FieldTable {
  key: string;
  table: string;
  label: string;
  values: Record<string, string>;
}

/** An edit that was made while the scene ran; `energy` is what it gained, J, once a step has made it. */
export interface SceneChange {
  step: number;
  time: number;
  set: string[];
  energy: number | null;
}

/** What the checker says to a text that was typed. */
export interface TextChecked {
  number: number;
  findings: Finding[];
  effect: "" | "wrong" | "nothing" | "live" | "reset" | "load";
  waiting: string[];
  applied: boolean;
  error?: string;
}

/** The session that an earlier start of the studio left; without a path there is none. */
export interface Earlier {
  path: string;
  steps: number;
  cut: boolean;
  edited: boolean;
  damage?: string;
}

/** The scene was saved under a name. `copy` is what opens it; empty where it is what is open. */
export interface SavedAs {
  path: string;
  copy: string;
  /** Files of charges that were written with it. */
  tables: string[];
}

/** What was done in the session, and the files of its folder. */
export interface SessionFacts {
  folder: string;
  files: { name: string; bytes: number }[];
  /** The last entries, of `all`. `until` is null of edits, and of what goes on. */
  journal: { step: number; time: number; what: string; until: number | null }[];
  all: number;
}

/** How the session is recorded as a run. */
export interface Recording {
  /** Of the run. */
  folder: string;
  done: number;
  total: number;
  going: boolean;
  /** What opens the run once it has ended; empty where there is none. */
  open: string;
  error?: string;
}

/** A file that is no longer what the scene was read from. */
export interface FileChange {
  path: string;
  gone: boolean;
}

export interface Body {
  name: string;
  first: number;
  count: number;
  shown_first: number;
  shown_count: number;
  springs: [number, number];
  faces: [number, number];
  charge: number;
  mass: number;
  filled: boolean;
  solid: boolean;
}

export interface BodyGroup {
  /** The number of its body. */
  body: number;
  name: string;
  offset: number;
  count: number;
  /** It gives its vertices their charge. */
  charged: boolean;
}

export interface ExternalCharge {
  name: string;
  kind: "point" | "ball" | "mesh";
  charge: number;
  position: [number, number, number];
  width: number | null;
}

/** Vertices, faces and edges about the obstacle's own origin; planes and spheres have none. */
export interface Drawing {
  vertices: [number, number, number][];
  faces: [number, number, number][];
  lines: [[number, number, number], [number, number, number]][];
}

export interface Obstacle {
  name: string;
  shape: string;
  /** The normal of a plane, the radius of a sphere, the sides of a box, radius and length of the others. */
  size: number[];
  inside: boolean;
  placement: [number, number, number, number, number, number, number];
  drawing?: Drawing;
}

export interface Scalar {
  name: string;
  label: string;
  unit: string;
  symmetric: boolean;
  per: "vertex";
  range: [number, number] | null;
}

export interface SystemFacts {
  generation: number;
  name: string;
  method: string;
  time_step: number;
  /** Step, time and time step of each part of the session, if edits have changed the time step. */
  legs?: [number, number, number][];
  /** What compiling the scene anew took, the last time. */
  rebuild_ms?: number | null;
  frame_interval?: number;
  vertices: number;
  bodies: Body[];
  groups: BodyGroup[];
  external: ExternalCharge[];
  obstacles: Obstacle[];
  pins: number[];
  fields: { kind: string; value: [number, number, number] | null }[];
  gravity: [number, number, number] | null;
  scalars: Scalar[];
  box: { centre: [number, number, number]; size: number };
  warnings: string[];
  /** Of the session, or of the run. */
  folder: string;
  run: boolean;
  frames: number;
  growing: boolean;
  last_step: number;
}

/** Something that pulls at a body. */
export interface HandFacts {
  /** Of the pull; 0 before a step has seen the hand. */
  number: number;
  kind: "held" | "ball" | "tack" | "recorded";
  /** Whose it is, if it is held. */
  page?: number;
  hand?: number;
  body: string;
  vertices: number;
  stiffness: number;
  damping: number;
  /** Of a charge in a hand, C and m: it has no body. */
  charge?: number;
  width?: number;
}

export interface EnergyRows {
  from: number;
  columns: string[];
  rows: (number | null)[][];
  restart: boolean;
}

export interface Choice {
  name: string;
  kind: "scene" | "run" | "example" | "new";
  title: string;
  folder: string;
}

export type ServerEvent =
  | { t: "re"; re: number; ok: boolean; error?: string }
  | { t: "welcome"; protocol: number; version: string; page: number; limits?: { message: number } }
  | { t: "hands"; hands: HandFacts[] }
  | ({ t: "checked" } & TextChecked)
  | ({ t: "earlier" } & Earlier)
  | ({ t: "saved" } & SavedAs)
  | ({ t: "session" } & SessionFacts)
  | ({ t: "recording" } & Recording)
  | { t: "files"; changed: FileChange[] }
  | { t: "keys"; tables: KeyTable[]; stale: number | null }
  | { t: "schema"; tables: SchemaTable[] }
  | { t: "fields"; tables: FieldTable[] }
  | { t: "changes"; changes: SceneChange[]; all: number }
  | { t: "choices"; entries: Choice[]; folder?: string }
  | ({ t: "state" } & StudioState)
  | ({ t: "document" } & StudioDocument)
  | ({ t: "system" } & SystemFacts)
  | ({ t: "energies" } & EnergyRows)
  | { t: "progress"; what: string; done: number; total: number }
  | { t: "notice"; text: string; severity: string }
  | { t: "tracing"; number: number; done: number; total: number; error?: string }
  | ({ t: "gradient" } & GradientState)
  | { t: "bye" };

const MAGIC = 0x31434c45;
const HEAD = 64;
const FLAG = { charges: 1, scalar: 2, jump: 4, placements: 8, external: 16, hands: 32, balls: 64 } as const;

/** One consistent picture; the arrays are views of the message's bytes. */
export interface Frame {
  kind: "frame";
  generation: number;
  sequence: number;
  time: number;
  step: number;
  points: number;
  origin: [number, number, number];
  jump: boolean;
  positions: Float32Array;
  charges?: Float32Array;
  scalar?: Float32Array;
  placements?: Float32Array;
  external?: Float32Array;
  /** 9 numbers a hand: grip and target relative to the origin, force, 1 if it is stretched, number of the pull. */
  hands?: Float32Array;
  /** 5 numbers a charge in a hand: place relative to the origin, charge, width. */
  balls?: Float32Array;
  bytes: number;
}

export interface Topology {
  kind: "topology";
  generation: number;
  points: number;
  springs: Uint32Array;
  faces: Uint32Array;
  groups: Uint32Array;
}

/** A frame that this page asked for; `number` is the page's own. */
export interface AskedFrame {
  kind: "asked";
  number: number;
  frame: Frame;
}

/** A ray-traced picture, as PNG. */
export interface TracedPicture {
  kind: "picture";
  number: number;
  png: Uint8Array<ArrayBuffer>;
}

/** The derivatives of a loss by the charges of points, and by the initial places of vertices (3 each). */
export interface VertexGradient {
  kind: "gradient";
  number: number;
  generation: number;
  byCharge: Float32Array;
  byPlace: Float32Array;
}

/** The electric field that this page asked for, V/m: 3 numbers a point. */
export interface FieldValues {
  kind: "field";
  number: number;
  generation: number;
  step: number;
  values: Float32Array;
}

/** The derivative by a parameter; of one with more values the root of the sum of their squares. */
export interface GradientRow {
  name: string;
  unit: string;
  size: number;
  value: number | null;
}

/** How a gradient gets on; `table` comes at its end. */
export interface GradientState {
  number: number;
  done: number;
  total: number;
  error?: string;
  loss?: number | null;
  steps?: number;
  notice?: string;
  table?: GradientRow[];
}

const KIND = { frame: 1, topology: 2, asked: 3, picture: 4, gradient: 5, field: 6 };

/** Reads a binary message. `obstacles` and `externals` are the numbers that the system named. */
export function parseBinary(buffer: ArrayBuffer, obstacles: number, externals: number): Frame | Topology | AskedFrame | TracedPicture | VertexGradient | FieldValues {
  if (buffer.byteLength < HEAD) throw new Error("a binary message is shorter than its head");
  const head = new DataView(buffer, 0, HEAD);
  if (head.getUint32(0, true) !== MAGIC || head.getUint16(4, true) !== 1) throw new Error("a binary message of another protocol");
  const kind = head.getUint8(6);
  const flags = head.getUint8(7);
  const generation = head.getUint32(8, true);
  const points = head.getUint32(32, true);
  let at = HEAD;
  if (kind === KIND.picture) return { kind: "picture", number: head.getUint32(12, true), png: new Uint8Array(buffer, HEAD) };
  const floats = (count: number) => {
    const view = new Float32Array(buffer, at, count);
    at += 4 * count;
    return view;
  };
  const indices = (count: number) => {
    const view = new Uint32Array(buffer, at, count);
    at += 4 * count;
    return view;
  };
  if (kind === KIND.gradient) return { kind: "gradient", number: head.getUint32(12, true), generation, byCharge: floats(points), byPlace: floats((buffer.byteLength - at) / 4) };
  if (kind === KIND.field) return { kind: "field", number: head.getUint32(12, true), generation, step: Number(head.getBigUint64(24, true)), values: floats(3 * points) };
  if (kind === KIND.topology) {
    const counts = indices(4);
    return { kind: "topology", generation, points, springs: indices(2 * counts[0]), faces: indices(3 * counts[1]), groups: indices(counts[2]) };
  }
  const frame: Frame = {
    kind: "frame",
    generation,
    sequence: head.getUint32(12, true),
    time: head.getFloat64(16, true),
    step: Number(head.getBigUint64(24, true)),
    points,
    origin: [head.getFloat64(40, true), head.getFloat64(48, true), head.getFloat64(56, true)],
    jump: (flags & FLAG.jump) !== 0,
    positions: floats(3 * points),
    bytes: buffer.byteLength,
  };
  if (flags & FLAG.charges) frame.charges = floats(points);
  if (flags & FLAG.scalar) frame.scalar = floats(points);
  if (flags & FLAG.placements) frame.placements = floats(7 * obstacles);
  if (flags & FLAG.external) frame.external = floats(4 * externals);
  if (flags & FLAG.balls) frame.balls = floats(5 * head.getUint32(36, true));
  if (flags & FLAG.hands) frame.hands = floats((buffer.byteLength - at) / 4);
  return kind === KIND.asked ? { kind: "asked", number: frame.sequence, frame } : frame;
}
