// What lies over the view, drawn into pictures: the scale of colours, the scale bar, axes, the time, what hands hold.
import { BALL_NUMBERS } from "../ball";
import { niceStep, quantity, seconds, signed } from "../format";
import type { Picture } from "../frames";
import { HAND_NUMBERS } from "../hands";
import { css, stops } from "../palette";
import * as store from "../store";
import type { Camera } from "./camera";
import { project } from "./picking";
import type { Ornaments } from "./shots";

type Pen = CanvasRenderingContext2D;

const FONT = '13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
const MARGIN = 14;
const RAMP = { width: 12, height: 118 };

/** A colour of the page's style. */
const styled = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Draws in pixels of the page; the camera has the picture's size in them. */
export function drawOrnaments(pen: Pen, camera: Camera, picture: Picture, wish: Ornaments): void {
  pen.save();
  pen.font = FONT;
  pen.textBaseline = "middle";
  drawHands(pen, camera, picture);
  if (wish.scales) {
    drawLegend(pen, camera.width);
    drawScaleBar(pen, camera);
    drawAxes(pen, camera);
  }
  if (wish.time && picture.frame) {
    pen.fillStyle = styled("--ink");
    pen.textAlign = "left";
    pen.fillText(`t = ${seconds(picture.frame.time)} s`, MARGIN, MARGIN + 7);
  }
  pen.restore();
}

function drawLegend(pen: Pen, width: number): void {
  const chosen = store.scalar.value;
  if (!chosen) return;
  const { low, high } = store.range.value;
  const [right, top] = [width - MARGIN, MARGIN + 28];
  pen.textAlign = "right";
  pen.fillStyle = styled("--ink");
  pen.font = `600 ${FONT}`;
  pen.fillText(chosen.label, right, MARGIN + 7);
  pen.font = FONT;
  const end = (value: number) => (chosen.symmetric ? signed(value, chosen.unit) : quantity(value, chosen.unit));
  const texts = [end(high), chosen.symmetric ? "0" : quantity(0.5 * (low + high), chosen.unit), end(low)];
  texts.forEach((text, k) => pen.fillText(text, right - RAMP.width - 8, top + (k * RAMP.height) / 2));
  const gradient = pen.createLinearGradient(0, top + RAMP.height, 0, top);
  const colours = stops(chosen.symmetric);
  colours.forEach((colour, k) => gradient.addColorStop(k / (colours.length - 1), css(colour)));
  pen.fillStyle = gradient;
  pen.fillRect(right - RAMP.width, top, RAMP.width, RAMP.height);
}

function drawScaleBar(pen: Pen, camera: Camera): void {
  const length = niceStep(110 / camera.pixelsPerMetre(), 1);
  const [right, bottom, size] = [camera.width - MARGIN, camera.height - MARGIN, length * camera.pixelsPerMetre()];
  pen.fillStyle = styled("--ink");
  pen.textAlign = "center";
  pen.fillText(quantity(length, "m", 1), right - 0.5 * size, bottom - 15);
  pen.strokeStyle = styled("--quiet");
  pen.lineWidth = 1.5;
  path(pen, [[right - size, bottom - 5], [right - size, bottom], [right, bottom], [right, bottom - 5]]);
}

function drawAxes(pen: Pen, camera: Camera): void {
  const { right, up, back } = camera.basis();
  const [x0, y0] = [MARGIN + 28, camera.height - MARGIN - 28];
  const axes = [0, 1, 2].map((k) => ({ name: "xyz"[k], x: right[k], y: -up[k], depth: back[k] })).sort((a, b) => a.depth - b.depth);
  pen.textAlign = "center";
  pen.lineWidth = 2;
  for (const { name, x, y } of axes) {
    pen.strokeStyle = pen.fillStyle = styled(`--${name}`);
    path(pen, [[x0, y0], [x0 + 20 * x, y0 + 20 * y]]);
    pen.fillText(name, x0 + 28 * x, y0 + 28 * y);
  }
}

function path(pen: Pen, points: [number, number][]): void {
  pen.beginPath();
  points.forEach(([x, y], k) => (k === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
  pen.stroke();
}

function circle(pen: Pen, [x, y]: [number, number], radius: number): void {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
}

/** Rubber lines and charges in hands, as they are seen. */
function drawHands(pen: Pen, camera: Camera, { frame, hands, balls }: Picture): void {
  if (!frame) return;
  const at = (values: Float32Array, from: number) => project(camera, values.subarray(from, from + 3), frame.origin, 0);
  pen.lineWidth = 2.5;
  for (let k = 0; balls && k + BALL_NUMBERS <= balls.length; k += BALL_NUMBERS) {
    const place = at(balls, k);
    if (!place) continue;
    const isNegative = balls[k + 3] < 0;
    pen.strokeStyle = pen.fillStyle = isNegative ? "#2166ac" : "#b2182b";
    circle(pen, place, Math.max(7, balls[k + 4] * camera.pixelsPerMetre()));
    pen.globalAlpha = 0.25;
    pen.fill();
    pen.globalAlpha = 1;
    pen.stroke();
    pen.fillStyle = styled("--ink");
    pen.textAlign = "center";
    pen.fillText(isNegative ? "−" : "+", ...place);
  }
  for (let k = 0; hands && k + HAND_NUMBERS <= hands.length; k += HAND_NUMBERS) {
    const [from, to] = [at(hands, k), at(hands, k + 3)];
    if (!from || !to) continue;
    const isStretched = hands[k + 7] > 0;
    pen.strokeStyle = pen.fillStyle = styled(isStretched ? "--stretched" : "--accent");
    pen.setLineDash(isStretched ? [7, 5] : []);
    path(pen, [from, to]);
    pen.setLineDash([]);
    circle(pen, from, 6);
    pen.stroke();
    circle(pen, to, 4);
    pen.fill();
  }
}
