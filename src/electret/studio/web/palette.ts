// Colours of data. They are the same in both themes, so that a picture means the same everywhere.

export type Rgb = [number, number, number];

const hex = (text: string): Rgb => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) / 255) as Rgb;

export const hexColours = (...texts: string[]): Rgb[] => texts.map(hex);

/** Blue − to red +, told apart by deutan, protan and tritan eyes. */
export const DIVERGING: Rgb[] = ["#2166ac", "#92c5de", "#f4f4f2", "#f4a582", "#b2182b"].map(hex);
/** From dark blue through grey to yellow; the lightness grows evenly along it. */
export const SEQUENTIAL: Rgb[] = [[0.0, 0.13, 0.3], [0.26, 0.3, 0.42], [0.49, 0.48, 0.47], [0.74, 0.68, 0.43], [1.0, 0.92, 0.27]];

export function css([r, g, b]: Rgb): string {
  return `rgb(${Math.round(255 * r)} ${Math.round(255 * g)} ${Math.round(255 * b)})`;
}

export function stops(symmetric: boolean): Rgb[] {
  return symmetric ? DIVERGING : SEQUENTIAL;
}

/** The colour at `part` of a scale, 0 at its low end and 1 at its high one. */
export function colourAt(scale: Rgb[], part: number): Rgb {
  const at = Math.min(1, Math.max(0, Number.isFinite(part) ? part : 0.5)) * (scale.length - 1);
  const low = Math.min(Math.floor(at), scale.length - 2);
  return scale[low].map((a, k) => a + (at - low) * (scale[low + 1][k] - a)) as Rgb;
}

/** Curves: Okabe and Ito's colours in the order of the project's charts, lightened where the page is dark. */
export const CURVES = {
  light: ["#0072b2", "#d55e00", "#007a5a", "#b4508a", "#8a6d00", "#222222", "#6b4fa0", "#7a4a21"],
  dark: ["#4aa8e0", "#ff8a3d", "#2fc79a", "#e89bc8", "#e6c229", "#f2f2f2", "#b7a1ea", "#d9a066"],
} as const;
export const DASHES: number[][] = [[], [7, 3], [2, 3], [9, 3, 2, 3], [4, 4], [], [12, 4], [6, 2, 1, 2, 1, 2]];
