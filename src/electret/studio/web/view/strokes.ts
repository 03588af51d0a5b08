// Drags of the tools Paint, Box and Lasso: what they cover, seen from the camera.
import { ballCharge, dropBall, holdBall, holdsBall, moveBall, POINTER_BALL } from "../ball";
import { paint, preview } from "../charges";
import { picture } from "../frames";
import type { Topology } from "../protocol";
import * as store from "../store";
import type { Camera, Vec } from "./camera";
import { project, seenWithin } from "./picking";
import { moved } from "./pointer";

export interface Stroke {
  /** `along`: Shift is down. */
  move(x: number, y: number, along: boolean): void;
  end(): void;
  cancel(): void;
}

interface Scene {
  camera: Camera;
  topology: Topology;
  positions: Float32Array;
  origin: Vec;
}

/** A charge in the hand, at the depth of the point that is pressed, or of the middle of the box. With `flips` it is the other charge. */
export function beginBall(scene: Scene, point: number, x: number, y: number, flips: boolean): Stroke | null {
  const { camera, origin, positions } = scene;
  const centre = store.system.value?.box.centre;
  if (!centre || holdsBall(POINTER_BALL)) return null;
  const m = camera.projection(origin);
  const near = point >= 0 ? Array.from(positions.subarray(3 * point, 3 * point + 3)) : centre.map((value, k) => value - origin[k]);
  const depth = m[8] * near[0] + m[9] * near[1] + m[10] * near[2] + m[11];
  const metres = depth / camera.focal();
  const pixel = project(camera, Float32Array.from(near), origin, 0);
  if (!(metres > 0) || !pixel) return null;
  const by = moved(camera, (x - pixel[0]) * metres, (y - pixel[1]) * metres, false);
  let at = near.map((value, k) => value + origin[k] + by[k]) as Vec;
  let last: [number, number] = [x, y];
  void holdBall(POINTER_BALL, at, (flips ? -1 : 1) * ballCharge());
  return {
    move: (toX, toY, along) => {
      const way = moved(camera, (toX - last[0]) * metres, (toY - last[1]) * metres, along && !flips);
      last = [toX, toY];
      at = at.map((value, k) => value + way[k]) as Vec;
      moveBall(POINTER_BALL, at);
    },
    end: () => dropBall(POINTER_BALL),
    cancel: () => dropBall(POINTER_BALL),
  };
}

const bodyOf = (point: number): number =>
  store.system.value?.bodies.findIndex(({ first, count, filled, shown_first, shown_count }) =>
    (point >= first && point < first + count) || (filled && point >= shown_first && point < shown_first + shown_count)) ?? -1;

/** A brush of `radius` m about the point that is pressed; null where there is none. */
export function beginPainting(scene: Scene, point: number, x: number, y: number): Stroke | null {
  const body = bodyOf(point);
  const facts = store.system.value?.bodies[body];
  const start = picture.charges;
  if (!facts || !start) return null;
  const charges = start.slice();
  const covered = new Map<number, number>(); // The largest weight of each vertex.
  const m = scene.camera.projection(scene.origin);
  const depth = m[8] * scene.positions[3 * point] + m[9] * scene.positions[3 * point + 1] + m[10] * scene.positions[3 * point + 2] + m[11];
  const radius = Math.max(4, (store.brush.value * scene.camera.focal()) / depth);
  const { mode, value, through } = store.painting.value;
  const dab = (px: number, py: number) => {
    const under = seenWithin(scene.camera, scene.topology, scene.positions, scene.origin, facts.first, facts.count, through || facts.filled, (sx, sy) => {
      const part = ((sx - px) ** 2 + (sy - py) ** 2) / radius ** 2;
      return part < 1 ? (1 - part) ** 2 : 0;
    });
    const mean = under.reduce((sum, { point: p }) => sum + charges[p], 0) / Math.max(1, under.length);
    for (const { point: p, weight } of under) {
      covered.set(p, Math.max(weight, covered.get(p) ?? 0));
      if (mode === "smooth") charges[p] += 0.5 * (mean - charges[p]);
      else charges[p] = mode === "add" ? start[p] + value * (covered.get(p) as number) : mode === "set" ? value : 0;
    }
    preview(charges.slice());
  };
  dab(x, y);
  return {
    move: dab,
    end: () => {
      const points = [...covered.keys()].sort((a, b) => a - b);
      void paint(body, points.map((p) => p - facts.first), points.map((p) => charges[p])).then((done) => {
        if (!done) preview(start);
      });
    },
    cancel: () => preview(start),
  };
}

/** Picks the vertices within what is drawn: a rectangle, or a line around them. */
export function beginPicking(scene: Scene, tool: "box" | "lasso", x: number, y: number, how: "new" | "add" | "remove"): Stroke {
  let outline: [number, number][] = [[x, y]];
  return {
    move: (toX, toY) => {
      outline = tool === "box" ? [[x, y], [toX, y], [toX, toY], [x, toY]] : [...outline, [toX, toY]];
      store.outline.value = outline;
    },
    end: () => {
      store.outline.value = null;
      if (outline.length < 3) return;
      take(scene, outline, how);
    },
    cancel: () => (store.outline.value = null),
  };
}

/** Even-odd: whether a line to the right meets the outline an odd number of times. */
function isInside(outline: [number, number][], x: number, y: number): boolean {
  let inside = false;
  for (let k = 0, last = outline.length - 1; k < outline.length; last = k++) {
    const [ax, ay] = outline[k];
    const [bx, by] = outline[last];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

function take(scene: Scene, outline: [number, number][], how: "new" | "add" | "remove"): void {
  const bodies = store.system.value?.bodies ?? [];
  const found = bodies.map(({ first, count, filled }) =>
    seenWithin(scene.camera, scene.topology, scene.positions, scene.origin, first, count, store.painting.value.through || filled, (sx, sy) => (isInside(outline, sx, sy) ? 1 : 0)).map(({ point }) => point - first));
  // Vertices are picked of one body: of the one that has some already, is selected, or has most within.
  const before = store.picked.value;
  const selected = store.selection.value?.kind === "body" ? store.selection.value.index : -1;
  const most = found.reduce((best, each, k) => (each.length > found[best].length ? k : best), 0);
  const body = how !== "new" && before ? before.body : selected >= 0 && found[selected]?.length > 0 ? selected : most;
  const vertices = new Set(how !== "new" && before ? before.vertices : []);
  for (const vertex of found[body] ?? []) {
    if (how === "remove") vertices.delete(vertex);
    else vertices.add(vertex);
  }
  store.picked.value = vertices.size > 0 ? { body, vertices: [...vertices].sort((a, b) => a - b) } : null;
  store.spoken.value = `${vertices.size} vertices picked`;
}
