import { Color, DoubleSide, FrontSide, GLSL3, RawShaderMaterial, Vector3 } from "/vendor/three.js";
import { DIVERGING } from "../palette";
import type { Rgb } from "../palette";
import * as shaders from "./shaders";

const vectors = (colours: Rgb[]) => colours.map((each) => new Vector3(...each));
const colour = ([r, g, b]: Rgb) => new Vector3(r, g, b);


function material(shader: { vertex: string; fragment: string }, uniforms: Record<string, unknown>): RawShaderMaterial {
  return new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: shader.vertex,
    fragmentShader: shader.fragment,
    uniforms: Object.fromEntries(Object.entries(uniforms).map(([name, value]) => [name, { value }])),
    side: FrontSide,
  });
}

function scale(): Record<string, unknown> {
  return { stops: vectors(DIVERGING), range: [-1, 1], plain: new Color(), hasValues: 0 };
}

export function makeMaterials() {
  const surface = material(shaders.surface, scale());
  surface.side = DoubleSide;
  return {
    surface,
    discs: material(shaders.discs, { ...scale(), radius: 0.1, focal: 1, sizes: [2, 96], signs: 0, threshold: 0 }),
    springs: material(shaders.lines, { pale: [0, 1], centre: new Vector3(), about: 0, ink: new Color(), paper: new Color() }),
    grid: material(shaders.lines, { pale: [0, 1], centre: new Vector3(), about: 1, ink: new Color(), paper: new Color() }),
    planes: material(shaders.lines, { pale: [0, 1], centre: new Vector3(), about: 1, ink: new Color(), paper: new Color() }),
    edges: material(shaders.lines, { pale: [1e30, 2e30], centre: new Vector3(), about: 0, ink: new Color(), paper: new Color() }),
    arrows: material(shaders.lines, { pale: [1e30, 2e30], centre: new Vector3(), about: 0, ink: new Color(), paper: new Color() }),
    field: material(shaders.tinted, { ...scale(), range: [0, 1], hasValues: 1 }),
    rings: mark(0),
    pins: mark(1),
    charges: mark(2),
    hatching: mark(3),
  };
}

function mark(form: number): RawShaderMaterial {
  return material(shaders.marks, {
    form,
    size: 9,
    nearer: 2e-4,
    radius: 0,
    focal: 1,
    ink: new Color(),
    paper: new Color(),
    positive: colour(DIVERGING[4]),
    negative: colour(DIVERGING[0]),
  });
}

export function makeSolid(): RawShaderMaterial {
  return material(shaders.solid, { ink: new Color() });
}

export type Materials = ReturnType<typeof makeMaterials>;

export function setStops(target: RawShaderMaterial, colours: Rgb[]): void {
  (target.uniforms.stops.value as Vector3[]).forEach((each, k) => each.set(...colours[k]));
}
