import type { Context } from '../context.ts';
import type { Events } from '../events/events.ts';
import { readCommits } from '../git/objects/commits.ts';
import type { Issue } from '../issues/find.ts';

/** Commits that one mail names. */
const MAX_COMMITS = 50;
const SHORT = 10;

/**
 * The text of a mail about new commits of a pull request.
 * @returns `body` in Markdown, the oldest commit first
 */
export async function pushText(
  { git }: Context,
  issue: Issue,
  { oldId, newId, commitIds, isForcePush }: Events['pull.synchronized'],
): Promise<{ deed: string; body: string }> {
  const short = (id: string) => `\`${id.slice(0, SHORT)}\``;
  if (isForcePush) return { deed: 'put the branch of this elsewhere', body: `from ${short(oldId)} to ${short(newId)}` };
  const named = commitIds.slice(0, MAX_COMMITS);
  const commits = await readCommits(git.locate(issue.repository), git.pool, named);
  const subjects = new Map(commits.map(({ oid, message }) => [oid, message.split('\n', 1)[0] ?? '']));
  const lines = named.map((id) => `- ${short(id)} ${subjects.get(id) ?? ''}`.trimEnd());
  const more = commitIds.length - named.length;
  const count = commitIds.length === 1 ? 'a commit' : `${commitIds.length} commits`;
  return { deed: `pushed ${count} to this`, body: [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n') };
}
