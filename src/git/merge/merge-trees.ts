import type { Quarantine } from '../objects/quarantine.ts';
import { newCommit } from '../objects/write-objects.ts';
import { GitError, runGit } from '../processes/process.ts';
import type { GitRepository } from '../repository.ts';
import { emptyTreeId } from '../repository.ts';

/** The result of a merge of two sides. */
export type MergedTree =
  | { readonly clean: true; readonly tree: string }
  | {
      readonly clean: false;
      /** With conflict markers in its files. */
      readonly tree: string;
      /** The paths with conflicts, in the order of bytes. */
      readonly paths: readonly string[];
      /** git's messages about them, in English. */
      readonly messages: readonly string[];
    };

/** The two sides have no commit in common. */
export class UnrelatedHistoriesError extends Error {
  override readonly name = 'UnrelatedHistoriesError';
}

const TIMEOUT_MS = 5 * 60_000;
const NOBODY = { name: 'nobody', email: '', seconds: 0, offset: 0 };

/**
 * Merges two commits like `git merge`, including renames and several merge bases, without a work tree.
 * The new objects are in the quarantine, those of a conflict too.
 * @throws UnrelatedHistoriesError
 */
export async function mergeTrees(repository: GitRepository, quarantine: Quarantine, ours: string, theirs: string): Promise<MergedTree> {
  // https://git-scm.com/docs/git-merge-tree#OUTPUT
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--messages', '--end-of-options', ours, theirs];
  const options = { cwd: repository.path, env: quarantine.env, okCodes: [1], timeoutMs: TIMEOUT_MS };
  const { code, stdout } = await runGit(args, options).catch((error: unknown) => {
    if (error instanceof GitError && error.stderr.includes('unrelated histories')) throw new UnrelatedHistoriesError('no commit in common');
    throw error;
  });
  const [tree = '', ...fields] = stdout.toString('utf8').split('\0');
  if (code === 0) return { clean: true, tree };
  const end = fields.indexOf('');
  return { clean: false, tree, paths: fields.slice(0, end), messages: parseMessages(fields.slice(end + 1)) };
}

/**
 * Merges two trees that are based on a third: the one of commit `base`, or the empty tree. This is how commits are picked and reverted.
 * git only accepts commits, so each tree gets a temporary one.
 */
export async function mergeTreesFrom(
  repository: GitRepository,
  quarantine: Quarantine,
  base: string | null,
  ours: string,
  theirs: string,
): Promise<MergedTree> {
  const { objectFormat } = repository;
  const standIn = (tree: string, parents: string[], message: string) =>
    newCommit(objectFormat, { tree, parents, author: NOBODY, committer: NOBODY, message });
  const root = base === null ? await standIn(emptyTreeId(objectFormat), [], 'base') : undefined;
  const parent = root?.oid ?? base ?? '';
  const [left, right] = [await standIn(ours, [parent], 'ours'), await standIn(theirs, [parent], 'theirs')];
  await quarantine.writeScratch(root ? [root, left, right] : [left, right]);
  return await mergeTrees(repository, quarantine, left.oid, right.oid);
}

/** Each message: the number of paths, the paths, the kind, the text. */
function parseMessages(fields: readonly string[]): string[] {
  const messages: string[] = [];
  for (let at = 0; at < fields.length - 1; ) {
    const paths = Number(fields[at]);
    const [kind = '', text = ''] = fields.slice(at + 1 + paths, at + 3 + paths);
    if (kind.startsWith('CONFLICT')) messages.push(text.trim());
    at += 3 + paths;
  }
  return messages;
}
