import type { Readable } from 'node:stream';
import { finished } from 'node:stream';
import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { createArchive } from '../../git/archive.ts';
import { badRequest, HttpError } from '../../http/errors.ts';
import type { Storage } from '../../storage/storage.ts';
import type { ArchiveRequest } from './request.ts';

/** Archives that are being made at one time; each takes a processor. */
const AT_ONCE = 4;

/** Callers that wait for their turn; further ones are told to come back. */
const MAX_WAITING = 64;

/** Turns of one server, which is known by its storage. */
const turns = new WeakMap<Storage, Turns>();

class Turns {
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  /** Waits for a turn. @returns gives it back; needless calls do nothing */
  async take(): Promise<() => void> {
    if (this.#taken >= AT_ONCE) {
      if (this.#waiting.length >= MAX_WAITING)
        throw new HttpError(503, 'too many archives are being made', { headers: { 'retry-after': '10' } });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#taken++;
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken--;
    };
  }
}

/**
 * Makes an archive, when its turn has come. The turn ends with the stream.
 * @throws HttpError 400 if there is nothing at one of the paths; 503 if too many wait
 */
export async function makeArchive(context: Context, repository: Repository, request: ArchiveRequest): Promise<Readable> {
  const queue = turns.get(context.storage) ?? new Turns();
  turns.set(context.storage, queue);
  const giveBack = await queue.take();
  try {
    const { format, commit, paths } = request;
    const { archivePrefix } = context.settings.repository;
    const prefix = archivePrefix ? { prefix: repository.lower_name } : {};
    const archive = await createArchive(context.git.locate(repository), context.git.pool, commit, { format, paths, ...prefix });
    if (!archive) throw badRequest("path doesn't exist or is invalid");
    finished(archive, giveBack);
    return archive;
  } catch (error) {
    giveBack();
    throw error;
  }
}
