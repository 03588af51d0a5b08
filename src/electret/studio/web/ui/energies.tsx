// Energies over time, live. A click goes to that time.
import { h, useEffect, useRef, useSignal } from "/vendor/ui.js";
import { effect } from "/vendor/ui.js";
import { uPlot } from "/vendor/plot.js";
import { column, energies, energyChanges, stepAt } from "../energies";
import { brief, quantity } from "../format";
import { CURVES, DASHES } from "../palette";
import * as store from "../store";
import { isDark } from "../view/theme";
import { seek } from "./actions";

const NAMES: Record<string, string> = {
  kinetic: "kinetic",
  elastic: "elastic",
  coulomb: "Coulomb",
  external: "external",
  gravity: "gravity",
  total: "total",
  work: "work done",
  dissipation: "dissipated",
};
const CLICK = 4;

export function Energies() {
  const host = useRef<HTMLDivElement>(null);
  const hidden = useSignal<ReadonlySet<string>>(new Set());
  const ready = energyChanges.value > 0 && (column("time")?.length ?? 0) > 0;
  useEffect(() => {
    if (!ready || !host.current) return undefined;
    return showPlot(host.current, hidden);
  }, [ready, isDark.value, energies.columns.join()]);
  if (!ready) return <p class="quiet pad">{store.system.value ? "Energies appear with the first step." : "Nothing is open."}</p>;
  return (
    <div class="energies">
      <div class="plot" ref={host} role="img" aria-label={plotLabel()} title="A click goes to that time" />
      <Curves hidden={hidden} />
    </div>
  );
}

/** The names of the curves: those columns that are not 0 throughout. */
function curves(): string[] {
  return energies.columns.filter((name) => name in NAMES && (name === "total" || column(name)?.some((value) => value !== null && value !== 0)));
}

const colourOf = (name: string) => {
  const list = isDark.value ? CURVES.dark : CURVES.light;
  return list[Math.max(0, Object.keys(NAMES).indexOf(name)) % list.length];
};
const dashOf = (name: string) => DASHES[Math.max(0, Object.keys(NAMES).indexOf(name)) % DASHES.length];

function plotLabel(): string {
  const total = column("total");
  const last = total?.[total.length - 1];
  return `Energies over time: ${curves().map((name) => NAMES[name]).join(", ")}. Total now ${quantity(last, "J")}.`;
}

type Hidden = { value: ReadonlySet<string> };

function Curves({ hidden }: { hidden: Hidden }) {
  energyChanges.value;
  const flip = (name: string) => {
    const next = new Set(hidden.value);
    if (!next.delete(name)) next.add(name);
    hidden.value = next;
  };
  return (
    <ul class="curves" aria-label="Curves">
      {curves().map((name) => {
        const values = column(name) ?? [];
        return (
          <li key={name}>
            <button type="button" class="entry" aria-pressed={!hidden.value.has(name)} onClick={() => flip(name)}>
              <svg width="26" height="8" viewBox="0 0 26 8" aria-hidden="true">
                <line x1="0" y1="4" x2="26" y2="4" stroke={colourOf(name)} stroke-width={name === "total" ? 2.5 : 1.8} stroke-dasharray={dashOf(name).join(" ")} />
              </svg>
              <span class="name">{NAMES[name]}</span>
              <span class="value">{quantity(values[values.length - 1], "J")}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Makes the plot and keeps it up to date; the result ends that. */
function showPlot(host: HTMLElement, hidden: Hidden): () => void {
  let names = curves();
  let plot = make(host, names);
  let asked = 0;
  const refresh = () => {
    asked = 0;
    const now = curves();
    if (now.join() !== names.join()) {
      plot.destroy();
      names = now;
      plot = make(host, names);
    }
    plot.setData(dataOf(names) as uPlot.AlignedData);
    names.forEach((name, k) => {
      if (plot.series[k + 1].show === hidden.value.has(name)) plot.setSeries(k + 1, { show: !hidden.value.has(name) });
    });
  };
  const stop = effect(() => {
    energyChanges.value;
    hidden.value;
    if (!asked) asked = requestAnimationFrame(refresh);
  });
  const stopHead = effect(() => {
    store.shownTime.value;
    if (!store.isMoving.value) plot.redraw(false);
  });
  const observer = new ResizeObserver(() => plot.setSize({ width: Math.max(80, host.clientWidth), height: Math.max(60, host.clientHeight) }));
  observer.observe(host);
  return () => {
    stop();
    stopHead();
    cancelAnimationFrame(asked);
    observer.disconnect();
    plot.destroy();
  };
}

const dataOf = (names: string[]) => [column("time") ?? [], ...names.map((name) => column(name) ?? [])];

function make(host: HTMLElement, names: string[]): uPlot {
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--quiet").trim();
  const grid = style.getPropertyValue("--line").trim();
  const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 4 }, font: "12px system-ui, sans-serif" };
  const options: uPlot.Options = {
    width: Math.max(80, host.clientWidth),
    height: Math.max(60, host.clientHeight),
    scales: { x: { time: false } },
    legend: { show: false },
    cursor: { drag: { x: false, y: false, setScale: false }, points: { size: 6 } },
    axes: [
      { ...axis, size: 30, values: (_, at) => at.map((value) => `${brief(value)} s`) },
      { ...axis, size: 76, values: (_, at) => at.map((value) => quantity(value, "J")) },
    ],
    series: [{}, ...names.map((name) => ({ label: NAMES[name], stroke: colourOf(name), width: name === "total" ? 2.5 : 1.8, dash: dashOf(name), points: { show: false } }))],
    hooks: { draw: [drawHead], ready: [listenToClicks] },
  };
  return new uPlot(options, dataOf(names) as uPlot.AlignedData, host);
}

/** The play head, where it is not at the end. */
function drawHead(plot: uPlot): void {
  const x = plot.valToPos(store.shownTime.value, "x", true);
  const { left, top, width, height } = plot.bbox;
  if (!(x >= left && x <= left + width)) return;
  const context = plot.ctx;
  context.save();
  context.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
  context.lineWidth = 1.5 * devicePixelRatio;
  context.beginPath();
  context.moveTo(x, top);
  context.lineTo(x, top + height);
  context.stroke();
  context.restore();
}

function listenToClicks(plot: uPlot): void {
  let from = 0;
  plot.over.addEventListener("pointerdown", (event) => (from = event.clientX));
  plot.over.addEventListener("click", (event) => {
    if (Math.abs(event.clientX - from) > CLICK) return;
    seek(stepAt(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x")));
  });
}
