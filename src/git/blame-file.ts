import { GitError, type GitLimits, runGit } from './process.ts';
import { type GitRepository, isObjectId } from './repository.ts';
import { decodeText } from './text.ts';
import { splitPath } from './trees.ts';

/** Lines that follow each other and came with the same commit. */
export interface BlameGroup {
  readonly commit: string;
  /** The first of them, from 1 on. */
  readonly line: number;
  readonly count: number;
  /** Where the file was before that commit; undefined if it began with it. */
  readonly previous: { readonly commit: string; readonly path: string } | undefined;
}

const LIMITS: Required<GitLimits> = { timeoutMs: 30_000, maxOutput: 64 * 1024 * 1024 };

/**
 * The commits in which the lines of a file got their present form, whole file, in the order of the lines.
 * @param commit a full id: how the file is looked at
 * @param ignored full ids of commits that are looked through; each has to be there
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
    if (!isObjectId(id, repository.objectFormat)) throw new TypeError(`${JSON.stringify(id)} is no object id`);
  }
  if (!splitPath(path)?.length) return undefined;
  const args = ['blame', '--porcelain', ...ignored.map((id) => `--ignore-rev=${id}`), commit, '--', path];
  try {
    return parseBlame((await runGit(args, { cwd: repository.path, ...LIMITS })).stdout);
  } catch (error) {
    if (error instanceof GitError && error.constructor === GitError) return undefined;
    throw error;
  }
}

/** Reads `git blame --porcelain`: https://git-scm.com/docs/git-blame#_the_porcelain_format */
export function parseBlame(output: Buffer): BlameGroup[] {
  const groups: BlameGroup[] = [];
  const previous = new Map<string, BlameGroup['previous']>();
  let commit = '';
  for (const line of output.toString('latin1').split('\n')) {
    const header = /^([0-9a-f]{40,64}) \d+ (\d+)(?: (\d+))?$/.exec(line);
    if (header) {
      commit = header[1] ?? '';
      const last = groups.at(-1);
      if (header[3] === undefined) continue;
      const count = Number(header[3]);
      // Ranges of other places in the old file are one to the reader.
      if (last?.commit === commit) groups[groups.length - 1] = { ...last, count: last.count + count };
      else groups.push({ commit, line: Number(header[2]), count, previous: undefined });
    } else if (line.startsWith('previous ')) {
      const [, id = '', ...name] = line.split(' ');
      previous.set(commit, { commit: id, path: decodeText(Buffer.from(name.join(' '), 'latin1')) });
    }
  }
  return groups.map((group) => ({ ...group, previous: previous.get(group.commit) }));
}
