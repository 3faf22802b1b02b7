import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflate, deflateSync } from 'node:zlib';
import { type GitRepository, isObjectId, type ObjectFormat, whileWriting } from '../repository.ts';
import { formatSignature, type Signature } from './format-identity.ts';
import type { ObjectType } from './object.ts';
import { formatRawTree, type RawTreeEntry } from './tree-format.ts';

/** An object with its id, not necessarily written yet. */
export interface NewObject {
  readonly oid: string;
  readonly type: ObjectType;
  readonly content: Uint8Array;
}

/** The parts of a commit. */
export interface CommitParts {
  tree: string;
  parents: readonly string[];
  /** As bytes: the header's value in another commit, which is kept unchanged. */
  author: Signature | Buffer;
  committer: Signature;
  message: string | Buffer;
}

/** The parts of an annotated tag. */
export interface TagParts {
  target: string;
  targetType: ObjectType;
  /** The short name. */
  name: string;
  tagger: Signature;
  message: string;
}

/** Signs the payload and returns the armored signature. */
export type Sign = (payload: Buffer) => Promise<string>;

/** Parts that an object cannot contain. */
export class InvalidObjectError extends Error {
  override readonly name = 'InvalidObjectError';
}

const deflateLater = promisify(deflate);
/** Size up to which compressing takes less time than passing it to another thread: 40 µs instead of 110. */
const SMALL_OBJECT = 4096;

/** The object with this content; nothing is written. */
export function newObject(format: ObjectFormat, type: ObjectType, content: Uint8Array): NewObject {
  const hash = createHash(format === 'sha256' ? 'sha256' : 'sha1');
  return { oid: hash.update(`${type} ${content.byteLength}\0`).update(content).digest('hex'), type, content };
}

/** The tree with these entries; nothing is written. */
export function newTree(format: ObjectFormat, entries: Iterable<RawTreeEntry>): NewObject {
  const all = [...entries];
  const names = new Set(all.map(({ name }) => name));
  if (names.size !== all.length) throw new InvalidObjectError('two entries of a tree have one name');
  for (const { name, oid } of all) {
    if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name))
      throw new InvalidObjectError(`not a name in a tree: ${JSON.stringify(name)}`);
    requireId(format, oid);
  }
  return newObject(format, 'tree', formatRawTree(all));
}

/**
 * The commit with these parts; nothing is written.
 * @throws InvalidObjectError for a NUL in the message; InvalidSignatureError for names and times
 */
export async function newCommit(format: ObjectFormat, parts: CommitParts, sign?: Sign): Promise<NewObject> {
  for (const id of [parts.tree, ...parts.parents]) requireId(format, id);
  const message = Buffer.from(parts.message);
  if (message.includes(0)) throw new InvalidObjectError('a NUL byte in a message');
  const author = Buffer.isBuffer(parts.author) ? parts.author : Buffer.from(formatSignature(parts.author));
  const head = Buffer.concat([
    Buffer.from(`tree ${parts.tree}\n${parts.parents.map((parent) => `parent ${parent}\n`).join('')}author `),
    author,
    Buffer.from(`\ncommitter ${formatSignature(parts.committer)}\n`),
  ]);
  const body = Buffer.concat([Buffer.from('\n'), message]);
  if (!sign) return newObject(format, 'commit', Buffer.concat([head, body]));
  const signature = (await sign(Buffer.concat([head, body]))).trimEnd().replaceAll('\n', '\n ');
  // The header's name depends on the hash algorithm (https://git-scm.com/docs/hash-function-transition).
  const name = format === 'sha256' ? 'gpgsig-sha256' : 'gpgsig';
  return newObject(format, 'commit', Buffer.concat([head, Buffer.from(`${name} ${signature}\n`), body]));
}

/**
 * The annotated tag with these parts; nothing is written.
 * @throws InvalidObjectError for a NUL in the message; InvalidSignatureError for names and times
 */
export async function newTag(format: ObjectFormat, parts: TagParts, sign?: Sign): Promise<NewObject> {
  requireId(format, parts.target);
  if (parts.message.includes('\0')) throw new InvalidObjectError('a NUL byte in a message');
  if (/[\n\0]/.test(parts.name)) throw new InvalidObjectError('a line end in the name of a tag');
  const message = parts.message === '' || parts.message.endsWith('\n') ? parts.message : `${parts.message}\n`;
  const tagger = formatSignature(parts.tagger);
  const payload = `object ${parts.target}\ntype ${parts.targetType}\ntag ${parts.name}\ntagger ${tagger}\n\n${message}`;
  const signature = sign ? `${(await sign(Buffer.from(payload))).trimEnd()}\n` : '';
  return newObject(format, 'tag', Buffer.from(payload + signature));
}

/** Writes a commit and returns its id; no ref is moved. */
export async function writeCommit(repository: GitRepository, parts: CommitParts, sign?: Sign): Promise<string> {
  return await writeOne(repository, await newCommit(repository.objectFormat, parts, sign));
}

/**
 * Writes objects, referenced ones first: a crash in between leaves no broken reference.
 * @param folder the repository's objects, or a quarantine's
 */
export async function writeObjects(repository: GitRepository, objects: Iterable<NewObject>, folder?: string): Promise<void> {
  const all = [...objects];
  await whileWriting(repository, async () => {
    for (const type of ['blob', 'tree', 'commit', 'tag'] as const)
      await Promise.all(
        all.filter((object) => object.type === type).map((object) => writeLoose(folder ?? join(repository.path, 'objects'), object)),
      );
  });
}

async function writeOne(repository: GitRepository, object: NewObject): Promise<string> {
  await whileWriting(repository, () => writeLoose(join(repository.path, 'objects'), object));
  return object.oid;
}

/**
 * Writes a loose object under a temporary name that git's own cleanup knows, then renames it. An existing one is
 * kept, with a new time so that a concurrent prune spares it.
 */
async function writeLoose(folder: string, { oid, type, content }: NewObject): Promise<void> {
  const path = join(folder, oid.slice(0, 2), oid.slice(2));
  if (await freshen(path)) return;
  const temporary = join(dirname(path), `tmp_obj_${randomBytes(6).toString('hex')}`);
  const packed = await deflated(Buffer.concat([Buffer.from(`${type} ${content.byteLength}\0`), content]));
  const file = await openInFolder(temporary);
  try {
    try {
      await file.writeFile(packed);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function deflated(content: Buffer): Promise<Buffer> {
  const options = { level: 1 };
  return content.byteLength <= SMALL_OBJECT ? deflateSync(content, options) : await deflateLater(content, options);
}

async function freshen(path: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(path, now, now);
    return true;
  } catch {
    return false;
  }
}

/** Concurrent maintenance may delete the empty folder between its creation and the opening: it is created again. */
async function openInFolder(path: string) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await open(path, 'wx', 0o444);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 3) throw error;
      // Not recursive: if the repository was deleted, it must not reappear.
      await mkdir(dirname(path)).catch((reason: NodeJS.ErrnoException) => {
        if (reason.code !== 'EEXIST') throw reason;
      });
    }
  }
}

function requireId(format: ObjectFormat, id: string): void {
  if (!isObjectId(id, format)) throw new InvalidObjectError(`not an object id: ${JSON.stringify(id)}`);
}
