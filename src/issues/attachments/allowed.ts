import { extname } from 'node:path';
import { HttpError, unprocessable } from '../../http/errors.ts';
import { servableType } from '../../http/media-type.ts';

const MAX_NAME = 255;

/** Archives, which {@link servableType} does not distinguish because browsers do not display them. */
const ARCHIVES: readonly (readonly [type: string, bytes: string])[] = [
  ['application/zip', 'PK\x03\x04'],
  ['application/x-gzip', '\x1f\x8b\x08'],
];

/** 422: the type of the file is not allowed. */
export class ForbiddenTypeError extends HttpError {
  constructor() {
    super(422, 'This file cannot be uploaded or modified due to a forbidden file extension or type.');
  }
}

/**
 * The stored name of a file: the last part of a path, without invisible characters.
 * @throws HttpError 422 when it is empty or too long
 */
export function cleanName(given: string): string {
  const name = withoutPath(given);
  if (name === '') throw unprocessable('[Name]: Required');
  if (name.length > MAX_NAME) throw unprocessable(`[Name]: MaxSize`);
  return name;
}

/**
 * The stored name of a file whose type is allowed. A forbidden type is refused before a name that is empty or too long.
 * @param head see {@link refuseForbiddenType}
 * @throws HttpError 422
 */
export function allowedName(allowed: readonly string[], given: string, head?: Buffer): string {
  refuseForbiddenType(allowed, withoutPath(given), head);
  return cleanName(given);
}

function withoutPath(given: string): string {
  return (given.toWellFormed().split(/[/\\]/).at(-1) ?? '').replace(/\p{Cc}/gu, '').trim();
}

/**
 * Refuses files with a forbidden type: `.zip` is compared with the name, `image/*` and `image/png` with the content.
 * @param head the beginning of the content; without it only the name counts
 * @throws ForbiddenTypeError
 */
export function refuseForbiddenType(allowed: readonly string[], name: string, head?: Buffer): void {
  if (allowed.length === 0) return;
  const extension = extname(`x${name}`).toLowerCase();
  const type = head && head.length > 1 ? contentType(head) : undefined;
  const isAllowed = allowed.some((given) => {
    const entry = given.toLowerCase();
    if (entry === '*/*') return true;
    if (entry.startsWith('.')) return entry === extension;
    return type !== undefined && (entry === type || (entry.endsWith('/*') && type.startsWith(entry.slice(0, -1))));
  });
  if (!isAllowed) throw new ForbiddenTypeError();
}

function contentType(head: Buffer): string {
  const text = head.toString('latin1', 0, 8);
  const archive = ARCHIVES.find(([, bytes]) => text.startsWith(bytes))?.[0];
  return archive ?? servableType(head).replace(/;.*$/s, '');
}
