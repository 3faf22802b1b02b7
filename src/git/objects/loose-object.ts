import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { GitObject, ObjectInfo, ObjectType } from './object.ts';

/** Larger files and objects are left to git, so that reading one never blocks the thread for long. */
const MAX_FILE = 16 * 1024;
const MAX_OBJECT = 64 * 1024;
const TYPES: ReadonlySet<string> = new Set<ObjectType>(['blob', 'tree', 'commit', 'tag']);

/**
 * A small loose object, as new ones are: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects.
 * @param objects the folder of objects
 * @param oid a full object id
 * @returns undefined where git has to look for it: packed, large, broken or missing
 */
export function readLooseObject(objects: string, oid: string): GitObject | undefined {
  const packed = readSmallFile(join(objects, oid.slice(0, 2), oid.slice(2)));
  if (!packed) return undefined;
  try {
    const content = inflateSync(packed, { maxOutputLength: MAX_OBJECT });
    const end = content.indexOf(0);
    const info = parseHeader(oid, content.toString('latin1', 0, end));
    const data = content.subarray(end + 1);
    return info?.size === data.length ? { ...info, data } : undefined;
  } catch {
    return undefined;
  }
}

function parseHeader(oid: string, header: string): ObjectInfo | undefined {
  const [type = '', size = ''] = header.split(' ');
  return TYPES.has(type) && /^\d+$/.test(size) ? { oid, type: type as ObjectType, size: Number(size) } : undefined;
}

function readSmallFile(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(file);
    if (size > MAX_FILE) return undefined;
    const bytes = Buffer.allocUnsafeSlow(size);
    return readSync(file, bytes, 0, size, 0) === size ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}
