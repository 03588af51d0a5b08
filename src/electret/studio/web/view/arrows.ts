// Arrows at vertices, such as the derivatives of a loss by their places: the longest one has a given length.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineSegments } from "/vendor/three.js";
import type { RawShaderMaterial } from "/vendor/three.js";

/** More would be a thicket. */
const MOST = 4000;
/** The head's length and half its width, of the arrow. */
const HEAD = 0.22;
const SPREAD = 0.09;
/** Arrows that are shorter than so much of the longest one are left out. */
const LEAST = 0.01;
/** Numbers of an arrow: three lines of two points. */
export const NUMBERS = 18;

export class Arrows {
  readonly lines: LineSegments;

  constructor(material: RawShaderMaterial) {
    this.lines = new LineSegments(new BufferGeometry(), material);
    this.lines.visible = false;
  }

  /** Draws `vectors` (3 numbers a vertex) at `positions`; null: none. */
  show(vectors: Float32Array | null, positions: Float32Array, longest: number): void {
    this.lines.visible = vectors !== null;
    if (!vectors) return;
    const vertices = vectors.length / 3;
    const every = Math.ceil(vertices / MOST);
    let most = 0;
    for (let k = 0; k < vertices; k++) most = Math.max(most, lengthOf(vectors, k));
    const array = this.room(NUMBERS * Math.ceil(vertices / every));
    for (let k = 0, at = 0; k < vertices; k += every, at += NUMBERS) drawArrow(array, at, positions, vectors, k, most > 0 ? longest / most : 0, LEAST * most);
    this.lines.geometry.attributes.position.needsUpdate = true;
  }

  private room(numbers: number): Float32Array {
    const now = this.lines.geometry.attributes.position as BufferAttribute | undefined;
    if (now && now.array.length === numbers) return now.array as Float32Array;
    this.lines.geometry.dispose();
    this.lines.geometry = new BufferGeometry();
    const array = new Float32Array(numbers);
    this.lines.geometry.setAttribute("position", new BufferAttribute(array, 3).setUsage(DynamicDrawUsage));
    return array;
  }
}

const lengthOf = (vectors: Float32Array, k: number) => {
  const length = Math.hypot(vectors[3 * k], vectors[3 * k + 1], vectors[3 * k + 2]);
  return Number.isFinite(length) ? length : 0;
};

/** Three lines from the place of a vector to its tip, and back to its barbs. */
export function drawArrow(out: Float32Array, at: number, positions: Float32Array, vectors: Float32Array, k: number, scale: number, least: number): void {
  const length = lengthOf(vectors, k);
  const by = length > least ? scale : 0;
  const tail = [positions[3 * k], positions[3 * k + 1], positions[3 * k + 2]];
  const way = [by * vectors[3 * k], by * vectors[3 * k + 1], by * vectors[3 * k + 2]];
  const tip = tail.map((value, axis) => value + (by > 0 ? way[axis] : 0));
  // At right angles to it: the product with the axis that is least along it.
  const least_axis = way.map(Math.abs).reduce((best, value, axis, all) => (value < all[best] ? axis : best), 0);
  const other = [0, 1, 2].map((axis) => (axis === least_axis ? 1 : 0));
  const across = [way[1] * other[2] - way[2] * other[1], way[2] * other[0] - way[0] * other[2], way[0] * other[1] - way[1] * other[0]];
  const size = by > 0 ? Math.hypot(...across) : 1;
  const barb = (sign: number) => tip.map((value, axis) => (by > 0 ? value - HEAD * way[axis] + (sign * SPREAD * by * length * across[axis]) / size : value));
  out.set([...tail, ...tip, ...tip, ...barb(1), ...tip, ...barb(-1)], at);
}
