import type { Context } from '../../context.ts';
import type { GitRepository } from '../../git/repository.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import { TemplateError } from './error.ts';
import { textOf } from './files.ts';
import type * as task from './read-task.ts';
import type { ReadFile, TemplateFile } from './read-task.ts';

/** A file by its path and the id of its blob. */
export interface StoredFile {
  readonly kind: TemplateFile['kind'];
  readonly path: string;
  readonly oid: string;
}

const TASK = new URL('./read-task.ts', import.meta.url);
/** Milliseconds; the task stops by itself before, unless one file alone takes as long. */
const DEADLINE_MS = 4000;
/** Total size of all files; later ones are not parsed. */
const MAX_TOTAL = 2 * 1024 * 1024;

/** Parses files in a worker, in their order; results are cached. */
export function readStored(context: Context, folder: GitRepository, files: readonly StoredFile[]): Promise<readonly ReadFile[]> {
  if (files.length === 0) return Promise.resolve([]);
  const { pool } = context.git;
  const key = `issue templates ${files.map(({ path, oid }) => `${oid} ${path}`).join('\n')}`;
  const bytesOf = (read: readonly ReadFile[]) => read.reduce((sum, one) => sum + 2 * JSON.stringify(one).length, 0);
  return pool.cache.remember(folder, key, bytesOf, () => read(context, folder, files));
}

async function read(context: Context, folder: GitRepository, files: readonly StoredFile[]): Promise<ReadFile[]> {
  const results: (ReadFile | undefined)[] = [];
  const texts: TemplateFile[] = [];
  let total = 0;
  for (const { kind, path, oid } of files) {
    try {
      const text = await textOf(context, folder, { oid });
      total += text.length;
      if (total > MAX_TOTAL) throw new TemplateError('the files are too long together');
      texts.push({ kind, path, text });
      results.push(undefined);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      results.push({ problem: error.message });
    }
  }
  const read = await inWorker(context, texts);
  return results.map((result) => result ?? read.shift() ?? { problem: 'the file was not read' });
}

async function inWorker({ workers }: Context, texts: readonly TemplateFile[]): Promise<ReadFile[]> {
  try {
    return await workers.run<typeof task>(TASK, texts, { deadlineMs: DEADLINE_MS });
  } catch (error) {
    if (error instanceof WorkerLimitError) return texts.map(() => ({ problem: 'the file takes too long' }));
    throw error;
  }
}
