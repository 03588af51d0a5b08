// The editor: CodeMirror in a shadow tree, whose style sheets the page's policy allows.
import type { Finding } from "../protocol";

type Parts = typeof import("/vendor/editor.js");
type View = import("/vendor/editor.js").EditorView;

export interface Wishes {
  changed: (text: string) => void;
  moved: (line: number) => void;
  apply: () => void;
  save: () => void;
  saveAs: () => void;
}

export interface Editor {
  host: HTMLElement;
  /** Shows another text; what was typed before can be undone unless `anew`. */
  setText: (text: string, anew: boolean) => void;
  setReadOnly: (isReadOnly: boolean) => void;
  setFindings: (findings: Finding[]) => void;
  goTo: (line: number, column: number) => void;
}

const WORDS = /^(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')/;
const VALUE = /^[+-]?(?:\d[\w.:+-]*|\.\d+|inf|nan)/;

interface Reading {
  /** The quotes that end a text of many lines. */
  within: string;
  afterEquals: boolean;
  depth: number;
}

/** TOML, token by token: comments, headers, keys, texts, numbers. */
const toml = {
  startState: (): Reading => ({ within: "", afterEquals: false, depth: 0 }),
  token(stream: import("/vendor/editor.js").StringStream, state: Reading): string | null {
    if (state.within) {
      const at = stream.string.indexOf(state.within, stream.pos);
      if (at < 0) stream.skipToEnd();
      else {
        stream.pos = at + 3;
        state.within = "";
      }
      return "string";
    }
    if (stream.sol() && state.depth === 0) state.afterEquals = false;
    if (stream.eatSpace()) return null;
    if (stream.peek() === "#") {
      stream.skipToEnd();
      return "comment";
    }
    if (!state.afterEquals && state.depth === 0 && stream.match(/^\[\[?[^\]#]*\]?\]?/)) return "heading";
    const long = stream.match(/^(?:"""|''')/) as RegExpMatchArray | null;
    if (long) {
      state.within = long[0];
      return "string";
    }
    if (stream.match("=")) {
      state.afterEquals = true;
      return null;
    }
    const bracket = stream.eat(/[[\]{},]/);
    if (typeof bracket === "string") {
      if ("[{".includes(bracket)) state.depth++;
      if ("]}".includes(bracket)) state.depth = Math.max(0, state.depth - 1);
      if (bracket === "{" || bracket === ",") state.afterEquals = false;
      return null;
    }
    const word = stream.match(WORDS, false) as RegExpMatchArray | null;
    if (word && /^\s*[.=]/.test(stream.string.slice(stream.pos + word[0].length)) && !VALUE.test(word[0])) {
      stream.match(WORDS);
      return "propertyName";
    }
    if (stream.match(/^(?:true|false)\b/)) return "bool";
    if (stream.match(VALUE)) return "number";
    if (stream.match(/^(?:"(?:[^"\\]|\\.)*"?|'[^']*'?)/)) return "string";
    if (stream.match(WORDS)) return "propertyName";
    stream.next();
    return null;
  },
};

/** "error: what is wrong", without the place. */
const wordsOf = ({ message }: Finding): string => message.replace(/^\S+?:\d+:\d+: /, "");

/** The part of the text that a finding is about: the word that begins where it says, or the line. */
function rangeOf(view: View, { line, column }: Finding): { from: number; to: number } {
  const lines = view.state.doc.lines;
  const at = view.state.doc.line(Math.min(Math.max(line, 1), lines));
  // Columns count characters, not the halves that some are made of.
  const before = Array.from(at.text).slice(0, Math.max(0, column - 1)).join("").length;
  if (column <= 0 || before >= at.length) return { from: at.from, to: at.to };
  const word = /^(?:"[^"]*"|'[^']*'|\[\[?[^\]]*\]?\]?|[^\s,=\]}#]+|.)/.exec(at.text.slice(before))?.[0] ?? "";
  return { from: at.from + before, to: at.from + before + word.length };
}

/** What is said at the end of lines. */
interface Remark {
  at: number;
  text: string;
  severity: Finding["severity"];
}

/** Remarks behind lines, which go with their lines while the text is typed. */
function remarksBehindLines({ Decoration, EditorView, StateEffect, StateField, WidgetType }: Parts) {
  class Said extends WidgetType {
    constructor(readonly remark: Remark) {
      super();
    }
    override eq(other: Said): boolean {
      return other.remark.text === this.remark.text && other.remark.severity === this.remark.severity;
    }
    override toDOM(): HTMLElement {
      const span = document.createElement("span");
      span.className = `cm-said cm-said-${this.remark.severity}`;
      span.textContent = this.remark.text;
      return span;
    }
  }
  const say = StateEffect.define<Remark[]>();
  const field = StateField.define<import("/vendor/editor.js").DecorationSet>({
    create: () => Decoration.none,
    update(said, change) {
      let now = said.map(change.changes);
      for (const effect of change.effects)
        if (effect.is(say)) now = Decoration.set(effect.value.map((remark) => Decoration.widget({ widget: new Said(remark), side: 1 }).range(remark.at)), true);
      return now;
    },
    provide: (own) => EditorView.decorations.from(own),
  });
  return { say, field };
}

export async function makeEditor(name: string, wishes: Wishes): Promise<Editor> {
  const parts = await import("/vendor/editor.js");
  const { Compartment, EditorState, EditorView, HighlightStyle, StreamLanguage, tags } = parts;
  const host = document.createElement("div");
  host.className = "editor";
  const root = host.attachShadow({ mode: "open" });
  const box = document.createElement("div");
  root.append(box);
  const access = new Compartment();
  const remarks = remarksBehindLines(parts);
  let silent = false;
  const colours = HighlightStyle.define([
    { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
    { tag: tags.heading, color: "var(--accent)", fontWeight: "600" },
    { tag: tags.string, color: "var(--y)" },
    { tag: [tags.number, tags.bool], color: "var(--x)" },
  ]);
  const theme = EditorView.theme({
    "&": { height: "100%", color: "var(--ink)", backgroundColor: "transparent", font: "12.5px/1.55 var(--mono)" },
    "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
    ".cm-scroller": { font: "inherit", overflow: "auto" },
    ".cm-content": { padding: "6px 0", caretColor: "var(--ink)" },
    ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
    ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--quiet)", borderRight: "1px solid var(--line)" },
    ".cm-lineNumbers .cm-gutterElement": { padding: "0 10px 0 8px", minWidth: "34px" },
    ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--pressed) 55%, transparent)" },
    ".cm-activeLineGutter": { backgroundColor: "var(--pressed)", color: "var(--ink)" },
    "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--done) !important" },
    ".cm-tooltip, .cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)", font: "13px/1.5 system-ui, sans-serif" },
    ".cm-diagnostic": { padding: "5px 10px", whiteSpace: "pre-wrap", maxWidth: "70ch" },
    ".cm-diagnostic-error": { borderLeft: "4px solid var(--error)" },
    ".cm-diagnostic-warning": { borderLeft: "4px solid var(--warning)" },
    ".cm-diagnostic-info": { borderLeft: "4px solid var(--quiet)" },
    ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--error) 1.5px", textUnderlineOffset: "3px" },
    ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--warning) 1.5px", textUnderlineOffset: "3px" },
    ".cm-lintRange-info": { backgroundImage: "none", textDecoration: "underline dotted var(--quiet) 1.5px", textUnderlineOffset: "3px" },
    ".cm-textfield": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--edge)", fontSize: "13px", minHeight: "24px" },
    ".cm-textfield::placeholder": { color: "var(--quiet)", opacity: "1" },
    ".cm-button": { backgroundImage: "none", backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--edge)", fontSize: "13px", minHeight: "24px" },
    ".cm-panel.cm-search label": { fontSize: "13px" },
    ".cm-panel.cm-search [name=close]": { color: "var(--ink)", minWidth: "24px", minHeight: "24px" },
    ".cm-said": { marginLeft: "24px", padding: "0 6px", borderRadius: "3px", fontFamily: "system-ui, sans-serif" },
    ".cm-said-error": { color: "var(--error)", backgroundColor: "var(--error-paper)" },
    ".cm-said-warning": { color: "var(--warning)", backgroundColor: "var(--warning-paper)" },
    ".cm-said-note": { color: "var(--quiet)" },
    ".cm-searchMatch": { backgroundColor: "var(--warning-paper)", outline: "1px solid var(--warning)" },
    ".cm-searchMatch-selected": { backgroundColor: "var(--done)" },
  });
  const extensions = [
    parts.lineNumbers(),
    parts.lintGutter(),
    parts.history(),
    parts.drawSelection(),
    parts.highlightActiveLine(),
    parts.search({ top: true }),
    StreamLanguage.define(toml),
    parts.syntaxHighlighting(colours),
    theme,
    remarks.field,
    EditorView.contentAttributes.of({ "aria-label": name, spellcheck: "false", autocorrect: "off", autocapitalize: "off" }),
    access.of(EditorState.readOnly.of(false)),
    // Where a selection is typed over, browsers keep its looks by style attributes, which the page's policy forbids.
    EditorView.domEventHandlers({
      beforeinput(event, own) {
        if (!event.data || !event.cancelable || own.composing || own.state.readOnly || own.state.selection.main.empty) return false;
        event.preventDefault();
        own.dispatch(own.state.replaceSelection(event.data.replace(/\r\n?/g, "\n")), { userEvent: "input.type", scrollIntoView: true });
        return true;
      },
    }),
    parts.keymap.of([
      { key: "Mod-Enter", run: () => (wishes.apply(), true) },
      { key: "Mod-s", run: () => (wishes.save(), true), shift: () => (wishes.saveAs(), true) },
      ...parts.searchKeymap,
      ...parts.lintKeymap,
      ...parts.historyKeymap,
      ...parts.defaultKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !silent) wishes.changed(update.state.doc.toString());
      if (update.docChanged || update.selectionSet) wishes.moved(update.state.doc.lineAt(update.state.selection.main.head).number);
    }),
  ];
  const view = new EditorView({ root, parent: box, state: EditorState.create({ extensions }) });
  box.style.height = "100%";
  return {
    host,
    setText(text, anew) {
      if (anew) {
        view.setState(EditorState.create({ doc: text, extensions }));
        return;
      }
      const old = view.state.doc.toString();
      if (text === old) return;
      // Only what differs, so that the cursor stays where it is.
      let [head, tail] = [0, 0];
      const both = Math.min(text.length, old.length);
      while (head < both && text[head] === old[head]) head++;
      while (tail < both - head && text[text.length - 1 - tail] === old[old.length - 1 - tail]) tail++;
      silent = true;
      view.dispatch({ changes: { from: head, to: old.length - tail, insert: text.slice(head, text.length - tail) } });
      silent = false;
    },
    setReadOnly(isReadOnly) {
      view.dispatch({ effects: access.reconfigure(EditorState.readOnly.of(isReadOnly)) });
    },
    setFindings(findings) {
      const marks = findings.filter(({ line }) => line > 0 && line <= view.state.doc.lines);
      const all = marks.map((each) => ({
        ...rangeOf(view, each),
        severity: each.severity === "note" ? ("info" as const) : each.severity,
        message: wordsOf(each),
      }));
      const said = marks.map((each) => ({ at: view.state.doc.line(each.line).to, text: wordsOf(each), severity: each.severity }));
      view.dispatch(parts.setDiagnostics(view.state, all.sort((a, b) => a.from - b.from)));
      view.dispatch({ effects: remarks.say.of(said) });
    },
    goTo(line, column) {
      const { from } = rangeOf(view, { line, column, severity: "note", file: "", message: "" });
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
  };
}
