import type { Signature } from './format-identity.ts';
import { fsckCommits } from './fsck-files.ts';
import { MergeConflictError } from './merge.ts';
import { mergeTreesFrom } from './merge-trees.ts';
import { directObjects, type ObjectSource, readObject, treeOfCommit } from './object-source.ts';
import { runGit } from './process.ts';
import { inQuarantine, type Quarantine } from './quarantine.ts';
import { emptyTreeId, type GitRepository } from './repository.ts';
import { newCommit, type Sign, writeCommit } from './write-objects.ts';

/** Options for rebasing commits. */
export interface PickOptions {
  /** The commit to put them on. */
  onto: string;
  /** Who does it, and when; the authors stay. */
  committer: Signature;
  sign?: Sign;
  objects?: ObjectSource;
}

/** What became of the commits of a rebase. */
export interface Rebased {
  /** The last commit, to put the branch on. */
  head: string;
  /** Each commit in its order, and what it is now; null: it brings nothing new. Those that could stay are in here too. */
  commits: { from: string; to: string | null }[];
}

/** There are more commits to rebase than the server does at once. */
export class TooManyCommitsError extends Error {
  override readonly name = 'TooManyCommitsError';
}

/** The most commits of one rebase: each takes a git process. */
export const MAX_REBASED_COMMITS = 1000;

interface Original {
  parents: string[];
  tree: string;
  author: Buffer;
  message: Buffer;
}

/**
 * Rebases the commits that `head` has and `onto` has not onto `onto`, as `git rebase` does: one by one, oldest first, merges left out,
 * those that bring nothing new, or are there under another id, dropped; a commit that already stands in its place stays. No ref is moved.
 * @throws MergeConflictError naming the commit, HarmfulFileError, TooManyCommitsError; then nothing is left
 */
export async function rebaseCommits(repository: GitRepository, head: string, options: PickOptions): Promise<Rebased> {
  return await inQuarantine(repository, (quarantine) => rebaseCommitsWithin(repository, quarantine, head, options));
}

/** {@link rebaseCommits} in a quarantine, which may hold either side. */
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
    // All commits that change nothing look the same: they are not there for that.
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

/** Rewrites a commit with another message, as `git commit --amend` does; no ref is moved. */
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
    // What was made empty on purpose stays; what has become empty is there already.
    if (!(await changesNothing(repository, objects, { parents, tree }))) return undefined;
  }
  const commit = await newCommit(repository.objectFormat, { tree: merged.tree, parents: [onto.oid], author, committer, message }, sign);
  await quarantine.write([commit]);
  return { oid: commit.oid, tree: merged.tree };
}

/** Whether a commit was made empty. */
async function changesNothing(repository: GitRepository, objects: ObjectSource, { parents, tree }: Pick<Original, 'parents' | 'tree'>) {
  const [base] = parents;
  const before = base === undefined ? emptyTreeId(repository.objectFormat) : await treeOfCommit(objects, repository, base);
  return before === tree;
}

/** The oldest first, and whether `onto` has the same change under another id. */
async function commitsBetween(repository: GitRepository, onto: string, head: string): Promise<{ oid: string; isThere: boolean }[]> {
  const args = [
    'rev-list',
    '--topo-order',
    '--no-merges',
    // What is there under another id is not picked again, even where what came after it would be in its way.
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

/** The parts of a commit that stay. Text in a declared encoding becomes UTF-8, as with `git rebase`; other bytes stay as they are. */
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
    // An encoding nobody knows.
    return bytes;
  }
}
