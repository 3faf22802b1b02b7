import type { Context } from '../../../context.ts';
import { field, postForm } from '../../components/form.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';
import { repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { type CommitInput, commitFields } from './commit-fields.ts';
import { editorAssets, textEditor } from './editor.ts';
import { backPath, editDocument, formButtons } from './frame.ts';
import type { WritableLocation } from './location.ts';
import { type Original, rulesOf } from './original.ts';

const MAX_PATH = 4096;

/** The values of the form of a file. */
export interface FileState {
  /** Undefined for a new file. */
  readonly original: Original | undefined;
  readonly treePath: string;
  /** Undefined if it cannot be edited as text. */
  readonly content: string | undefined;
  /** The id of the blob that was edited; empty for a new file. */
  readonly blob: string;
  readonly input: CommitInput;
  readonly problem?: string | undefined;
  readonly preview?: Html | undefined;
}

/** The form of a file. @param state `changes`: what to compare if somebody else has changed it meanwhile */
export async function fileForm(
  visit: RepositoryVisit,
  context: Context,
  location: WritableLocation,
  state: FileState & { readonly changes?: string },
): Promise<Document> {
  const { view, repository } = visit;
  const { edit: text } = view.text;
  const { original, treePath, content, blob, input, problem, preview, changes } = state;
  const isNew = original === undefined;
  const message = isNew ? `Add ${treePath === '' || treePath.endsWith('/') ? '…' : treePath}` : `Update ${location.path}`;
  const rules = await rulesOf(context, location, treePath);
  const body = html`${field({ name: 'tree_path', label: text.path, value: treePath, hint: text.pathHint, isRequired: true, isFirst: isNew, maxLength: MAX_PATH })}
${content === undefined ? html`<p class="warning">${original?.reason} ${text.onlyMove}</p>` : textEditor(view, { name: 'content', label: text.content, value: content, path: treePath, rules })}
<div class="edit-preview" id="preview" tabindex="-1"${!preview && html` hidden`}>${preview}</div>
<input type="hidden" name="blob" value="${blob}">
${await commitFields(visit, context, location, input, message)}
${formButtons(visit, isNew ? text.commitNew : text.commit, backPath(visit, location), { preview: content !== undefined })}`;
  return editDocument(visit, context, location, {
    title: isNew ? text.newFile : text.editFile,
    problem,
    ...(content !== undefined && (await editorAssets())),
    body: html`${changes !== undefined && html`<p><a href="${repositoryPath(view, repository, `compare/${changes}`)}">${text.seeChanges}</a></p>`}
${postForm(view, body, { className: 'edit-form' })}`,
  });
}
