import type { Topology } from "../protocol";

/** About how far apart neighbours are, m: the median of the shortest spring or edge at some of the points. */
export function spacing(topology: Topology, positions: Float32Array, size: number): number {
  const shortest = new Map<number, number>();
  const take = (a: number, b: number) => {
    const length = Math.hypot(
      positions[3 * a] - positions[3 * b],
      positions[3 * a + 1] - positions[3 * b + 1],
      positions[3 * a + 2] - positions[3 * b + 2],
    );
    if (length > 0 && length < (shortest.get(a) ?? Infinity)) shortest.set(a, length);
  };
  const { springs, faces, points } = topology;
  const springStride = 2 * Math.max(1, Math.floor(springs.length / 2 / 20000));
  for (let k = 0; k + 1 < springs.length; k += springStride) take(springs[k], springs[k + 1]);
  const faceStride = 3 * Math.max(1, Math.floor(faces.length / 3 / 20000));
  for (let k = 0; k + 2 < faces.length; k += faceStride) take(faces[k], faces[k + 1]);
  const lengths = [...shortest.values()].sort((a, b) => a - b);
  const whole = size > 0 ? size : 1;
  if (lengths.length === 0) return points > 1 ? whole / Math.max(2, Math.cbrt(points)) : 0.2 * whole;
  return Math.min(lengths[lengths.length >> 1], 0.25 * whole);
}
