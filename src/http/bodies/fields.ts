import type { IncomingMessage } from 'node:http';
import { readBody } from './body.ts';

/** Size limit in bytes of a page's form without long texts. */
const SMALL_FORM = 64 * 1024;

/** The fields of a form or of a JSON object as texts; of a repeated field the first counts. */
export type Fields = ReadonlyMap<string, string>;

/** {@link Fields} with all values of each. */
export class FormFields extends Map<string, string> {
  readonly #lists = new Map<string, string[]>();

  constructor(entries: Iterable<readonly [string, string]> = []) {
    super();
    for (const [name, given] of entries) {
      // PostgreSQL cannot store NUL in a text.
      const value = given.replaceAll('\0', '');
      const list = this.#lists.get(name);
      if (list) list.push(value);
      else this.#lists.set(name, [value]);
      if (!list) this.set(name, value);
    }
  }

  /** All values of a field, such as those of ticked boxes. */
  all(name: string): readonly string[] {
    return this.#lists.get(name) ?? [];
  }
}

/** The fields of an empty form. */
export const NO_FIELDS = new FormFields();

/** The parameters of a query. */
export function queryFields(url: string): FormFields {
  return new FormFields(new URL(url).searchParams);
}

/**
 * Reads a form without files. A body that cannot be parsed as one has no fields.
 * @param limit bytes
 * @throws HttpError 413 when it is too large
 */
export async function readFields(request: IncomingMessage, limit = SMALL_FORM): Promise<FormFields> {
  const text = (await readBody(request, limit)).toString('utf8');
  const type = request.headers['content-type'] ?? '';
  if (type.includes('json')) return new FormFields(jsonEntries(text));
  return type.includes('form-urlencoded') ? new FormFields(new URLSearchParams(text)) : new FormFields();
}

function jsonEntries(text: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, field]): [string, string][] => (typeof field === 'string' ? [[name, field]] : []));
}
