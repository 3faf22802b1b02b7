import type { Socket } from 'node:net';
import { sshField, sshFields } from '../../accounts/keys/ssh-fields.ts';
import type { GitProgram } from '../../git/upload-pack.ts';

/*
 * What copse-ssh.pl and the server say to each other; copse-ssh.pl describes it.
 */

/** What is sent to copse-ssh.pl. */
export type FrameKind =
  /** To standard output, or error. */
  | 'o'
  | 'e'
  /** Send what the client sends from now on. */
  | 'r'
  /** Become git. */
  | 'g'
  /** End with an exit code. */
  | 'x';

/** Bytes of a request: a command, a certificate. */
const MAX_REQUEST = 64 * 1024;
/** Bytes of a frame; copse-ssh.pl holds one in memory. */
const MAX_FRAME = 64 * 1024;

/** One frame; the content of one that shows bytes may be long, and is cut into several. */
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

/** What copse-ssh.pl needs to become git. */
export function programFrame({ folder, env, args }: GitProgram): Buffer {
  const variables = Object.entries(env);
  const fields = [folder, String(variables.length), ...variables.flat(), ...args];
  return frames('g', Buffer.concat(fields.map(sshField)));
}

/**
 * Reads the request that a socket begins with; what follows stays in the socket, which is paused. Undefined when it is none, or takes
 * too long.
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
