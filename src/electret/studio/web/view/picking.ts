// What is under the pointer, found in memory: all points are projected, and nothing is read from the GPU.
import type { Topology } from "../protocol";
import type { Camera, Vec } from "./camera";

const REACH = 8;

/** For each point the faces that hold it: `faces[start[p]] … faces[start[p + 1]]`. */
interface Around {
  topology: Topology;
  start: Uint32Array;
  faces: Uint32Array;
}
let around: Around | null = null;

function facesAround(topology: Topology): Around {
  if (around?.topology === topology) return around;
  const start = new Uint32Array(topology.points + 1);
  for (const point of topology.faces) start[point + 1]++;
  for (let p = 0; p < topology.points; p++) start[p + 1] += start[p];
  const next = start.slice();
  const faces = new Uint32Array(topology.faces.length);
  topology.faces.forEach((point, k) => {
    faces[next[point]++] = Math.floor(k / 3);
  });
  around = { topology, start, faces };
  return around;
}

/** Whether a face of the point looks at the camera; points without faces do. */
function isSeen(topology: Topology, positions: Float32Array, m: Float64Array, point: number): boolean {
  const { start, faces } = facesAround(topology);
  if (start[point] === start[point + 1]) return true;
  const screen = (p: number): [number, number] => {
    const [x, y, z] = [positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]];
    const depth = m[8] * x + m[9] * y + m[10] * z + m[11];
    return [(m[0] * x + m[1] * y + m[2] * z + m[3]) / depth, (m[4] * x + m[5] * y + m[6] * z + m[7]) / depth];
  };
  for (let k = start[point]; k < start[point + 1]; k++) {
    const [a, b, c] = [0, 1, 2].map((corner) => screen(topology.faces[3 * faces[k] + corner]));
    if ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0) return true;
  }
  return false;
}

/**
 * The point nearest to the eye within 8 pixels of (x, y), or -1. `radius` (m) is that of discs, which are hit all over.
 */
export function pick(camera: Camera, topology: Topology, positions: Float32Array, origin: Vec, x: number, y: number, radius: number): number {
  const m = camera.projection(origin);
  const focal = camera.focal();
  const across = x - camera.width / 2;
  const upwards = camera.height / 2 - y;
  const found: { point: number; depth: number }[] = [];
  for (let p = 0, at = 0; p < topology.points; p++, at += 3) {
    const px = positions[at];
    const py = positions[at + 1];
    const pz = positions[at + 2];
    const depth = m[8] * px + m[9] * py + m[10] * pz + m[11];
    if (depth <= 0) continue;
    const scale = focal / depth;
    const dx = (m[0] * px + m[1] * py + m[2] * pz + m[3]) * scale - across;
    const dy = (m[4] * px + m[5] * py + m[6] * pz + m[7]) * scale - upwards;
    const reach = Math.max(REACH, radius * scale);
    if (dx * dx + dy * dy <= reach * reach) found.push({ point: p, depth });
  }
  found.sort((a, b) => a.depth - b.depth);
  return found.find(({ point }) => isSeen(topology, positions, m, point))?.point ?? -1;
}

/** Where a point is in the view, in pixels of the page; null behind the eye. */
export function project(camera: Camera, positions: Float32Array, origin: Vec, point: number): [number, number] | null {
  const m = camera.projection(origin);
  const [x, y, z] = [positions[3 * point], positions[3 * point + 1], positions[3 * point + 2]];
  const depth = m[8] * x + m[9] * y + m[10] * z + m[11];
  if (depth <= 0) return null;
  const scale = camera.focal() / depth;
  return [
    camera.width / 2 + (m[0] * x + m[1] * y + m[2] * z + m[3]) * scale,
    camera.height / 2 - (m[4] * x + m[5] * y + m[6] * z + m[7]) * scale,
  ];
}

/**
 * The points from `first` on, `count` of them, that look at the camera and to which `weigh` gives more than 0 at their
 * pixels; with `through` those behind, too.
 */
export function seenWithin(
  camera: Camera,
  topology: Topology,
  positions: Float32Array,
  origin: Vec,
  first: number,
  count: number,
  through: boolean,
  weigh: (x: number, y: number) => number,
): { point: number; weight: number }[] {
  const m = camera.projection(origin);
  const found: { point: number; weight: number }[] = [];
  for (let point = first; point < first + count; point++) {
    const at = project(camera, positions, origin, point);
    const weight = at ? weigh(at[0], at[1]) : 0;
    if (weight > 0 && (through || isSeen(topology, positions, m, point))) found.push({ point, weight });
  }
  return found;
}
