import type { EditorRules } from '../../../code/editorconfig/editorconfig.ts';
import { moduleUrls } from '../../assets/modules.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';
import type { View } from '../../view.ts';

/** A field for the text of a file. */
export interface TextEditor {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** The file name that determines its language; by default that of the field `tree_path`. */
  readonly path: string;
  readonly rules?: EditorRules;
}

/** The scripts and styles of a page with a {@link textEditor}. */
export async function editorAssets(): Promise<Pick<Document, 'scripts' | 'imports'>> {
  return { scripts: ['code-editor.js'], imports: await moduleUrls() };
}

/** A text area; its script turns it into an editor with highlighting, search and the indentation of `.editorconfig`. */
export function textEditor(view: View, { name, label, value, path, rules = {} }: TextEditor): Html {
  const { edit: text } = view.text;
  const size = Number(rules.indent_size);
  const width = Number.isInteger(size) && size > 0 && size <= 16 ? size : undefined;
  return html`<div class="field"><label for="f-${name}">${label}</label>
<textarea id="f-${name}" name="${name}" class="code-area" rows="24" wrap="off" spellcheck="false" autocapitalize="off" autocomplete="off" data-editor data-path="${path}"${rules.indent_style !== undefined && html` data-indent="${rules.indent_style}"`}${width !== undefined && html` data-size="${width}"`} aria-describedby="f-${name}-hint">
${value}</textarea>
<p class="hint with-editor" id="f-${name}-hint" hidden>${text.editorHint}</p></div>`;
}
