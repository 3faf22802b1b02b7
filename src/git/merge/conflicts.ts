import type { Quarantine } from '../objects/quarantine.ts';
import { newObject } from '../objects/write-objects.ts';
import { GitLimitError, runGit } from '../processes/process.ts';
import type { GitRepository } from '../repository.ts';

/** A file with a merge conflict. */
export interface ConflictedFile {
  readonly path: string;
  readonly mode: string;
  /** With conflict markers; undefined for other conflicts than of lines, such as a file deleted on one side, or a binary file. */
  readonly text: string | undefined;
}

/** A merge with conflicts: the tree, with markers in its files, and the conflicted files. */
export interface Conflicts {
  readonly tree: string;
  readonly files: readonly ConflictedFile[];
}

/** Limits of the number of files whose lines are read, and of their total size; larger conflicts have to be resolved locally. */
const MAX_FILES = 50;
const MAX_BYTES = 2 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** Merges two commits and reads the conflicted files; none if there is no conflict. The new objects are in the quarantine. */
export async function findConflicts(repository: GitRepository, quarantine: Quarantine, ours: string, theirs: string): Promise<Conflicts> {
  // https://git-scm.com/docs/git-merge-tree#OUTPUT
  const args = ['merge-tree', '--write-tree', '-z', '--no-messages', '--end-of-options', ours, theirs];
  const { stdout } = await runGit(args, { cwd: repository.path, env: quarantine.env, okCodes: [1], timeoutMs: TIMEOUT_MS });
  const [tree = '', ...entries] = stdout.toString('utf8').split('\0');
  const stages = Map.groupBy(entries.flatMap(parseStage), ({ path }) => path);
  const texts = await textsOf(
    repository,
    quarantine,
    tree,
    [...stages].filter(([, all]) => isOfLines(all)).map(([path]) => path),
  );
  const files = [...stages].map(([path, all]) => ({
    path,
    mode: all.find(({ stage }) => stage === 2)?.mode ?? '',
    text: texts.get(path),
  }));
  return { tree, files };
}

/** The tree of a merge with these files instead of the conflicted ones; its objects are in the quarantine. */
export async function resolvedTree(
  repository: GitRepository,
  quarantine: Quarantine,
  { tree, files }: Conflicts,
  texts: ReadonlyMap<string, string>,
): Promise<string> {
  const env = { ...quarantine.env, GIT_INDEX_FILE: `${quarantine.folder}/index` };
  const git = (args: readonly string[], input = '') => runGit(args, { cwd: repository.path, env, input, timeoutMs: TIMEOUT_MS });
  const blobs = files.map(({ path, mode }) => ({
    path,
    mode,
    blob: newObject(repository.objectFormat, 'blob', Buffer.from(texts.get(path) ?? '')),
  }));
  await quarantine.write(blobs.map(({ blob }) => blob));
  await git(['read-tree', '--end-of-options', tree]);
  await git(['update-index', '-z', '--index-info'], blobs.map(({ path, mode, blob }) => `${mode} ${blob.oid}\t${path}\0`).join(''));
  return (await git(['write-tree'])).stdout.toString('latin1').trim();
}

interface Stage {
  readonly mode: string;
  /** 1 for the common ancestor, 2 for ours, 3 for theirs. */
  readonly stage: number;
  readonly path: string;
}

function parseStage(entry: string): Stage[] {
  const [, mode = '', stage, path] = /^(\d+) [0-9a-f]+ (\d)\t(.+)$/s.exec(entry) ?? [];
  return path === undefined ? [] : [{ mode, stage: Number(stage), path }];
}

/** Whether both sides have a regular file there. */
function isOfLines(stages: readonly Stage[]): boolean {
  const isPlain = stages.every(({ mode }) => mode === '100644' || mode === '100755');
  return isPlain && [2, 3].every((side) => stages.some(({ stage }) => stage === side));
}

/** The files with markers, if they are text and not too many. */
async function textsOf(
  repository: GitRepository,
  quarantine: Quarantine,
  tree: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (paths.length === 0 || paths.length > MAX_FILES) return texts;
  const options = { cwd: repository.path, env: { ...quarantine.env, GIT_LITERAL_PATHSPECS: '1' }, timeoutMs: TIMEOUT_MS };
  const { stdout } = await runGit(['ls-tree', '-z', '--end-of-options', tree, ...paths], options);
  const oids = new Map<string, string>();
  for (const line of stdout.toString('utf8').split('\0')) {
    const [, oid, path] = /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    if (oid !== undefined && path !== undefined) oids.set(path, oid);
  }
  for (const [path, oid] of oids) {
    const text = await readText(oid, options);
    if (text !== undefined && hasMarkers(text)) texts.set(path, text);
  }
  return texts;
}

async function readText(oid: string, options: Parameters<typeof runGit>[1]): Promise<string | undefined> {
  try {
    const { stdout } = await runGit(['cat-file', 'blob', oid], { ...options, maxOutput: MAX_BYTES });
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(stdout);
  } catch (error) {
    if (error instanceof GitLimitError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Whether a text contains git's conflict markers. */
export function hasMarkers(text: string): boolean {
  return /^(?:<{7}|>{7})(?: |$)/m.test(text);
}
