// What the page uses of CodeMirror. It is loaded when the text is first looked at.
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
export type { StringStream } from "@codemirror/language";
export { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
export { search, searchKeymap } from "@codemirror/search";
export { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
export type { Range } from "@codemirror/state";
export { Decoration, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, WidgetType } from "@codemirror/view";
export type { DecorationSet } from "@codemirror/view";
export { tags } from "@lezer/highlight";
