// The session: where it is kept, what its folder holds, and what was done since the start.
import { h, useEffect } from "/vendor/ui.js";
import { request } from "../connection";
import { quantity, seconds } from "../format";
import * as store from "../store";
import { seek } from "./actions";
import { openExport } from "./export";

/** ms between two questions while the pane is open. */
const EVERY = 1000;

export function Session() {
  useEffect(() => {
    const ask = () => void request("session");
    ask();
    const timer = window.setInterval(ask, EVERY);
    return () => clearInterval(timer);
  }, []);
  const facts = store.session.value;
  const system = store.system.value;
  if (!facts || !system) return <p class="quiet">Nothing is open.</p>;
  const hasSession = facts.files.some((each) => each.name === "session.toml");
  return (
    <div class="session-pane">
      <section aria-label="Journal">
        {system.run ? <p class="quiet">A recorded run is looked at as it is. Continue makes a session of it.</p> : <Journal {...facts} />}
      </section>
      <section aria-label="Files of the session">
        <p>
          {system.run ? "The run is in " : "The session is kept in "}
          <code>{facts.folder}</code>.
        </p>
        {hasSession && (
          <p>
            To repeat it, bit for bit: <code>electret run {facts.folder}/session.toml -o again</code>{" "}
            {!system.run && (
              <button type="button" onClick={() => openExport("run")}>
                Record the run …
              </button>
            )}
          </p>
        )}
        {facts.files.length === 0 && <p class="quiet">Nothing is written yet: the first step or edit begins it.</p>}
        {facts.files.length > 0 && (
          <table>
            <thead>
              <tr>
                <th scope="col">File</th>
                <th scope="col">Size</th>
              </tr>
            </thead>
            <tbody>
              {facts.files.map((each) => (
                <tr key={each.name}>
                  <td>{each.name}</td>
                  <td class="number-cell">{quantity(each.bytes, "B")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </div>
  );
}

/** Edits and what hands did; the newest first. A click goes to the step. */
function Journal({ journal, all }: { journal: NonNullable<typeof store.session.value>["journal"]; all: number }) {
  if (journal.length === 0) return <p class="quiet">Nothing was changed or held yet. Edits, pulls and charges in hands are listed here.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col">Time</th>
          <th scope="col">What was done{all > journal.length ? ` (the last ${journal.length} of ${all})` : ""}</th>
        </tr>
      </thead>
      <tbody>
        {[...journal].reverse().map(({ step, time, what, until }, k) => (
          <tr key={all - k}>
            <td>
              <button type="button" class="link" aria-label={`Go to step ${step}`} onClick={() => seek(step)}>
                {step}
              </button>
            </td>
            <td class="number-cell">{seconds(time)} s</td>
            <td>
              {what}
              {until !== null && <span class="quiet"> to step {until}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
