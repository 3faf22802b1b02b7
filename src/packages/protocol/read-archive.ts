import { callerKey } from '../../context.ts';
import type { PackageCall } from './format.ts';

/**
 * Reads an archive that a client has sent, within the limits for all and for one caller: some take 128 MiB of memory (the window of zstd), some
 * many seconds.
 * @throws BusyError, and as `read`
 */
export async function readArchive<R>({ context, request }: Pick<PackageCall, 'context' | 'request'>, read: () => Promise<R>): Promise<R> {
  return await context.semaphores.extractions.run(callerKey(context), read, { signal: request.signal });
}
