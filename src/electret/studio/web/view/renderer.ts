// Draws the newest frame. Points, surface and springs share one buffer of places and one of values.
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  LinearSRGBColorSpace,
  LineSegments,
  Mesh,
  PerspectiveCamera,
  Points,
  Scene,
  WebGLRenderer,
} from "/vendor/three.js";
import type { RawShaderMaterial } from "/vendor/three.js";
import { counters, dirty, picture, publishShown, takeCredits, valuesOf } from "../frames";
import type { Dirty, Picture } from "../frames";
import { stops } from "../palette";
import type { SystemFacts, Topology } from "../protocol";
import * as store from "../store";
import { Arrows } from "./arrows";
import { Camera, FIELD_OF_VIEW } from "./camera";
import type { Vec } from "./camera";
import { makeMaterials, setStops } from "./materials";
import { FieldArrows } from "./fieldarrows";
import { Scenery } from "./scenery";
import { spacing } from "./spacing";
import { viewTheme } from "./theme";

/** Discs reach so far towards the nearest neighbour: alone, and on a surface that shows, too. */
const DISC_ALONE = 0.3;
const DISC_ON_SURFACE = 0.17;
/** Discs of coarse bodies are no larger than so much of the system's diagonal. */
const MOST_ON_SURFACE = 0.011;
const MOST_ALONE = 0.02;
/** The first view leaves room for what will move. */
const START_MARGIN = 1.15;
/** Discs on a surface are drawn from this diameter on, pixels of the page. */
const LEAST_DISC = 2.5;
const MOST_RINGS = 6000;
/** The longest arrow of a gradient, diagonals. */
const ARROW = 0.16;
/** The largest disc, pixels of the page. */
const MOST_DISC = 96;

/** What a renderer draws, and what of it is new. */
export interface Source {
  picture: Picture;
  dirty: Dirty;
}

/** What the first frame of a system says of how it is drawn: how far apart vertices are, and the lowest point, m. */
interface Look {
  apart: number;
  lowest: number;
}

export class Renderer {
  readonly camera = new Camera();
  private readonly gl: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly eye = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  private readonly materials = makeMaterials();
  private readonly scenery = new Scenery(this.materials);
  private readonly body = new Group();
  private readonly surface = new Mesh(new BufferGeometry(), this.materials.surface);
  private readonly discs = new Points(new BufferGeometry(), this.materials.discs);
  private readonly springs = new LineSegments(new BufferGeometry(), this.materials.springs);
  private readonly rings = new Points(new BufferGeometry(), this.materials.rings);
  private readonly pins = new Points(new BufferGeometry(), this.materials.pins);
  private readonly hatching = new Points(new BufferGeometry(), this.materials.hatching);
  private readonly arrows = new Arrows(this.materials.arrows);
  private readonly field = new FieldArrows(this.materials.field);
  private places: BufferAttribute | null = null;
  private values: BufferAttribute | null = null;
  private discVertices: Uint32Array = new Uint32Array(0);
  private look: Look = { apart: 1, lowest: 0 };
  private ready = false;
  private framedSystem = "";
  /** Pixels of the picture per pixel of the page. */
  private ratio = 1;

  /** Draws `source`; without it, that of the view. What is drawn `like` another renderer's has its camera and looks as there. */
  constructor(
    canvas: HTMLCanvasElement,
    context: WebGL2RenderingContext,
    private readonly source: Source = { picture, dirty },
    private readonly like: Renderer | null = null,
  ) {
    this.gl = new WebGLRenderer({ canvas, context, antialias: like === null });
    this.gl.outputColorSpace = LinearSRGBColorSpace;
    this.scene.matrixWorldAutoUpdate = true;
    this.scene.add(this.body, this.scenery.root);
    this.body.add(this.surface, this.springs, this.discs, this.rings, this.pins, this.hatching, this.arrows.lines, this.field.lines);
    for (const each of this.body.children) each.frustumCulled = false;
  }

  get context(): WebGL2RenderingContext {
    return this.gl.getContext() as WebGL2RenderingContext;
  }

  /** The radius that discs have, m; 0 if none are drawn. */
  get discRadius(): number {
    return this.discs.visible ? (this.materials.discs.uniforms.radius.value as number) : 0;
  }

  resize(width: number, height: number, pixelRatio: number): void {
    this.camera.width = Math.max(1, width);
    this.camera.height = Math.max(1, height);
    this.ratio = pixelRatio;
    this.gl.setPixelRatio(pixelRatio);
    this.gl.setSize(this.camera.width, this.camera.height, false);
  }

  /** Draws so many pixels, `ratio` of them for one of the page. */
  setPixels(width: number, height: number, ratio: number): void {
    this.camera.width = width / ratio;
    this.camera.height = height / ratio;
    this.ratio = ratio;
    this.gl.setPixelRatio(1);
    this.gl.setSize(width, height, false);
  }

  /** Gives back what it has on the GPU. */
  dispose(): void {
    for (const each of [this.surface, this.springs, this.discs, this.rings, this.pins, this.hatching]) each.geometry.dispose();
    this.scenery.clear();
    this.arrows.lines.geometry.dispose();
    this.field.lines.geometry.dispose();
    for (const each of Object.values(this.materials)) each.dispose();
    this.gl.dispose();
    this.gl.forceContextLoss();
  }

  /** Everything that depends on the topology, once its first frame is there. */
  private build(system: SystemFacts, topology: Topology, positions: Float32Array, origin: Vec): void {
    for (const each of [this.springs, this.discs, this.rings, this.pins, this.hatching]) release(each.geometry);
    this.surface.geometry.dispose();
    this.places = new BufferAttribute(positions, 3).setUsage(DynamicDrawUsage);
    this.values = new BufferAttribute(new Float32Array(topology.points), 1).setUsage(DynamicDrawUsage);
    this.surface.geometry = this.shared(topology.faces);
    this.springs.geometry = this.shared(topology.springs);
    this.discVertices = discVertices(system, topology);
    this.thin();
    this.pins.geometry = this.shared(Uint32Array.from(system.pins));
    this.rings.geometry = this.shared(new Uint32Array(0));
    this.hatching.geometry = this.shared(chargedByGroups(system, topology));
    this.look = this.like ? this.like.look : { apart: spacing(topology, positions, system.box.size), lowest: lowestOf(positions, origin) ?? system.box.centre[2] };
    this.scenery.build(system, this.look.lowest);
    this.ready = true;
    this.source.dirty.colours = this.source.dirty.shapes = true;
    if (!this.like && this.framedSystem !== system.name) {
      this.framedSystem = system.name;
      const { centre, radius } = startBall(system);
      this.camera.pose = this.camera.framing(centre, START_MARGIN * radius);
    }
  }

  private shared(index: Uint32Array): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.places as BufferAttribute);
    geometry.setAttribute("value", this.values as BufferAttribute);
    geometry.setIndex(new BufferAttribute(index, 1));
    return geometry;
  }

  /** Every k-th disc, where drawing cannot keep up. */
  thin(): void {
    const every = this.like ? 1 : store.thinning.value.every;
    if (!this.places) return;
    const kept = every === 1 ? this.discVertices : this.discVertices.filter((_, k) => k % every === 0);
    release(this.discs.geometry);
    this.discs.geometry = this.shared(kept);
  }

  /** Rings about some points. */
  ring(points: Uint32Array): void {
    if (!this.places) return;
    const every = Math.ceil(points.length / MOST_RINGS);
    release(this.rings.geometry);
    this.rings.geometry = this.shared(every > 1 ? points.filter((_, k) => k % every === 0) : points);
  }

  /** Brings to the GPU what is new. Whether there is a picture. */
  update(): boolean {
    const { picture: now, dirty: anew } = this.source;
    const { topology, frame } = now;
    const system = store.system.value;
    if (!topology || !frame || !system || system.generation !== topology.generation) return false;
    if (anew.topology) {
      this.build(system, topology, frame.positions, frame.origin);
      anew.topology = false;
      this.onBuilt();
    }
    if (!this.ready || !this.places || !this.values) return false;
    if (anew.positions) {
      this.places.array = frame.positions;
      this.places.needsUpdate = true;
      if (!this.like) publishShown(frame);
    }
    if (anew.positions || anew.colours) this.arrows.show(now.arrows, frame.positions, ARROW * (system.box.size || 1));
    if (anew.colours) {
      this.field.show(now.field, frame.origin);
      const values = valuesOf(now);
      if (values && values.length === topology.points) {
        this.values.array = values;
        this.values.needsUpdate = true;
      }
      if (values) this.onColours();
      this.setColours(values !== null);
    }
    if (anew.shapes) {
      if (now.placements) this.scenery.moveObstacles(now.placements, frame.origin);
      if (now.external) this.scenery.moveCharges(now.external, frame.origin);
    }
    anew.positions = anew.colours = anew.shapes = false;
    return true;
  }

  onBuilt: () => void = () => undefined;
  onColours: () => void = () => undefined;

  setColours(hasValues = valuesOf(this.source.picture) !== null): void {
    const { low, high } = store.range.value;
    const symmetric = store.scalar.value?.symmetric ?? true;
    for (const each of [this.materials.surface, this.materials.discs]) {
      setStops(each, stops(symmetric));
      each.uniforms.range.value = [low, high];
      each.uniforms.hasValues.value = hasValues ? 1 : 0;
    }
    this.materials.discs.uniforms.signs.value = store.show.value.signs && symmetric && hasValues ? 1 : 0;
    this.materials.discs.uniforms.threshold.value = 0.02 * Math.max(Math.abs(low), Math.abs(high));
  }

  /** Draws it; with `shift`, so many pixels beside its place: pictures that are shifted by parts of one have smooth edges together. */
  draw(shift: [number, number] | null = null): void {
    const theme = viewTheme();
    const show = store.show.value;
    const { topology, frame } = this.source.picture;
    const system = store.system.value;
    const hasFaces = (topology?.faces.length ?? 0) > 0;
    const surface = show.surface && hasFaces;
    this.body.visible = this.ready && frame !== null;
    this.surface.visible = surface;
    this.springs.visible = show.springs && (this.like !== null || !store.thinning.value.springs);
    this.discs.visible = (show.discs && !(surface && this.discsAreTiny())) || (!hasFaces && !show.springs);
    this.pins.visible = show.discs || surface;
    this.hatching.visible = store.tool.value === "paint" && !system?.run;
    this.scenery.show(show.grid, show.shapes);
    this.paint(surface);
    this.aim(shift);
    this.gl.setClearColor(theme.paper, 1);
    this.gl.render(this.scene, this.eye);
    if (!this.like) counters.drawn++;
  }

  /** Whether discs on a surface would be but noise on it: they appear when one comes nearer. */
  private discsAreTiny(): boolean {
    return 2 * this.radiusOfDiscs(true) * this.camera.pixelsPerMetre() < LEAST_DISC;
  }

  private radiusOfDiscs(surface: boolean): number {
    const size = store.system.value?.box.size || 1;
    const radius = surface ? Math.min(this.look.apart * DISC_ON_SURFACE, MOST_ON_SURFACE * size) : Math.min(this.look.apart * DISC_ALONE, MOST_ALONE * size);
    return radius * store.discSize.value;
  }

  /** Gives the credits of what was just drawn back. */
  credits(): number[] {
    return takeCredits();
  }

  private paint(surface: boolean): void {
    const theme = viewTheme();
    const { materials, ratio } = this;
    const focal = this.camera.focal() * ratio;
    const set = (material: RawShaderMaterial, name: string, value: unknown) => {
      material.uniforms[name].value = value;
    };
    set(materials.surface, "plain", theme.plain);
    set(materials.discs, "plain", theme.plain);
    set(materials.discs, "radius", this.radiusOfDiscs(surface));
    set(materials.discs, "focal", focal);
    set(materials.discs, "sizes", [2, MOST_DISC * Math.max(1, ratio)]);
    set(materials.arrows, "ink", theme.ink);
    set(materials.arrows, "paper", theme.ink);
    setStops(materials.field, theme.field);
    set(materials.springs, "ink", theme.spring);
    set(materials.springs, "paper", theme.paper);
    const { distance } = this.camera.pose;
    const size = store.system.value?.box.size ?? 1;
    set(materials.springs, "pale", [distance - 0.5 * size, distance + 1.1 * size]);
    for (const each of [materials.rings, materials.pins, materials.charges, materials.hatching]) {
      set(each, "ink", each === materials.rings ? theme.accent : theme.ink);
      set(each, "paper", theme.paper);
      set(each, "focal", focal);
    }
    set(materials.rings, "size", 7 * ratio);
    set(materials.rings, "radius", this.discs.visible ? materials.discs.uniforms.radius.value : 0);
    set(materials.hatching, "size", 9 * ratio);
    set(materials.hatching, "radius", this.discs.visible ? materials.discs.uniforms.radius.value : 0);
    set(materials.pins, "size", 8 * ratio);
    set(materials.charges, "size", 20 * ratio);
    this.scenery.paint(theme);
  }

  /** Everything is placed relative to the camera's target, so that small numbers reach the GPU. */
  private aim(shift: [number, number] | null): void {
    const { camera, eye } = this;
    const { target, distance } = camera.pose;
    const origin = this.source.picture.frame?.origin ?? target;
    const place = (group: Group, at: Vec) => group.position.set(at[0] - target[0], at[1] - target[1], at[2] - target[2]);
    place(this.body, origin);
    place(this.scenery.root, this.scenery.origin);
    const { right, up, back } = camera.basis();
    const at = camera.eyeOffset();
    eye.matrixAutoUpdate = false;
    eye.matrix.set(right[0], up[0], back[0], at[0], right[1], up[1], back[1], at[1], right[2], up[2], back[2], at[2], 0, 0, 0, 1);
    eye.matrixWorldNeedsUpdate = true;
    eye.aspect = camera.width / camera.height;
    const size = Math.max(store.system.value?.box.size ?? 1, distance);
    eye.near = Math.max(distance / 500, 1e-9);
    eye.far = distance + 12 * size;
    if (shift) eye.setViewOffset(camera.width * this.ratio, camera.height * this.ratio, shift[0], shift[1], camera.width * this.ratio, camera.height * this.ratio);
    eye.updateProjectionMatrix();
  }
}

/** Gives back what a geometry has for itself; the buffers of places and values are shared with others. */
function release(geometry: BufferGeometry): void {
  geometry.deleteAttribute("position");
  geometry.deleteAttribute("value");
  geometry.dispose();
}

/** The lowest point of a frame, m; null without any. */
function lowestOf(positions: Float32Array, origin: Vec): number | null {
  let lowest = Infinity;
  for (let k = 2; k < positions.length; k += 3) lowest = Math.min(lowest, positions[k]);
  return Number.isFinite(lowest) ? lowest + origin[2] : null;
}

/** A ball about the bodies and what stands near them. */
function startBall(system: SystemFacts): { centre: Vec; radius: number } {
  const { centre, size } = system.box;
  let radius = 0.5 * size;
  const near = (place: ArrayLike<number>, extent: number) => {
    const reach = Math.hypot(place[0] - centre[0], place[1] - centre[1], place[2] - centre[2]) + extent;
    if (reach < 1.6 * size) radius = Math.max(radius, reach);
  };
  for (const { position, width } of system.external) near(position, width ?? 0);
  for (const { shape, size: [extent], placement } of system.obstacles) if (shape === "sphere") near(placement, 0.7 * extent);
  return { centre, radius };
}

/** The vertices that have the charge of a group: the brush leaves them as they are. */
function chargedByGroups(system: SystemFacts, topology: Topology): Uint32Array {
  const all = new Set<number>();
  for (const { offset, count, charged } of system.groups) if (charged) topology.groups.subarray(offset, offset + count).forEach((each) => all.add(each));
  return Uint32Array.from(all);
}

/** The vertices of the bodies; surface points of filled bodies are no vertices. */
function discVertices(system: SystemFacts, topology: Topology): Uint32Array {
  const all = Math.min(system.vertices, topology.points);
  return Uint32Array.from({ length: all }, (_, k) => k);
}
