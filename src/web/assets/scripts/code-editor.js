// Replaces a text area with `data-editor` by an editor. The text area stays the field that is sent.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  LanguageDescription,
  syntaxHighlighting,
} from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

const DEFAULT_SIZE = 4;
/** Lines that are examined to detect the indentation of a text. */
const MAX_LOOKED_AT = 1000;

/** The colors of the pages, which follow the theme. */
const colours = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], color: 'var(--code-comment)' },
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.definitionKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.propertyName, tags.attributeName], color: 'var(--code-number)' },
  { tag: [tags.function(tags.variableName), tags.definition(tags.variableName), tags.className, tags.typeName], color: 'var(--code-name)' },
  { tag: [tags.tagName, tags.inserted], color: 'var(--code-tag)' },
  { tag: tags.deleted, color: 'var(--danger)' },
  { tag: [tags.heading, tags.strong], fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
]);

const looks = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', border: '1px solid var(--control-border)', borderRadius: 'var(--radius)' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '12px', lineHeight: '20px', maxHeight: '70vh' },
  '.cm-content, .cm-gutter': { minHeight: '320px' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { color: 'var(--muted)', backgroundColor: 'var(--raised)', borderRight: '1px solid var(--border)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--pressed) 50%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 30%, transparent)',
  },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--mark)' },
  '.cm-panels': { color: 'var(--text)', backgroundColor: 'var(--raised)' },
  '.cm-panels input, .cm-panels button': { width: 'auto', minHeight: '28px', backgroundImage: 'none' },
});

for (const area of document.querySelectorAll('textarea[data-editor]')) start(area);

function start(area) {
  const language = new Compartment();
  const view = new EditorView({
    doc: area.value,
    extensions: [
      EditorView.cspNonce.of(document.querySelector('script[nonce]').nonce),
      lineNumbers(),
      foldGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      dropCursor(),
      EditorState.allowMultipleSelections.of(true),
      indentOnInput(),
      bracketMatching(),
      rectangularSelection(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      search({ top: true }),
      EditorView.domEventHandlers({ beforeinput: replaceSelected }),
      syntaxHighlighting(colours),
      looks,
      language.of([]),
      ...indentation(area),
      EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': area.labels[0]?.textContent ?? '', 'aria-describedby': area.getAttribute('aria-describedby') ?? '' }),
      // The keys of the page come first, such as the one that sends the form.
      keymap.of([{ key: 'Mod-Enter', run: () => send(area.form) }, ...searchKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap, indentWithTab]),
      EditorView.updateListener.of(({ docChanged }) => {
        if (docChanged) area.form.dispatchEvent(new Event('input'));
      }),
    ],
  });
  area.hidden = true;
  area.after(view.dom);
  for (const hint of document.querySelectorAll('.with-editor')) hint.hidden = false;
  area.form.addEventListener('formdata', ({ formData }) => formData.set(area.name, view.state.doc.toString()));
  // The browser restores the typed text when somebody returns to the page.
  area.form.addEventListener('submit', () => {
    area.value = view.state.doc.toString();
  });
  area.labels[0]?.addEventListener('click', () => view.focus());
  const path = area.form.elements.tree_path;
  const follow = () => load(view, language, path?.value || area.dataset.path);
  path?.addEventListener('change', follow);
  follow();
}

/** Typing over a selection: Chromium would keep the style of the old text, which the policy forbids. */
function replaceSelected(event, view) {
  if (event.inputType !== 'insertText' || !event.data || event.isComposing || view.state.selection.main.empty) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
  return true;
}

function send(form) {
  form.requestSubmit();
  return true;
}

/** As set in `.editorconfig`, else as detected in the text. */
function indentation(area) {
  const { indent, size } = area.dataset;
  const lines = area.value.split('\n', MAX_LOOKED_AT);
  const tabs = lines.filter((line) => line.startsWith('\t')).length;
  const blanks = lines.filter((line) => line.startsWith('  '));
  const least = Math.min(...blanks.map((line) => line.search(/[^ ]|$/)).filter((width) => width > 1));
  const width = Number(size) || (tabs === 0 && Number.isFinite(least) && least <= 8 ? least : DEFAULT_SIZE);
  const isTab = indent ? indent === 'tab' : tabs > blanks.length;
  return [EditorState.tabSize.of(width), indentUnit.of(isTab ? '\t' : ' '.repeat(width))];
}

async function load(view, language, path) {
  const found = LanguageDescription.matchFilename(languages, path.split('/').at(-1));
  view.dispatch({ effects: language.reconfigure(found ? await found.load() : []) });
}
