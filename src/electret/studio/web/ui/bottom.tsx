// The bottom pane and its tabs.
import { h } from "/vendor/ui.js";
import * as store from "../store";
import type { Tab } from "../store";
import { Energies } from "./energies";
import { Findings } from "./findings";
import { Icon } from "./icons";
import { Session } from "./session";
import { Text } from "./text";
import { Timeline } from "./timeline";

const TABS: [Tab, string][] = [
  ["timeline", "Timeline"],
  ["energies", "Energies"],
  ["findings", "Findings"],
  ["text", "Text"],
  ["session", "Session"],
];

export function Bottom() {
  const chosen = store.tab.value;
  const open = store.paneOpen.value;
  return (
    <section class={`bottom${open ? "" : " closed"} bottom-${chosen}`} aria-label="Timeline and text">
      <div class="tabs">
        <div role="tablist" aria-label="Bottom pane" onKeyDown={moveTab}>
          {TABS.map(([tab, name]) => (
            <button
              type="button"
              role="tab"
              key={tab}
              id={`tab-${tab}`}
              aria-controls="pane"
              aria-selected={tab === chosen}
              tabIndex={tab === chosen ? 0 : -1}
              onClick={() => choose(tab)}
            >
              {name}
              {tab === "findings" && <Count />}
              {tab === "text" && store.draft.value && <span class="unsaved" title="What is typed is not applied"> *</span>}
            </button>
          ))}
        </div>
        <span class="space" />
        <button type="button" class="tool" aria-label={open ? "Hide the pane" : "Show the pane"} aria-expanded={open} title={open ? "Hide the pane" : "Show the pane"} onClick={() => (store.paneOpen.value = !open)}>
          <Icon name={open ? "down" : "up"} />
        </button>
      </div>
      {open && (
        <div class="pane" id="pane" role="tabpanel" aria-labelledby={`tab-${chosen}`}>
          {chosen === "timeline" && <Timeline />}
          {chosen === "energies" && <Energies />}
          {chosen === "findings" && <Findings />}
          {chosen === "text" && <Text />}
          {chosen === "session" && <Session />}
        </div>
      )}
    </section>
  );
}

function choose(tab: Tab): void {
  store.tab.value = tab;
  store.paneOpen.value = true;
}

function Count() {
  const findings = store.findings.value;
  if (findings.length === 0) return null;
  const errors = findings.filter((each) => each.severity === "error").length;
  return <span class={`number${errors > 0 ? " number-error" : ""}`}>{findings.length}</span>;
}

function moveTab(event: KeyboardEvent): void {
  const at = TABS.findIndex(([tab]) => tab === store.tab.value);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const [tab] = TABS[(to + TABS.length) % TABS.length];
  choose(tab);
  document.getElementById(`tab-${tab}`)?.focus();
}
