import type { Socket } from 'node:net';
import type { Connection } from 'ssh2';
import type { Flow } from './channel.ts';

/** The queue of ssh2 during a new key exchange; it has no public name (1.17.0, lib/protocol/Protocol.js). */
interface Internals {
  readonly _protocol?: { readonly _queue?: unknown };
}

/**
 * The flow control of a connection. It accepts nothing while its socket is full, and nothing during a key exchange, since ssh2 would
 * buffer all output until the client has finished its part.
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

/** Bytes after which keys are exchanged again: RFC 4253, section 9, recommends one gigabyte. */
const REKEY_BYTES = 2 ** 30;

/** Returns a function that exchanges keys again after every gigabyte; it is to be called when bytes were received or sent. */
export function rekeying(connection: Connection, socket: Socket): () => void {
  let last = 0;
  return () => {
    const bytes = socket.bytesRead + socket.bytesWritten;
    if (bytes - last < REKEY_BYTES || socket.destroyed) return;
    last = bytes;
    connection.rekey();
  };
}
