import { SourceError } from './errors.ts';

/** Longer texts of issues, comments and notes are cut, in UTF-16 units. */
export const MAX_TEXT = 1_000_000;
/** The end of the year 9999 in seconds, the last time that the API can write. */
const MAX_TIME = 253_402_300_799;

/**
 * Reads an object that another server sent. A field that is missing or null has a plain default; one of another type is an error, because
 * then the rest cannot be trusted either.
 */
export class Fields {
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #what: string;

  /**
   * @param what its name, for errors
   * @throws SourceError if it is not an object
   */
  constructor(value: unknown, what: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(what, 'is not an object');
    this.#value = value as Record<string, unknown>;
    this.#what = what;
  }

  /** A text that the database can store, cut at `max`; empty if missing. */
  text(name: string, max = MAX_TEXT): string {
    const value = this.#of(name);
    if (value === undefined) return '';
    if (typeof value !== 'string') throw this.#wrong(name);
    return cut(value, max);
  }

  /** A whole number from 0; 0 if missing. */
  count(name: string): number {
    const value = this.#of(name) ?? 0;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw this.#wrong(name);
    return value;
  }

  /** A whole number from 1 that has to be there, such as an id. */
  id(name: string): number {
    const value = this.count(name);
    if (value === 0) throw this.#wrong(name);
    return value;
  }

  /** False if missing. */
  flag(name: string): boolean {
    const value = this.#of(name) ?? false;
    if (typeof value !== 'boolean') throw this.#wrong(name);
    return value;
  }

  /** Seconds since 1970 of a time in ISO 8601; undefined if missing, and for zero times as Go writes them. */
  time(name: string): number | undefined {
    const value = this.#of(name);
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string') throw this.#wrong(name);
    return secondsOf(Date.parse(value) / 1000);
  }

  /** Seconds since 1970 of a number of seconds; undefined if missing. */
  seconds(name: string): number | undefined {
    const value = this.#of(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'number') throw this.#wrong(name);
    return secondsOf(value);
  }

  /** An object; undefined if missing. */
  object(name: string): Fields | undefined {
    const value = this.#of(name);
    return value === undefined ? undefined : new Fields(value, `${this.#what}.${name}`);
  }

  /** The objects of a list; empty if missing. */
  list(name: string): Fields[] {
    return fieldsOf(this.#of(name) ?? [], `${this.#what}.${name}`);
  }

  /** The texts of a list; empty if missing. */
  texts(name: string, max = 1000): string[] {
    const value = this.#of(name) ?? [];
    if (!Array.isArray(value) || value.some((one) => typeof one !== 'string')) throw this.#wrong(name);
    return value.map((one: string) => cut(one, max));
  }

  /** Whether the field is there and not null. */
  has(name: string): boolean {
    return this.#of(name) !== undefined;
  }

  #of(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? (this.#value[name] ?? undefined) : undefined;
  }

  #wrong(name: string): SourceError {
    return wrong(`${this.#what}.${name}`, 'has an unexpected value');
  }
}

/**
 * The objects of a list that another server sent; null is none.
 * @throws SourceError
 */
export function fieldsOf(value: unknown, what: string): Fields[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw wrong(what, 'is not a list');
  return value.map((one) => new Fields(one, what));
}

function wrong(what: string, problem: string): SourceError {
  return new SourceError('content', `${what} in the response of the server ${problem}`);
}

/** PostgreSQL stores neither zero characters nor halves of surrogate pairs. */
function cut(text: string, max: number): string {
  return text.replaceAll('\0', '').slice(0, max).toWellFormed();
}

function secondsOf(value: number): number | undefined {
  return Number.isFinite(value) && value > 0 && value <= MAX_TIME ? Math.floor(value) : undefined;
}
