import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { sshField, sshFields } from '../accounts/keys/ssh-fields.ts';
import type { GitProgram } from '../git/protocol/upload-pack.ts';

/*
 * The protocol between the server and processes that speak SSH with clients, such as copse-ssh.pl, which describes it.
 */

/** The kinds of frames that the server sends. */
export type FrameKind =
  /** Bytes for standard output (`o`) or standard error (`e`). */
  | 'o'
  | 'e'
  /** Relay the client's input from now on. */
  | 'r'
  /** Become git. */
  | 'g'
  /** End with an exit code. */
  | 'x';

/** Size limit of a request, which contains a command or a certificate, in bytes. */
const MAX_REQUEST = 64 * 1024;
/** Size limit of a frame, in bytes; the receiver has one in memory at a time. */
const MAX_FRAME = 64 * 1024;
/** A frame begins with its kind and its length. */
const HEAD = 5;

/** A content as one frame, or as several if it is long. Only the kinds `o` and `e` may be split. */
export function frames(kind: FrameKind, content: string | Uint8Array = ''): Buffer {
  const bytes = Buffer.from(content as Uint8Array);
  const parts: Buffer[] = [];
  let at = 0;
  do {
    const part = bytes.subarray(at, at + MAX_FRAME);
    parts.push(Buffer.from(kind), sshField(part));
    at += MAX_FRAME;
  } while (at < bytes.length);
  return Buffer.concat(parts);
}

/** The frame with which the receiver becomes git, or starts it. */
export function programFrame({ folder, env, args }: GitProgram): Buffer {
  const variables = Object.entries(env);
  const fields = [folder, String(variables.length), ...variables.flat(), ...args];
  return frames('g', Buffer.concat(fields.map(sshField)));
}

/**
 * Reads the request at the start of a socket. What follows stays in the socket, which is paused.
 * @returns the fields of the request; undefined if it is malformed or not there in time
 */
export function readRequest(socket: Socket, timeoutMs: number): Promise<string[] | undefined> {
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0);
    const settle = (fields: string[] | undefined) => {
      clearTimeout(timer);
      socket.off('data', read).off('close', none);
      socket.pause();
      resolve(fields);
    };
    const none = () => settle(undefined);
    const timer = setTimeout(none, timeoutMs);
    const read = (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece]);
      if (bytes.length > MAX_REQUEST + 4) return none();
      const [request] = sshFields(bytes);
      if (!request) return;
      socket.off('data', read);
      const rest = bytes.subarray(4 + request.length);
      if (rest.length > 0) socket.unshift(rest);
      settle(sshFields(request).map((field) => field.toString('utf8')));
    };
    socket.on('data', read).on('close', none);
  });
}

/** A frame, as it was received. */
export interface Frame {
  readonly kind: string;
  readonly bytes: Buffer;
}

/** The frames that come over a socket, until it closes for whatever reason. Ending the iteration closes it. */
export async function* readFrames(socket: Readable): AsyncGenerator<Frame> {
  let bytes: Buffer = Buffer.alloc(0);
  try {
    for await (const piece of socket as AsyncIterable<Buffer>) {
      bytes = bytes.length === 0 ? piece : Buffer.concat([bytes, piece]);
      let at = 0;
      for (let end: number; at + HEAD <= bytes.length; at = end) {
        end = at + HEAD + bytes.readUInt32BE(at + 1);
        if (end > bytes.length) break;
        yield { kind: String.fromCharCode(bytes[at] ?? 0), bytes: bytes.subarray(at + HEAD, end) };
      }
      bytes = bytes.subarray(at);
    }
  } catch {
    // The receiver misses the parts that did not arrive.
  } finally {
    socket.destroy();
  }
}
