import { TimeSlice } from '../../concurrency/time-slice.ts';
import type { GitPool } from '../objects/objects.ts';
import { GitError, runGit } from '../processes/process.ts';
import { listRefs, readHead, readRef } from '../refs/refs.ts';
import { type GitRepository, isObjectId, objectIdLength } from '../repository.ts';
import { beginningOfHistory, lineAlone, lineTo, mergedLine, nearFork } from './short-line.ts';

/** Selects commits of a history. All ids are full and exist: callers resolve the names of users. */
export interface HistoryFilter {
  /** The newest commit. */
  readonly head: string;
  /** Excludes these commits with all their ancestors. */
  readonly exclude?: readonly string[];
  /** Only commits that changed this file or something in this folder; a literal path, not a pattern. */
  readonly path?: string;
  /** Only commits at this second or later, and none beyond the first that is older. */
  readonly since?: number;
  /** Only commits at this second or earlier. */
  readonly until?: number;
  /** Only commits whose author's name and e-mail address contain this text, case-insensitively. */
  readonly author?: string;
  /** The same for the committer. */
  readonly committer?: string;
  /** Only commits whose message contains all of these texts, case-insensitively. */
  readonly words?: readonly string[];
}

/** Histories up to this length are cached as a whole, so that every page and the count need one run of git. */
const WHOLE_HISTORY = 20_000;

/** The ids of the commits, newest first, from the `skip`th on, at most `limit`. */
export async function listCommits(
  repository: GitRepository,
  pool: GitPool,
  filter: HistoryFilter,
  page: { skip?: number; limit: number },
): Promise<string[]> {
  const { skip = 0, limit } = page;
  const line = await shortLine(repository, pool, filter, skip + limit);
  if (line) return line.slice(skip, skip + limit);
  const start = await beginning(repository, pool, filter);
  if (start.whole || skip + limit <= start.length) return start.slice(skip, limit);
  const rest = await cachedIds(repository, pool, filter, [`--skip=${skip}`, `--max-count=${limit}`]);
  return rest.slice(0, limit);
}

/**
 * The few commits between two where each has one parent, as after most pushes and merges, or the first `count` of a history: without
 * starting git.
 * @returns undefined for all other histories
 */
async function shortLine(repository: GitRepository, pool: GitPool, filter: HistoryFilter, count: number): Promise<string[] | undefined> {
  const { head, exclude = [], path, since, until, author, committer, words } = filter;
  const [end] = exclude;
  if (exclude.length > 1 || [path, since, until, author, committer, words].some((part) => part !== undefined)) return undefined;
  if (end === undefined) return beginningOfHistory(repository, pool, head, count);
  const line = (await mergedLine(repository, pool, head, end)) ?? (await nearFork(repository, pool, head, end))?.a;
  return line ? [...line] : await lineTo(repository, pool, head, end);
}

/** The number of commits. */
export async function countCommits(repository: GitRepository, pool: GitPool, filter: HistoryFilter): Promise<number> {
  const start = await beginning(repository, pool, filter);
  if (start.whole) return start.length;
  const args = revListArguments(repository, filter, ['--count']);
  return pool.cache.remember(
    repository,
    `count ${JSON.stringify(filter)}`,
    () => 8,
    async () => Number(await output(repository, args)),
  );
}

/**
 * The latest commits of `head` down to the first that is in another branch than `branch`, at most `limit`: the commits of a new branch. Not
 * cached.
 */
export async function commitsOfBranchAlone(
  repository: GitRepository,
  pool: GitPool,
  { branch, head }: { branch: string; head: string },
  limit: number,
): Promise<string[]> {
  checkIds(repository, [head]);
  // Most new branches begin at the tip of another one, usually of the default branch; git need not be started for that.
  const { ref: main } = await readHead(repository, pool);
  if (main && main !== `refs/heads/${branch}` && (await readRef(repository, pool, main))?.oid === head) return [];
  const branches = await listRefs(repository, pool, 'refs/heads/');
  const others = new Set<string>();
  const slice = new TimeSlice();
  for (const { name, oid } of branches) {
    if (slice.isOver) await slice.next();
    if (name === `refs/heads/${branch}`) continue;
    if (oid === head) return [];
    others.add(oid);
  }
  const line = await lineAlone(repository, pool, head, others);
  if (line) return line.slice(0, limit);
  // The name of a branch has no characters of a pattern.
  const args = ['rev-list', `--max-count=${limit}`, head, '--not', `--exclude=${branch}`, '--branches'];
  const alone = new Set((await output(repository, args)).split('\n'));
  const ids = await listCommits(repository, pool, { head }, { limit });
  const shared = ids.findIndex((id) => !alone.has(id));
  return shared === -1 ? ids : ids.slice(0, shared);
}

/** The id of the newest of the commits; git stops when it has found it. Not cached. */
export async function newestCommit(repository: GitRepository, filter: HistoryFilter): Promise<string | undefined> {
  return (await output(repository, revListArguments(repository, filter, ['--max-count=1']))).trim() || undefined;
}

/** The best common ancestor of two commits; `undefined` if they have none. */
export function mergeBase(repository: GitRepository, pool: GitPool, a: string, b: string): Promise<string | undefined> {
  checkIds(repository, [a, b]);
  if (a === b) return Promise.resolve(a);
  const compute = async () => {
    const near = await nearFork(repository, pool, a, b);
    if (near) return near.base;
    const { stdout } = await runGit(['merge-base', '--end-of-options', a, b], { ...gitOptions(repository), okCodes: [1] });
    return stdout.toString('latin1').trim() || undefined;
  };
  return pool.cache.remember(repository, `merge-base ${a} ${b}`, () => 64, compute);
}

/** Whether `ancestor` is `descendant` or one of its ancestors. */
export function isAncestor(repository: GitRepository, pool: GitPool, ancestor: string, descendant: string): Promise<boolean> {
  checkIds(repository, [ancestor, descendant]);
  if (ancestor === descendant) return Promise.resolve(true);
  const args = ['merge-base', '--is-ancestor', '--end-of-options', ancestor, descendant];
  const compute = async () => {
    const near = await nearFork(repository, pool, ancestor, descendant);
    return near ? near.base === ancestor : (await runGit(args, { ...gitOptions(repository), okCodes: [1] })).code === 0;
  };
  return pool.cache.remember(repository, `is-ancestor ${ancestor} ${descendant}`, () => 8, compute);
}

/** The number of commits that only `head` has (`ahead`), and that only `base` has (`behind`). */
export function aheadBehind(
  repository: GitRepository,
  pool: GitPool,
  base: string,
  head: string,
): Promise<{ ahead: number; behind: number }> {
  checkIds(repository, [base, head]);
  if (base === head) return Promise.resolve({ ahead: 0, behind: 0 });
  const compute = async () => {
    const near = await nearFork(repository, pool, base, head);
    if (near) return { ahead: near.b.length, behind: near.a.length };
    const counted = await output(repository, ['rev-list', '--count', '--left-right', '--end-of-options', `${base}...${head}`, '--']);
    const [behind = 0, ahead = 0] = counted.split('\t').map(Number);
    return { ahead, behind };
  };
  return pool.cache.remember(repository, `ahead-behind ${base} ${head}`, () => 50, compute);
}

/** Ids as in git's list, one per line, which takes a tenth of the memory of an array. */
class IdList {
  readonly length: number;
  /** Whether the last id is the end of the history. */
  readonly whole: boolean;
  readonly #text: string;
  readonly #step: number;
  constructor(text: string, idLength: number, most: number) {
    this.#text = text;
    this.#step = idLength + 1;
    const found = Math.floor(text.length / this.#step);
    this.whole = found <= most;
    this.length = Math.min(found, most);
  }
  slice(skip: number, limit: number): string[] {
    const ids: string[] = [];
    for (let i = skip; i < Math.min(skip + limit, this.length); i++) ids.push(this.#text.slice(i * this.#step, (i + 1) * this.#step - 1));
    return ids;
  }
}

function beginning(repository: GitRepository, pool: GitPool, filter: HistoryFilter): Promise<IdList> {
  return cachedIds(repository, pool, filter, [`--max-count=${WHOLE_HISTORY + 1}`], WHOLE_HISTORY);
}

function cachedIds(
  repository: GitRepository,
  pool: GitPool,
  filter: HistoryFilter,
  options: readonly string[],
  most = Number.POSITIVE_INFINITY,
): Promise<IdList> {
  const idLength = objectIdLength(repository.objectFormat);
  return pool.cache.remember(
    repository,
    `log ${options.join(' ')} ${JSON.stringify(filter)}`,
    (list) => list.length * (idLength + 1),
    async () => new IdList(await output(repository, revListArguments(repository, filter, options)), idLength, most),
  );
}

function revListArguments(repository: GitRepository, filter: HistoryFilter, options: readonly string[]): string[] {
  const { head, exclude = [], path, since, until, author, committer, words = [] } = filter;
  checkIds(repository, [head, ...exclude]);
  const args = ['--literal-pathspecs', 'rev-list', ...options];
  // Git counts from 1970: it would take an earlier time for one far in the future.
  if (since !== undefined) args.push(`--max-age=${Math.max(0, Math.floor(since))}`);
  if (until !== undefined) args.push(`--min-age=${Math.max(0, Math.floor(until))}`);
  if (author !== undefined || committer !== undefined || words.length > 0)
    args.push('--fixed-strings', '--regexp-ignore-case', '--all-match');
  if (author !== undefined) args.push(`--author=${author}`);
  if (committer !== undefined) args.push(`--committer=${committer}`);
  for (const word of words) args.push(`--grep=${word}`);
  args.push('--end-of-options', head, ...exclude.map((id) => `^${id}`), '--');
  if (path !== undefined) args.push(path);
  return args;
}

async function output(repository: GitRepository, args: readonly string[]): Promise<string> {
  return (await runGit(args, gitOptions(repository))).stdout.toString('latin1');
}

function gitOptions(repository: GitRepository): { cwd: string; env?: Readonly<Record<string, string>> } {
  return repository.quarantine ? { cwd: repository.path, env: repository.quarantine } : { cwd: repository.path };
}

function checkIds(repository: GitRepository, ids: readonly string[]): void {
  for (const id of ids)
    if (!isObjectId(id, repository.objectFormat)) throw new GitError(['rev-list'], null, `${JSON.stringify(id)} is not a commit's id`);
}
