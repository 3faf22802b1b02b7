import { changeContents } from '../../../code/contents/change.ts';
import type { Context } from '../../../context.ts';
import type { FileChange } from '../../../git/edit/file-change.ts';
import { readCommit } from '../../../git/objects/commits.ts';
import { readTreeRecursive } from '../../../git/trees/tree-listing.ts';
import { findEntry } from '../../../git/trees/trees.ts';
import { notFound, unprocessable } from '../../../http/errors.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { postForm } from '../../components/form.ts';
import type { Document } from '../../document.ts';
import { html } from '../../html.ts';
import type { Reply } from '../../page.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { afterCommit, commit, hasMoved } from './commit.ts';
import { type CommitInput, commitFields, initialInput, readInput } from './commit-fields.ts';
import { backPath, editDocument, editorPage, formButtons, orAgain } from './frame.ts';
import type { EditLocation, WritableLocation } from './location.ts';

/** Maximum number of files that one form deletes. */
const MAX_FILES = 5_000;
/** Files that the form lists. */
const MAX_NAMED = 50;

/** Deleting a file, or a folder with all its files. */
export const deletePages: readonly AnyRoute[] = editorPage('_delete', {
  show: async (visit, context, location) => form(visit, context, location, { input: initialInput(location) }),
  send: async (visit, context, location) => {
    const input = readInput(visit.fields);
    return orAgain(
      () => remove(visit, context, location, input),
      (problem) => form(visit, context, location, { input: { ...input, lastCommit: location.commit?.oid ?? '' }, problem }),
    );
  },
});

async function remove(visit: RepositoryVisit, context: Context, location: WritableLocation, input: CommitInput): Promise<Reply> {
  const { path } = location;
  const files = await filesOf(visit, context, location);
  // Only the listed files are deleted, none that somebody has changed or added since.
  if ((await hasMoved(context, location, input)) && (await wasChanged(context, location, input.lastCommit))) {
    throw unprocessable(visit.view.text.edit.changedBeforeDeletion(path));
  }
  const made = await commit(visit, context, location, { input, message: `Delete ${path}` }, (repository, access, target) =>
    changeContents(context, repository, access, target, files),
  );
  return afterCommit(visit, context, location, made, await closestFolder(context, location, made.commit.tree));
}

/** Each file by itself, so that the protection of each is checked. */
async function filesOf({ view }: RepositoryVisit, context: Context, { repository, path, entry }: EditLocation): Promise<FileChange[]> {
  if (!entry || entry.type === 'commit') throw notFound();
  if (entry.type === 'blob') return [{ operation: 'delete', path, sha: entry.oid }];
  const listing = await readTreeRecursive(context.git.locate(repository), context.git.pool, entry.oid, MAX_FILES);
  if (!listing || listing.truncated) throw unprocessable(view.text.edit.tooManyFiles(MAX_FILES));
  if (listing.entries.some(({ type }) => type === 'commit')) throw unprocessable(view.text.edit.hasSubmodule);
  const blobs = listing.entries.filter(({ type }) => type === 'blob');
  return blobs.map((blob) => ({ operation: 'delete', path: `${path}/${blob.path}`, sha: blob.oid }));
}

async function wasChanged(context: Context, { repository, path, entry }: EditLocation, lastCommit: string): Promise<boolean> {
  const folder = context.git.locate(repository);
  const { pool } = context.git;
  const seen = await readCommit(folder, pool, lastCommit);
  return !seen || (await findEntry(folder, pool, seen.tree, path))?.oid !== entry?.oid;
}

/** The nearest parent folder that still has files. */
async function closestFolder(context: Context, { target, path }: WritableLocation, tree: string): Promise<string> {
  const folder = context.git.locate(target.repository);
  const names = path.split('/');
  for (names.pop(); names.length > 0; names.pop()) {
    const above = names.join('/');
    if (await findEntry(folder, context.git.pool, tree, above)) return above;
  }
  return '';
}

async function form(
  visit: RepositoryVisit,
  context: Context,
  location: WritableLocation,
  { input, problem }: { input: CommitInput; problem?: string },
): Promise<Document> {
  const { view } = visit;
  const { edit: text } = view.text;
  const { path, entry } = location;
  if (!entry) throw notFound();
  const files = problem === undefined ? await filesOf(visit, context, location) : [];
  const named = entry.type === 'tree' ? files.slice(0, MAX_NAMED) : [];
  const body = html`<p>${entry.type === 'tree' ? text.deletesFolder(files.length) : text.deletesFile} <strong class="mono">${path}</strong></p>
${named.length > 0 && html`<ul class="rows box">${named.map((file) => html`<li class="mono">${file.path}</li>`)}${files.length > named.length && html`<li class="muted">…</li>`}</ul>`}
${await commitFields(visit, context, location, input, `Delete ${path}`)}
${formButtons(visit, entry.type === 'tree' ? text.deleteFolder : text.deleteFile, backPath(visit, location), { danger: true })}`;
  return editDocument(visit, context, location, {
    title: entry.type === 'tree' ? text.deleteFolder : text.deleteFile,
    problem,
    body: postForm(view, body, { className: 'edit-form' }),
  });
}
