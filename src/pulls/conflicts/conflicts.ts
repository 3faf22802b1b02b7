import type { Context } from '../../context.ts';
import { fsckCommits } from '../../git/edit/fsck-files.ts';
import { type ConflictedFile, findConflicts, hasMarkers, resolvedTree } from '../../git/merge/conflicts.ts';
import { UnrelatedHistoriesError } from '../../git/merge/merge-trees.ts';
import { inScratch } from '../../git/objects/quarantine.ts';
import { newCommit } from '../../git/objects/write-objects.ts';
import { GitError } from '../../git/processes/process.ts';
import { conflict, unprocessable } from '../../http/errors.ts';
import type { Pull } from '../find.ts';
import { baseTip } from '../mergeability/check.ts';
import type { Sides } from '../mergeability/mergeability.ts';
import { changeHead } from '../update/change-head.ts';
import { updateMessage } from '../update/update.ts';

/** The conflicts between the head and the base of a pull request. */
export interface PullConflicts extends Sides {
  readonly files: readonly ConflictedFile[];
  /** Whether each of them can be resolved as text. */
  readonly isSimple: boolean;
}

/** A user's resolution of conflicts. */
export interface Resolution extends Sides {
  /** The texts of all conflicted files, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The conflicts of a pull request; undefined when a branch is missing, or the two have no common ancestor. */
export async function pullConflicts(context: Context, pull: Pull): Promise<PullConflicts | undefined> {
  const base = baseTip(context, pull);
  if (base === undefined) return undefined;
  const folder = context.git.locate(pull.issue.repository);
  const head = pull.head_id;
  try {
    const { files } = await inScratch(folder, (quarantine) => findConflicts(folder, quarantine, head, base));
    const named = files.map((file) => (file.text === undefined ? file : { ...file, text: withNames(pull, file.text, { base, head }) }));
    return { base, head, files: named, isSimple: files.length > 0 && files.every(({ text }) => text !== undefined) };
  } catch (error) {
    if (error instanceof GitError && error.stderr.includes('unrelated histories')) return undefined;
    throw error;
  }
}

/**
 * Merges the base into the head of a pull request with these texts for the conflicted files.
 * @throws HttpError as updatePull; 409 when a branch has moved since the conflicts were shown, 422 for files that are left out or still have
 * markers
 */
export async function resolveConflicts(context: Context, pull: Pull, { base, head, texts }: Resolution): Promise<void> {
  for (const [path, text] of texts) if (hasMarkers(text)) throw unprocessable(`there are still conflict markers in ${path}`);
  await changeHead(context, pull, { rewrites: false }, async ({ folder, quarantine, author, committer, sign, ...now }) => {
    if (now.base !== base || now.tip !== head) throw conflict('a branch has changed meanwhile: look at the conflicts again');
    const found = await findConflicts(folder, quarantine, now.tip, now.base);
    const left = found.files.find((file) => file.text === undefined || !texts.has(file.path));
    if (left) throw unprocessable(`the conflict in ${left.path} is not resolved`);
    const tree = await resolvedTree(folder, quarantine, found, texts);
    const parts = { tree, parents: [now.tip, now.base], author, committer, message: updateMessage(pull) };
    const commit = await newCommit(folder.objectFormat, parts, sign);
    await quarantine.write([commit]);
    await fsckCommits(folder, quarantine, [[commit.oid, now.tip]]);
    return commit.oid;
  }).catch((error: unknown) => {
    if (error instanceof UnrelatedHistoriesError) throw conflict('the branches have no commit in common');
    throw error;
  });
}

/** Markers name the branches instead of their commits. */
function withNames({ base_branch, head_branch }: Pull, text: string, { base, head }: Sides): string {
  return text.replaceAll(`<<<<<<< ${head}`, `<<<<<<< ${head_branch}`).replaceAll(`>>>>>>> ${base}`, `>>>>>>> ${base_branch}`);
}
