import { maskedTexts, maskLines } from '../../actions/tasks/logs/masks.ts';
import { timestamp } from './timestamp.ts';

/** Limits of one request: lines, and characters. */
const MAX_ROWS = 1000;
const MAX_BATCH = 2 * 1024 * 1024;
/** Cost of a line besides its characters: its time, and its memory. */
const ROW_COST = 64;
/** Characters that wait for the server; lines beyond that are dropped. */
const MAX_WAITING = 64 * 1024 * 1024;
/** Characters of a whole log: the server keeps no more. */
const MAX_LOG = 256 * 1024 * 1024;

interface Row {
  readonly time: Date;
  readonly content: string;
}

/** The log of a job: lines that wait for the server, and the secrets to mask in them. */
export class JobLog {
  readonly #secrets = new Set<string>();
  #masks: string[] = [];
  readonly #rows: Row[] = [];
  /** The number of the first waiting line. */
  #first = 0;
  #waiting = 0;
  #total = 0;
  #isDropping = false;

  /** How many lines there are. */
  get length(): number {
    return this.#first + this.#rows.length;
  }

  /** Hides a text from now on, also its lines and its base64. */
  mask(...secrets: readonly string[]): void {
    for (const secret of secrets) if (secret.trim() !== '') this.#secrets.add(secret);
    this.#masks = maskedTexts(this.#secrets);
  }

  /** Whether a text gives a secret away. */
  hasSecret(text: string): boolean {
    return this.#masks.some((mask) => text.includes(mask));
  }

  /** Adds lines. */
  add(text: string): void {
    for (const content of text.split('\n')) {
      const cost = content.length + ROW_COST;
      const isTooMuch = this.#waiting + cost > MAX_WAITING || this.#total + cost > MAX_LOG;
      if (isTooMuch && this.#isDropping) continue;
      this.#isDropping = isTooMuch;
      this.#append(isTooMuch ? '::warning::lines are left out here: the log is too long, or the server takes no more' : content);
    }
  }

  #append(content: string): void {
    this.#rows.push({ time: new Date(), content });
    this.#waiting += content.length + ROW_COST;
    this.#total += content.length + ROW_COST;
  }

  /** The next lines to send, with secrets hidden. */
  async next() {
    let size = 0;
    let count = 0;
    for (const { content } of this.#rows) {
      size += content.length;
      if (count > 0 && (count >= MAX_ROWS || size > MAX_BATCH)) break;
      count++;
    }
    const part = this.#rows.slice(0, count);
    const index = this.#first;
    const isAll = count === this.#rows.length;
    const contents = part.map(({ content }) => content.replaceAll('\r', ''));
    const masked = count === 0 ? [] : await maskLines(contents, this.#masks);
    const rows = part.map(({ time }, at) => ({ time: timestamp(time), content: masked[at] ?? '' }));
    return { index, rows, isAll };
  }

  /** The server has all lines before this one. */
  acknowledge(index: number): void {
    const count = Math.min(Math.max(index - this.#first, 0), this.#rows.length);
    for (const { content } of this.#rows.splice(0, count)) this.#waiting -= content.length + ROW_COST;
    this.#first += count;
  }
}
