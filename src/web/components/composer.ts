import type { Repository } from '../../access/find-repository.ts';
import type { Settings } from '../../settings.ts';
import { type Html, html } from '../html.ts';
import { repositoryPath } from '../repository/frame.ts';
import { icon, type View } from '../view.ts';

/** The script that a page with a composer needs, for its document's `scripts`. */
export const COMPOSER_SCRIPT = 'composer.js';

/** A field for Markdown. */
export interface Composer {
  readonly name: string;
  readonly label: string;
  /** Whether the label is only for screen readers, because a heading says the same. */
  readonly isLabelHidden?: boolean;
  readonly value?: string;
  readonly rows?: number;
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  /** The repository of the text, for its preview, its completion and its files. */
  readonly repository: Pick<Repository, 'name' | 'owner'>;
  /** The name of the draft in the browser's storage; without a name no draft is stored. */
  readonly draft?: string;
  /** Whether files may be pasted and dropped, see {@link mayUpload}. */
  readonly files?: boolean;
  /** The rendered text, if a visitor without scripts requested the preview. */
  readonly preview?: Html | undefined;
}

/** Size limit of a form with a composer, in bytes: each byte of a text takes up to three when escaped. */
export const composerBytes = ({ markup }: Settings): number => 64 * 1024 + 3 * Math.min(markup.maxSize, 1024 * 1024);

/**
 * A field for Markdown, inside of a form. Without scripts it is a text area and a button that sends the form with the field `preview`:
 * the handler then shows the form again, with the result of `renderComment` as `preview`. With the script `COMPOSER_SCRIPT` it
 * has tabs, a tool bar, completion of people, issues and emoji, files by paste and drop, and drafts.
 */
export function composer(view: View, options: Composer): Html {
  const { name, label, isLabelHidden, value = '', rows = 8, isRequired, placeholder, repository, draft, files, preview } = options;
  const { text } = view;
  const id = `f-${name}`;
  const own = (rest: string) => repositoryPath(view, repository, rest);
  return html`<div class="composer field" data-preview="${own('markup')}" data-suggest="${own('issues/suggestions')}" data-suggestions="${text.composer.suggestions}"${files && html` data-upload="${own('issues/attachments')}"`}${draft !== undefined && html` data-draft="${draft}"`} data-failed="${text.composer.uploadFailed}" data-uploading="${text.composer.uploading}">
<label for="${id}"${isLabelHidden && html` class="visually-hidden"`}>${label}</label>
<div class="composer-bar" hidden><div role="group" aria-label="${text.composer.preview}"><button type="button" data-tab="write" aria-pressed="true">${text.composer.write}</button>
<button type="button" data-tab="preview" aria-pressed="false">${text.composer.preview}</button></div>
<div class="composer-tools" role="group" aria-label="${text.composer.tools}">${TOOLS.map(([tool, name]) => html`<button type="button" data-tool="${tool}" title="${text.composer[tool]}" aria-label="${text.composer[tool]}">${icon(view, name)}</button>`)}</div></div>
<textarea id="${id}" name="${name}" rows="${rows}"${isRequired && html` required`}${placeholder !== undefined && html` placeholder="${placeholder}"`}>
${value}</textarea>
<div class="composer-preview" tabindex="-1" data-nothing="${text.composer.nothingToPreview}"${!preview && html` hidden`}>${preview}</div>
<p class="composer-status hint" role="status"></p>
<div class="composer-foot"><span class="hint">${text.composer.markdown}${files && html` <span class="with-script" hidden>${text.composer.dropFiles}</span>`}</span>
<button class="link without-script" name="preview" value="1" formnovalidate>${text.composer.preview}</button></div>
</div>`;
}

const TOOLS = [
  ['heading', 'heading'],
  ['bold', 'bold'],
  ['italic', 'italic'],
  ['quote', 'quote'],
  ['code', 'code'],
  ['link', 'link'],
  ['bulletList', 'list-unordered'],
  ['numberedList', 'list-ordered'],
  ['taskList', 'tasklist'],
] as const;

/** Whether the user may attach files: they are signed in, and the instance accepts files. */
export function mayUpload({ attachments }: Settings, view: View): boolean {
  return view.user !== null && attachments.enabled;
}
