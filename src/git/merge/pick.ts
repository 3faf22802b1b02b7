import { fsckCommits } from '../edit/fsck-files.ts';
import type { Signature } from '../objects/format-identity.ts';
import { directObjects, type ObjectSource, readObject, treeOfCommit } from '../objects/object-source.ts';
import { inQuarantine, type Quarantine } from '../objects/quarantine.ts';
import { newCommit, type Sign, writeCommit } from '../objects/write-objects.ts';
import { runGit } from '../processes/process.ts';
import { emptyTreeId, type GitRepository } from '../repository.ts';
import { MergeConflictError } from './merge.ts';
import { mergeTreesFrom } from './merge-trees.ts';

/** Options for rebasing commits. */
export interface PickOptions {
  /** The new base of the commits. */
  onto: string;
  /** The committer, with the time; the authors stay. */
  committer: Signature;
  sign?: Sign;
  objects?: ObjectSource;
}

/** The result of a rebase. */
export interface Rebased {
  /** The last commit, for the branch. */
  head: string;
  /** Each commit in order, and its new id; null: it brings no change. Unchanged commits are included. */
  commits: { from: string; to: string | null }[];
}

/** There are too many commits for one rebase. */
export class TooManyCommitsError extends Error {
  override readonly name = 'TooManyCommitsError';
}

/** The maximum number of commits of one rebase: each takes a git process. */
export const MAX_REBASED_COMMITS = 1000;

interface Original {
  parents: string[];
  tree: string;
  author: Buffer;
  message: Buffer;
}

/**
 * Rebases the commits that only `head` has onto `onto`, like `git rebase`: one by one, oldest first. Merges are left out; commits that bring
 * no change, or exist with another id, are dropped; a commit that is already in place stays. No ref is moved.
 * @throws MergeConflictError naming the commit, HarmfulFileError, TooManyCommitsError; then nothing has changed
 */
export async function rebaseCommits(repository: GitRepository, head: string, options: PickOptions): Promise<Rebased> {
  return await inQuarantine(repository, (quarantine) => rebaseCommitsWithin(repository, quarantine, head, options));
}

/** {@link rebaseCommits} in a quarantine, which may contain either side. */
export async function rebaseCommitsWithin(
  repository: GitRepository,
  quarantine: Quarantine,
  head: string,
  options: PickOptions,
): Promise<Rebased> {
  const { onto, objects = directObjects } = options;
  const within = { ...repository, quarantine: quarantine.env };
  const originals = await commitsBetween(within, onto, head);
  const commits: Rebased['commits'] = [];
  const made: [commit: string, parent: string][] = [];
  let at = { oid: onto, tree: await treeOfCommit(objects, within, onto) };
  for (const { oid: from, isThere } of originals) {
    const original = await readOriginal(within, objects, from);
    // All empty commits look the same: this does not make them duplicates.
    if (isThere && !(await changesNothing(within, objects, original))) continue;
    const next =
      original.parents[0] === at.oid ? { oid: from, tree: original.tree } : await pickNext(within, quarantine, options, from, original, at);
    if (next && next.oid !== from) made.push([next.oid, at.oid]);
    commits.push({ from, to: next?.oid ?? null });
    at = next ?? at;
  }
  await fsckCommits(repository, quarantine, made);
  return { head: at.oid, commits };
}

/** Rewrites a commit with another message, like `git commit --amend`; no ref is moved. */
export async function amendMessage(
  repository: GitRepository,
  commit: string,
  { message, committer, sign, objects = directObjects }: Omit<PickOptions, 'onto'> & { message: string },
): Promise<string> {
  const { tree, parents, author } = await readOriginal(repository, objects, commit);
  return await writeCommit(repository, { tree, parents, author, committer, message }, sign);
}

async function pickNext(
  repository: GitRepository,
  quarantine: Quarantine,
  { committer, sign, objects = directObjects }: PickOptions,
  from: string,
  { parents, tree, author, message }: Original,
  onto: { oid: string; tree: string },
): Promise<{ oid: string; tree: string } | undefined> {
  const base = parents[0] ?? null;
  const merged = await mergeTreesFrom(repository, quarantine, base, onto.tree, tree);
  if (!merged.clean) throw new MergeConflictError(merged, from);
  if (merged.tree === onto.tree) {
    // A commit that was empty stays; one that has become empty is already there.
    if (!(await changesNothing(repository, objects, { parents, tree }))) return undefined;
  }
  const commit = await newCommit(repository.objectFormat, { tree: merged.tree, parents: [onto.oid], author, committer, message }, sign);
  await quarantine.write([commit]);
  return { oid: commit.oid, tree: merged.tree };
}

/** Whether a commit changes nothing. */
async function changesNothing(repository: GitRepository, objects: ObjectSource, { parents, tree }: Pick<Original, 'parents' | 'tree'>) {
  const [base] = parents;
  const before = base === undefined ? emptyTreeId(repository.objectFormat) : await treeOfCommit(objects, repository, base);
  return before === tree;
}

/** The commits, oldest first, and whether `onto` has the same change under another id. */
async function commitsBetween(repository: GitRepository, onto: string, head: string): Promise<{ oid: string; isThere: boolean }[]> {
  const args = [
    'rev-list',
    '--topo-order',
    '--no-merges',
    // A commit that exists under another id is not picked again, even if later changes would conflict with it.
    '--cherry-mark',
    '--right-only',
    `--max-count=${MAX_REBASED_COMMITS + 1}`,
    '--end-of-options',
    `${onto}...${head}`,
    '--',
  ];
  const { stdout } = await runGit(args, { cwd: repository.path, env: repository.quarantine ?? {} });
  const lines = stdout.toString().split('\n').filter(Boolean).reverse();
  if (lines.length > MAX_REBASED_COMMITS) throw new TooManyCommitsError(`more than ${MAX_REBASED_COMMITS} commits`);
  return lines.map((line) => ({ oid: line.slice(1), isThere: line.startsWith('=') }));
}

/** The parts of a commit that stay. Text in a declared encoding becomes UTF-8, as with `git rebase`; other bytes stay unchanged. */
async function readOriginal(repository: GitRepository, objects: ObjectSource, oid: string): Promise<Original> {
  const content = await readObject(objects, repository, oid, 'commit');
  const end = content.indexOf('\n\n');
  const head = (end < 0 ? content : content.subarray(0, end)).toString('latin1');
  const header = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(head)?.[1];
  const encoding = header('encoding');
  const utf8 = (bytes: Buffer) => (encoding === undefined ? bytes : recode(bytes, encoding));
  return {
    parents: [...head.matchAll(/^parent (.*)$/gm)].map((match) => match[1] ?? ''),
    tree: header('tree') ?? '',
    author: utf8(Buffer.from(header('author') ?? '', 'latin1')),
    message: utf8(end < 0 ? Buffer.alloc(0) : content.subarray(end + 2)),
  };
}

function recode(bytes: Buffer, encoding: string): Buffer {
  try {
    return Buffer.from(new TextDecoder(encoding).decode(bytes));
  } catch {
    // An unknown encoding.
    return bytes;
  }
}
