import { TimeSlice } from '../../concurrency/time-slice.ts';
import { decodeText } from '../objects/text.ts';
import { GitError, type GitLimits, runGit } from '../processes/process.ts';
import { type GitRepository, isObjectId } from '../repository.ts';
import { splitPath } from '../trees/trees.ts';

/** Consecutive lines of the same commit. */
export interface BlameGroup {
  readonly commit: string;
  /** The number of the first line, from 1. */
  readonly line: number;
  readonly count: number;
  /** The file before that commit; undefined if the commit created it. */
  readonly previous: { readonly commit: string; readonly path: string } | undefined;
}

const LIMITS: Required<GitLimits> = { timeoutMs: 30_000, maxOutput: 64 * 1024 * 1024 };

/**
 * The commits that last changed each line of a file, for the whole file in order.
 * @param commit a full id: the version of the file
 * @param ignored full ids of commits to skip; each has to exist
 * @throws GitLimitError if that takes too long
 * @returns `undefined` if the commit has no such file
 */
export async function blameFile(
  repository: GitRepository,
  commit: string,
  path: string,
  ignored: readonly string[] = [],
): Promise<BlameGroup[] | undefined> {
  for (const id of [commit, ...ignored]) {
    if (!isObjectId(id, repository.objectFormat)) throw new TypeError(`${JSON.stringify(id)} is not an object id`);
  }
  if (!splitPath(path)?.length) return undefined;
  const args = ['blame', '--porcelain', ...ignored.map((id) => `--ignore-rev=${id}`), commit, '--', path];
  try {
    return await parseBlame((await runGit(args, { cwd: repository.path, ...LIMITS })).stdout);
  } catch (error) {
    if (error instanceof GitError && error.constructor === GitError) return undefined;
    throw error;
  }
}

const [TAB, LINE_FEED] = [0x09, 0x0a];

/** Parses `git blame --porcelain`, with pauses: https://git-scm.com/docs/git-blame#_the_porcelain_format */
export async function parseBlame(output: Buffer): Promise<BlameGroup[]> {
  const groups: BlameGroup[] = [];
  const previous = new Map<string, BlameGroup['previous']>();
  let commit = '';
  const slice = new TimeSlice();
  for (let [start, end] = [0, 0]; start < output.length; start = end + 1) {
    if (slice.isOver) await slice.next();
    end = output.indexOf(LINE_FEED, start);
    if (end === -1) end = output.length;
    // A line of the file.
    if (output[start] === TAB) continue;
    const line = output.toString('latin1', start, end);
    const header = /^([0-9a-f]{40,64}) \d+ (\d+)(?: (\d+))?$/.exec(line);
    if (header) {
      commit = header[1] ?? '';
      const last = groups.at(-1);
      if (header[3] === undefined) continue;
      const count = Number(header[3]);
      // Ranges from different parts of the old file are one range for the reader.
      if (last?.commit === commit) groups[groups.length - 1] = { ...last, count: last.count + count };
      else groups.push({ commit, line: Number(header[2]), count, previous: undefined });
    } else if (line.startsWith('previous ')) {
      const [, id = '', ...name] = line.split(' ');
      previous.set(commit, { commit: id, path: decodeText(Buffer.from(name.join(' '), 'latin1')) });
    }
  }
  return groups.map((group) => ({ ...group, previous: previous.get(group.commit) }));
}
