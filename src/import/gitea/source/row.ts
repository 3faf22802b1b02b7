/** Maximum number of characters of an imported text; longer ones are cut off. */
export const MAX_TEXT = 2 ** 20;

/** A row of the source. Its values are untrusted: every method returns a value of its type, whatever the column contains. */
export class Row {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  get id(): number {
    return this.integer('id');
  }

  /** The columns with texts that were too long. */
  get cutColumns(): string[] {
    return Object.entries(this.#values).flatMap(([name, value]) => (typeof value === 'string' && value.length > MAX_TEXT ? [name] : []));
  }

  /** An integer; 0 if it is not one, or if the column is missing in this version of the source. */
  integer(column: string, missing = 0): number {
    const value = this.#values[column];
    if (value === null || value === undefined) return missing;
    const number = typeof value === 'boolean' ? Number(value) : Number(typeof value === 'bigint' ? value : String(value));
    return Number.isSafeInteger(number) ? number : missing;
  }

  /** The id of another row; null if there is none. */
  reference(column: string): number | null {
    const id = this.integer(column);
    return id > 0 ? id : null;
  }

  /** Seconds since 1970. */
  time(column: string): number {
    return Math.max(0, Math.min(this.integer(column), MAX_TIME));
  }

  /** Seconds since 1970; null if there is none. */
  timeOrNull(column: string): number | null {
    return this.time(column) || null;
  }

  /** The seconds of a date that is not stored in seconds: a `Date`, or `2026-01-02 03:04:05` in UTC. */
  date(column: string): number {
    const value = this.#values[column];
    const text = this.text(column);
    const date = value instanceof Date ? value : new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);
    return Number.isNaN(date.getTime()) ? 0 : Math.max(0, Math.min(Math.floor(date.getTime() / 1000), MAX_TIME));
  }

  flag(column: string, missing = false): boolean {
    const value = this.#values[column];
    if (value === null || value === undefined) return missing;
    return value === true || this.integer(column) === 1;
  }

  /** Well-formed, without NUL, which PostgreSQL does not store. */
  text(column: string): string {
    const value = this.#values[column];
    if (value === null || value === undefined) return '';
    const text = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value);
    return text.slice(0, MAX_TEXT).replaceAll('\0', '').toWellFormed();
  }

  /** The bytes of a binary column. */
  bytes(column: string): Buffer {
    const value = this.#values[column];
    return value instanceof Uint8Array ? Buffer.from(value) : Buffer.alloc(0);
  }

  /** A text on one line, with a maximum number of characters. */
  line(column: string, maxLength = 255): string {
    return [...this.text(column).replace(/[\r\n]+/g, ' ')].slice(0, maxLength).join('');
  }

  /** The value of a JSON text; undefined if there is none. */
  json(column: string): unknown {
    try {
      return JSON.parse(this.text(column));
    } catch {
      return undefined;
    }
  }

  /** A JSON list of ids. */
  ids(column: string): number[] {
    const value = this.json(column);
    return Array.isArray(value) ? value.filter((id) => Number.isSafeInteger(id) && id > 0).slice(0, MAX_LIST) : [];
  }

  /** A JSON list of texts. */
  texts(column: string): string[] {
    const value = this.json(column);
    return Array.isArray(value) ? value.filter((text) => typeof text === 'string').slice(0, MAX_LIST) : [];
  }
}

/** The end of the year 9999. */
const MAX_TIME = 253_402_300_799;
const MAX_LIST = 10_000;
