// The command lines that repeat what is exported, names of files, and saving them.
import * as store from "./store";
import { sightOf } from "./view/control";

/** A word as a shell reads it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;
}

/** The name of a file: what other systems do not take, and what leads to another folder, is left out. */
export function fileName(wish: string, ending: string): string {
  const plain = wish.replace(/[\u0000-\u001f\u007f/\\:*?"<>|]+/g, "-").replace(/^[.\s-]+/, "").replace(/[.\s]+$/, "").slice(0, 120);
  const base = plain.toLowerCase().endsWith(`.${ending}`) ? plain.slice(0, -ending.length - 1) : plain;
  return `${base.replace(/[.\s]+$/, "") || "electret"}.${ending}`;
}

/** A name for what is exported now. */
export function usualName(): string {
  const at = `${store.system.value?.run ? "frame" : "step"} ${store.shownStep.value}`;
  return `${store.openName.value} ${at}`.replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase();
}

/** Hands a file to the browser, which says where it is put. */
export function saveAs(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has opened it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const numbers = (values: number[]) => values.join(",");

/** The folder that a path leads to, and the name in it. */
export function partsOf(path = ""): [string, string] {
  const at = path.lastIndexOf("/");
  return [path.slice(0, Math.max(at, 0)), path.slice(at + 1)];
}

/** What makes the run of what is open. */
function runInto(run: string, ...settings: string[]): string[] {
  const folder = store.system.value?.folder;
  const hasSession = (store.run.value?.recorded.last ?? 0) > 0 || store.scene.value?.unsaved;
  const scene = hasSession ? `${folder}/session.toml` : store.scene.value?.path || "SCENE";
  return [["electret run", quoted(scene), ...settings, "-o", quoted(run)].join(" ")];
}

/** The commands that make the run of what is open, with a frame every `every` steps, and its folder. */
function runOf(every: number): { commands: string[]; run: string } {
  const system = store.system.value;
  const folder = system?.folder ?? "";
  if (!system || system.run || !folder) return { commands: [], run: quoted(folder || "RUN") };
  const run = `${folder}/replayed`;
  return { commands: runInto(run, `--set output.every=${every}`), run: quoted(run) };
}

/** What records the session in a folder of this name beside its own. */
export function commandOfRun(name: string): string[] {
  const [place] = partsOf(store.system.value?.folder);
  return runInto(place ? `${place}/${name}` : name);
}

/** What draws a picture of `width` × `height` of the present step by rays, from where the camera is. */
export function commandOfPicture(width: number, height: number, flags: string[]): string[] {
  const sight = sightOf(width, height);
  const step = store.shownStep.value;
  if (!sight) return [];
  const isRun = store.system.value?.run ?? false;
  const { commands, run } = runOf(Math.max(1, step));
  const frame = isRun ? step : step > 0 ? 1 : 0;
  return [...commands, ["electret render", run, `--frames ${frame}`, `--size ${width}x${height}`, `--eye=${numbers(sight.eye)} --target=${numbers(sight.target)} --up z`, ...flags].join(" ")];
}

/** The same of a movie. */
export function commandOfMovie(width: number, height: number, wish: { from: number; to: number; every: number; speed: number; rate: number }): string[] {
  const sight = sightOf(width, height);
  if (!sight) return [];
  const isRun = store.system.value?.run ?? false;
  const { commands, run } = runOf(1);
  const frames = `--frames ${wish.from}:${wish.to}${wish.every > 1 ? `:${wish.every}` : ""}`;
  const camera = `--eye=${numbers(sight.eye)} --target=${numbers(sight.target)} --up z`;
  return [...(isRun ? [] : commands), ["electret render", run, frames, `--movie --rate ${wish.rate} --speed ${wish.speed}`, `--size ${width}x${height}`, camera].join(" ")];
}
