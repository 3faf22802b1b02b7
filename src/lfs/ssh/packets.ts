import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { FLUSH_PACKET, MalformedPacketError, packet, readPacket } from '../../git/protocol/pkt-line.ts';

/** The packet between the lines of a message and its data. */
const DELIMITER = Buffer.from('0001');
/** Bytes of data in one packet: the largest size that all clients accept. */
const DATA_BYTES = 32_768;
/** Size limit of the lines of one message in bytes. */
const MAX_LINES_BYTES = 1024 * 1024;

/** A message of a client: a command, its arguments, and maybe a part after a delimiter. */
export interface Message {
  readonly command: string;
  readonly args: ReadonlyMap<string, string>;
  /** Whether there is a second part; it has to be read before the next message. */
  readonly hasMore: boolean;
}

/** Reads the messages of the protocol of `git-lfs-transfer`: https://github.com/git-lfs/git-lfs/blob/main/docs/proposals/ssh_adapter.md */
export class MessageReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(input: Readable) {
    this.#chunks = input[Symbol.asyncIterator]();
  }

  /**
   * The next message; undefined at the end of the input.
   * @throws MalformedPacketError
   */
  async next(): Promise<Message | undefined> {
    const first = await this.#packet();
    if (first === undefined) return undefined;
    if (first === 'flush' || first === 'delimiter') throw new MalformedPacketError('a message without a command');
    const lines: string[] = [lineOf(first)];
    const end = await this.#lines(lines);
    const [command = '', ...args] = lines;
    return { command, args: new Map(args.map(splitArgument)), hasMore: end === 'delimiter' };
  }

  /** The lines after the delimiter. */
  async lines(): Promise<string[]> {
    const lines: string[] = [];
    await this.#lines(lines);
    return lines;
  }

  /** The bytes after the delimiter, with back pressure. Code that stops reading has to call {@link skip}. */
  data(): Readable {
    return Readable.from(this.#data(), { objectMode: false });
  }

  /** Reads the rest of a message. */
  async skip(): Promise<void> {
    for (;;) {
      const read = await this.#packet();
      if (read === undefined || read === 'flush') return;
    }
  }

  /** Whether the data of the last message has been read to its end. */
  isAtEnd = true;

  async *#data(): AsyncGenerator<Buffer> {
    this.isAtEnd = false;
    for (;;) {
      const read = await this.#packet();
      if (read === undefined) throw new MalformedPacketError('the data ends too early');
      if (read === 'flush') break;
      if (read !== 'delimiter') yield read;
    }
    this.isAtEnd = true;
  }

  async #lines(lines: string[]): Promise<'flush' | 'delimiter'> {
    let size = 0;
    for (;;) {
      const read = await this.#packet();
      if (read === undefined) throw new MalformedPacketError('a message ends too early');
      if (read === 'flush' || read === 'delimiter') return read;
      size += read.length;
      if (size > MAX_LINES_BYTES) throw new MalformedPacketError('a message is too long');
      lines.push(lineOf(read));
    }
  }

  async #packet(): Promise<Buffer | 'flush' | 'delimiter' | undefined> {
    for (;;) {
      const read = readPacket(this.#buffer, 0);
      if (read) {
        const special = this.#buffer.toString('latin1', 0, 4);
        this.#buffer = this.#buffer.subarray(read.end);
        if (read.payload) return read.payload;
        if (special === '0000') return 'flush';
        if (special === '0001') return 'delimiter';
        throw new MalformedPacketError('an unknown packet');
      }
      const { done, value } = await this.#chunks.next();
      if (done && this.#buffer.length > 0) throw new MalformedPacketError('a packet ends too early');
      if (done) return undefined;
      this.#buffer = this.#buffer.length === 0 ? value : Buffer.concat([this.#buffer, value]);
    }
  }
}

/** The response to a message. */
export interface Response {
  readonly status: number;
  readonly args?: readonly string[];
  readonly lines?: readonly string[];
  /** Instead of lines. */
  readonly data?: Readable;
}

/** Writes a response, with back pressure from the client. */
export async function writeResponse(output: Writable, { status, args = [], lines, data }: Response): Promise<void> {
  const head = [`status ${String(status).padStart(3, '0')}`, ...args].map((line) => packet(`${line}\n`));
  if (lines) head.push(DELIMITER, ...lines.map((line) => packet(`${line}\n`)));
  if (data) head.push(DELIMITER);
  await write(output, Buffer.concat(head));
  for await (const chunk of (data ?? []) as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += DATA_BYTES) await write(output, dataPacket(chunk.subarray(at, at + DATA_BYTES)));
  }
  await write(output, FLUSH_PACKET);
}

/** Writes lines and a flush. */
export async function writeLines(output: Writable, lines: readonly string[]): Promise<void> {
  await write(output, Buffer.concat([...lines.map((line) => packet(`${line}\n`)), FLUSH_PACKET]));
}

async function write(output: Writable, bytes: Buffer): Promise<void> {
  if (output.destroyed) throw new Error('the client has disconnected');
  if (output.write(bytes)) return;
  const done = new AbortController();
  const { signal } = done;
  await Promise.race([once(output, 'drain', { signal }), once(output, 'close', { signal })]).finally(() => done.abort());
}

function dataPacket(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

function lineOf(payload: Buffer): string {
  return payload.toString('utf8').replace(/\n$/, '');
}

function splitArgument(line: string): [string, string] {
  const at = line.indexOf('=');
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}
