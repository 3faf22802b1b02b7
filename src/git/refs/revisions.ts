import { readCommit } from '../objects/commits.ts';
import type { GitPool } from '../objects/objects.ts';
import { type GitRepository, isObjectId } from '../repository.ts';
import { isValidRefName } from './ref-names.ts';
import { readHead, readRef } from './refs.ts';
import { peelToCommit } from './tags.ts';

/** The result of resolving a user's name for a ref. */
export interface ResolvedRef {
  readonly kind: 'branch' | 'tag' | 'commit';
  /** The given name. */
  readonly name: string;
  /** The full name of the branch or tag; for a commit its full id. */
  readonly ref: string;
  /** The commit, after tags are followed. */
  readonly commit: string;
}

/** The minimum number of digits of an abbreviated commit id. */
const MIN_PREFIX = 4;

/** How many generations `~` may go back. */
const MAX_GENERATIONS = 10_000;

/**
 * Finds the branch, else the tag, else the commit of this name. A commit's id needs `minPrefix` digits, all of them by default.
 * @returns `undefined` for a name that does not exist, is ambiguous, names no commit, or is invalid
 */
export async function resolveRef(
  repository: GitRepository,
  pool: GitPool,
  name: string,
  options: { minPrefix?: number } = {},
): Promise<ResolvedRef | undefined> {
  if (!isValidRefName(name)) return undefined;
  for (const kind of ['branch', 'tag'] as const) {
    const ref = await readRef(repository, pool, `${kind === 'branch' ? 'refs/heads/' : 'refs/tags/'}${name}`);
    if (!ref) continue;
    const commit = await peelToCommit(repository, pool, ref.peeled ?? ref.oid);
    return commit === undefined ? undefined : { kind, name, ref: ref.name, commit };
  }
  const commit = await commitOfId(repository, pool, name, options.minPrefix ?? Number.POSITIVE_INFINITY);
  return commit === undefined ? undefined : { kind: 'commit', name, ref: commit, commit };
}

/** The rules by which git finds a ref by its short name, in order: https://git-scm.com/docs/gitrevisions */
const REF_RULES = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];

const TREE = '^{tree}';
const TAG = '^{tag}';

/** A name, perhaps with `@{0}`, which is its newest value, then steps such as `~2` and `^{commit}`. */
const REVISION = /^(?<name>[^~^]*?)(?<newest>@\{0\})?(?<steps>(?:[~^]\d{0,5}|\^\{(?:commit|tag)?\})*)$/;

/**
 * The commit of a revision: a full id, `HEAD`, any ref by git's own rules (so a tag before a branch), an abbreviated id (4 or more
 * digits), each also followed by `@{0}`, `~n`, `^n`, `^{commit}`, `^{tag}` and `^{}`.
 * @returns `undefined` for a revision that does not exist, is ambiguous or names no commit
 */
export async function resolveCommit(repository: GitRepository, pool: GitPool, revision: string): Promise<string | undefined> {
  const { name = '', newest, steps = '' } = REVISION.exec(revision)?.groups ?? {};
  const start = newest === undefined ? name : await newestOf(repository, pool, name);
  const commit = start === undefined ? undefined : await commitOfName(repository, pool, start);
  if (commit === undefined || steps === '') return commit;
  if (!steps.startsWith(TAG)) return ancestor(repository, pool, commit, steps);
  return (await tagOf(repository, pool, name)) && ancestor(repository, pool, commit, steps.slice(TAG.length));
}

/** The annotated tag of a name. */
async function tagOf(repository: GitRepository, pool: GitPool, name: string): Promise<string | undefined> {
  const object = await resolveObject(repository, pool, name);
  return object !== undefined && (await pool.info(repository, object))?.type === 'tag' ? object : undefined;
}

/** What a name with `@{0}` names: only refs have a log, ids have none. */
async function newestOf(repository: GitRepository, pool: GitPool, name: string): Promise<string | undefined> {
  return name === '' ? 'HEAD' : refOfName(repository, pool, name);
}

/**
 * The object of a revision, without following tags: a full id of any object, or a ref by git's own rules, or an abbreviated id, or the
 * tree of a commit as in `main^{tree}`. For `git/trees/{sha}` and the like.
 */
export async function resolveObject(repository: GitRepository, pool: GitPool, revision: string): Promise<string | undefined> {
  if (isObjectId(revision, repository.objectFormat)) return (await pool.info(repository, revision))?.oid;
  if (/^[^~^]+\^\{tag\}$/.test(revision)) return tagOf(repository, pool, revision.slice(0, -TAG.length));
  if (revision.endsWith(TREE)) {
    const commit = await resolveCommit(repository, pool, revision.slice(0, -TREE.length));
    return commit === undefined ? undefined : (await readCommit(repository, pool, commit))?.tree;
  }
  const named = (await refOfName(repository, pool, revision)) ?? (await resolveCommit(repository, pool, revision));
  return named ?? (await pool.objectByPrefix(repository, revision))?.oid;
}

/** Whether `text` looks like a commit's id, full or from `minLength` digits on. */
export function isCommitIdLike(text: string, repository: GitRepository, minLength = MIN_PREFIX): boolean {
  return text.length >= minLength && text.length <= (repository.objectFormat === 'sha256' ? 64 : 40) && /^[0-9a-f]+$/.test(text);
}

async function refOfName(repository: GitRepository, pool: GitPool, name: string): Promise<string | undefined> {
  if (name === 'HEAD' || name === '@') return (await readHead(repository, pool)).oid;
  if (!isValidRefName(name)) return undefined;
  for (const rule of REF_RULES) {
    const ref = await readRef(repository, pool, rule + name);
    if (ref) return ref.oid;
  }
  return undefined;
}

async function commitOfName(repository: GitRepository, pool: GitPool, name: string): Promise<string | undefined> {
  if (isObjectId(name, repository.objectFormat)) return peelToCommit(repository, pool, name);
  const ref = await refOfName(repository, pool, name);
  if (ref !== undefined) return peelToCommit(repository, pool, ref);
  return commitOfId(repository, pool, name, MIN_PREFIX);
}

async function commitOfId(repository: GitRepository, pool: GitPool, text: string, minPrefix: number): Promise<string | undefined> {
  if (isObjectId(text, repository.objectFormat)) return peelToCommit(repository, pool, text);
  if (!isCommitIdLike(text, repository, Math.max(minPrefix, MIN_PREFIX))) return undefined;
  return pool.commitByPrefix(repository, text);
}

async function ancestor(repository: GitRepository, pool: GitPool, from: string, steps: string): Promise<string | undefined> {
  let at: string | undefined = from;
  let left = MAX_GENERATIONS;
  for (const [step, kind, digits] of steps.matchAll(/([~^])(\{\w*\}|\d*)/g)) {
    if (step === TAG) return undefined;
    // It is a commit already.
    if (step.endsWith('}')) continue;
    const number = digits === '' ? 1 : Number(digits);
    const generations = kind === '~' ? number : Math.min(number, 1);
    const parent = kind === '~' ? 0 : number - 1;
    for (let step = 0; step < generations && at !== undefined; step++) {
      if (--left < 0) return undefined;
      const commit: Awaited<ReturnType<typeof readCommit>> = await readCommit(repository, pool, at);
      at = commit?.parents[parent];
    }
  }
  return at;
}
