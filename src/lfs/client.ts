import type { Context } from '../context.ts';
import type { LfsPointer } from '../git/trees/lfs-pointer.ts';
import { type LfsRemote, LfsRemoteError, type RemoteObject, requestBatch, sendAction } from './client/remote.ts';
import { LFS_MEDIA_TYPE } from './media-type.ts';
import { findLinked, linkObjects } from './objects/links.ts';
import { lfsKey, storeObject } from './objects/stored.ts';

/*
 * Large files of other servers, for mirrors and migrations:
 *
 *     const remote = { endpoint: endpointOf(cloneUrl), credentials, signal };
 *     const pointers = lfsPointers(folder, context.git.pool, undefined, { timeoutMs, signal });
 *     const { transferred, failed } = await fetchObjects(context, repository.id, remote, pointers, { maxSize });
 *
 * All requests go through the outgoing client, so redirects and links of the remote cannot reach hosts that the instance refuses.
 * Transfers can take long, so they belong into a job.
 */

export { endpointOf, type LfsRemote, LfsRemoteError } from './client/remote.ts';

/** The result of a transfer of several objects. */
export interface LfsTransfer {
  /** Objects that were transferred, without those that existed already. */
  readonly transferred: number;
  /** Their bytes. */
  readonly bytes: number;
  /** Objects that failed, with the reason; at most 100 of them. */
  readonly failed: readonly { readonly oid: string; readonly reason: string }[];
  /** The number of all objects that failed. */
  readonly failures: number;
}

/** Options of a transfer. */
export interface LfsTransferOptions {
  /** Bytes of one object; larger ones fail. `lfs.maxFileSize` when left out; -1 for no limit. */
  readonly maxSize?: number;
  /** Whether {@link pushObjects} leaves out pointers whose objects the repository does not have. */
  readonly skipMissing?: boolean;
  /** Called after each object. */
  readonly onProgress?: (done: { objects: number; bytes: number }) => void;
}

/** Failures in a result. */
const MAX_FAILED = 100;
/** Objects in one request to the remote. */
const BATCH = 50;
/** Objects that are transferred at one time. */
const PARALLEL = 4;

/**
 * Fetches objects that a repository does not have yet from another server, and links them to it. Sizes and hashes are verified.
 * A pointer may occur more than once.
 * @throws LfsRemoteError when the other server refuses a whole request; HostNotAllowedError; the reason of `remote.signal`
 */
export async function fetchObjects(
  context: Context,
  repositoryId: number,
  remote: LfsRemote,
  pointers: AsyncIterable<LfsPointer> | Iterable<LfsPointer>,
  options: LfsTransferOptions = {},
): Promise<LfsTransfer> {
  const { maxSize = context.settings.lfs.maxFileSize } = options;
  const transfer = new Transfer(options);
  for await (const part of batches(pointers)) {
    const linked = await findLinked(context.db, repositoryId, oidsOf(part));
    const missing = part.filter(({ oid, size }) => {
      if (linked.has(oid)) return false;
      const isTooLarge = maxSize >= 0 && size > maxSize;
      if (isTooLarge) transfer.fail(oid, `it has more than ${maxSize} bytes`);
      return !isTooLarge;
    });
    await transfer.run(context, remote, 'download', missing, async (pointer, { actions }) => {
      const { download } = actions;
      if (!download) throw new LfsRemoteError('the server does not say where it is');
      const { body } = await sendAction(context, remote, download, { method: 'GET', headers: { accept: '*/*' } });
      const { id } = await storeObject(context, pointer, body);
      await linkObjects(context, repositoryId, [id]);
      return true;
    });
  }
  return transfer;
}

/**
 * Sends objects of a repository that another server does not have to it. Pointers whose objects the repository does not have fail,
 * unless `skipMissing` is set.
 * @throws as {@link fetchObjects}
 */
export async function pushObjects(
  context: Context,
  repositoryId: number,
  remote: LfsRemote,
  pointers: AsyncIterable<LfsPointer> | Iterable<LfsPointer>,
  options: LfsTransferOptions = {},
): Promise<LfsTransfer> {
  const transfer = new Transfer(options);
  for await (const part of batches(pointers)) {
    const linked = await findLinked(context.db, repositoryId, oidsOf(part));
    const ours = part.filter(({ oid }) => {
      if (!linked.has(oid) && !options.skipMissing) transfer.fail(oid, 'it is not here');
      return linked.has(oid);
    });
    await transfer.run(context, remote, 'upload', ours, async ({ oid, size }, { actions }) => {
      const object = linked.get(oid);
      // Without an action the other side has it already.
      if (!actions.upload || !object) return false;
      const stored = await context.storage.get(lfsKey(object));
      if (!stored) throw new LfsRemoteError('its bytes are lost');
      const headers = { 'content-type': 'application/octet-stream', 'content-length': String(size) };
      const sent = await sendAction(context, remote, actions.upload, { method: 'PUT', headers, body: stored.stream });
      sent.body.on('error', () => {}).destroy();
      if (actions.verify) {
        const types = { accept: LFS_MEDIA_TYPE, 'content-type': LFS_MEDIA_TYPE };
        const verified = await sendAction(context, remote, actions.verify, {
          method: 'POST',
          headers: types,
          body: JSON.stringify({ oid, size }),
        });
        verified.body.on('error', () => {}).destroy();
      }
      return true;
    });
  }
  return transfer;
}

class Transfer implements LfsTransfer {
  transferred = 0;
  bytes = 0;
  failures = 0;
  readonly failed: { oid: string; reason: string }[] = [];
  readonly #options: LfsTransferOptions;

  constructor(options: LfsTransferOptions) {
    this.#options = options;
  }

  fail(oid: string, reason: string): void {
    this.failures++;
    if (this.failed.length < MAX_FAILED) this.failed.push({ oid, reason });
  }

  /** Requests the actions for some objects, and transfers each; `one` returns whether there was anything to transfer. */
  async run(
    context: Context,
    remote: LfsRemote,
    operation: 'download' | 'upload',
    pointers: readonly LfsPointer[],
    one: (pointer: LfsPointer, object: RemoteObject) => Promise<boolean>,
  ): Promise<void> {
    if (pointers.length === 0) return;
    const objects = await requestBatch(context, remote, operation, pointers);
    const waiting = [...pointers];
    const worker = async () => {
      for (let pointer = waiting.pop(); pointer; pointer = waiting.pop()) await this.#one(remote, pointer, objects.get(pointer.oid), one);
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
  }

  async #one(
    { signal }: LfsRemote,
    pointer: LfsPointer,
    object: RemoteObject | undefined,
    one: (pointer: LfsPointer, object: RemoteObject) => Promise<boolean>,
  ): Promise<void> {
    try {
      if (!object) throw new LfsRemoteError('the server says nothing of it');
      if (object.error !== '') throw new LfsRemoteError(object.error);
      if (!(await one(pointer, object))) return;
      this.transferred++;
      this.bytes += pointer.size;
    } catch (error) {
      signal?.throwIfAborted();
      this.fail(pointer.oid, error instanceof Error ? error.message : String(error));
    }
    this.#options.onProgress?.({ objects: this.transferred, bytes: this.bytes });
  }
}

async function* batches(pointers: AsyncIterable<LfsPointer> | Iterable<LfsPointer>): AsyncGenerator<LfsPointer[]> {
  let part = new Map<string, LfsPointer>();
  for await (const pointer of pointers) {
    part.set(pointer.oid, pointer);
    if (part.size < BATCH) continue;
    yield [...part.values()];
    part = new Map();
  }
  if (part.size > 0) yield [...part.values()];
}

function oidsOf(pointers: readonly LfsPointer[]): string[] {
  return pointers.map(({ oid }) => oid);
}
