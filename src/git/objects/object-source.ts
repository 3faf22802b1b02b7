import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { runGit } from '../processes/process.ts';
import { emptyTreeId, type GitRepository } from '../repository.ts';
import type { ObjectType } from './object.ts';

/** The source of objects for writers: a pool of git processes, or {@link directObjects}. */
export interface ObjectSource {
  /** Reads an object of at most `maxSize` bytes by its full id; undefined when there is none. */
  read(
    repository: GitRepository,
    oid: string,
    options: { maxSize: number },
  ): Promise<{ readonly type: ObjectType; readonly data: Buffer } | undefined>;
}

/** There is no object with this id, or it is of another type. */
export class MissingObjectError extends Error {
  override readonly name = 'MissingObjectError';
  readonly oid: string;
  constructor(oid: string, type: string) {
    super(`there is no ${type} ${oid}`);
    this.oid = oid;
  }
}

const inflated = promisify(inflate);
// Trees and commits; a folder of a million files takes about this much.
const MAX_OBJECT_BYTES = 64 * 1024 * 1024;
const HEADER_BYTES = 128;

/**
 * The content of an object of this type.
 * @throws MissingObjectError when there is none
 */
export async function readObject(objects: ObjectSource, repository: GitRepository, oid: string, type: ObjectType): Promise<Buffer> {
  // git knows the empty tree without storing it.
  if (oid === emptyTreeId(repository.objectFormat)) return Buffer.alloc(0);
  const object = await objects.read(repository, oid, { maxSize: MAX_OBJECT_BYTES });
  if (object?.type !== type) throw new MissingObjectError(oid, type);
  return object.data;
}

/** The id of a commit's tree. */
export async function treeOfCommit(objects: ObjectSource, repository: GitRepository, oid: string): Promise<string> {
  const content = await readObject(objects, repository, oid, 'commit');
  return content.toString('latin1', 5, content.indexOf('\n'));
}

/** Reads loose objects from their files and starts git for packed ones: used without a pool. */
export const directObjects: ObjectSource = {
  async read(repository, oid, { maxSize }) {
    return (await readLooseObject(repository, oid, maxSize)) ?? (await readWithGit(repository, oid, maxSize));
  },
};

async function readLooseObject(repository: GitRepository, oid: string, maxSize: number) {
  const packed = await readFile(join(repository.path, 'objects', oid.slice(0, 2), oid.slice(2))).catch(() => undefined);
  if (!packed) return undefined;
  const bytes = await inflated(packed, { maxOutputLength: maxSize + HEADER_BYTES });
  const end = bytes.indexOf(0);
  const [type] = bytes.toString('latin1', 0, end).split(' ');
  return { type: type as ObjectType, data: bytes.subarray(end + 1) };
}

async function readWithGit(repository: GitRepository, oid: string, maxSize: number) {
  const { stdout } = await runGit(['cat-file', '--batch'], { cwd: repository.path, input: `${oid}\n`, maxOutput: maxSize + HEADER_BYTES });
  const end = stdout.indexOf('\n');
  const [, type, size] = stdout.toString('latin1', 0, end).split(' ');
  if (type === 'missing' || size === undefined) return undefined;
  return { type: type as ObjectType, data: stdout.subarray(end + 1, end + 1 + Number(size)) };
}
