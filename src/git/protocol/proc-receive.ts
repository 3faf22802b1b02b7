import type { Duplex } from 'node:stream';
import { FLUSH_PACKET, packet, SectionReader } from './pkt-line.ts';
import type { PushCommand } from './push-commands.ts';

/*
 * The proc-receive hook (https://git-scm.com/docs/githooks#proc-receive): git does not move refs below a prefix, but passes them to the
 * server, which reports what it did with them: so `refs/for/main` becomes a pull request. The hook is two `cat`s that connect git to a
 * socket of its own, descriptor 4; the protocol is handled here.
 */

/** The refs that git passes on. */
export const PROC_RECEIVE_PREFIX = 'refs/for/';

/** Connects git with descriptor 4; a shell gives a background command no input by itself. */
export const PROC_RECEIVE_SCRIPT = `#!/bin/sh
exec 5<&0 3>&-
cat <&5 >&4 &
exec cat <&4
`;

/** The result for one of these refs. */
export type ProcReceived =
  | {
      /** The pushed name. */
      ref: string;
      /** The ref that was moved instead, for the client and the post-receive hook. */
      moved: PushCommand & { forced?: boolean };
    }
  | { ref: string; refused: string };

/** Handles the refs that git passes on; it moves the resulting refs itself. An error refuses them. */
export type ProcReceive = (commands: readonly PushCommand[]) => Promise<readonly ProcReceived[]>;

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_LINES = 200_000;

/** Responds to the hook on the other side of `channel`, once. */
export function serveProcReceive(channel: Duplex, decide: ProcReceive, onError: (error: unknown) => void): void {
  const reader = new SectionReader(MAX_LINES);
  let greeted = false;
  let isAsked = false;
  channel.on('error', () => {});
  channel.on('data', (chunk: Buffer) => {
    if (isAsked) return;
    try {
      reader.add(chunk);
      if (reader.bytes.length > MAX_BYTES) throw new Error('git hands over too many refs');
      if (!greeted) {
        if (!reader.next()) return;
        greeted = true;
        channel.write(Buffer.concat([packet('version=1\0'), FLUSH_PACKET]));
      }
      const commands = reader.next();
      if (!commands) return;
      isAsked = true;
      void reply(channel, commands.map(parseCommand), decide, onError);
    } catch (error) {
      isAsked = true;
      onError(error);
      channel.destroy();
    }
  });
}

async function reply(
  channel: Duplex,
  commands: readonly PushCommand[],
  decide: ProcReceive,
  onError: (error: unknown) => void,
): Promise<void> {
  let results: readonly ProcReceived[];
  try {
    results = await decide(commands);
  } catch (error) {
    onError(error);
    results = commands.map(({ ref }) => ({ ref, refused: 'internal error' }));
  }
  try {
    channel.end(Buffer.concat([...results.flatMap(packetsOf), FLUSH_PACKET]));
  } catch (error) {
    // A name that nearly fills a packet leaves no room for its status.
    onError(error);
    channel.destroy();
  }
}

function packetsOf(result: ProcReceived): Buffer[] {
  if ('refused' in result) return [packet(`ng ${result.ref} ${result.refused.replace(/[\x00-\x1f\x7f]+/g, ' ').slice(0, 1000)}\n`)];
  const { ref, before, after, forced = false } = result.moved;
  const options = [`refname ${ref}`, `old-oid ${before}`, `new-oid ${after}`, ...(forced ? ['forced-update'] : [])];
  return [packet(`ok ${result.ref}\n`), ...options.map((option) => packet(`option ${option}\n`))];
}

function parseCommand(line: string): PushCommand {
  const [before = '', after = '', ...ref] = line.split(' ');
  return { before, after, ref: ref.join(' ') };
}
