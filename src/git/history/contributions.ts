import { decodeText } from '../objects/text.ts';
import { GitLimitError, runGit } from '../processes/process.ts';
import { type GitRepository, isObjectId } from '../repository.ts';

/** The contribution of a commit to a history. */
export interface Contribution {
  readonly oid: string;
  readonly name: string;
  readonly email: string;
  /** When it was authored, in seconds since 1970. */
  readonly seconds: number;
  /** In the author's time zone: the day of the week from 0 (Sunday), and the hour. */
  readonly weekday: number;
  readonly hour: number;
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
}

/** Commits per git process. */
const BATCH = 1_000;
const LIST_LIMITS = { timeoutMs: 60_000, maxOutput: 16 * 1024 * 1024 };
const BATCH_LIMITS = { timeoutMs: 60_000, maxOutput: 8 * 1024 * 1024 };
const FORMAT = '%x00%H%x00%aN%x00%aE%x00%at%x00%ad%x00';
const FIELDS = 6;

/**
 * The ids of all commits of histories that have one parent, newest first.
 * @param range `heads` and `known` are full ids; commits that `known` contains are left out; `since` in seconds
 */
export async function contributingCommits(
  repository: GitRepository,
  range: { readonly heads: readonly string[]; readonly known?: readonly string[]; readonly since?: number },
  limit: number,
): Promise<string[]> {
  const { heads, known = [], since } = range;
  checkIds(repository, [...heads, ...known]);
  if (heads.length === 0) return [];
  const args = ['rev-list', '--no-merges', '--ignore-missing', `--max-count=${limit}`, '--stdin'];
  if (since !== undefined) args.push(`--max-age=${Math.floor(since)}`);
  const input = [...heads, ...known.map((id) => `^${id}`), ''].join('\n');
  const { stdout } = await runGit(args, { cwd: repository.path, input, ...LIST_LIMITS });
  return stdout.toString('latin1').split('\n').filter(Boolean);
}

/** The contributions of commits with full ids, in batches, in order. Lines are not counted where git takes too long for them. */
export async function* readContributions(
  repository: GitRepository,
  ids: readonly string[],
  { signal }: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<Contribution[]> {
  checkIds(repository, ids);
  for (let at = 0; at < ids.length; at += BATCH) {
    signal?.throwIfAborted();
    const batch = ids.slice(at, at + BATCH);
    try {
      yield await readBatch(repository, batch, ['--shortstat', '--no-renames'], signal);
    } catch (error) {
      if (!(error instanceof GitLimitError)) throw error;
      signal?.throwIfAborted();
      yield await readBatch(repository, batch, ['--no-patch'], signal);
    }
  }
}

async function readBatch(repository: GitRepository, ids: readonly string[], detail: readonly string[], signal: AbortSignal | undefined) {
  const args = [
    'log',
    '--no-walk=unsorted',
    '--stdin',
    '--no-ext-diff',
    '--no-textconv',
    `--format=${FORMAT}`,
    '--date=format:%w %H',
    ...detail,
  ];
  const options = { cwd: repository.path, input: `${ids.join('\n')}\n`, ...BATCH_LIMITS, ...(signal && { signal }) };
  return parseContributions((await runGit(args, options)).stdout);
}

/** Parses the output of `git log`: fields between NULs, then a line such as `2 files changed, 3 insertions(+), 1 deletion(-)`. */
export function parseContributions(output: Buffer): Contribution[] {
  const parts = output.toString('latin1').split('\0');
  const found: Contribution[] = [];
  for (let at = 1; at + FIELDS <= parts.length; at += FIELDS) {
    const [oid = '', name = '', email = '', seconds = '', when = '', stat = ''] = parts.slice(at, at + FIELDS);
    const [weekday = 0, hour = 0] = when.split(' ').map(Number);
    found.push({
      oid,
      name: readable(name),
      email: readable(email),
      seconds: Number(seconds) || 0,
      weekday: weekday >= 0 && weekday < 7 ? weekday : 0,
      hour: hour >= 0 && hour < 24 ? hour : 0,
      files: countIn(stat, /(\d+) files? changed/),
      additions: countIn(stat, /(\d+) insertions?\(/),
      deletions: countIn(stat, /(\d+) deletions?\(/),
    });
  }
  return found;
}

function countIn(stat: string, count: RegExp): number {
  return Number(count.exec(stat)?.[1] ?? 0);
}

function readable(latin1: string): string {
  return decodeText(Buffer.from(latin1, 'latin1')).slice(0, 200);
}

function checkIds(repository: GitRepository, ids: readonly string[]): void {
  for (const id of ids) if (!isObjectId(id, repository.objectFormat)) throw new TypeError(`${JSON.stringify(id)} is not an object id`);
}
