import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { refusal } from './errors.ts';

/** Limits of a request of a procedure. Parsing many small parts takes far longer than their size suggests. */
export interface Bounds {
  /** Size in bytes, also after decompression. */
  readonly bytes: number;
  /** Number of parts of the message, such as lines of a log. */
  readonly parts: number;
  /** Size of the part with the number 1 in bytes, if that itself has many parts. */
  readonly first?: number;
}

const BRACE = 0x7b;
const decompress = promisify(gunzip);

/**
 * The message of a request, whose parts have been counted.
 * @throws ProcedureError when it exceeds a limit, or is not a message
 */
export async function boundedMessage(
  body: Buffer,
  { encoding, type }: { encoding: string; type: string },
  bounds: Bounds,
): Promise<Buffer> {
  const message = encoding === 'gzip' ? await unzipped(body, bounds.bytes) : body;
  if (encoding !== 'gzip' && encoding !== '' && encoding !== 'identity')
    throw refusal('InvalidArgument', `unknown compression: ${encoding.slice(0, 40)}`);
  if (type.includes('json')) checkJson(message, bounds);
  else checkBinary(message, bounds);
  return message;
}

async function unzipped(body: Buffer, maxOutputLength: number): Promise<Buffer> {
  try {
    return await decompress(body, { maxOutputLength });
  } catch (error) {
    throw refusal('InvalidArgument', error instanceof RangeError ? 'the message is too large' : 'the message is not gzip');
  }
}

function checkJson(message: Buffer, { parts }: Bounds): void {
  let count = 0;
  for (let at = message.indexOf(BRACE); at >= 0; at = message.indexOf(BRACE, at + 1)) {
    if (++count > parts) throw tooMany();
  }
}

/** Walks over the fields of a message: https://protobuf.dev/programming-guides/encoding/ */
function checkBinary(message: Buffer, { parts, first }: Bounds): void {
  let at = 0;
  for (let count = 0; at < message.length; count++) {
    if (count >= parts) throw tooMany();
    const tag = varint(message, at);
    at = tag.end;
    const kind = tag.value & 7;
    if (kind === 0) at = varint(message, at).end;
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else if (kind === 2) {
      const length = varint(message, at);
      at = length.end + length.value;
      if (first !== undefined && tag.value >>> 3 === 1 && length.value > first) throw tooMany();
    } else throw refusal('InvalidArgument', 'the message cannot be read');
  }
}

function varint(message: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start; at < start + 10; at++) {
    const byte = message[at];
    if (byte === undefined) break;
    value += (byte & 127) * 2 ** (7 * (at - start));
    if (byte < 128) return { value, end: at + 1 };
  }
  throw refusal('InvalidArgument', 'the message cannot be read');
}

function tooMany() {
  return refusal('ResourceExhausted', 'the message has too many parts');
}
