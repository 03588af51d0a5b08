// What stands around the bodies: obstacles, external charges, the ground grid.
import { BackSide, BufferAttribute, BufferGeometry, Group, LineSegments, Mesh, Points } from "/vendor/three.js";
import type { Object3D, RawShaderMaterial } from "/vendor/three.js";
import type { Obstacle, SystemFacts } from "../protocol";
import type { Vec } from "./camera";
import { makeSolid } from "./materials";
import type { Materials } from "./materials";
import { ball, circles, facesOf, geometryOf, gridLines, planePart } from "./shapes";
import type { ViewTheme } from "./theme";

/** The grid is so much below the lowest point, in diagonals of the system's box. */
const GRID_BELOW = 0.1;
/** How far planes are drawn, in diagonals. */
const PLANE_SIZE = 2.4;

export class Scenery {
  readonly root = new Group();
  private readonly grid = new Group();
  private readonly obstacles: Group[] = [];
  private readonly solids: RawShaderMaterial[] = [];
  private charges: Points | null = null;
  private widths: (LineSegments | null)[] = [];
  private centre: Vec = [0, 0, 0];

  constructor(private readonly materials: Materials) {
    this.root.add(this.grid);
  }

  /** Everything anew; `lowest` is the least z of the first frame, m. Places are relative to the box's centre. */
  build(system: SystemFacts, lowest: number): void {
    this.clear();
    const size = system.box.size > 0 ? system.box.size : 1;
    this.centre = system.box.centre;
    for (const obstacle of system.obstacles) this.addObstacle(obstacle, size);
    const level = system.obstacles.find((each) => isLevel(each));
    this.addGrid(size, level ? level.placement[2] + 1e-3 * size : lowest - GRID_BELOW * size);
    this.addCharges(system);
  }

  clear(): void {
    const all: Object3D[] = [...this.obstacles, ...this.grid.children];
    for (const each of [...this.root.children]) if (each !== this.grid) this.root.remove(each);
    this.grid.clear();
    for (const each of all) each.traverse((part: Object3D) => (part as Mesh).geometry?.dispose());
    for (const each of this.solids) each.dispose();
    this.obstacles.length = this.solids.length = 0;
    this.charges?.geometry.dispose();
    for (const each of this.widths) each?.geometry.dispose();
    this.charges = null;
    this.widths = [];
  }

  private addGrid(size: number, height: number): void {
    const lines = new LineSegments(geometryOf(gridLines(this.centre, size)), this.materials.grid);
    lines.frustumCulled = false;
    lines.position.set(0, 0, height - this.centre[2]);
    this.materials.grid.uniforms.pale.value = [0.5 * size, 1.6 * size];
    this.grid.add(lines);
  }

  private addObstacle(obstacle: Obstacle, size: number): void {
    const group = new Group();
    const { drawing, shape } = obstacle;
    if (shape === "plane") group.add(plainly(new Mesh(this.planeOf(obstacle, normalOf(obstacle), size), this.materials.planes)));
    if (drawing) {
      const geometry = shape === "sphere" ? ball(obstacle.size[0]) : facesOf(drawing);
      if (geometry) {
        const material = makeSolid();
        // Of a room one sees the walls that are behind what is in it.
        if (obstacle.inside) material.side = BackSide;
        this.solids.push(material);
        group.add(plainly(new Mesh(geometry, material)));
      }
      // Edges are those of a room through which one has to look.
      if (obstacle.inside && drawing.lines.length > 0) group.add(plainly(new LineSegments(geometryOf(drawing.lines.flat(2)), this.materials.edges)));
    }
    this.obstacles.push(group);
    this.root.add(group);
    this.place(group, obstacle.placement);
  }

  /** A part of the plane below the middle of the box, in the obstacle's own axes. */
  private planeOf(obstacle: Obstacle, normal: Vec, size: number): BufferGeometry {
    const [x, y, z] = obstacle.placement;
    this.materials.planes.uniforms.pale.value = [0.3 * size, PLANE_SIZE * size];
    const away = [this.centre[0] - x, this.centre[1] - y, this.centre[2] - z];
    const along = away[0] * normal[0] + away[1] * normal[1] + away[2] * normal[2];
    return planePart(normal, away.map((value, k) => value - along * normal[k]) as Vec, PLANE_SIZE * size);
  }

  private addCharges(system: SystemFacts): void {
    if (system.external.length === 0) return;
    const geometry = geometryOf(new Float32Array(3 * system.external.length));
    geometry.setAttribute("value", new BufferAttribute(new Float32Array(system.external.length), 1));
    this.charges = plainly(new Points(geometry, this.materials.charges));
    this.root.add(this.charges);
    this.widths = system.external.map(({ kind, width }) => {
      if (kind !== "ball" || !width) return null;
      const lines = plainly(new LineSegments(geometryOf(circles(width)), this.materials.edges));
      this.root.add(lines);
      return lines;
    });
    const values = system.external.flatMap(({ position, charge }) => [...position, charge]);
    this.moveCharges(values, [0, 0, 0]);
  }

  /** Places (m, relative to `origin`) and charges (C) of the external charges. */
  moveCharges(values: ArrayLike<number>, origin: Vec): void {
    if (!this.charges) return;
    const { position, value } = this.charges.geometry.attributes as Record<string, BufferAttribute>;
    for (let k = 0; k < position.count; k++) {
      const place = [0, 1, 2].map((axis) => values[4 * k + axis] + origin[axis] - this.centre[axis]);
      position.setXYZ(k, place[0], place[1], place[2]);
      value.setX(k, values[4 * k + 3]);
      this.widths[k]?.position.set(place[0], place[1], place[2]);
    }
    position.needsUpdate = value.needsUpdate = true;
  }

  /** Placements (m, relative to `origin`, and quaternions) of the obstacles. */
  moveObstacles(placements: ArrayLike<number>, origin: Vec): void {
    this.obstacles.forEach((group, k) => this.place(group, Array.from({ length: 7 }, (_, j) => placements[7 * k + j] + (j < 3 ? origin[j] : 0))));
  }

  private place(group: Group, [x, y, z, a, b, c, w]: number[]): void {
    group.position.set(x - this.centre[0], y - this.centre[1], z - this.centre[2]);
    group.quaternion.set(a, b, c, w);
  }

  /** The places of everything are relative to this, m. */
  get origin(): Vec {
    return this.centre;
  }

  show(grid: boolean, shapes: boolean): void {
    this.grid.visible = grid;
    for (const each of this.root.children) if (each !== this.grid) each.visible = shapes;
  }

  paint(theme: ViewTheme): void {
    for (const each of this.solids) each.uniforms.ink.value = theme.obstacle;
    const { grid, edges, planes } = this.materials;
    planes.uniforms.ink.value = theme.plane;
    planes.uniforms.paper.value = theme.paper;
    grid.uniforms.ink.value = theme.grid;
    grid.uniforms.paper.value = theme.paper;
    edges.uniforms.ink.value = edges.uniforms.paper.value = theme.spring;
  }
}

function plainly<T extends Object3D>(object: T): T {
  object.frustumCulled = false;
  return object;
}

/** A plane's normal, in its own axes; scenes may write it with any length. */
function normalOf({ size }: Obstacle): Vec {
  const length = Math.hypot(...size);
  return size.length === 3 && length > 0 ? (size.map((each) => each / length) as Vec) : [0, 0, 1];
}
const isLevel = (obstacle: Obstacle) => obstacle.shape === "plane" && Math.abs(normalOf(obstacle)[2]) > 0.999 && Math.abs(obstacle.placement[6]) > 0.999;
