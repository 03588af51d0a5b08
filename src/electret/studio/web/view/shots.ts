// Pictures of what is seen, at a size of their own. A renderer of their own draws them, so that the view is not touched.
import { picture } from "../frames";
import type { Picture } from "../frames";
import type { Frame } from "../protocol";
import { drawOrnaments } from "./ornaments";
import { Renderer } from "./renderer";

/** The sides that pictures may have, and their area, pixels. */
export const LEAST_SIDE = 16;
export const MOST_SIDE = 8192;
export const MOST_PIXELS = 36e6;

/** Parts of a pixel by which the drawings are shifted that make one picture together: edges become smooth. */
const SHIFTS: [number, number][] = [[-0.375, -0.125], [0.125, -0.375], [-0.125, 0.375], [0.375, 0.125]];

/** Why there is no picture of this size; empty if there is one. */
export function whyNoSize(width: number, height: number): string {
  const isSide = (side: number) => Number.isInteger(side) && side >= LEAST_SIDE && side <= MOST_SIDE;
  if (!isSide(width) || !isSide(height)) return `A side has ${LEAST_SIDE} to ${MOST_SIDE} pixels.`;
  return width * height > MOST_PIXELS ? `A picture has at most ${MOST_PIXELS / 1e6} million pixels.` : "";
}

/** The height, in pixels of the page, of a picture of so many pixels in which all is that the view of `camera` shows. */
export function heightOf(camera: { width: number; height: number }, width: number, height: number): number {
  return height / Math.min(width / camera.width, height / camera.height);
}

export interface Ornaments {
  /** The scale of the colours, the scale bar and the axes. */
  scales: boolean;
  time: boolean;
}

export class Shots {
  private readonly source = { picture: { ...picture }, dirty: { topology: true, positions: true, colours: true, shapes: true } };
  private readonly drawn = document.createElement("canvas");
  private readonly renderer: Renderer;
  readonly canvas = document.createElement("canvas");
  /** Pixels of the picture per pixel of the page. */
  private readonly ratio: number;

  /** Pictures of `width` × `height` pixels of what `view` shows. What was seen there is seen here, whatever the shape. Throws an Error. */
  constructor(private readonly view: Renderer, width: number, height: number) {
    const context = this.drawn.getContext("webgl2", { antialias: false, alpha: false, preserveDrawingBuffer: true });
    if (!context) throw new Error("The browser gives no second WebGL context. Close other pages with pictures.");
    this.renderer = new Renderer(this.drawn, context, this.source, view);
    const { camera } = view;
    this.ratio = Math.min(width / camera.width, height / camera.height);
    this.renderer.setPixels(width, height, this.ratio);
    if (context.drawingBufferWidth !== width || context.drawingBufferHeight !== height) {
      this.dispose();
      throw new Error(`This browser draws pictures of at most ${context.drawingBufferWidth} × ${context.drawingBufferHeight} pixels here.`);
    }
    this.canvas.width = width;
    this.canvas.height = height;
  }

  dispose(): void {
    this.renderer.dispose();
  }

  /** The camera sees at the target what that of the view does: where a picture is higher, it stands farther away. */
  private aim(): void {
    const { camera } = this.view;
    const own = this.renderer.camera;
    own.pose = { ...camera.pose, target: [...camera.pose.target], distance: camera.pose.distance * (own.height / camera.height) };
  }

  /** Draws the view's picture, or `frame`, on `canvas`. */
  draw(ornaments: Ornaments, frame: Frame | null = null): void {
    const { source, renderer } = this;
    Object.assign(source.picture, frame ? pictureOf(frame, source.picture) : picture);
    Object.assign(source.dirty, { positions: true, colours: true, shapes: true });
    this.aim();
    if (!renderer.update()) throw new Error("There is no picture yet.");
    const context = this.canvas.getContext("2d");
    if (!context) throw new Error("The browser has no memory for a picture of this size.");
    context.resetTransform();
    SHIFTS.forEach((shift, k) => {
      renderer.draw(shift);
      context.globalAlpha = 1 / (k + 1);
      context.drawImage(this.drawn, 0, 0);
    });
    context.globalAlpha = 1;
    context.scale(this.ratio, this.ratio);
    drawOrnaments(context, renderer.camera, source.picture, ornaments);
  }

  /** What was drawn, as PNG. */
  async png(): Promise<Blob> {
    const blob = await new Promise<Blob | null>((resolve) => this.canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("The browser has no memory for a picture of this size.");
    return blob;
  }
}

/** The picture of a frame that has everything with it. */
function pictureOf(frame: Frame, before: Picture): Picture {
  return {
    ...before,
    frame,
    charges: frame.charges ?? null,
    scalar: frame.scalar ?? null,
    placements: frame.placements ?? null,
    external: frame.external ?? null,
    hands: frame.hands ?? null,
    balls: frame.balls ?? null,
    field: null,
  };
}
