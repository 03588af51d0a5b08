// What the live region says: changes of state, never every frame.
import type { StudioState } from "./protocol";
import { notify, spoken } from "./store";
import { seconds } from "./format";

const rateText = (rate: number | null) => (rate === null ? "as fast as it can" : `at ${rate} times real time`);

export function speakState(before: StudioState | null, now: StudioState): void {
  if (before?.state === now.state && before.reason === now.reason) return;
  const place = `step ${now.step}, ${seconds(now.time)} seconds`;
  switch (now.state) {
    case "running":
    case "playing":
      spoken.value = `${now.state === "running" ? "Running" : "Playing"} ${rateText(now.wanted)}`;
      break;
    case "paused":
    case "viewing":
      spoken.value = `Paused at ${place}${now.reason ? `: ${now.reason}` : ""}`;
      if (now.reason) notify(now.reason, "note");
      break;
    case "diverged":
      spoken.value = `Diverged after ${place}: ${now.reason ?? ""}`;
      break;
    case "broken":
      spoken.value = "The scene has findings";
      break;
    case "loading":
      spoken.value = "Loading";
      break;
    case "rewinding":
      spoken.value = "Going back";
      break;
    case "empty":
      spoken.value = "Choose a scene or a run";
      break;
  }
}
