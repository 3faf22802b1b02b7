import { randomBytes } from 'node:crypto';

/**
 * The attribute in which our own renderers write a class. Classes of users are dropped, and nobody outside the process
 * can know this name, so what carries it was written by us; the sanitizer writes it as `class`.
 */
export const TRUSTED_CLASS = `data-${randomBytes(16).toString('hex')}`;

/** `classes` as an attribute of HTML source, with a space before it. `classes` is escaped. */
export function trustedClass(classes: string): string {
  return ` ${TRUSTED_CLASS}="${classes.replace(/&/g, '&amp;').replace(/"/g, '&#34;')}"`;
}
