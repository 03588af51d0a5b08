// The view as the rest of the page sees it: one renderer, its loop, and what can be asked of it.
import { effect } from "/vendor/ui.js";
import { picture } from "../frames";
import * as store from "../store";
import { moveBy, press, release } from "../hands";
import { canEdit, canGrab } from "../ui/tools";
import { add } from "./camera";
import type { Pose, Vec } from "./camera";
import { Loop } from "./loop";
import { pick, project } from "./picking";
import { listen } from "./pointer";
import { fitRange, forgetRanges, startRange, valuesCame } from "./range";
import { Renderer } from "./renderer";
import { heightOf, Shots } from "./shots";
import { beginBall, beginPainting, beginPicking } from "./strokes";
import type { Stroke } from "./strokes";
import { isDark, lessMotion } from "./theme";

let renderer: Renderer | null = null;
let loop: Loop | null = null;
let pointer: [number, number] | null = null;
let lastName = "";
const cameraListeners: (() => void)[] = [];

/** Whether WebGL 2 can be had on `canvas`; software renderers do without smooth edges, which cost them most. */
export function startView(element: HTMLElement, canvas: HTMLCanvasElement): boolean {
  const context = contextOf(canvas);
  if (!context) return false;
  renderer = new Renderer(canvas, context);
  loop = new Loop(renderer);
  renderer.onBuilt = built;
  renderer.onColours = valuesCame;
  loop.beforeDrawing((now) => renderer?.camera.advance(now) ?? false);
  loop.afterDrawing(() => {
    hoverAgain();
    for (const callback of cameraListeners) callback();
  });
  listen(element, renderer.camera, {
    changed: wake,
    grasp: (pointer, x, y) => {
      const found = graspAt(x, y);
      if (!found) return 0;
      void press(pointer, found.point, store.brush.value, found.at).then((error) => {
        if (error !== null) store.notify(`${error.charAt(0).toUpperCase()}${error.slice(1)}.`, "error");
      });
      return found.metres;
    },
    stroke: strokeAt,
    pull: (pointer, by) => moveBy(pointer, by),
    letGo: (pointer) => release(pointer),
    hovered: (x, y) => {
      pointer = [x, y];
      hoverSoon();
    },
    left: () => {
      pointer = null;
      store.hover.value = null;
    },
  });
  watch(element);
  const observer = new ResizeObserver(() => resize(element));
  observer.observe(element);
  resize(element);
  return true;
}

function contextOf(canvas: HTMLCanvasElement): WebGL2RenderingContext | null {
  const probe = document.createElement("canvas").getContext("webgl2");
  if (!probe) return null;
  const info = probe.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(probe.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  probe.getExtension("WEBGL_lose_context")?.loseContext();
  const antialias = !/llvmpipe|swiftshader|software/i.test(name);
  return canvas.getContext("webgl2", { antialias, alpha: false, powerPreference: "high-performance", preserveDrawingBuffer: false });
}

function resize(element: HTMLElement): void {
  renderer?.resize(element.clientWidth, element.clientHeight, Math.min(window.devicePixelRatio || 1, 2));
  wake();
}

/** What is drawn again when a wish changes. */
function watch(element: HTMLElement): void {
  effect(() => {
    store.show.value;
    store.discSize.value;
    isDark.value;
    store.range.value;
    store.scalar.value;
    renderer?.setColours();
    wake();
  });
  effect(() => {
    store.thinning.value;
    renderer?.thin();
    wake();
  });
  effect(() => {
    store.tool.value;
    wake();
  });
  effect(() => {
    renderer?.ring(selectedPoints());
    wake();
  });
  effect(() => {
    const grips = store.hover.value !== null && store.tool.value === "grab" && canGrab();
    element.classList.toggle("grips", grips);
    const draws = ["box", "lasso", "paint"].includes(store.tool.value) ? canEdit() : store.tool.value === "charge" && canGrab();
    element.classList.toggle("draws", draws);
  });
}

/** A new system was brought to the GPU. */
function built(): void {
  const system = store.system.value;
  if (system && system.name !== lastName) forgetRanges();
  lastName = system?.name ?? "";
  if (system && picture.topology) {
    const solid = picture.topology.faces.length > 0;
    store.show.value = { ...store.show.value, surface: true, discs: true, springs: !solid };
  }
  startRange();
  renderer?.ring(selectedPoints());
}

function selectedPoints(): Uint32Array {
  const chosen = store.selection.value;
  const system = store.system.value;
  const topology = picture.topology;
  const picked = store.picked.value;
  const holding = picked ? system?.bodies[picked.body] : undefined;
  if (picked && holding && topology) return Uint32Array.from(picked.vertices.filter((each) => each < holding.count), (each) => each + holding.first);
  if (!chosen || !system || !topology) return new Uint32Array(0);
  if (chosen.kind === "body") {
    const body = system.bodies[chosen.index];
    if (!body) return new Uint32Array(0);
    const [first, count] = body.filled ? [body.shown_first, body.shown_count] : [body.first, body.count];
    return Uint32Array.from({ length: count }, (_, k) => first + k);
  }
  if (chosen.kind !== "group") return new Uint32Array(0);
  const group = system.groups[chosen.index];
  return group ? topology.groups.slice(group.offset, group.offset + group.count) : new Uint32Array(0);
}

export function wake(): void {
  loop?.wake();
}

export function onCamera(callback: () => void): void {
  cameraListeners.push(callback);
}

let hoverAsked = false;
function hoverSoon(): void {
  if (hoverAsked) return;
  hoverAsked = true;
  requestAnimationFrame(() => {
    hoverAsked = false;
    hoverAgain();
  });
}

function hoverAgain(): void {
  const { topology, frame } = picture;
  if (!renderer || !pointer || !topology || !frame) {
    if (store.hover.value) store.hover.value = null;
    return;
  }
  const index = pick(renderer.camera, topology, frame.positions, frame.origin, pointer[0], pointer[1], renderer.discRadius);
  const at = index >= 0 ? project(renderer.camera, frame.positions, frame.origin, index) : null;
  store.hover.value = at ? { index, x: at[0], y: at[1] } : null;
}

/** The point that is under the pixel (x, y) of the view, or -1. */
export function pointAt(x: number, y: number): number {
  const { topology, frame } = picture;
  if (!renderer || !topology || !frame) return -1;
  return pick(renderer.camera, topology, frame.positions, frame.origin, x, y, renderer.discRadius);
}

export function pixelOf(point: number): [number, number] | null {
  const { frame } = picture;
  return renderer && frame && point >= 0 && point < frame.points ? project(renderer.camera, frame.positions, frame.origin, point) : null;
}

/** Where a place (m, relative to the picture's origin) is in the view; null behind the eye. */
export function pixelOfPlace(place: Vec): [number, number] | null {
  const { frame } = picture;
  return renderer && frame ? project(renderer.camera, Float32Array.from(place), frame.origin, 0) : null;
}

/** What is under the pixel (x, y) if the hand can take hold of it: the point, its place (m), and metres a pixel there. */
function graspAt(x: number, y: number): { point: number; at: Vec; metres: number } | null {
  const { frame } = picture;
  if (!renderer || !frame || store.tool.value !== "grab" || !canGrab()) return null;
  const point = pointAt(x, y);
  if (point < 0) return null;
  const { camera } = renderer;
  const m = camera.projection(frame.origin);
  const [px, py, pz] = frame.positions.subarray(3 * point, 3 * point + 3);
  const depth = m[8] * px + m[9] * py + m[10] * pz + m[11];
  return { point, at: [px + frame.origin[0], py + frame.origin[1], pz + frame.origin[2]], metres: depth / camera.focal() };
}

/** What a drag from the pixel (x, y) does with the tools Charge, Paint, Box and Lasso. */
function strokeAt(x: number, y: number, event: PointerEvent): Stroke | null {
  const { topology, frame } = picture;
  const tool = store.tool.value;
  if (!renderer || !topology || !frame || tool === "grab" || tool === "view" || !canEdit()) return null;
  const scene = { camera: renderer.camera, topology, positions: frame.positions, origin: frame.origin };
  if (tool === "charge") return canGrab() ? beginBall(scene, pointAt(x, y), x, y, event.shiftKey) : null;
  if (tool !== "paint") return beginPicking(scene, tool, x, y, event.altKey ? "remove" : event.shiftKey ? "add" : "new");
  const point = event.shiftKey ? -1 : pointAt(x, y);
  return point < 0 ? null : beginPainting(scene, point, x, y);
}

function flyTo(change: (pose: Pose) => Pose): void {
  if (!renderer) return;
  renderer.camera.moveTo(change({ ...renderer.camera.pose }), !lessMotion.matches, performance.now());
  wake();
}

/** Shows the selected part whole, or all. */
export function frameAll(): void {
  const { frame } = picture;
  if (!renderer || !frame) return;
  const points = selectedPoints();
  const low: Vec = [Infinity, Infinity, Infinity];
  const high: Vec = [-Infinity, -Infinity, -Infinity];
  const number = points.length > 0 ? points.length : frame.points;
  for (let k = 0; k < number; k++) {
    const p = points.length > 0 ? points[k] : k;
    for (let axis = 0; axis < 3; axis++) {
      const value = frame.positions[3 * p + axis];
      if (value < low[axis]) low[axis] = value;
      if (value > high[axis]) high[axis] = value;
    }
  }
  if (!(high[0] >= low[0])) return;
  const centre = low.map((value, axis) => 0.5 * (value + high[axis]) + frame.origin[axis]) as Vec;
  const radius = 0.5 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const { camera } = renderer;
  const least = 0.02 * (store.system.value?.box.size || 1);
  flyTo((pose) => ({ ...camera.framing(centre, Math.max(radius, least)), azimuth: pose.azimuth, elevation: pose.elevation }));
}

const MOST_ELEVATION = Math.PI / 2 - 2e-4;
const AXES: [number, number][] = [[Math.PI / 2, 0], [0, 0], [0, Math.PI / 2]];

/** Looks along axis 0, 1 or 2: from +x, from −y (so that x is to the right), from above. */
export function lookAlong(axis: number): void {
  flyTo((pose) => ({ ...pose, azimuth: AXES[axis][0], elevation: AXES[axis][1] }));
}

export function turnBy(dx: number, dy: number): void {
  renderer?.camera.turn(dx, dy);
  wake();
}

export function zoomBy(factor: number): void {
  if (!renderer) return;
  renderer.camera.zoom(factor, renderer.camera.width / 2, renderer.camera.height / 2);
  wake();
}

export function cameraNow() {
  if (!renderer) return null;
  const { pose, width, height } = renderer.camera;
  return { ...pose, width, height, pixelsPerMetre: renderer.camera.pixelsPerMetre(), basis: renderer.camera.basis() };
}

/** A picture's eye and target, m, and how it is drawn: as the view, whatever the shape. */
export function sightOf(width: number, height: number): { eye: Vec; target: Vec } | null {
  if (!renderer) return null;
  const { camera } = renderer;
  // Straight down there would be no telling which way is up.
  const { azimuth: a } = camera.pose;
  const e = Math.min(MOST_ELEVATION, Math.max(-MOST_ELEVATION, camera.pose.elevation));
  const back: Vec = [Math.cos(e) * Math.sin(a), -Math.cos(e) * Math.cos(a), Math.sin(e)];
  const distance = camera.pose.distance * heightOf(camera, width, height) / camera.height;
  const written = (place: Vec) => place.map((each) => Number(each.toPrecision(9))) as Vec;
  return { eye: written(add(camera.pose.target, back, distance)), target: written(camera.pose.target) };
}

/** Draws pictures of the view at a size of their own. Throws an Error if that cannot be. */
export function makeShots(width: number, height: number): Shots {
  if (!renderer) throw new Error("This browser gives no WebGL 2.");
  return new Shots(renderer, width, height);
}

/** The size of the view, in pixels of the screen. */
export function viewPixels(): [number, number] {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  return renderer ? [Math.round(renderer.camera.width * ratio), Math.round(renderer.camera.height * ratio)] : [1280, 720];
}

export { fitRange };
