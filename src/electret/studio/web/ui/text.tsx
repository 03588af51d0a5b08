// The scene's text with line numbers, its findings in the gutter.
import { h, useEffect, useRef } from "/vendor/ui.js";
import type { ComponentChildren } from "/vendor/ui.js";
import type { Finding } from "../protocol";
import * as store from "../store";
import { Icon } from "./icons";

const MOST_LINES = 5000;
const ORDER = ["error", "warning", "note"];

export function Text() {
  const list = useRef<HTMLOListElement>(null);
  const document = store.scene.value;
  const wanted = store.textLine.value;
  useEffect(() => {
    if (!wanted) return;
    const line = list.current?.children[wanted.line - 1] as HTMLElement | undefined;
    line?.scrollIntoView({ block: "center" });
    line?.focus({ preventScroll: true });
  }, [wanted, document?.text]);
  if (!document?.text) return <p class="quiet pad">{document ? "A recorded run has no text here." : "Nothing is open."}</p>;
  const lines = document.text.split(/\r?\n/);
  const byLine = new Map<number, Finding[]>();
  for (const each of document.findings) byLine.set(each.line, [...(byLine.get(each.line) ?? []), each]);
  return (
    <ol class="text" ref={list} aria-label={`Text of ${document.name}`} tabIndex={0}>
      {lines.slice(0, MOST_LINES).map((line, k) => (
        <Line key={k} number={k + 1} text={line} findings={byLine.get(k + 1) ?? []} current={wanted?.line === k + 1} />
      ))}
      {lines.length > MOST_LINES && <li class="quiet">… {lines.length - MOST_LINES} lines more</li>}
    </ol>
  );
}

function Line({ number, text, findings, current }: { number: number; text: string; findings: Finding[]; current: boolean }) {
  const worst = ORDER.find((severity) => findings.some((each) => each.severity === severity)) as Finding["severity"] | undefined;
  const column = findings.find((each) => each.severity === worst)?.column ?? 0;
  return (
    <li class={`line${current ? " current" : ""}${worst ? ` has-${worst}` : ""}`} tabIndex={-1} data-line={number} aria-current={current ? "true" : undefined}>
      <span class="gutter" title={findings.map((each) => each.message).join("\n")}>
        {worst && <Icon name={worst} />}
        <span class="unseen">{worst ? `${worst}, ` : ""}line </span>
        {number}
      </span>
      <code>{worst && column > 0 ? underlined(text, column) : coloured(text)}</code>
    </li>
  );
}

/** The text with the word at `column` underlined. */
function underlined(text: string, column: number): ComponentChildren {
  const points = Array.from(text);
  const before = points.slice(0, column - 1).join("");
  const rest = points.slice(column - 1).join("");
  const word = /^("[^"]*"|[^\s,=\]}#]+|.)/.exec(rest)?.[0] ?? "";
  return [coloured(before), <mark key="mark">{word}</mark>, coloured(rest.slice(word.length))];
}

const TOKENS = /("(?:[^"\\]|\\.)*"|'[^']*')|(#.*$)|(^\s*\[\[?[^\]]*\]\]?)|([+-]?\b\d[\d_.]*(?:[eE][+-]?\d+)?\b|\btrue\b|\bfalse\b)|(^\s*[\w."'-]+(?=\s*=))/g;
const CLASSES = ["string", "comment", "table", "number", "name"];

/** TOML as far as one line shows it: strings, comments, headers, numbers, keys. */
function coloured(text: string): ComponentChildren[] {
  const result: ComponentChildren[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKENS)) {
    if (match.index > at) result.push(text.slice(at, match.index));
    const kind = match.slice(1).findIndex((group) => group !== undefined);
    result.push(<span class={`toml-${CLASSES[kind]}`}>{match[0]}</span>);
    at = match.index + match[0].length;
  }
  if (at < text.length) result.push(text.slice(at));
  return result;
}
