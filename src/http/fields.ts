import type { IncomingMessage } from 'node:http';
import { readBody } from './body.ts';

/** Bytes of a form of a page; there are no files in them. */
const MAX_BYTES = 64 * 1024;

/** The fields of a form, or of a JSON object, as texts; of a field that comes several times the first counts. */
export type Fields = ReadonlyMap<string, string>;

/**
 * Reads a small form. A body that cannot be read as one has no fields.
 * @throws HttpError 413 when it is too large
 */
export async function readFields(request: IncomingMessage): Promise<Fields> {
  const text = (await readBody(request, MAX_BYTES)).toString('utf8');
  const type = request.headers['content-type'] ?? '';
  const entries = type.includes('json') ? jsonEntries(text) : type.includes('form-urlencoded') ? [...new URLSearchParams(text)] : [];
  // No text has a NUL in it, and PostgreSQL takes none.
  return new Map(entries.reverse().map(([name, value]) => [name, value.replaceAll('\0', '')]));
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
