// Movies of the past, encoded here: each picture has the time of its frame.
import type { ArrayBufferTarget, Muxer } from "/vendor/movie.js";
import { signal } from "/vendor/ui.js";
import { request } from "./connection";
import { awaitFrame, newNumber } from "./kept";
import type { Frame } from "./protocol";
import * as store from "./store";
import { makeShots } from "./view/control";
import type { Ornaments, Shots } from "./view/shots";

/** Whether this browser encodes movies. */
export const canEncode = typeof VideoEncoder !== "undefined" && typeof VideoFrame !== "undefined";

export interface MovieWish {
  width: number;
  height: number;
  /** Steps, or frames of a run. */
  from: number;
  to: number;
  /** Seconds of the simulation that a second of the movie shows. */
  speed: number;
  /** The most pictures a second. */
  rate: number;
  ornaments: Ornaments;
}

/** How far a movie is: null where none is made. */
export const filming = signal<{ done: number; total: number } | null>(null);
let stopped = false;
export function stopFilming(): void {
  stopped = true;
}

const CODEC = "vp8";
const KEY_EVERY = 60;
/** Pictures that may wait for the encoder. */
const MOST_WAITING = 4;
/** Bits for a pixel of a picture. */
const BITS = 0.16;

/** The steps that a movie shows. */
export function stepsOf({ from, to, speed, rate }: MovieWish): number[] {
  const between = store.timeOf(Math.min(from + 1, to)) - store.timeOf(from) || store.interval.value;
  const every = between > 0 ? Math.max(1, Math.round(speed / (rate * between))) : 1;
  return Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, k) => from + k * every);
}

/** Why this movie cannot be made; empty if it can. */
export function whyNoMovie({ from, to, speed, rate }: MovieWish): string {
  const last = store.run.value?.recorded.last ?? 0;
  const isStep = (step: number) => Number.isInteger(step) && step >= 0 && step <= last;
  if (!isStep(from) || !isStep(to)) return `First and last are whole numbers from 0 to ${last}.`;
  if (from >= to) return "The last is after the first.";
  if (!(speed >= 1e-6 && speed <= 1e6)) return "The speed is from 1e-6 to 1e6.";
  return rate >= 1 && rate <= 120 ? "" : "There are 1 to 120 pictures a second.";
}

/** A frame of the past. */
function frameAt(step: number): Promise<Frame> {
  return new Promise((resolve, reject) => {
    const number = newNumber();
    awaitFrame(number, resolve);
    void request("frame", { step, number }).then((error) => error !== null && reject(new Error(error)));
  });
}

/** Encodes pictures as they are added. */
class Film {
  private failure: Error | null = null;
  private readonly encoder: VideoEncoder;
  private number = 0;

  constructor(private readonly muxer: Muxer<ArrayBufferTarget>, width: number, height: number, rate: number) {
    this.encoder = new VideoEncoder({
      output: (chunk, meta) => this.muxer.addVideoChunk(chunk, meta),
      error: (error) => (this.failure = new Error(error.message)),
    });
    this.encoder.configure({ codec: CODEC, width, height, framerate: rate, bitrate: Math.min(60e6, Math.max(1e6, BITS * width * height * rate)), latencyMode: "quality" });
  }

  /** The picture on `canvas` is seen from `time` on, s. */
  async add(canvas: HTMLCanvasElement, time: number): Promise<void> {
    const frame = new VideoFrame(canvas, { timestamp: Math.round(1e6 * time) });
    this.encoder.encode(frame, { keyFrame: this.number++ % KEY_EVERY === 0 });
    frame.close();
    while (this.encoder.state === "configured" && this.encoder.encodeQueueSize > MOST_WAITING) await new Promise((resolve) => setTimeout(resolve, 5));
    if (this.failure) throw this.failure;
  }

  async end(): Promise<Blob> {
    await this.encoder.flush();
    if (this.failure) throw this.failure;
    this.muxer.finalize();
    return new Blob([this.muxer.target.buffer], { type: "video/webm" });
  }

  close(): void {
    if (this.encoder.state !== "closed") this.encoder.close();
  }
}

/** Makes a movie; null if it was stopped. Throws an Error with what went wrong. */
export async function film(wish: MovieWish): Promise<Blob | null> {
  const steps = stepsOf(wish);
  // The colours of this encoder are those of two by two pixels.
  const [width, height] = [wish.width & ~1, wish.height & ~1];
  const support = await VideoEncoder.isConfigSupported({ codec: CODEC, width, height });
  if (!support.supported) throw new Error(`This browser encodes no movie of ${width} × ${height} pixels.`);
  stopped = false;
  filming.value = { done: 0, total: steps.length };
  const generation = store.system.value?.generation;
  let shots: Shots | null = null;
  const { ArrayBufferTarget, Muxer } = await import("/vendor/movie.js");
  const muxer = new Muxer({ target: new ArrayBufferTarget(), video: { codec: "V_VP8", width, height } });
  const movie = new Film(muxer, width, height, wish.rate);
  try {
    shots = makeShots(width, height);
    let [first, before] = [0, -1];
    for (const [k, step] of steps.entries()) {
      if (stopped) return null;
      const frame = await frameAt(step);
      if (frame.generation !== generation || (store.run.value?.recorded.last ?? 0) < step) throw new Error("What was simulated is another one now: the scene was reset or opened anew.");
      if (k === 0) first = frame.time;
      // Of a long past not all is kept.
      if (frame.step > before) {
        shots.draw(wish.ornaments, frame);
        await movie.add(shots.canvas, (frame.time - first) / wish.speed);
        before = frame.step;
      }
      filming.value = { done: k + 1, total: steps.length };
    }
    return await movie.end();
  } finally {
    movie.close();
    shots?.dispose();
    filming.value = null;
  }
}
