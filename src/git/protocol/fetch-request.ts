import type { Readable } from 'node:stream';
import { bytesOf } from '../processes/service-process.ts';
import { MalformedPacketError, readPacket } from './pkt-line.ts';

/** Size limit of a request that is read before git is started: some 20,000 refs. */
const MAX_READ_AHEAD = 1024 * 1024;

/**
 * Reads a client's request, to its end unless it is long.
 * @returns `rest` is the unread part of `input`, if any
 */
export async function readAhead(input: Readable): Promise<{ bytes: Buffer; rest: Readable | undefined }> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of bytesOf(input)) {
    pieces.push(piece);
    size += piece.length;
    if (size >= MAX_READ_AHEAD) return { bytes: Buffer.concat(pieces), rest: input };
  }
  return { bytes: Buffer.concat(pieces), rest: undefined };
}

/**
 * Whether a request of the stateless protocol is the last of a fetch, so that the response is the pack: the client sends `done`
 * (https://git-scm.com/docs/protocol-v2, https://git-scm.com/docs/gitprotocol-pack). In version 2, other commands are not.
 */
export function requestsPack(request: Buffer): boolean {
  try {
    for (let at = 0, first = true; at < request.length; first = false) {
      const next = readPacket(request, at);
      if (!next) return false;
      const line = next.payload?.toString('latin1').replace(/\n$/, '') ?? '';
      if (first && line.startsWith('command=') && line !== 'command=fetch') return false;
      if (line === 'done') return true;
      at = next.end;
    }
  } catch (error) {
    if (!(error instanceof MalformedPacketError)) throw error;
  }
  return false;
}
