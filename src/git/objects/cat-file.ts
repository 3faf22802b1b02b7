import { type BatchProcess, failWaiting, type OutputParser, type Waiting } from '../processes/batch-process.ts';
import type { ProcessKind } from '../processes/process-pool.ts';
import { type GitObject, type ObjectInfo, ObjectTooLargeError, type ObjectType } from './object.ts';

interface PendingRequest extends Waiting {
  /** The maximum size of the content; `undefined` when only type and size were requested. */
  maxSize: number | undefined;
  resolve(object: GitObject | undefined): void;
}

/** The content that is being received. */
interface Body {
  info: ObjectInfo;
  chunks: Buffer[];
  /** Missing bytes of the content, and of the newline after it. */
  remaining: number;
  keep: boolean;
}

const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);

/** `git cat-file` as a long-lived process. */
export const objectReaders: ProcessKind<CatFileParser> = {
  name: 'objects',
  args: ['cat-file', '--batch-command', '--buffer'],
  flush: 'flush\n',
  parser: () => new CatFileParser(),
};

/** Sends requests to `git cat-file --batch-command` and parses its responses: https://git-scm.com/docs/git-cat-file#_batch_output */
export class CatFileParser implements OutputParser {
  process: BatchProcess | undefined;
  readonly #requests: PendingRequest[] = [];
  #next = 0;
  #rest: Buffer = NOTHING;
  #body: Body | undefined;

  /** Requests type and size. The caller has validated `name`: hexadecimal digits. */
  info(name: string): Promise<ObjectInfo | undefined> {
    return this.#send(`info ${name}\n`, undefined);
  }

  /** Requests an object with its content. */
  contents(oid: string, maxSize: number): Promise<GitObject | undefined> {
    return this.#send(`contents ${oid}\n`, maxSize);
  }

  feed(chunk: Buffer): number {
    let data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let completed = 0;
    this.#rest = NOTHING;
    while (data.length > 0) {
      if (this.#body) {
        const taken = Math.min(this.#body.remaining, data.length);
        if (this.#body.keep) this.#body.chunks.push(data.subarray(0, taken));
        this.#body.remaining -= taken;
        data = data.subarray(taken);
        if (this.#body.remaining > 0) break;
        this.#endBody(this.#body);
        completed++;
        continue;
      }
      const end = data.indexOf(NEWLINE);
      if (end === -1) {
        this.#rest = Buffer.from(data);
        break;
      }
      if (this.#header(data.toString('latin1', 0, end))) completed++;
      data = data.subarray(end + 1);
    }
    return completed;
  }

  fail(error: Error): void {
    const waiting = this.#requests.splice(this.#next);
    this.#requests.length = 0;
    this.#next = 0;
    failWaiting(waiting, error);
  }

  #send(line: string, maxSize: number | undefined): Promise<GitObject | undefined> {
    return new Promise((resolve, reject) => {
      this.#requests.push({ maxSize, resolve, reject });
      this.process?.send(line);
    });
  }

  /** @returns whether the line was the whole response */
  #header(line: string): boolean {
    const [oid = '', type = '', size = ''] = line.split(' ');
    const request = this.#requests[this.#next];
    if (!request) return false;
    // `<name> missing` and `<name> ambiguous` have no size.
    if (size === '') {
      this.#shift()?.resolve(undefined);
      return true;
    }
    const info: ObjectInfo = { oid, type: type as ObjectType, size: Number(size) };
    if (request.maxSize === undefined) {
      this.#shift()?.resolve(info as GitObject);
      return true;
    }
    this.#body = { info, chunks: [], remaining: info.size + 1, keep: info.size <= request.maxSize };
    return false;
  }

  #endBody(body: Body): void {
    this.#body = undefined;
    const request = this.#shift();
    if (!request) return;
    const { info, chunks, keep } = body;
    if (!keep) request.reject(new ObjectTooLargeError(info, request.maxSize ?? 0));
    // Always a copy: a slice of the received buffer would hold all of it in memory.
    else request.resolve({ ...info, data: Buffer.concat(chunks, info.size) });
  }

  #shift(): PendingRequest | undefined {
    const request = this.#requests[this.#next++];
    if (this.#next > 1024) {
      this.#requests.splice(0, this.#next);
      this.#next = 0;
    }
    return request;
  }
}
