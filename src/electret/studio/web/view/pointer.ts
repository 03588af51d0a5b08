// Pointers in the view. Pressed on a body with the Grab tool they pull it, in the plane of the screen, with Shift along the
// view. Paint, Box and Lasso have strokes. Else left or right drag turns, Shift pans, and the wheel zooms to the pointer.
import { isHolding } from "../hands";
import type { Camera, Vec } from "./camera";
import type { Stroke } from "./strokes";

interface Actions {
  changed(): void;
  hovered(x: number, y: number): void;
  left(): void;
  /** Takes hold of what is there; metres a pixel, or 0 if there is nothing to take hold of. */
  grasp(pointer: number, x: number, y: number): number;
  pull(pointer: number, by: Vec): void;
  letGo(pointer: number): void;
  /** Begins a stroke there if the tool has one. */
  stroke(x: number, y: number, event: PointerEvent): Stroke | null;
}

let stroke: { id: number; stroke: Stroke } | null = null;
/** Esc: what was drawn is forgotten. Whether anything was. */
export function cancelStroke(): boolean {
  const was = stroke;
  stroke = null;
  was?.stroke.cancel();
  return was !== null;
}

const CLOSER = 0.0016;

/** dx to the right and dy down, m, as a way in space; `along` takes dy for a way towards the eye. */
export function moved(camera: Camera, dx: number, dy: number, along: boolean): Vec {
  const { right, up, back } = camera.basis();
  return [0, 1, 2].map((k) => dx * right[k] + (along ? dy * back[k] : -dy * up[k])) as Vec;
}

export function listen(element: HTMLElement, camera: Camera, actions: Actions): void {
  let drag: { id: number; x: number; y: number } | null = null;
  const pulls = new Map<number, { x: number; y: number; metres: number }>();
  const place = (event: MouseEvent): [number, number] => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  element.addEventListener("pointerdown", (event) => {
    const [x, y] = place(event);
    element.setPointerCapture(event.pointerId);
    element.focus({ preventScroll: true });
    const begun = event.button === 0 && !stroke ? actions.stroke(x, y, event) : null;
    if (begun) {
      stroke = { id: event.pointerId, stroke: begun };
      return;
    }
    const metres = event.button === 0 && !event.shiftKey ? actions.grasp(event.pointerId, x, y) : 0;
    if (metres > 0) pulls.set(event.pointerId, { x, y, metres });
    else drag = { id: event.pointerId, x, y };
  });
  element.addEventListener("pointermove", (event) => {
    const [x, y] = place(event);
    if (stroke?.id === event.pointerId) {
      stroke.stroke.move(x, y, event.shiftKey);
      actions.hovered(x, y);
      return;
    }
    const held = pulls.get(event.pointerId);
    if (held) {
      if (isHolding(event.pointerId)) actions.pull(event.pointerId, moved(camera, (x - held.x) * held.metres, (y - held.y) * held.metres, event.shiftKey));
      pulls.set(event.pointerId, { x, y, metres: held.metres });
      actions.hovered(x, y);
      return;
    }
    if (!drag || drag.id !== event.pointerId) {
      if (event.buttons === 0) actions.hovered(x, y);
      return;
    }
    if (event.shiftKey || (event.buttons & 4) !== 0) camera.pan(x - drag.x, y - drag.y);
    else camera.turn(x - drag.x, y - drag.y);
    drag = { id: drag.id, x, y };
    actions.changed();
  });
  const release = (event: PointerEvent) => {
    if (stroke?.id === event.pointerId) {
      const { stroke: ended } = stroke;
      stroke = null;
      if (event.type === "pointerup") ended.end();
      else ended.cancel();
    }
    if (drag?.id === event.pointerId) drag = null;
    if (pulls.delete(event.pointerId)) actions.letGo(event.pointerId);
  };
  element.addEventListener("pointerup", release);
  element.addEventListener("pointercancel", release);
  element.addEventListener("pointerleave", () => actions.left());
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 24 : event.deltaMode === 2 ? 400 : 1;
      const [x, y] = place(event);
      camera.zoom(Math.exp(Math.max(-600, Math.min(600, event.deltaY * lines)) * CLOSER), x, y);
      actions.changed();
    },
    { passive: false },
  );
}
