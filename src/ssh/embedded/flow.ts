import type { Socket } from 'node:net';
import type { Connection } from 'ssh2';
import type { Flow } from './channel.ts';

/** What ssh2 holds back while keys are exchanged anew; it has no public name (1.17.0, lib/protocol/Protocol.js). */
interface Internals {
  readonly _protocol?: { readonly _queue?: unknown };
}

/**
 * Tells when a connection takes more: neither while its socket is full nor while keys are exchanged, since ssh2 would gather all that
 * is written until the client has done its part.
 */
export function connectionFlow(connection: Connection, socket: Socket): Flow {
  const wait = (go: () => void): void => {
    if (socket.destroyed) return;
    if ((connection as unknown as Internals)._protocol?._queue !== undefined) connection.once('handshake', () => wait(go));
    else if (socket.writableNeedDrain) socket.once('drain', () => wait(go));
    else go();
  };
  const together = (write: () => void): void => {
    socket.cork();
    try {
      write();
    } finally {
      socket.uncork();
    }
  };
  return { wait, together };
}

/** Bytes after which new keys are made: RFC 4253, section 9, advises one gigabyte. */
const REKEY_BYTES = 2 ** 30;

/** Makes new keys after every gigabyte. Called when bytes have come or gone. */
export function rekeying(connection: Connection, socket: Socket): () => void {
  let last = 0;
  return () => {
    const bytes = socket.bytesRead + socket.bytesWritten;
    if (bytes - last < REKEY_BYTES || socket.destroyed) return;
    last = bytes;
    connection.rekey();
  };
}
