import type { Repository } from '../access/find-repository.ts';
import { gitSignature } from '../accounts/git-signature.ts';
import { signedInActor } from '../accounts/sign-in/actor.ts';
import { withRefErrors } from '../code/ref-errors.ts';
import { signingFor } from '../code/signing/signing-for.ts';
import { type Context, inTransaction } from '../context.ts';
import type { EventType, WikiEvent } from '../events/events.ts';
import { BranchNotFoundError, FileExistsError, FileNotFoundError, InvalidPathError } from '../git/edit/change-errors.ts';
import { changeFiles } from '../git/edit/change-files.ts';
import type { FileChange } from '../git/edit/file-change.ts';
import { cleanFilePath } from '../git/trees/file-paths.ts';
import { badRequest, HttpError, notFound } from '../http/errors.ts';
import { wikiFolderForWriting } from '../repositories/wiki-folder.ts';
import { fileOfPage, isReserved, titleOfPage } from './names.ts';
import { findFile, wikiState } from './pages.ts';

/** Maintenance waits this many seconds, so that several changes are one piece of work. */
const MAINTENANCE_DELAY = 2;

/**
 * Creates a page, and the wiki with the first one.
 * @param page its name in URLs
 * @throws HttpError 400 for names that are reserved or taken, 409
 */
export async function createPage(context: Context, repository: Repository, page: string, content: Buffer, message: string): Promise<void> {
  requireName(page);
  if (await existing(context, repository, page)) throw taken(page);
  await commit(context, repository, [{ operation: 'create', path: fileOfPage(page), content }], message);
  await emitChange(context, repository, 'wiki.page-created', page, message);
}

/**
 * Changes a page, or makes it if it is not there.
 * @param newPage its new name in URLs, or its current one
 * @param content undefined leaves the text as it is
 * @throws HttpError 400 for new names that are reserved or taken, 404 for a page that is not there and gets no text, 409
 */
export async function editPage(
  context: Context,
  repository: Repository,
  page: string,
  { newPage, content, message }: { newPage: string; content: Buffer | undefined; message: string },
): Promise<void> {
  requireName(newPage);
  const from = await existing(context, repository, page);
  const path = newPage === page && from ? from : fileOfPage(newPage);
  if (newPage !== page && path !== from && (await existing(context, repository, newPage))) throw taken(newPage);
  const files: FileChange[] = [];
  if (content !== undefined)
    files.push({ operation: from ? 'update' : 'upload', path, ...(from && { fromPath: from }), content, replacesLink: true });
  else if (!from) throw notFound();
  else if (path !== from) files.push({ operation: 'rename', path, fromPath: from });
  await commit(context, repository, files, message);
  await emitChange(context, repository, 'wiki.page-edited', newPage, message);
}

/**
 * Deletes a page.
 * @throws HttpError 404, 409
 */
export async function deletePage(context: Context, repository: Repository, page: string): Promise<void> {
  const path = await existing(context, repository, page);
  if (path === undefined) throw notFound(['file does not exist']);
  await commit(context, repository, [{ operation: 'delete', path }], `Delete page ${JSON.stringify(page)}`);
  await emitChange(context, repository, 'wiki.page-deleted', page, '');
}

/** The file of a page; undefined if it does not exist, for example without a wiki. */
async function existing(context: Context, repository: Repository, page: string): Promise<string | undefined> {
  try {
    return (await findFile(context, await wikiState(context, repository), page))?.path;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}

async function commit(context: Context, repository: Repository, files: readonly FileChange[], message: string): Promise<void> {
  const folder = await wikiFolderForWriting(context, repository);
  const person = gitSignature(context, signedInActor(context));
  const options = {
    branch: repository.default_wiki_branch,
    files,
    message: message.replaceAll('\0', ''),
    author: person,
    committer: person,
    committing: (parent: string | null) => signingFor(context, repository, { kind: 'wiki', parent }, person, folder),
    objects: context.git.pool,
  };
  await withWikiErrors(repository, () => withRefErrors(() => changeFiles(folder, options)));
}

async function withWikiErrors<T>({ default_wiki_branch: branch }: Repository, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof BranchNotFoundError) throw badRequest(`the wiki has no branch ${branch}`);
    if (error instanceof FileExistsError) throw badRequest(`wiki page already exists [title: ${error.path}]`);
    // Somebody else was quicker.
    if (error instanceof FileNotFoundError) throw notFound(['file does not exist']);
    if (error instanceof InvalidPathError) throw badRequest(error.message);
    throw error;
  }
}

async function emitChange(
  context: Context,
  { id: repositoryId }: Repository,
  type: Extract<EventType, `wiki.${string}`>,
  page: string,
  comment: string,
): Promise<void> {
  const event: WikiEvent = { repositoryId, page, comment, actorId: signedInActor(context).id };
  await inTransaction(context, async (context) => {
    await context.events.emit(context, type, event);
    const work = { repositoryId, isWiki: true };
    await context.jobs.add(context, 'repository.maintain', work, { key: `${repositoryId} wiki`, delay: MAINTENANCE_DELAY });
  });
}

function requireName(page: string): void {
  if (isReserved(page)) throw badRequest(`wiki title is reserved: ${titleOfPage(page)}`);
  const file = fileOfPage(page);
  if (cleanFilePath(file) !== file) throw badRequest(new InvalidPathError(file).message);
}

function taken(page: string): HttpError {
  return badRequest(`wiki page already exists [title: ${fileOfPage(page)}]`);
}
