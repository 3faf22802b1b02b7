import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeText } from '../objects/text.ts';
import { type BatchProcess, failWaiting, type OutputParser, type Waiting } from '../processes/batch-process.ts';
import { GitError, GitLimitError } from '../processes/process.ts';
import type { ProcessKind } from '../processes/process-pool.ts';

/** A file that differs between two trees. */
export interface ChangedFile {
  /** Its current path; of a removed file, its former path. */
  readonly path: string;
  /** Its path before it was renamed or copied. */
  readonly oldPath: string | undefined;
  /** `retyped`: for example, a file became a link. */
  readonly status: 'added' | 'removed' | 'modified' | 'renamed' | 'copied' | 'retyped';
  /** The similarity of a renamed or copied file to the old one, in percent. */
  readonly similarity: number | undefined;
  /** Modes and object ids before and after; `000000` and zeros where there is none. */
  readonly oldMode: string;
  readonly mode: string;
  readonly oldOid: string;
  readonly oid: string;
  /** Lines; none are counted for binary files. */
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
}

const STATUS: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'retyped',
};

/** Longer output is refused. */
const MAX_ANSWER = 64 * 1024 * 1024;

/** Records between two pauses: some milliseconds. */
const SLICE = 2000;

/**
 * Parses `git diff-tree -z --raw --numstat`: first a record for each file with modes, ids and status, then one with the number of changed
 * lines of each. See https://git-scm.com/docs/git-diff-tree#_raw_output_format
 */
export function parseChanges(output: Buffer): ChangedFile[] {
  const steps = parsing(output);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** {@link parseChanges} with pauses for other work: there may be hundreds of thousands of files. */
export async function parseChangesInSlices(output: Buffer): Promise<ChangedFile[]> {
  const steps = parsing(output);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}

function* parsing(output: Buffer): Generator<undefined, ChangedFile[]> {
  const fields = new Fields(output);
  const files: ChangedFile[] = [];
  let records = 0;
  for (let field = fields.next(); field?.[0] === COLON; field = fields.next()) {
    const [oldMode = '', mode = '', oldOid = '', oid = '', status = ''] = field.toString('latin1', 1).split(' ');
    const kind = STATUS[status.charAt(0)] ?? 'modified';
    const moved = kind === 'renamed' || kind === 'copied';
    const oldPath = moved ? fields.nextText() : undefined;
    const similarity = moved ? Number(status.slice(1)) : undefined;
    const path = fields.nextText();
    files.push({ path, oldPath, status: kind, similarity, oldMode, mode, oldOid, oid, additions: 0, deletions: 0, binary: false });
    if (++records % SLICE === 0) yield;
  }
  fields.back();
  const lines = new Map<string, readonly [string, string]>();
  for (let field = fields.next(); field && field.length > 0; field = fields.next()) {
    const [tab1, tab2] = tabsOf(field);
    const counts = [field.toString('latin1', 0, tab1), field.toString('latin1', tab1 + 1, tab2)] as const;
    // For a renamed file, the old and the new path follow.
    if (tab2 + 1 >= field.length) fields.next();
    lines.set(tab2 + 1 >= field.length ? fields.nextText() : decodeText(field.subarray(tab2 + 1)), counts);
    if (++records % SLICE === 0) yield;
  }
  const counted: ChangedFile[] = [];
  for (const file of files) {
    const [additions, deletions] = lines.get(file.path) ?? ['0', '0'];
    counted.push({ ...file, additions: Number(additions) || 0, deletions: Number(deletions) || 0, binary: additions === '-' });
    if (++records % SLICE === 0) yield;
  }
  return counted;
}

const COLON = 0x3a;
const TAB = 0x09;

/** The positions of the first two tabs; the end of the field where there are fewer. */
function tabsOf(field: Buffer): [number, number] {
  const first = field.indexOf(TAB);
  if (first === -1) return [field.length, field.length];
  const second = field.indexOf(TAB, first + 1);
  return [first, second === -1 ? field.length : second];
}

/** The fields of an output, each of which ends with a zero byte. */
class Fields {
  readonly #output: Buffer;
  #at = 0;
  #last = 0;

  constructor(output: Buffer) {
    this.#output = output;
  }

  /** Undefined at the end. */
  next(): Buffer | undefined {
    this.#last = this.#at;
    if (this.#at >= this.#output.length) return undefined;
    const end = this.#output.indexOf(0, this.#at);
    const field = this.#output.subarray(this.#at, end === -1 ? undefined : end);
    this.#at = end === -1 ? this.#output.length : end + 1;
    return field;
  }

  nextText(): string {
    return decodeText(this.next() ?? Buffer.alloc(0));
  }

  /** Goes back by one field. */
  back(): void {
    this.#at = this.#last;
  }
}

interface PendingRequest extends Waiting {
  resolve(files: Promise<ChangedFile[]>): void;
}

/**
 * Lets `git diff-tree --stdin` compare trees. It writes a line that names no object unchanged, after flushing everything before it: so a
 * random line ends each response.
 */
class DiffTreeParser implements OutputParser {
  process: BatchProcess | undefined;
  readonly #end = `.${randomUUID()}\n`;
  readonly #requests: PendingRequest[] = [];
  #chunks: Buffer[] = [];
  #size = 0;

  compare(oldTree: string, newTree: string): Promise<ChangedFile[]> {
    return new Promise((resolve, reject) => {
      this.#requests.push({ resolve, reject });
      this.process?.send(`${oldTree} ${newTree}\n${this.#end}`);
    });
  }

  feed(chunk: Buffer): number {
    let completed = 0;
    let rest = chunk;
    while (rest.length > 0) {
      // The end may be split across two chunks.
      const before = this.#chunks.at(-1) ?? Buffer.alloc(0);
      const joined = before.length < this.#end.length && this.#chunks.length > 0 ? Buffer.concat([before, rest]) : rest;
      if (joined !== rest) {
        this.#chunks.pop();
        this.#size -= before.length;
      }
      const end = joined.indexOf(this.#end, 0, 'latin1');
      if (end === -1) {
        this.#keep(joined);
        break;
      }
      this.#chunks.push(joined.subarray(0, end));
      this.#resolve(Buffer.concat(this.#chunks));
      this.#chunks = [];
      this.#size = 0;
      completed++;
      rest = joined.subarray(end + this.#end.length);
    }
    return completed;
  }

  fail(error: Error): void {
    failWaiting(this.#requests.splice(0), error);
  }

  /** Collects a part of a response, except its last bytes, which may be the beginning of its end. */
  #keep(data: Buffer): void {
    this.#size += data.length;
    if (this.#size > MAX_ANSWER) {
      this.fail(new GitLimitError(['diff-tree'], null, `more than ${MAX_ANSWER} bytes of output`));
      void this.process?.kill();
      return;
    }
    const tail = Math.max(0, data.length - this.#end.length + 1);
    if (tail > 0) this.#chunks.push(data.subarray(0, tail));
    this.#chunks.push(data.subarray(tail));
  }

  #resolve(data: Buffer): void {
    const request = this.#requests.shift();
    // The first line names the two trees; it is missing if one of them is.
    const header = data.indexOf(10);
    if (header === -1) request?.reject(new GitError(['diff-tree'], null, 'a tree is missing'));
    else request?.resolve(parseChangesInSlices(data.subarray(header + 1)));
  }
}

/** `git diff-tree` as a long-lived process, and its output formats. */
export const changeReaders: ProcessKind<DiffTreeParser> & { formats: readonly string[] } = {
  name: 'changes',
  formats: ['-r', '-z', '--raw', '--numstat', '--find-renames', '--diff-algorithm=histogram', '--no-abbrev'],
  get args() {
    return ['diff-tree', '--stdin', ...this.formats];
  },
  flush: '',
  parser: () => new DiffTreeParser(),
  // It never frees the memory of a tree that it has seen.
  maxRequests: 2_000,
};
