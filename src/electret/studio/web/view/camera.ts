// The camera: a turntable about a target, z upwards. Places are doubles; only differences go to the GPU.

export type Vec = [number, number, number];
export interface Basis {
  right: Vec;
  up: Vec;
  back: Vec;
}

/** Degrees; that of `electret render`. */
export const FIELD_OF_VIEW = 30;
const HALF = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
const FLIGHT_MS = 260;
const STEEPEST = Math.PI / 2;

export interface Pose {
  target: Vec;
  azimuth: number;
  elevation: number;
  distance: number;
}

export const add = (a: Vec, b: Vec, by = 1): Vec => [a[0] + by * b[0], a[1] + by * b[1], a[2] + by * b[2]];

export class Camera {
  pose: Pose = { target: [0, 0, 0], azimuth: 0.5, elevation: 0.42, distance: 5 };
  width = 1;
  height = 1;
  private flight: { from: Pose; to: Pose; start: number } | null = null;

  /** The camera's axes; they are defined for a view straight down, too. */
  basis(): Basis {
    const { azimuth: a, elevation: e } = this.pose;
    return {
      right: [Math.cos(a), Math.sin(a), 0],
      up: [-Math.sin(e) * Math.sin(a), Math.sin(e) * Math.cos(a), Math.cos(e)],
      back: [Math.cos(e) * Math.sin(a), -Math.cos(e) * Math.cos(a), Math.sin(e)],
    };
  }

  /** Pixels of the page that a metre takes at the target. */
  pixelsPerMetre(): number {
    return this.height / (2 * HALF * this.pose.distance);
  }

  /** The eye less the target, m. */
  eyeOffset(): Vec {
    const { back } = this.basis();
    const d = this.pose.distance;
    return [d * back[0], d * back[1], d * back[2]];
  }

  turn(dx: number, dy: number): void {
    this.flight = null;
    this.pose.azimuth -= dx * 0.008;
    this.pose.elevation = Math.min(STEEPEST, Math.max(-STEEPEST, this.pose.elevation + dy * 0.008));
  }

  pan(dx: number, dy: number): void {
    this.flight = null;
    const { right, up } = this.basis();
    const metre = this.pixelsPerMetre();
    this.pose.target = add(add(this.pose.target, right, -dx / metre), up, dy / metre);
  }

  /** Comes nearer by `factor` (< 1); what is under the pixel (x, y) at the target's depth stays there. */
  zoom(factor: number, x: number, y: number): void {
    this.flight = null;
    const { right, up } = this.basis();
    const metre = this.pixelsPerMetre();
    const across = (x - this.width / 2) / metre;
    const upwards = (this.height / 2 - y) / metre;
    this.pose.distance = Math.min(1e9, Math.max(1e-9, this.pose.distance * factor));
    this.pose.target = add(add(this.pose.target, right, across * (1 - factor)), up, upwards * (1 - factor));
  }

  /** The pose that shows a ball of `radius` (m) about `centre` whole. */
  framing(centre: Vec, radius: number): Pose {
    const narrow = Math.min(1, this.width / Math.max(1, this.height));
    const distance = ((radius > 0 ? radius : 1) / Math.sin(Math.atan(HALF * narrow))) * 1.12;
    return { ...this.pose, target: centre, distance };
  }

  moveTo(to: Pose, flies: boolean, now: number): void {
    if (!flies) {
      this.flight = null;
      this.pose = to;
      return;
    }
    // The shorter way round.
    const turns = Math.round((to.azimuth - this.pose.azimuth) / (2 * Math.PI));
    this.flight = { from: { ...this.pose }, to: { ...to, azimuth: to.azimuth - 2 * Math.PI * turns }, start: now };
  }

  /** Goes on with a flight; whether one is under way. */
  advance(now: number): boolean {
    if (!this.flight) return false;
    const { from, to, start } = this.flight;
    const part = Math.min(1, Math.max(0, (now - start) / FLIGHT_MS));
    const s = part * part * (3 - 2 * part);
    const between = (a: number, b: number) => a + s * (b - a);
    this.pose = {
      target: from.target.map((value, k) => between(value, to.target[k])) as Vec,
      azimuth: between(from.azimuth, to.azimuth),
      elevation: between(from.elevation, to.elevation),
      distance: from.distance * (to.distance / from.distance) ** s,
    };
    if (part >= 1) this.flight = null;
    return true;
  }

  /** What projects a place relative to `origin` to pixels: columns of a 3 × 4 matrix (x, y, depth), row by row. */
  projection(origin: Vec): Float64Array {
    const { right, up, back } = this.basis();
    const offset = add(origin, this.pose.target, -1);
    const dot = (a: Vec, b: Vec) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const row = (axis: Vec) => [axis[0], axis[1], axis[2], dot(axis, offset)];
    const depth = row(back).map((value) => -value);
    depth[3] += this.pose.distance;
    return new Float64Array([...row(right), ...row(up), ...depth]);
  }

  /** Pixels of the page per unit of x/depth. */
  focal(): number {
    return this.height / (2 * HALF);
  }
}
