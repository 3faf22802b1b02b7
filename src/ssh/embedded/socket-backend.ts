import { connect, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { sshField } from '../../accounts/keys/ssh-fields.ts';
import { readFrames } from '../frames.ts';
import type { Command, CommandStreams, EmbeddedSettings, KnownKey, SshBackend } from './backend.ts';
import { runProgram } from './run-program.ts';

/** Has the process decide that listens on a socket as `SessionSocket` does; git it starts here, so that its bytes do not pass there. */
export function socketBackend(path: string, settings: EmbeddedSettings, failed: SshBackend['failed']): SshBackend {
  return {
    settings,
    failed,
    findKey: (fingerprint) => findKey(path, fingerprint),
    serve: async (command, streams) => {
      const code = await serve(path, settings, command, streams);
      if (code === undefined && !streams.signal.aborted) streams.complain('error: the Copse server cannot be reached\n');
      return code ?? 1;
    },
  };
}

function ask(path: string, fields: readonly string[]): Socket {
  // An error ends the reading too.
  const socket = connect(path).on('error', () => {});
  socket.write(sshField(Buffer.concat(fields.map((field) => sshField(field)))));
  return socket;
}

/** The response is a line as in authorized_keys, with the identity as the command of the key. */
async function findKey(path: string, fingerprint: string): Promise<KnownKey | undefined> {
  let line = '';
  let isWhole = false;
  for await (const { kind, bytes } of readFrames(ask(path, ['keys', fingerprint]))) {
    if (kind === 'o') line += bytes.toString('utf8');
    isWhole = kind === 'x';
    if (isWhole) break;
  }
  if (!isWhole) throw new Error('no response about the key');
  const [, identity, content] = /^restrict,command="([\w-]+)" (\S+ \S+)\n$/.exec(line) ?? [];
  return identity === undefined || content === undefined ? undefined : { identity, content };
}

/** Returns the exit code; undefined if the other process or the client has disconnected. */
async function serve(
  path: string,
  { server }: EmbeddedSettings,
  { identity, command, protocol, address, port }: Command,
  { input, output, progress, complain, signal }: CommandStreams,
): Promise<number | undefined> {
  const socket = ask(path, ['session', identity, command, protocol, `${address} ${port}`, '']);
  const gone = new AbortController();
  const leave = () => void socket.destroy();
  signal.addEventListener('abort', leave, { once: true });
  let program: Promise<number> | undefined;
  for await (const { kind, bytes } of readFrames(socket)) {
    if (kind === 'x') return Number(bytes);
    if (kind === 'o') await written(output, bytes);
    else if (kind === 'e') complain(bytes.toString('utf8'));
    else if (kind === 'r') input.pipe(socket);
    else if (kind === 'g') {
      program = runProgram(bytes, { input, output, progress, idleTimeoutMs: server.idleTimeout, signal: gone.signal });
      // The other process waits for that.
      program.then(leave, leave);
    }
  }
  gone.abort();
  return await program;
}

/** Resolves when more may be written, or when nothing can be any more. */
async function written(output: Writable, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve) => {
    output.once('close', resolve);
    output.write(bytes, () => {
      output.off('close', resolve);
      resolve();
    });
  });
}
