// When to draw: once per frame of the screen at most, only if something changed, and never more than two pictures ahead
// of the GPU. Times are those that drawing takes until the GPU is done.
import { counters, onFrame } from "../frames";
import { returnCredits } from "../connection";
import * as store from "../store";
import type { Renderer } from "./renderer";

const AHEAD = 2;
const SLOW_MS = 40;
const SLOW_FRAMES = 10;
const KEPT_TIMES = 120;
/** Leaving out fewer would not make drawing quicker. */
const LEAST_SPRINGS = 4000;
const LEAST_DISCS = 5000;

interface Drawing {
  fence: WebGLSync | null;
  start: number;
}

export class Loop {
  private asked = false;
  private wanted = false;
  private under: Drawing[] = [];
  private lastDone = 0;
  private since = 0;
  private readonly before: ((now: number) => boolean)[] = [];
  private readonly after: (() => void)[] = [];
  private seen = { frames: 0, drawn: 0, at: performance.now() };

  constructor(private readonly renderer: Renderer) {
    onFrame(() => this.wake());
    setInterval(() => this.count(), 1000);
  }

  /** Draws again soon. */
  wake(): void {
    this.wanted = true;
    this.ask();
  }

  /** `callback` is called before each drawing and says whether another one is to follow. */
  beforeDrawing(callback: (now: number) => boolean): void {
    this.before.push(callback);
  }

  afterDrawing(callback: () => void): void {
    this.after.push(callback);
  }

  private ask(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    this.asked = false;
    this.finish();
    if (this.wanted && this.under.length < AHEAD) {
      this.wanted = false;
      this.drawOnce(now);
    }
    if (this.wanted || this.under.length > 0) this.ask();
  }

  private drawOnce(now: number): void {
    for (const callback of this.before) if (callback(now)) this.wanted = true;
    const start = performance.now();
    if (!this.renderer.update() && counters.drawn > 0 && store.system.value) {
      // Frames that cannot be shown give their credits back all the same.
      returnCredits(this.renderer.credits());
    }
    this.renderer.draw();
    returnCredits(this.renderer.credits());
    const gl = this.renderer.context;
    this.under.push({ fence: gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0), start });
    gl.flush();
    for (const callback of this.after) callback();
  }

  private finish(): void {
    const gl = this.renderer.context;
    while (this.under.length > 0) {
      const { fence, start } = this.under[0];
      if (fence && !gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return;
      if (fence) gl.deleteSync(fence);
      this.under.shift();
      const end = performance.now();
      this.note(end - Math.max(start, this.lastDone));
      this.lastDone = end;
    }
  }

  private note(ms: number): void {
    counters.draw_ms.push(ms);
    if (counters.draw_ms.length > KEPT_TIMES) counters.draw_ms.shift();
    // Two pictures may be found done at once: a mean tells what each took.
    const last = counters.draw_ms.slice(-SLOW_FRAMES);
    const mean = last.reduce((sum, each) => sum + each, 0) / SLOW_FRAMES;
    if (++this.since < SLOW_FRAMES || last.length < SLOW_FRAMES || mean <= SLOW_MS) return;
    this.since = 0;
    this.leaveOut(mean);
  }

  /** First springs, then discs but every k-th; never the resolution. */
  private leaveOut(ms: number): void {
    const { level, every } = store.thinning.value;
    const system = store.system.value;
    const springs = store.show.value.springs ? system?.bodies.reduce((sum, each) => sum + each.springs[1], 0) ?? 0 : 0;
    const hasSprings = springs > LEAST_SPRINGS;
    const canThin = (system?.vertices ?? 0) / (2 * every) >= LEAST_DISCS;
    if (level === 0 && hasSprings) {
      store.thinning.value = { level: 1, springs: true, every: 1, ms };
    } else if (canThin && store.show.value.discs) {
      store.thinning.value = { level: level + 1, springs: store.thinning.value.springs || hasSprings, every: 2 * every, ms };
    }
  }

  private count(): void {
    const now = performance.now();
    const seconds = (now - this.seen.at) / 1000;
    const received = (counters.frames - this.seen.frames) / seconds;
    const drawn = (counters.drawn - this.seen.drawn) / seconds;
    this.seen = { frames: counters.frames, drawn: counters.drawn, at: now };
    const { value } = store.rates;
    if (Math.round(value.received) !== Math.round(received) || Math.round(value.drawn) !== Math.round(drawn)) {
      store.rates.value = { received, drawn };
    }
  }
}
