// uPlot, for the live curves.
export { default as uPlot } from "uplot";
