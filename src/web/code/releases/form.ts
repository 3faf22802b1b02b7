import { listBranches } from '../../../code/branches/branches.ts';
import { listTagNames } from '../../../code/tags/tags.ts';
import type { Context } from '../../../context.ts';
import type { AttachmentRow } from '../../../database/tables/issues.ts';
import type { ReleaseRow } from '../../../database/tables/releases.ts';
import type { Fields } from '../../../http/bodies/fields.ts';
import { COMPOSER_SCRIPT, composer, mayUpload } from '../../components/composer.ts';
import { fault } from '../../components/fault.ts';
import { actionButton, checkBox, field, postForm } from '../../components/form.ts';
import { bytes } from '../../components/numbers.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';

import { repositoryDocument, repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import type { View } from '../../view.ts';
import { NOTES_SCRIPT, type NotesForm, notesFields } from './notes.ts';
import { maxFiles } from './received.ts';

const MAX_NAME = 255;
/** Branches and tags that the fields suggest. */
const MAX_PROPOSED = 200;

/** The values of a release's form. */
export interface ReleaseForm extends NotesForm {
  /** Undefined for a new release. */
  readonly release: ReleaseRow | undefined;
  readonly files: readonly AttachmentRow[];
  readonly title: string;
  readonly isPrerelease: boolean;
  readonly hasTagMessage: boolean;
  readonly problem?: string;
  readonly preview?: Html;
}

/** The values of a form that was sent. */
export function typedRelease(fields: Fields): Omit<ReleaseForm, 'release' | 'files'> {
  const text = (name: string) => (fields.get(name) ?? '').trim();
  return {
    tag: text('tag_name'),
    target: text('tag_target'),
    title: text('title'),
    note: (fields.get('content') ?? '').replaceAll('\r\n', '\n'),
    isPrerelease: fields.has('prerelease'),
    hasTagMessage: fields.has('add_tag_msg'),
    previousTag: text('previous_tag'),
  };
}

/** The form of a release. */
export async function releaseForm(visit: RepositoryVisit, context: Context, shown: ReleaseForm): Promise<Document> {
  const { view, repository } = visit;
  const { release: text, common } = view.text;
  const { release, title, note, isPrerelease, problem, preview } = shown;
  const action = release ? editReleasePath(visit, release.tag_name) : repositoryPath(view, repository, 'releases/new');
  const heading = release ? text.editRelease : text.newRelease;
  const form = html`${release && !release.is_draft ? html`<p><strong>${release.tag_name}</strong></p><input type="hidden" name="tag_name" value="${release.tag_name}">` : await tagFields(visit, context, shown)}
${field({ name: 'title', label: text.title, value: title, maxLength: MAX_NAME })}
${await notesFields(visit, context, shown)}
${composer(view, { name: 'content', label: text.notes, value: note, rows: 12, repository, draft: action, files: mayUpload(context.settings, view), ...(preview && { preview }) })}
${fileFields(view, context, shown.files)}
${!release && checkBox({ name: 'add_tag_msg', label: text.tagMessage, isChecked: shown.hasTagMessage })}
${checkBox({ name: 'prerelease', label: text.isPrerelease, hint: text.prereleaseHint, isChecked: isPrerelease })}
<div class="buttons"><button class="primary">${release && !release.is_draft ? common.save : text.publish}</button>
${(!release || release.is_draft) && html`<button name="draft" value="1">${text.saveDraft}</button>`}
${!release && html`<button name="tag_only" value="1">${text.tagOnly}</button>`}
<a class="button" href="${repositoryPath(view, repository, 'releases')}">${common.cancel}</a></div>`;
  return repositoryDocument(visit, context, {
    tab: 'releases',
    title: heading,
    scripts: [COMPOSER_SCRIPT, NOTES_SCRIPT],
    ...(problem !== undefined && { status: 422 }),
    body: html`<h2>${heading}</h2>${problem !== undefined && fault(view, problem)}
${postForm(view, form, { action, files: true, className: 'release-form' })}${release && deletion(visit, release)}`,
  });
}

async function tagFields({ view, repository }: RepositoryVisit, context: Context, { tag, target }: ReleaseForm): Promise<Html> {
  const { release: text } = view.text;
  const branches = await listBranches(context, repository);
  const { names: tags } = await listTagNames(context, repository, MAX_PROPOSED);
  const proposed = (id: string, names: readonly string[]) =>
    html`<datalist id="${id}">${names.slice(0, MAX_PROPOSED).map((name) => html`<option value="${name}"></option>`)}</datalist>`;
  return html`<div class="release-tag"><div class="field"><label for="f-tag_name">${text.tag}</label>
<input id="f-tag_name" name="tag_name" value="${tag}" list="release-tags" required maxlength="${MAX_NAME}" autocomplete="off" aria-describedby="f-tag_name-hint">
<p class="hint" id="f-tag_name-hint">${text.tagHint}</p></div>
<div class="field"><label for="f-tag_target">${text.target}</label>
<input id="f-tag_target" name="tag_target" value="${target || repository.default_branch}" list="release-targets" maxlength="${MAX_NAME}" autocomplete="off"></div></div>
${proposed('release-tags', tags)}${proposed(
  'release-targets',
  branches.map(({ name }) => name),
)}`;
}

function fileFields(view: View, context: Context, files: readonly AttachmentRow[]): Html {
  const { release: text } = view.text;
  const { attachments, releases } = context.settings;
  const row = ({ uuid, name, size }: AttachmentRow) =>
    html`<li><input name="attachment-edit-${uuid}" value="${name}" required maxlength="${MAX_NAME}" aria-label="${text.nameOf(name)}">
<span class="muted">${bytes(view, size)}</span> <label class="choice"><input type="checkbox" name="attachment-del-${uuid}" value="true" aria-label="${text.deleteOf(name)}"> ${view.text.common.delete}</label></li>`;
  return html`${files.length > 0 && html`<fieldset><legend>${text.files}</legend><ul class="rows release-files">${files.map(row)}</ul></fieldset>`}
${attachments.enabled && html`<div class="field"><label for="f-files">${text.addFiles}</label><input id="f-files" type="file" name="files" multiple aria-describedby="f-files-hint"><p class="hint" id="f-files-hint">${text.filesHint(maxFiles(context), bytes(view, releases.maxSize))}</p></div>`}`;
}

function deletion({ view, repository }: RepositoryVisit, { id }: ReleaseRow): Html {
  const { release: text } = view.text;
  const action = repositoryPath(view, repository, 'releases/delete');
  return html`<details class="menu left release-delete"><summary>${text.deleteRelease}</summary><ul><li class="menu-text"><p>${text.deleteHint}</p>
${actionButton(view, { action, label: text.deleteRelease, fields: { id }, className: 'danger' })}</li></ul></details>`;
}

/** The form for the release of a tag. */
export function editReleasePath({ view, repository }: RepositoryVisit, tag: string): string {
  return repositoryPath(view, repository, `releases/edit/${tag.split('/').map(encodeURIComponent).join('/')}`);
}
