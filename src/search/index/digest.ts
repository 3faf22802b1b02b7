import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import type * as task from './digest-task.ts';
import type { Digest } from './digest-task.ts';
import type { SourceFile } from './source.ts';

const TASK = new URL('./digest-task.ts', import.meta.url);
/** Bytes that are read and digested at once. */
const BATCH_BYTES = 2 * 1024 * 1024;
const BATCH_FILES = 200;
const BATCH_MS = 30_000;

/** A file with its data in an index. */
export interface DigestedFile {
  readonly source: SourceFile;
  readonly digest: Digest;
}

/** Reads files, some at a time, in workers. Skips binary files, and files that a worker cannot finish. */
export async function* digestAll(
  context: Context,
  repository: Repository,
  sources: readonly SourceFile[],
  signal: AbortSignal,
): AsyncGenerator<DigestedFile[]> {
  for (const batch of batchesOf(sources)) {
    signal.throwIfAborted();
    const files = await Promise.all(batch.map((source) => readFile(context, repository, source)));
    const digests = await digest(context, files, signal);
    yield batch.flatMap((source, at) => {
      const made = digests[at];
      return made ? [{ source, digest: made }] : [];
    });
  }
}

function* batchesOf(sources: readonly SourceFile[]): Generator<SourceFile[]> {
  let [batch, bytes]: [SourceFile[], number] = [[], 0];
  for (const source of sources) {
    if (batch.length === BATCH_FILES || (batch.length > 0 && bytes + source.size > BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(source);
    bytes += source.size;
  }
  if (batch.length > 0) yield batch;
}

/** A copy: of a part of a buffer all of it would be sent to the worker. */
async function readFile({ git }: Context, repository: Repository, { path, oid, size }: SourceFile): Promise<task.RawFile> {
  const blob = await git.pool.read(git.locate(repository), oid, { maxSize: size });
  if (!blob) throw new Error(`the blob ${oid} cannot be read`);
  return { path, content: new Uint8Array(blob.data) };
}

async function digest({ workers }: Context, files: readonly task.RawFile[], signal: AbortSignal): Promise<(Digest | undefined)[]> {
  try {
    return await workers.run<typeof task>(TASK, files, { background: true, deadlineMs: BATCH_MS, signal });
  } catch (error) {
    if (error instanceof WorkerLimitError) return [];
    throw error;
  }
}
