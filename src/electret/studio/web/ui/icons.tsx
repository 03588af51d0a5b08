import { h } from "/vendor/ui.js";

const PATHS = {
  play: "M5 3.2v9.6a.6.6 0 0 0 .92.5l7.4-4.8a.6.6 0 0 0 0-1L5.92 2.7A.6.6 0 0 0 5 3.2z",
  pause: "M4.5 3h2.4v10H4.5zM9.1 3h2.4v10H9.1z",
  step: "M3.5 3.4v9.2a.5.5 0 0 0 .78.41L10.6 8.4a.5.5 0 0 0 0-.82L4.28 2.99a.5.5 0 0 0-.78.41zM11.2 3h1.8v10h-1.8z",
  back: "M12.5 3.4v9.2a.5.5 0 0 1-.78.41L5.4 8.4a.5.5 0 0 1 0-.82l6.32-4.6a.5.5 0 0 1 .78.42zM3 3h1.8v10H3z",
  reset: "M8 2.5a5.5 5.5 0 1 1-5.2 3.7l1.5.5A3.9 3.9 0 1 0 8 4.1v2L4.4 3.3 8 .6z",
  frame: "M2 2h4v1.6H3.6V6H2zM10 2h4v4h-1.6V3.6H10zM2 10h1.6v2.4H6V14H2zM12.4 10H14v4h-4v-1.6h2.4zM5.6 5.6h4.8v4.8H5.6z",
  error: "M8 1.2a6.8 6.8 0 1 1 0 13.6A6.8 6.8 0 0 1 8 1.2zm-.9 3v5h1.8v-5zm0 6.2v1.8h1.8v-1.8z",
  warning: "M8 1.4 15.2 14H.8zm-.8 4.4v4h1.6v-4zm0 5v1.5h1.6v-1.5z",
  note: "M8 1.2a6.8 6.8 0 1 1 0 13.6A6.8 6.8 0 0 1 8 1.2zm-.9 2.6v1.8h1.8V3.8zm0 3v5.4h1.8V6.8z",
  close: "M3.6 2.5 8 6.9l4.4-4.4 1.1 1.1L9.1 8l4.4 4.4-1.1 1.1L8 9.1l-4.4 4.4-1.1-1.1L6.9 8 2.5 3.6z",
  down: "M3 5.4 8 10.4l5-5 1 1.1-6 6-6-6z",
  up: "M3 10.6 8 5.6l5 5 1-1.1-6-6-6 6z",
  loop: "M4.2 4.2h6.3V2.4L14 5.2 10.5 8V6.2H5.8a1.6 1.6 0 0 0-1.6 1.6v.6h-2v-.6a3.6 3.6 0 0 1 2-3.6zM11.8 11.8H5.5v1.8L2 10.8 5.5 8v1.8h4.7a1.6 1.6 0 0 0 1.6-1.6v-.6h2v.6a3.6 3.6 0 0 1-2 3.6z",
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside a word, or in a button that has a name of its own. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} fill="currentColor" fill-rule="evenodd" />
    </svg>
  );
}
