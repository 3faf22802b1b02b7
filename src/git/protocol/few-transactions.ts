import { packet, readPacket } from './pkt-line.ts';
import { PROC_RECEIVE_PREFIX } from './proc-receive.ts';
import type { PushHead } from './push-commands.ts';

/** So many deletions are left to git one by one. */
const MAX_SINGLE_DELETIONS = 100;

/**
 * The bytes of the head of a push. To one that deletes many refs the capability `atomic` is added: all refs move, or none. For each
 * deletion by itself git writes all of packed-refs again, which takes a minute for ten thousand of ten thousand.
 */
export function withFewTransactions({ bytes, commands }: Pick<PushHead, 'bytes' | 'commands'>): Buffer {
  const deletions = commands.filter(({ after }) => /^0+$/.test(after)).length;
  // Git does not move these by itself.
  const isOther = commands.some(({ ref }) => ref.startsWith(PROC_RECEIVE_PREFIX));
  if (deletions <= MAX_SINGLE_DELETIONS || isOther) return bytes;
  for (let at = 0, next = readPacket(bytes, at); next?.payload; at = next.end, next = readPacket(bytes, at)) {
    const line = next.payload.toString('utf8').replace(/\n$/, '');
    // The capabilities follow the first command, which `shallow` lines may precede.
    if (!line.includes('\0')) continue;
    if (/[\0 ]atomic( |$)/.test(line)) return bytes;
    return Buffer.concat([bytes.subarray(0, at), packet(`${line} atomic\n`), bytes.subarray(next.end)]);
  }
  return bytes;
}
