import type { Context } from '../../context.ts';
import type { GitRepository } from '../../git/repository.ts';
import { type AttributesFile, type AttributeValue, MAX_ATTRIBUTES_SIZE, MAX_ATTRIBUTES_TOTAL } from '../../git/trees/attributes.ts';
import { findEntry } from '../../git/trees/trees.ts';
import { unprocessable } from '../../http/errors.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import { charactersOf, takesFewSteps } from '../../workers/few-steps.ts';
import { run } from './attributes-task.ts';

/** The name of the files with attributes. */
export const ATTRIBUTES = '.gitattributes';

const TASK = new URL('./attributes-task.ts', import.meta.url);

/** The remaining milliseconds for all paths of one change. */
export interface Patience {
  leftMs: number;
}

/**
 * The value of an attribute for a path, by the given files; computed in a worker if that may take long.
 * @throws HttpError 422 where it takes too long; WorkersBusyError
 */
export async function attributeOf(
  { workers }: Pick<Context, 'workers'>,
  files: readonly AttributesFile[],
  path: string,
  name: string,
  patience: Patience,
): Promise<AttributeValue | undefined> {
  const task = { files, path, name };
  if (takesFewSteps(charactersOf(files.map(([, text]) => text)), path.length)) return run(task);
  const begun = performance.now();
  try {
    const deadlineMs = Math.max(1, Math.ceil(patience.leftMs));
    return await workers.run<typeof import('./attributes-task.ts')>(TASK, task, { deadlineMs });
  } catch (error) {
    if (error instanceof WorkerLimitError) throw unprocessable(`the patterns of ${ATTRIBUTES} take too long [path: ${path.slice(0, 200)}]`);
    throw error;
  } finally {
    patience.leftMs -= performance.now() - begun;
  }
}

/**
 * The `.gitattributes` files of the folders of a path; files of the change replace existing ones, larger ones are left out.
 * @param changed the files of the change by path
 */
export async function attributesAbove(
  { git: { pool } }: Context,
  repository: GitRepository,
  path: string,
  tree: string | null,
  changed: ReadonlyMap<string, string>,
): Promise<AttributesFile[]> {
  const files: AttributesFile[] = [];
  let left = MAX_ATTRIBUTES_TOTAL;
  let folder = tree ?? undefined;
  let prefix = '';
  const read = async () => {
    const entry = folder === undefined ? undefined : await findEntry(repository, pool, folder, ATTRIBUTES);
    const info = entry?.type === 'blob' && entry.mode !== '120000' ? await pool.info(repository, entry.oid) : undefined;
    if (!info || info.size > Math.min(MAX_ATTRIBUTES_SIZE, left)) return undefined;
    return (await pool.read(repository, info.oid, { maxSize: MAX_ATTRIBUTES_SIZE }))?.data.toString('utf8');
  };
  const names = path.split('/');
  for (const name of names) {
    const text = changed.get(prefix + ATTRIBUTES) ?? (await read());
    if (text !== undefined) files.push([prefix, text]);
    left -= text?.length ?? 0;
    prefix += `${name}/`;
    const entry = folder === undefined ? undefined : await findEntry(repository, pool, folder, name);
    folder = entry?.type === 'tree' ? entry.oid : undefined;
  }
  return files;
}
