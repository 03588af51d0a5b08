// What the page uses of Preact and its signals.
export { Fragment, h, render } from "preact";
export type { ComponentChildren, JSX, RefObject } from "preact";
export { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
export { batch, computed, effect, signal, untracked, useComputed, useSignal, useSignalEffect } from "@preact/signals";
export type { ReadonlySignal, Signal } from "@preact/signals";
