import { listTagNames } from '../../../code/tags/tags.ts';
import type { Context } from '../../../context.ts';
import type { Fields } from '../../../http/bodies/fields.ts';
import { HttpError } from '../../../http/errors.ts';
import { type HttpResponse, raw } from '../../../http/responses.ts';
import { generateNotes } from '../../../releases/notes.ts';
import { type Html, html } from '../../html.ts';
import { repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';

/** The fields of the form about the notes. */
export interface NotesForm {
  readonly release: { readonly tag_name: string } | undefined;
  readonly tag: string;
  readonly target: string;
  readonly note: string;
  /** The tag since which notes are generated; empty for the previous release. */
  readonly previousTag: string;
}

/** The script of the button. */
export const NOTES_SCRIPT = 'release-notes.js';
/** Tags that can be chosen as the previous one. */
const MAX_TAGS = 200;

/** The button that generates the notes, and the tag to start from. */
export async function notesFields(visit: RepositoryVisit, context: Context, { previousTag }: NotesForm): Promise<Html> {
  const { view, repository } = visit;
  const { release: text } = view.text;
  const { names: tags } = await listTagNames(context, repository, MAX_TAGS);
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === previousTag && html` selected`}>${label}</option>`;
  return html`<div class="release-notes"><label for="f-previous_tag">${text.previousTag}</label>
<select id="f-previous_tag" name="previous_tag">${option('', text.latestBefore)}${tags.map((name) => option(name, name))}</select>
<button name="generate" value="1" formnovalidate data-notes="${repositoryPath(view, repository, 'releases/generate-notes')}" aria-describedby="notes-hint">${text.generateNotes}</button>
<p class="hint" id="notes-hint">${text.generateHint}</p><p class="notes-status hint" role="status"></p></div>`;
}

/** The form with the generated notes below the typed ones. */
export async function withNotes<F extends NotesForm>({ repository, access }: RepositoryVisit, context: Context, shown: F): Promise<F> {
  const { tag, target, previousTag, note } = shown;
  const generated = await generateNotes(context, repository, access, { tag: shown.release?.tag_name || tag, target, previousTag });
  return { ...shown, note: note.trim() === '' ? generated : `${note.trimEnd()}\n\n${generated}` };
}

/** The notes for scripts, as JSON. */
export async function sendNotes({ repository, access, fields }: RepositoryVisit, context: Context): Promise<HttpResponse> {
  const { tag, target, previousTag } = rangeOf(fields);
  try {
    return json({ content: await generateNotes(context, repository, access, { tag, target, previousTag }) });
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error;
    return json({ errorMessage: error.message, renderFormat: 'text' }, 400);
  }
}

function rangeOf(fields: Fields) {
  const text = (name: string) => (fields.get(name) ?? '').trim();
  return { tag: text('tag_name'), target: text('tag_target'), previousTag: text('previous_tag') };
}

function json(value: object, status = 200): HttpResponse {
  return raw(JSON.stringify(value), 'application/json; charset=utf-8', { status, headers: { 'cache-control': 'no-store' } });
}
