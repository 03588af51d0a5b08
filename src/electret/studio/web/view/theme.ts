// Colours of the view that are not data; they follow the system's theme, as the page's style does.
import { Color } from "/vendor/three.js";
import { signal } from "/vendor/ui.js";
import { hexColours } from "../palette";
import type { Rgb } from "../palette";

export interface ViewTheme {
  paper: Color;
  plain: Color;
  spring: Color;
  grid: Color;
  obstacle: Color;
  plane: Color;
  ink: Color;
  accent: Color;
  /** From weak to strong fields: ever farther from the paper. */
  field: Rgb[];
}

const asked = matchMedia("(prefers-color-scheme: dark)");
export const isDark = signal(asked.matches);
asked.addEventListener("change", () => {
  isDark.value = asked.matches;
});
export const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");

const colour = (text: string) => {
  const value = parseInt(text, 16);
  const result = new Color();
  result.r = ((value >> 16) & 255) / 255;
  result.g = ((value >> 8) & 255) / 255;
  result.b = (value & 255) / 255;
  return result;
};

const LIGHT_FIELD = hexColours("#9db4c4", "#4f9a94", "#2d7f4a", "#6a5a00", "#5a1a00");
const DARK_FIELD = hexColours("#40566a", "#2f8a86", "#4fc07a", "#d8d44a", "#fff4cc");

export function viewTheme(): ViewTheme {
  return isDark.value
    ? {
        paper: colour("171b21"),
        plain: colour("9fb0c0"),
        spring: colour("5d6b7a"),
        grid: colour("353f4a"),
        obstacle: colour("56616d"),
        plane: colour("222931"),
        ink: colour("f2f4f6"),
        accent: colour("ffb02e"),
        field: DARK_FIELD,
      }
    : {
        paper: colour("f7f8fa"),
        plain: colour("8fa6bb"),
        spring: colour("9aa4ae"),
        grid: colour("d0d6dd"),
        obstacle: colour("c6ccd3"),
        plane: colour("e6eaee"),
        ink: colour("20262d"),
        accent: colour("d97a00"),
        field: LIGHT_FIELD,
      };
}
