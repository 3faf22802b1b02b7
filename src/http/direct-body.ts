import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';

/**
 * A body that another process can write into the connection itself, so that its bytes need not pass through this one. Its end is
 * the end of the connection.
 */
export class DirectBody {
  /** Starts the process that writes; called when the head of the response is on its way. */
  readonly into: (connection: Socket) => DirectWriting;
  /** The same body for connections that cannot be given away. */
  readonly relayed: () => Readable;
  constructor(into: DirectBody['into'], relayed: DirectBody['relayed']) {
    this.into = into;
    this.relayed = relayed;
  }
}

/** A process that writes into a connection. */
export interface DirectWriting {
  /** Settles when it is gone. */
  readonly ended: Promise<unknown>;
  stop(why: string): void;
}

/** The last request that came on a connection; null where none may come any more. */
const last = new WeakMap<Socket, IncomingMessage | null>();

/**
 * Notes a request that has come.
 * @returns false on a connection that was given away: "close" has been said on it, so what comes after that must not be served
 *   (RFC 9112, section 9.6)
 */
export function noteRequest(request: IncomingMessage): boolean {
  const { socket } = request;
  if (last.get(socket) === null) return false;
  last.set(socket, request);
  return true;
}

/**
 * Takes the connection of a request for its response alone. Undefined where that must be relayed: on what is not plain TCP, while responses
 * before it are under way, and when the request has not come to its end or another one after it.
 */
export function giveAway(request: IncomingMessage, response: ServerResponse): Socket | undefined {
  const { socket } = response;
  if (!(socket instanceof Socket) || socket instanceof TLSSocket || socket.destroyed || socket.remoteFamily === undefined) return undefined;
  if (!request.complete || last.get(socket) !== request) return undefined;
  last.set(socket, null);
  return socket;
}

/**
 * Sends the head that is set and a body that is written into the connection, and ends both with it. Where nothing comes of the process, the
 * response breaks off.
 * @throws what `into` throws
 */
export async function writeDirectly(response: ServerResponse, connection: Socket, into: DirectBody['into']): Promise<void> {
  // Without a length and without pieces, the body ends with the connection (RFC 9112, section 6.3).
  response.removeHeader('transfer-encoding');
  response.setHeader('connection', 'close');
  response.flushHeaders();
  await new Promise<void>((resolve) => connection.write('', () => resolve()));
  if (connection.destroyed) return;
  // Node would take a connection for idle on which it sees no bytes.
  connection.setTimeout(0);
  let writing: DirectWriting;
  try {
    writing = into(connection);
  } catch (error) {
    response.destroy();
    throw error;
  }
  response.on('close', () => writing.stop('the client is gone'));
  await writing.ended.then(
    () => response.end(),
    () => response.destroy(),
  );
}
