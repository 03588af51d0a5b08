// Geometry that is made here: grids, planes, balls, circles.
import { BufferAttribute, BufferGeometry } from "/vendor/three.js";
import type { Drawing } from "../protocol";
import { niceStep } from "../format";
import type { Vec } from "./camera";

export function geometryOf(positions: ArrayLike<number>, index?: ArrayLike<number>): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(positions), 3));
  if (index) geometry.setIndex(new BufferAttribute(Uint32Array.from(index), 1));
  return geometry;
}

/** Lines of a square grid about (x, y) at height 0, on round multiples of a round step. */
export function gridLines(centre: Vec, size: number): number[] {
  const step = niceStep(size, 7);
  const half = Math.ceil((1.6 * size) / step) * step;
  const [cx, cy] = [0, 1].map((k) => Math.round(centre[k] / step) * step - centre[k]);
  const result: number[] = [];
  // Each line in pieces, because a line pales from corner to corner.
  for (let at = -half; at <= half + step / 2; at += step) {
    for (let from = -half; from < half - step / 2; from += step) {
      result.push(cx + at, cy + from, 0, cx + at, cy + from + step, 0, cx + from, cy + at, 0, cx + from + step, cy + at, 0);
    }
  }
  return result;
}

export function ball(radius: number): BufferGeometry {
  const [around, along] = [64, 32];
  const positions: number[] = [];
  const index: number[] = [];
  for (let j = 0; j <= along; j++) {
    for (let i = 0; i <= around; i++) {
      const [a, b] = [(2 * Math.PI * i) / around, (Math.PI * j) / along];
      positions.push(radius * Math.sin(b) * Math.cos(a), radius * Math.sin(b) * Math.sin(a), radius * Math.cos(b));
      if (i === around || j === along) continue;
      const p = j * (around + 1) + i;
      const q = p + around + 1;
      index.push(p, q, p + 1, p + 1, q, q + 1);
    }
  }
  return geometryOf(positions, index);
}

/** Three great circles, as pairs of ends. */
export function circles(radius: number): number[] {
  const result: number[] = [];
  const sides = 72;
  for (let axis = 0; axis < 3; axis++) {
    for (let k = 0; k < sides; k++) {
      for (const end of [k, k + 1]) {
        const angle = (2 * Math.PI * end) / sides;
        const place = [0, 0, 0];
        place[(axis + 1) % 3] = radius * Math.cos(angle);
        place[(axis + 2) % 3] = radius * Math.sin(angle);
        result.push(...place);
      }
    }
  }
  return result;
}

/** Two directions at right angles to the unit vector `n` and to each other. */
export function acrossOf(n: Vec): [Vec, Vec] {
  const other: Vec = Math.abs(n[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const cross = (a: Vec, b: Vec): Vec => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const raw = cross(other, n);
  const length = Math.hypot(...raw);
  const u = raw.map((value) => value / length) as Vec;
  return [u, cross(n, u)];
}

/** A disc of a plane about `centre`, seen from the side of its normal, in rings, because it pales towards its edge. */
export function planePart(normal: Vec, centre: Vec, radius: number): BufferGeometry {
  const [u, v] = acrossOf(normal);
  const [sides, rings] = [48, 8];
  const positions: number[] = [...centre];
  const index: number[] = [];
  for (let ring = 1; ring <= rings; ring++) {
    const r = (radius * ring) / rings;
    for (let k = 0; k < sides; k++) {
      const angle = (2 * Math.PI * k) / sides;
      positions.push(...centre.map((value, axis) => value + r * (Math.cos(angle) * u[axis] + Math.sin(angle) * v[axis])));
      const [a, b] = [1 + (ring - 1) * sides + k, 1 + (ring - 1) * sides + ((k + 1) % sides)];
      if (ring === 1) index.push(0, a, b);
      else index.push(a - sides, a, b, a - sides, b, b - sides);
    }
  }
  return geometryOf(positions, index);
}

export function facesOf(drawing: Drawing): BufferGeometry | null {
  if (drawing.faces.length === 0) return null;
  return geometryOf(drawing.vertices.flat(), drawing.faces.flat());
}
