import { createHash, type Hash } from 'node:crypto';
import { join } from 'node:path';
import { eachOf } from '../../concurrency/each-of.ts';
import { TimeSlice } from '../../concurrency/time-slice.ts';
import { type GitRepository, isObjectId, type ObjectFormat, whileWriting } from '../repository.ts';
import { formatSignature, type Signature } from './format-identity.ts';
import type { ObjectType } from './object.ts';
import { formatRawTree, type RawTreeEntry } from './tree-format.ts';
import { writeLoose } from './write-loose.ts';

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

/** Objects that are written at the same time. */
const AT_ONCE = 32;
/** Bytes of an object that are hashed before others are served. */
const STEP = 1024 * 1024;

/** The object with this content; nothing is written. */
export function newObject(format: ObjectFormat, type: ObjectType, content: Uint8Array): NewObject {
  return { oid: hashOf(format, type, content.byteLength).update(content).digest('hex'), type, content };
}

/** The blob with this content, which may be long; nothing is written. */
export async function newBlob(format: ObjectFormat, content: Uint8Array): Promise<NewObject> {
  const hash = hashOf(format, 'blob', content.byteLength);
  const slice = new TimeSlice();
  for (let at = 0; at < content.byteLength; at += STEP) {
    hash.update(content.subarray(at, at + STEP));
    if (slice.isOver) await slice.next();
  }
  return { oid: hash.digest('hex'), type: 'blob', content };
}

function hashOf(format: ObjectFormat, type: ObjectType, length: number): Hash {
  return createHash(format === 'sha256' ? 'sha256' : 'sha1').update(`${type} ${length}\0`);
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
  const all = Map.groupBy(objects, ({ type }) => type);
  const place = folder ?? join(repository.path, 'objects');
  await whileWriting(repository, async () => {
    for (const type of ['blob', 'tree', 'commit', 'tag'] as const)
      await eachOf(all.get(type) ?? [], AT_ONCE, (object) => writeLoose(place, object));
  });
}

async function writeOne(repository: GitRepository, object: NewObject): Promise<string> {
  await whileWriting(repository, () => writeLoose(join(repository.path, 'objects'), object));
  return object.oid;
}

function requireId(format: ObjectFormat, id: string): void {
  if (!isObjectId(id, format)) throw new InvalidObjectError(`not an object id: ${JSON.stringify(id)}`);
}
