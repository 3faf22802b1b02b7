import { buffer } from 'node:stream/consumers';
import { changeContents } from '../../../code/contents/change.ts';
import { type Context, callerKey } from '../../../context.ts';
import type { FileChange } from '../../../git/edit/file-change.ts';
import { cleanFilePath } from '../../../git/trees/file-paths.ts';
import { FormFields } from '../../../http/bodies/fields.ts';
import { receiveFiles } from '../../../http/bodies/upload.ts';
import { HttpError, unprocessable } from '../../../http/errors.ts';
import { SNIFFED_BYTES } from '../../../http/media-type.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { cleanName, refuseForbiddenType } from '../../../issues/attachments/allowed.ts';
import type { Settings } from '../../../settings.ts';
import { field, postForm } from '../../components/form.ts';
import { bytes } from '../../components/numbers.ts';
import type { Document } from '../../document.ts';
import { html } from '../../html.ts';
import type { Reply } from '../../page.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { afterCommit, commit, hasMoved } from './commit.ts';
import { type CommitInput, commitFields, initialInput, readInput } from './commit-fields.ts';
import { backPath, editDocument, editorPage, formButtons, orAgain } from './frame.ts';
import type { WritableLocation } from './location.ts';

const MAX_PATH = 4096;

/** Uploading files into a folder. */
export const uploadPages: readonly AnyRoute[] = editorPage('_upload', {
  semaphore: 'uploads',
  readsBody: true,
  when: ({ fileUploads }) => fileUploads.enabled,
  show: async (visit, context, location) => form(visit, context, location, { input: initialInput(location), folder: folderOf(location) }),
  send: upload,
});

interface Received {
  readonly name: string;
  readonly content: Buffer;
}

async function upload(visit: RepositoryVisit, context: Context, location: WritableLocation): Promise<Reply> {
  const { raw, signal } = visit.request;
  const { maxTotal } = boundsOf(context.settings);
  const length = Number(raw.headers['content-length'] ?? maxTotal);
  // All files are in memory at once, as in the API.
  const release = await context.semaphores.bodies.acquire(callerKey(context), { weight: Math.min(length, maxTotal), signal });
  const entries: [string, string][] = [];
  try {
    return await orAgain(
      async () => save(visit, context, location, await received(visit, context, entries), new FormFields(entries)),
      (problem) => {
        const fields = new FormFields(entries);
        const input = fields.has('last_commit') ? readInput(fields) : initialInput(location);
        return form(visit, context, location, { input, folder: fields.get('tree_path') ?? folderOf(location), problem });
      },
    );
  } finally {
    release();
  }
}

async function save(
  visit: RepositoryVisit,
  context: Context,
  location: WritableLocation,
  files: readonly Received[],
  fields: FormFields,
): Promise<Reply> {
  const { edit: text } = visit.view.text;
  const input = readInput(fields);
  const given = fields.get('tree_path') ?? '';
  const folder = given.replaceAll('/', '').trim() === '' ? '' : cleanFilePath(given);
  if (folder === undefined) throw unprocessable(text.badPath);
  if (files.length === 0) throw unprocessable(text.noFiles);
  const isMoved = await hasMoved(context, location, input);
  const changes = files.map(({ name, content }): FileChange => {
    const path = cleanFilePath(folder === '' ? name : `${folder}/${name}`);
    if (path === undefined) throw unprocessable(text.badPath);
    return { operation: 'upload', path, content };
  });
  const seen = isMoved ? { last_commit: input.lastCommit } : {};
  const made = await commit(visit, context, location, { input, message: messageFor(folder) }, (repository, access, target) =>
    changeContents(context, repository, access, { ...target, ...seen }, changes),
  );
  return afterCommit(visit, context, location, made, folder);
}

/** The files of the form, and in `entries` its fields. @throws HttpError 413, 422 */
async function received({ request, view }: RepositoryVisit, context: Context, entries: [string, string][]): Promise<Received[]> {
  const { maxFiles, maxSize, maxTotal } = boundsOf(context.settings);
  if (Number(request.headers['content-length'] ?? 0) > maxTotal) throw tooLarge(view.text.edit.tooLarge(bytes(view, maxTotal)));
  let total = 0;
  let count = 0;
  const wanted = { field: 'files', maxSize, maxFiles: maxFiles + 1, onField: (...entry: [string, string]) => void entries.push(entry) };
  const files = await receiveFiles(request.raw, context, wanted, async ({ name, content }) => {
    // An empty file field is sent as a file without a name.
    if (name === '') return void content.resume();
    if (++count > maxFiles) throw unprocessable(view.text.edit.tooManyUploads(maxFiles));
    let size = 0;
    content.on('data', (chunk: Buffer) => {
      size += chunk.length;
      total += chunk.length;
      if (size > maxSize) content.destroy(tooLarge(view.text.edit.fileTooLarge(bytes(view, maxSize))));
      if (total > maxTotal) content.destroy(tooLarge(view.text.edit.tooLarge(bytes(view, maxTotal))));
    });
    const file = { name: cleanName(name), content: await buffer(content) };
    refuseForbiddenType(context.settings.fileUploads.allowedTypes, file.name, file.content.subarray(0, SNIFFED_BYTES));
    return file;
  });
  return files.filter((file) => file !== undefined);
}

function tooLarge(message: string): HttpError {
  return new HttpError(413, message, { headers: { connection: 'close' } });
}

function boundsOf({ fileUploads, limits }: Settings): { maxFiles: number; maxSize: number; maxTotal: number } {
  const maxFiles = Math.min(fileUploads.maxFiles, limits.uploadsPerRequest);
  return { maxFiles, maxSize: fileUploads.maxSize, maxTotal: limits.contentsBody };
}

function folderOf({ path, entry }: WritableLocation): string {
  return entry?.type === 'blob' ? path.split('/').slice(0, -1).join('/') : path;
}

function messageFor(folder: string): string {
  return `Upload files to ${folder === '' ? '/' : folder}`;
}

async function form(
  visit: RepositoryVisit,
  context: Context,
  location: WritableLocation,
  { input, folder, problem }: { input: CommitInput; folder: string; problem?: string },
): Promise<Document> {
  const { view } = visit;
  const { edit: text } = view.text;
  const { maxFiles, maxSize } = boundsOf(context.settings);
  const { allowedTypes } = context.settings.fileUploads;
  const body = html`${field({ name: 'tree_path', label: text.folder, value: folder, hint: text.folderHint, maxLength: MAX_PATH })}
<div class="field drop-zone" data-drop><label for="f-files">${text.files}</label>
<input id="f-files" type="file" name="files" multiple required${allowedTypes.length > 0 && html` accept="${allowedTypes.join(',')}"`} aria-describedby="f-files-hint">
<p class="hint" id="f-files-hint">${text.uploadHint(maxFiles, bytes(view, maxSize))}${allowedTypes.length > 0 && html` ${text.allowedTypes} ${allowedTypes.join(', ')}.`} <span class="with-script" hidden>${text.dropHere}</span></p>
<ul class="rows chosen-files"></ul><progress max="100" value="0" hidden aria-label="${text.progress}"></progress></div>
${await commitFields(visit, context, location, input, messageFor(folder))}
${formButtons(visit, text.upload, backPath(visit, location))}`;
  return editDocument(visit, context, location, {
    title: text.uploadFiles,
    problem,
    body: postForm(view, body, { className: 'edit-form upload-form', files: true }),
  });
}
