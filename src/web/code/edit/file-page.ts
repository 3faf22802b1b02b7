import { changeContents } from '../../../code/contents/change.ts';
import { escapePath } from '../../../code/escape-path.ts';
import type { Context } from '../../../context.ts';
import type { FileChange } from '../../../git/edit/file-change.ts';
import { cleanFilePath } from '../../../git/trees/file-paths.ts';
import { findEntry } from '../../../git/trees/trees.ts';
import { notFound, unprocessable } from '../../../http/errors.ts';
import type { AnyRoute } from '../../../http/route.ts';
import type { Document } from '../../document.ts';
import type { Html } from '../../html.ts';
import { type Reply, seeOther } from '../../page.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { afterCommit, commit } from './commit.ts';
import { initialInput, readInput } from './commit-fields.ts';
import { type FileState, fileForm } from './file-form.ts';
import { editorPage, orAgain } from './frame.ts';
import { editPath, type WritableLocation } from './location.ts';
import { bytesOf, type Original, readOriginal, rulesOf } from './original.ts';
import { previewOf } from './preview.ts';

/** Creating a file, and editing or moving one. */
export const filePages: readonly AnyRoute[] = [
  ...editorPage('_new', { show: newFile, send: (visit, context, location) => sent(visit, context, location, undefined) }),
  ...editorPage('_edit', {
    show: async (visit, context, location) => {
      const original = await readOriginal(context, visit.view, location);
      return fileForm(visit, context, location, {
        original,
        treePath: location.path,
        content: original.content,
        blob: original.oid,
        input: initialInput(location),
      });
    },
    send: async (visit, context, location) => sent(visit, context, location, await originalOrGone(visit, context, location)),
  }),
];

/** `?filename=` is the name of the file, `?value=` its first content. */
async function newFile(visit: RepositoryVisit, context: Context, location: WritableLocation): Promise<Document | Reply> {
  const { fields, view, request } = visit;
  const { path, entry } = location;
  const name = fields.get('filename') ?? '';
  if (name !== '') {
    const query = new URL(request.url).searchParams;
    query.delete('filename');
    const at = editPath(view, '_new', { ...location, path: cleanFilePath(`${path}/${name}`) ?? path });
    return seeOther(context, `${at}${query.size > 0 ? `?${query}` : ''}`.slice(view.root.length));
  }
  const treePath = path !== '' && entry?.type === 'tree' ? `${path}/` : path;
  return fileForm(visit, context, location, {
    original: undefined,
    treePath,
    content: fields.get('value') ?? '',
    blob: '',
    input: initialInput(location),
  });
}

/** If a file is deleted while it is edited, the form keeps the typed text. */
async function originalOrGone(visit: RepositoryVisit, context: Context, location: WritableLocation): Promise<Original> {
  if (location.entry) return readOriginal(context, visit.view, location);
  if (!visit.fields.has('content')) throw notFound();
  return { oid: '', content: '', reason: undefined, hasMark: false, isExecutable: false, endsWithReturns: false };
}

async function sent(visit: RepositoryVisit, context: Context, location: WritableLocation, original: Original | undefined): Promise<Reply> {
  const { fields, view } = visit;
  const isText = original === undefined || original.reason === undefined;
  const state: FileState = {
    original,
    treePath: fields.get('tree_path') ?? '',
    content: isText ? (fields.get('content') ?? '') : undefined,
    blob: fields.get('blob') ?? '',
    input: readInput(fields),
  };
  const again = (problem: string) => fileForm(visit, context, location, { ...state, problem });
  return orAgain(async () => {
    if (fields.has('preview'))
      return fileForm(visit, context, location, { ...state, preview: await previewed(visit, context, location, state) });
    if (original && state.blob !== original.oid) return await conflict(visit, context, location, state);
    const { path, file } = await fileChange(context, view.text.edit, location, state);
    const message = original ? `Update ${path}` : `Add ${path}`;
    const made = await commit(visit, context, location, { input: state.input, message }, (repository, access, target) =>
      changeContents(context, repository, access, target, [file]),
    );
    return await afterCommit(visit, context, location, made, path);
  }, again);
}

/** Somebody else was quicker: shows the form again with its diff to the new version, so that sending it again is a choice. */
async function conflict(visit: RepositoryVisit, context: Context, location: WritableLocation, state: FileState): Promise<Document> {
  const { edit: text } = visit.view.text;
  const { original, input } = state;
  if (original?.oid === '') return fileForm(visit, context, location, { ...state, problem: text.gone(location.path) });
  const preview = state.content === undefined ? undefined : await previewed(visit, context, location, state);
  return fileForm(visit, context, location, {
    ...state,
    preview,
    blob: original?.oid ?? '',
    input: { ...input, lastCommit: location.commit?.oid ?? '' },
    problem: text.changedMeanwhile(location.path),
    changes: `${escapePath(input.lastCommit)}...${escapePath(location.branch)}`,
  });
}

async function previewed(visit: RepositoryVisit, context: Context, location: WritableLocation, state: FileState): Promise<Html> {
  const { treePath: path, original } = state;
  return previewOf(visit, context, location, { path, bytes: await typedBytes(context, location, state), original });
}

async function typedBytes(context: Context, location: WritableLocation, { content = '', original, treePath }: FileState): Promise<Buffer> {
  if (original) return bytesOf(content, original);
  const rules = await rulesOf(context, location, cleanFilePath(treePath) ?? treePath);
  return bytesOf(content, { hasMark: rules.charset === 'utf-8-bom', endsWithReturns: rules.end_of_line === 'crlf' });
}

interface Refusals {
  readonly badPath: string;
  readonly nothingChanged: string;
  readonly fileExists: (path: string) => string;
}

/** @throws HttpError 422 for an invalid path, for one of another file, and for a form without changes */
async function fileChange(
  context: Context,
  text: Refusals,
  location: WritableLocation,
  state: FileState,
): Promise<{ path: string; file: FileChange }> {
  const { treePath, content, original } = state;
  const path = cleanFilePath(treePath);
  if (path === undefined || treePath.endsWith('/')) throw unprocessable(text.badPath);
  const isMoved = !original || path !== location.path;
  const folder = context.git.locate(location.repository);
  if (isMoved && location.commit && (await findEntry(folder, context.git.pool, location.commit.tree, path)))
    throw unprocessable(text.fileExists(path));
  if (!original) return { path, file: { operation: 'create', path, content: await typedBytes(context, location, state) } };
  const moved = { path, sha: original.oid, ...(isMoved && { fromPath: location.path }) };
  if (content === undefined) {
    if (!isMoved) throw unprocessable(text.nothingChanged);
    return { path, file: { operation: 'rename', ...moved } };
  }
  const bytes = bytesOf(content, original);
  if (!isMoved && bytes.equals(bytesOf(original.content ?? '', original))) throw unprocessable(text.nothingChanged);
  return { path, file: { operation: 'update', ...moved, content: bytes } };
}
