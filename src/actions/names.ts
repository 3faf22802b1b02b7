import { badRequest } from '../http/errors.ts';

const NAME = /^[a-z_][a-z0-9_]*$/i;
/** Names that the server and runners set themselves. */
const RESERVED = /^(?:git(?:ea|hub)_|ci$)/i;
const MAX_LENGTH = 255;

/**
 * The stored name of a secret or a variable: in capitals.
 * @throws HttpError 400 for one that is not allowed
 */
export function checkedName(name: string): string {
  if (!NAME.test(name) || RESERVED.test(name) || name.length > MAX_LENGTH) throw badRequest('invalid variable or secret name');
  return name.toUpperCase();
}

const MAX_DESCRIPTION = 4096;

/** A description cut to the maximum length. */
export function shortened(description: string): string {
  if (description.length <= MAX_DESCRIPTION) return description;
  return [...description].slice(0, MAX_DESCRIPTION).join('');
}
