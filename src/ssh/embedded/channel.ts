import { PassThrough, type Readable, Writable } from 'node:stream';
import type { ServerChannel } from 'ssh2';

/** When the connection below a channel takes more. */
export interface Flow {
  /** Calls `go` when it does. */
  readonly wait: (go: () => void) => void;
  /** Sends what `write` writes at once: ssh2 writes each packet in three parts. */
  readonly together: (write: () => void) => void;
}

/** A channel's streams, which wait for the client. */
export interface ChannelStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Bytes that have come and gone. */
  readonly progress: () => number;
}

/**
 * The streams of a channel. A channel itself knows only the client's window, which may be any size: what a client does not read from
 * its connection would gather in memory. And it never ends a write when the client goes.
 */
export function channelStreams(channel: ServerChannel, flow: Flow): ChannelStreams {
  let bytes = 0;
  const input = new PassThrough();
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      const taken = () => {
        // The client has taken it, which is progress too.
        bytes++;
        flow.wait(() => done());
      };
      try {
        flow.together(() => channel.write(chunk, taken));
      } catch (error) {
        // ssh2 throws when the client has left.
        done(error as Error);
      }
    },
  });
  channel.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (!input.write(chunk)) channel.pause();
  });
  input.on('drain', () => channel.resume());
  channel.on('end', () => input.end());
  channel.on('close', () => {
    input.destroy();
    output.destroy();
  });
  for (const stream of [input, output, channel]) stream.on('error', () => {});
  return { input, output, progress: () => bytes };
}
