import type { Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import { isAncestor } from '../git/history/log.ts';
import { type Commit, readCommit } from '../git/objects/commits.ts';
import { isObjectId } from '../git/repository.ts';
import { notFound } from '../http/errors.ts';
import { editPage } from './change.ts';
import { titleOfPage } from './names.ts';
import { type PageText, textOfPage, wikiState } from './pages.ts';

/**
 * A commit of a wiki.
 * @param oid a full id
 * @throws HttpError 404 for an invalid one, or one that is not in the history of the wiki
 */
export async function wikiCommit(context: Context, repository: Repository, oid: string): Promise<Commit> {
  const { folder, head } = await wikiState(context, repository);
  const { pool } = context.git;
  const commit = isObjectId(oid, folder.objectFormat) ? await readCommit(folder, pool, oid) : undefined;
  if (!commit || !(await isAncestor(folder, pool, oid, head.oid))) throw notFound();
  return commit;
}

/**
 * A page as it was after a commit.
 * @throws HttpError 404 if it does not exist
 */
export async function pageAtRevision(context: Context, repository: Repository, page: string, oid: string): Promise<PageText> {
  const head = await wikiCommit(context, repository, oid);
  const { folder } = await wikiState(context, repository);
  return { commit: head, content: await textOfPage(context, { folder, head }, page) };
}

/**
 * Restores the text that a page had after a commit, also of a deleted page.
 * @throws HttpError 404 if it had none, or the text is too large
 */
export async function restoreRevision(context: Context, repository: Repository, page: string, oid: string): Promise<void> {
  const { content } = await pageAtRevision(context, repository, page, oid);
  if (content === undefined) throw notFound();
  const message = `Restore ${JSON.stringify(titleOfPage(page))} as of ${oid.slice(0, 10)}`;
  await editPage(context, repository, page, { newPage: page, content, message });
}
