import type { Repository } from '../access/find-repository.ts';
import type { RepositoryAccess } from '../access/repository-access.ts';
import { escapePath } from '../code/escape-path.ts';
import type { Context } from '../context.ts';
import { isAncestor, listCommits } from '../git/history/log.ts';
import { tagRef } from '../git/refs/ref-names.ts';
import { resolveCommit } from '../git/refs/revisions.ts';
import { unprocessable } from '../http/errors.ts';
import { repositoryHtmlUrl } from '../repositories/urls.ts';
import { listReleases } from './list.ts';
import { firstPulls, type MergedPull, mergedPullsOf } from './merged-pulls.ts';
import { hasTag } from './tag.ts';

/** Between which two points notes are made. */
export interface NotesRange {
  readonly tag: string;
  /** A branch or commit, if the tag does not exist yet. */
  readonly target: string;
  /** Empty for the tag of the latest release before this one. */
  readonly previousTag: string;
}

/** Commits between two releases that are looked at, the newest. */
const MAX_COMMITS = 20_000;
/** Pull requests that the notes name. */
const MAX_PULLS = 500;
/** Releases among which the one before is looked for. */
const MAX_RELEASES = 50;

/**
 * Notes for a release in Markdown: the pull requests that were merged since the release before, who made them, and a link to all changes.
 * @throws HttpError 422 for a tag or target that is not there
 */
export async function generateNotes(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  range: NotesRange,
): Promise<string> {
  const { git } = context;
  const folder = git.locate(repository);
  if (range.tag === '') throw unprocessable('[TagName]: Required');
  const target = hasTag(context, repository, range.tag) ? tagRef(range.tag) : range.target || repository.default_branch;
  const head = await resolveCommit(folder, git.pool, target);
  if (head === undefined) throw unprocessable(`target "${target}" not found`);
  const previousTag = range.previousTag || (await releaseBefore(context, repository, range.tag, head));
  const base = previousTag === '' ? undefined : await resolveCommit(folder, git.pool, tagRef(previousTag));
  if (previousTag !== '' && base === undefined) throw unprocessable(`tag "${previousTag}" not found`);
  const exclude = base === undefined ? {} : { exclude: [base] };
  const commits = access.canRead('pulls') ? await listCommits(folder, git.pool, { head, ...exclude }, { limit: MAX_COMMITS }) : [];
  const pulls = await mergedPullsOf(context, repository, commits);
  const url = repositoryHtmlUrl(context.settings, repository);
  return written(url, { tag: range.tag, previousTag }, pulls, await firstPulls(context, repository, pulls));
}

/** The tag of the latest release whose commit is an ancestor of `head`; empty for none. */
async function releaseBefore(context: Context, repository: Repository, tag: string, head: string): Promise<string> {
  const folder = context.git.locate(repository);
  const page = { page: 1, limit: MAX_RELEASES, offset: 0 };
  const { releases } = await listReleases(context, repository, { withDrafts: false }, page);
  for (const { tag_name: name } of releases) {
    const commit = name === tag ? undefined : await resolveCommit(folder, context.git.pool, tagRef(name));
    if (commit !== undefined && (await isAncestor(folder, context.git.pool, commit, head))) return name;
  }
  return '';
}

function written(
  url: string,
  { tag, previousTag }: Pick<NotesRange, 'tag' | 'previousTag'>,
  pulls: readonly MergedPull[],
  first: readonly MergedPull[],
): string {
  const link = ({ number }: MergedPull) => `[#${number}](${url}/pulls/${number})`;
  const authors = [...new Set(pulls.flatMap(({ author }) => (author === undefined ? [] : [author])))];
  const shown = pulls.slice(0, MAX_PULLS).map((pull) => `* ${pull.title.replaceAll(/\s+/g, ' ')} in ${link(pull)}`);
  const more = pulls.length > MAX_PULLS ? [`* … and ${pulls.length - MAX_PULLS} more`] : [];
  const compared = `[${previousTag}...${tag}](${url}/compare/${escapePath(previousTag)}...${escapePath(tag)})`;
  const sections = [
    ["## What's Changed", ...shown, ...more],
    authors.length > 0 ? ['## Contributors', ...authors.map((name) => `* @${name}`)] : [],
    first.length > 0
      ? ['## New Contributors', ...first.map((pull) => `* @${pull.author} made their first contribution in ${link(pull)}`)]
      : [],
    [`**Full Changelog**: ${previousTag === '' ? `${url}/commits/tag/${escapePath(tag)}` : compared}`],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}
