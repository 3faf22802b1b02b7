import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';

/**
 * A body that another process can write into the connection itself, so that its bytes need not pass through this one. The connection
 * ends with the body.
 */
export class DirectBody {
  /** Starts the process that writes; called when the head of the response has been sent. */
  readonly into: (connection: Socket) => DirectWriting;
  /** The same body for connections that cannot be passed to another process. */
  readonly relayed: () => Readable;
  constructor(into: DirectBody['into'], relayed: DirectBody['relayed']) {
    this.into = into;
    this.relayed = relayed;
  }
}

/** A process that writes into a connection. */
export interface DirectWriting {
  /** Settles when the process has ended. */
  readonly ended: Promise<unknown>;
  stop(why: string): void;
}

/** The last request on a connection; null where no more may come. */
const last = new WeakMap<Socket, IncomingMessage | null>();

/**
 * Records a request.
 * @returns false on a connection that was passed to another process: its response said "close", so a later request must not be served
 *   (RFC 9112, section 9.6)
 */
export function noteRequest(request: IncomingMessage): boolean {
  const { socket } = request;
  if (last.get(socket) === null) return false;
  last.set(socket, request);
  return true;
}

/**
 * Takes the connection of a request for its response alone. Returns undefined where the response must be relayed: on a connection that is
 * not plain TCP, while earlier responses are being sent, and when the request is incomplete or another one follows it.
 */
export function giveAway(request: IncomingMessage, response: ServerResponse): Socket | undefined {
  const { socket } = response;
  if (!(socket instanceof Socket) || socket instanceof TLSSocket || socket.destroyed || socket.remoteFamily === undefined) return undefined;
  if (!request.complete || last.get(socket) !== request) return undefined;
  last.set(socket, null);
  return socket;
}

/**
 * Sends the response head and a body that is written into the connection, and ends both with it. If the process fails, the response is cut
 * off.
 * @throws the error of `into`
 */
export async function writeDirectly(response: ServerResponse, connection: Socket, into: DirectBody['into']): Promise<void> {
  // Without a length and chunks, the body ends with the connection (RFC 9112, section 6.3).
  response.removeHeader('transfer-encoding');
  response.setHeader('connection', 'close');
  response.flushHeaders();
  await new Promise<void>((resolve) => connection.write('', () => resolve()));
  if (connection.destroyed) return;
  // Node would consider a connection idle on which it sees no bytes.
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
