// Arrows of the electric field on a grid: a decade of the field is the same part of their length and their colour.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineSegments } from "/vendor/three.js";
import type { RawShaderMaterial } from "/vendor/three.js";
import type { Picture } from "../frames";
import { drawArrow, NUMBERS } from "./arrows";
import type { Vec } from "./camera";

/** From the largest field down to so many decades below it arrows are drawn. */
export const DECADES = 3;
/** The longest and the shortest arrow, distances of the grid. */
const LONGEST = 0.95;
const SHORTEST = 0.2;

export class FieldArrows {
  readonly lines: LineSegments;

  constructor(material: RawShaderMaterial) {
    this.lines = new LineSegments(new BufferGeometry(), material);
    this.lines.visible = false;
  }

  /** Draws the field about `origin`; null: none. */
  show(field: Picture["field"], origin: Vec): void {
    this.lines.visible = field !== null && field.largest > 0;
    if (!field || !this.lines.visible) return;
    const { corner, across, along, values, spacing, largest } = field;
    const count = values.length / 3;
    const side = Math.round(Math.sqrt(count));
    const tails = new Float32Array(3 * count);
    const vectors = new Float32Array(3 * count);
    const parts = new Float32Array((NUMBERS / 3) * count);
    for (let k = 0; k < count; k++) {
      const size = Math.hypot(values[3 * k], values[3 * k + 1], values[3 * k + 2]);
      const part = 1 + Math.log10(size / largest) / DECADES;
      const length = part > 0 ? spacing * (SHORTEST + (LONGEST - SHORTEST) * part) : 0;
      for (let axis = 0; axis < 3; axis++) {
        const way = length > 0 ? (length * values[3 * k + axis]) / size : 0;
        vectors[3 * k + axis] = way;
        tails[3 * k + axis] = corner[axis] - origin[axis] + (k % side) * across[axis] + Math.floor(k / side) * along[axis] - 0.5 * way;
      }
      parts.fill(Math.max(0, part), (NUMBERS / 3) * k, (NUMBERS / 3) * (k + 1));
    }
    const array = this.room(NUMBERS * count);
    for (let k = 0; k < count; k++) drawArrow(array, NUMBERS * k, tails, vectors, k, 1, 0);
    this.lines.geometry.attributes.position.needsUpdate = true;
    (this.lines.geometry.attributes.value as BufferAttribute).array = parts;
    this.lines.geometry.attributes.value.needsUpdate = true;
  }

  private room(numbers: number): Float32Array {
    const now = this.lines.geometry.attributes.position as BufferAttribute | undefined;
    if (now && now.array.length === numbers) return now.array as Float32Array;
    this.lines.geometry.dispose();
    this.lines.geometry = new BufferGeometry();
    const array = new Float32Array(numbers);
    this.lines.geometry.setAttribute("position", new BufferAttribute(array, 3).setUsage(DynamicDrawUsage));
    this.lines.geometry.setAttribute("value", new BufferAttribute(new Float32Array(numbers / 3), 1).setUsage(DynamicDrawUsage));
    return array;
  }
}
