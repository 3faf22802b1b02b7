import { once } from 'node:events';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import type { Content } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import { Base64Decoder, decodeBase64 } from './base64-decoder.ts';
import { type NpmDocument, run } from './document-task.ts';

/** Size limit of a document without its attachment in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Length limit of a Base64 that is decoded at once in characters. */
const MAX_SHORT = 128 * 1024;
/** Objects and lists within each other. */
const MAX_DEPTH = 64;
/** Bytes that are parsed at once; a worker thread parses more. */
const SHORT = 64 * 1024;
const TASK = new URL('./document-task.ts', import.meta.url);
const DEADLINE_MS = 10_000;

/** A document that has arrived. */
export interface ReceivedDocument {
  readonly document: NpmDocument;
  /** The content of the first attachment, which is removed from the document. */
  readonly attachment: Content | undefined;
}

/** Stores the content of an attachment. */
type Store = (content: Readable | Buffer) => Promise<Content>;

/**
 * Reads a document while it arrives. Its attachment is in Base64, and may be large: it is stored at once, and only the rest is kept in memory.
 * @throws PackageError 400, and the errors of `store`; WorkersBusyError
 */
export async function readDocument(
  context: Pick<Context, 'workers'>,
  body: AsyncIterable<Buffer>,
  store: Store,
): Promise<ReceivedDocument> {
  const scanner = new Scanner();
  const rest: Buffer[] = [];
  let size = 0;
  let attachment: Attachment | undefined;
  try {
    for await (const chunk of body) {
      for (const { part, isAttachment, isLast } of scanner.scan(chunk)) {
        if (isAttachment) {
          attachment ??= new Attachment(store);
          await attachment.add(part, isLast);
        } else {
          size += part.length;
          if (size > MAX_BYTES) throw invalid(`the document has more than ${MAX_BYTES} bytes without its attachment`);
          rest.push(part);
        }
      }
    }
    if (attachment?.isWhole === false) throw invalid('the document ends within its attachment');
    const document = await parse(context, Buffer.concat(rest));
    return { document, attachment: await attachment?.stored() };
  } catch (error) {
    await attachment?.abandon();
    throw error;
  }
}

/** Base64 that arrives in parts. A short one is decoded at once, without streams, which would cost more than its bytes. */
class Attachment {
  isWhole = false;
  readonly #store: Store;
  readonly #parts: Buffer[] = [];
  #length = 0;
  #decoder: Base64Decoder | undefined;
  #stored: Promise<Content> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Waits until there is room for more; fails when storing has failed. */
  async add(part: Buffer, isLast = false): Promise<void> {
    this.isWhole = isLast;
    this.#parts.push(part);
    this.#length += part.length;
    if (!this.#decoder && this.#length <= MAX_SHORT) return;
    for (const next of this.#parts.splice(0)) await this.#write(next);
    if (isLast) this.#decoder?.end();
  }

  /** The content, once it is whole. */
  stored(): Promise<Content> {
    this.#stored ??= this.#store(decodeBase64(Buffer.concat(this.#parts).toString('latin1')));
    return this.#stored;
  }

  /** Resolves when no failed store is running any more. */
  async abandon(): Promise<void> {
    this.#decoder?.destroy();
    await this.#stored?.catch(() => {});
  }

  async #write(part: Buffer): Promise<void> {
    this.#decoder ??= this.#begin();
    if (this.#decoder.destroyed) await this.#stored;
    else if (!this.#decoder.write(part)) await Promise.race([once(this.#decoder, 'drain'), this.#stored]);
  }

  #begin(): Base64Decoder {
    const decoder = new Base64Decoder();
    const content = new PassThrough();
    // The content fails, too, when the decoder is destroyed.
    pipeline(decoder, content, () => {});
    this.#stored = this.#store(content);
    this.#stored.catch(() => decoder.destroy());
    return decoder;
  }
}

async function parse({ workers }: Pick<Context, 'workers'>, bytes: Buffer): Promise<NpmDocument> {
  try {
    const result =
      bytes.length <= SHORT ? run(bytes) : await workers.run<typeof import('./document-task.ts')>(TASK, bytes, { deadlineMs: DEADLINE_MS });
    if ('read' in result) return result.read;
    throw invalid(result.refusal);
  } catch (error) {
    throw error instanceof WorkerLimitError ? invalid('the document takes too long to read') : error;
  }
}

/** A part of a document: of the attachment, or of the rest. */
interface ScannedPart {
  readonly part: Buffer;
  readonly isAttachment: boolean;
  /** The attachment ends with it. */
  readonly isLast?: boolean;
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
/** Length limit of a key that is looked at in characters. */
const MAX_KEY = 32;

/** Finds `_attachments.NAME.data` in JSON that arrives in chunks; whether it is valid JSON is checked later. */
class Scanner {
  #state: 'outside' | 'string' | 'attachment' = 'outside';
  #isEscaped = false;
  #text = '';
  /** The last key of each object that is open. */
  readonly #keys: string[] = [''];
  #isValue = false;
  #isTaken = false;

  *scan(chunk: Buffer): Generator<ScannedPart> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (this.#state === 'attachment') {
        const end = chunk.indexOf(QUOTE, at);
        yield { part: chunk.subarray(at, end < 0 ? chunk.length : end), isAttachment: true, isLast: end >= 0 };
        if (end < 0) return;
        this.#state = 'outside';
        from = end;
        at = end;
      } else if (this.#state === 'string') this.#readString(chunk[at] ?? 0);
      else if (this.#readOutside(chunk[at] ?? 0)) {
        yield { part: chunk.subarray(from, at + 1), isAttachment: false };
        from = chunk.length;
      }
    }
    if (from < chunk.length) yield { part: chunk.subarray(from), isAttachment: false };
  }

  #readString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#state = 'outside';
    if (this.#state === 'string' && this.#text.length <= MAX_KEY) this.#text += String.fromCharCode(byte);
  }

  /** Whether the attachment begins after this byte. */
  #readOutside(byte: number): boolean {
    if (byte === QUOTE) {
      const isFound = this.#isValue && this.#keys.length === 4 && this.#keys[1] === '_attachments' && this.#keys[3] === 'data';
      this.#state = isFound && !this.#isTaken ? 'attachment' : 'string';
      this.#text = '';
      if (this.#state === 'attachment') this.#isTaken = true;
      return this.#state === 'attachment';
    }
    if (byte === COLON) {
      this.#keys[this.#keys.length - 1] = this.#text;
      this.#isValue = true;
    } else if (OPENING.has(byte)) {
      this.#keys.push('');
      if (this.#keys.length > MAX_DEPTH) throw invalid(`the document has more than ${MAX_DEPTH} objects and lists within each other`);
      this.#isValue = false;
    } else if (CLOSING.has(byte)) this.#keys.pop();
    else if (byte === 0x2c) this.#isValue = false;
    return false;
  }
}
