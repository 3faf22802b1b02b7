import type { Readable } from 'node:stream';
import { finished } from 'node:stream';
import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { type ArchiveOptions, createArchive } from '../../git/archive.ts';
import { badRequest } from '../../http/errors.ts';
import type { ArchiveRequest } from './request.ts';

/**
 * Builds an archive with a permit of the semaphore, which is released at the end of the stream.
 * @param caller the key of the caller whose permits count (`callerKey`)
 * @param limits limits of the archive; `isSpooled`: nobody waits for the first bytes
 * @throws HttpError 400 if there is nothing at one of the paths; BusyError; GitOutputLimitError
 */
export async function buildArchive(
  context: Context,
  repository: Repository,
  request: ArchiveRequest,
  caller: string,
  limits: Pick<ArchiveOptions, 'isSpooled' | 'maxOutput'> = {},
): Promise<Readable> {
  const release = await context.semaphores.archives.acquire(caller);
  try {
    const { format, commit, paths } = request;
    const { archivePrefix } = context.settings.repository;
    const prefix = archivePrefix ? { prefix: repository.lower_name } : {};
    const archive = await createArchive(context.git.locate(repository), context.git.pool, commit, { format, paths, ...prefix, ...limits });
    if (!archive) throw badRequest("path doesn't exist or is invalid");
    finished(archive, release);
    return archive;
  } catch (error) {
    release();
    throw error;
  }
}
