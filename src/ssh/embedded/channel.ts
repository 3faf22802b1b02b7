import { PassThrough, type Readable, Writable } from 'node:stream';
import type { ServerChannel } from 'ssh2';

/** Flow control of the connection that carries a channel. */
export interface Flow {
  /** Calls `go` as soon as the connection accepts more data. */
  readonly wait: (go: () => void) => void;
  /** Sends all that `write` writes as one piece: ssh2 writes each packet in three. */
  readonly together: (write: () => void) => void;
}

/** A channel's streams, with back pressure from the client. */
export interface ChannelStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** A number that grows when bytes are received, sent or acknowledged. */
  readonly progress: () => number;
}

/**
 * The streams of a channel. ssh2's channel respects only the client's window, which may be of any size, so data that the client does not
 * read would collect in memory. It also never completes a write when the client disconnects.
 */
export function channelStreams(channel: ServerChannel, flow: Flow): ChannelStreams {
  let bytes = 0;
  const input = new PassThrough();
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      const accepted = () => {
        // The client has accepted it, which is progress too.
        bytes++;
        flow.wait(() => done());
      };
      try {
        flow.together(() => channel.write(chunk, accepted));
      } catch (error) {
        // ssh2 throws after the client has disconnected.
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
