import type { LfsPointer } from '../git/trees/lfs-pointer.ts';

/** Whether something out of JSON is an object with fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a text is the id of an object: a SHA-256 in lower-case hexadecimal digits. */
export function isOid(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
}

/** Whether something out of JSON names an object by its id and size. */
export function isPointer(value: unknown): value is LfsPointer & Record<string, unknown> {
  return isObject(value) && isOid(value.oid) && Number.isSafeInteger(value.size) && (value.size as number) >= 0;
}
