import type { Repository } from '../../access/find-repository.ts';
import { cleanPath } from '../../code/contents/contents.ts';
import { escapePath } from '../../code/escape-path.ts';
import { findBranchIn } from '../../code/raw/raw.ts';
import type { Context } from '../../context.ts';
import { listCommits } from '../../git/history/log.ts';
import { type Commit, readCommits, summary } from '../../git/objects/commits.ts';
import { notFound } from '../../http/errors.ts';
import { repositoryHtmlUrl } from '../../repositories/urls.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import type { FeedDocument, FeedItem } from './document.ts';

/** Commits that the feed of a branch shows, and that of a file. */
const OF_BRANCH = 10;
const OF_FILE = 50;
/** Length limit of a message that a feed shows in characters. */
const MAX_MESSAGE = 20_000;

/**
 * The latest commits of a branch, or of them those that changed a file or folder.
 * @param given the branch, and the path in it
 * @param url that of the request
 * @throws HttpError 404; MovedError for the former name of a branch
 */
export async function commitFeed(context: Context, repository: Repository, given: string, url: string): Promise<FeedDocument> {
  const found = await findBranchIn(context, repository, given, url);
  const path = found.path === '' ? '' : cleanPath(found.path);
  if (path === undefined) throw notFound();
  const { pool } = context.git;
  const located = context.git.locate(repository);
  const filter = { head: found.commit.oid, ...(path !== '' && { path }) };
  const ids = await listCommits(located, pool, filter, { limit: path === '' ? OF_BRANCH : OF_FILE });
  if (ids.length === 0) throw notFound();
  const page = repositoryHtmlUrl(context.settings, repository);
  return {
    title: path === '' ? `Latest commits for branch ${found.name}` : `Latest commits for file ${path}`,
    link: `${page}/src/branch/${escapePath(path === '' ? found.name : `${found.name}/${path}`)}`,
    description: repository.description,
    items: (await readCommits(located, pool, ids)).map((commit) => itemOf(page, commit)),
  };
}

function itemOf(page: string, { oid, message, author, committer }: Commit): FeedItem {
  const text = escapeHtml(message.slice(0, MAX_MESSAGE));
  return {
    id: oid,
    title: summary(message).slice(0, MAX_MESSAGE),
    link: `${page}/commit/${oid}`,
    author: { name: author.name, email: author.email },
    summary: text,
    content: text,
    time: committer.seconds ?? 0,
  };
}
