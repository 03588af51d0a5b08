// Every finding, as `electret check` prints it; a click shows its line.
import { h } from "/vendor/ui.js";
import type { Finding } from "../protocol";
import * as store from "../store";
import { showLine } from "./actions";
import { Icon } from "./icons";

export function Findings() {
  const document = store.scene.value;
  const findings = store.findings.value;
  if (findings.length === 0) return <p class="quiet pad">{document ? "No findings." : "Nothing is open."}</p>;
  return (
    <ul class="findings" aria-label="Findings">
      {findings.map((each, k) => (
        <li key={k}>
          <Entry finding={each} isScene={isOfScene(each)} />
        </li>
      ))}
    </ul>
  );
}

/** Whether it is about the scene's text, not about another file. */
export function isOfScene({ file }: Finding): boolean {
  const document = store.scene.value;
  return !file || !document || isSame(file, document.path || document.name);
}

const isSame = (a: string, b: string) => a === b || b.endsWith(`/${a}`) || a.endsWith(`/${b}`);

/** Without the place and the severity, which stand beside it. */
const messageOf = ({ message }: Finding) => message.replace(/^\S+?:\d+:\d+: (error|warning|note): /, "");

function Entry({ finding, isScene }: { finding: Finding; isScene: boolean }) {
  const place = `${finding.file || (store.scene.value?.path ?? "")}${finding.line > 0 ? `:${finding.line}:${finding.column}` : ""}`;
  const content = [
    <span class="severity" key="severity">
      <Icon name={finding.severity} /> {finding.severity}
    </span>,
    <span class="place" key="place">{place}</span>,
    <span class="message" key="message">{messageOf(finding)}</span>,
  ];
  const kind = `finding finding-${finding.severity}`;
  if (!isScene || finding.line <= 0) return <div class={kind}>{content}</div>;
  return (
    <button type="button" class={kind} title="Show the line" onClick={() => showLine(finding.line, finding.column)}>
      {content}
    </button>
  );
}
