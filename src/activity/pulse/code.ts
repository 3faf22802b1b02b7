import { createHash } from 'node:crypto';
import type { Repository } from '../../access/find-repository.ts';
import { findUsersByEmails } from '../../accounts/find-by-email.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { type Contribution, contributingCommits, readContributions } from '../../git/history/contributions.ts';
import { GitLimitError } from '../../git/processes/process.ts';
import { listRefs } from '../../git/refs/refs.ts';
import type { GitRepository } from '../../git/repository.ts';

/** An author of commits. */
export interface Author {
  readonly name: string;
  /** The account with the e-mail address. */
  readonly user: User | undefined;
  readonly commits: number;
}

/** The commits of a period, merges left out. */
export interface CodePulse {
  /** Of all branches, and of the default branch among them. */
  readonly commits: number;
  readonly mainCommits: number;
  /** People, changed files and lines of the default branch. */
  readonly people: number;
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
  /** Of all branches, most commits first. */
  readonly authors: readonly Author[];
  /** Whether there are more commits than were looked at. */
  readonly isCut: boolean;
}

const MAX_COMMITS = 2_000;
const MAX_AUTHORS = 10;
/** Periods begin with a full hour here, so that results can be cached for a while. */
const HOUR = 3600;

/** The commits since a time; undefined if there is no default branch, or if counting takes too long. */
export async function readCodePulse(context: Context, repository: Repository, from: number): Promise<CodePulse | undefined> {
  const { git } = context;
  const folder = git.locate(repository);
  const branches = await listRefs(folder, git.pool, 'refs/heads/');
  const main = branches.find(({ name }) => name === `refs/heads/${repository.default_branch}`);
  if (!main) return undefined;
  const since = Math.floor(from / HOUR) * HOUR;
  const heads = [...new Set(branches.map(({ oid }) => oid))].sort();
  const key = createHash('sha256').update(heads.join(' ')).digest('base64');
  try {
    const read = () => readCommitsSince(folder, heads, main.oid, since);
    const bytes = ({ all }: Found) => 300 * (all.length + 1);
    return await summarize(context, await git.pool.cache.remember(folder, `pulse ${main.oid} ${since} ${key}`, bytes, read));
  } catch (error) {
    if (error instanceof GitLimitError) return undefined;
    throw error;
  }
}

interface Found {
  readonly all: readonly Contribution[];
  readonly main: ReadonlySet<string>;
  readonly isCut: boolean;
}

async function readCommitsSince(folder: GitRepository, heads: readonly string[], main: string, since: number): Promise<Found> {
  const [ids, ofMain] = await Promise.all([
    contributingCommits(folder, { heads, since }, MAX_COMMITS + 1),
    contributingCommits(folder, { heads: [main], since }, MAX_COMMITS),
  ]);
  const all: Contribution[] = [];
  for await (const part of readContributions(folder, ids.slice(0, MAX_COMMITS))) all.push(...part);
  return { all, main: new Set(ofMain), isCut: ids.length > MAX_COMMITS };
}

async function summarize(context: Context, { all, main, isCut }: Found): Promise<CodePulse> {
  const ofMain = all.filter(({ oid }) => main.has(oid));
  const sum = (count: (commit: Contribution) => number) => ofMain.reduce((total, commit) => total + count(commit), 0);
  const authors = await authorsOf(context, all);
  return {
    commits: all.length,
    mainCommits: ofMain.length,
    people: new Set(ofMain.map(({ email }) => email.toLowerCase())).size,
    files: sum(({ files }) => files),
    additions: sum(({ additions }) => additions),
    deletions: sum(({ deletions }) => deletions),
    authors: authors.slice(0, MAX_AUTHORS),
    isCut,
  };
}

async function authorsOf(context: Context, all: readonly Contribution[]): Promise<Author[]> {
  const users = await findUsersByEmails(context, new Set(all.map(({ email }) => email)));
  const counted = new Map<string | number, Author>();
  for (const { name, email } of all) {
    const user = users.get(email.toLowerCase());
    const key = user?.id ?? email.toLowerCase();
    counted.set(key, { name, user, commits: (counted.get(key)?.commits ?? 0) + 1 });
  }
  return [...counted.values()].sort((a, b) => b.commits - a.commits);
}
