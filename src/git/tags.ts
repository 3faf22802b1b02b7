import { readCommit } from './commits.ts';
import { type Identity, NOBODY, parseIdentity } from './identity.ts';
import type { GitObject, ObjectType } from './object.ts';
import type { GitPool } from './objects.ts';
import type { GitRepository } from './repository.ts';
import { type ObjectSignature, takeTrailingSignature } from './signature.ts';
import { decodeMessage, decodeText } from './text.ts';

/** An annotated tag's object. */
export interface AnnotatedTag {
  readonly oid: string;
  /** The name that the tag was made with, which need not be the ref's. */
  readonly name: string;
  /** What the tag points to; possibly another tag, a tree or a blob. */
  readonly target: string;
  readonly targetType: ObjectType;
  readonly tagger: Identity;
  /** The message without the signature. */
  readonly message: string;
  readonly signature: ObjectSignature | undefined;
}

/** How many tags of tags are followed. */
const MAX_DEPTH = 10;

/** The annotated tag of this full id; `undefined` if there is none or it is no tag object. */
export function readTag(repository: GitRepository, pool: GitPool, oid: string): Promise<AnnotatedTag | undefined> {
  return pool.parsed(repository, 'tag', oid, (object) => ({ value: parseTag(object), bytes: 600 + 3 * object.size }));
}

/** What an object stands for once all tags are followed; `undefined` if there is no such object. */
export async function peel(repository: GitRepository, pool: GitPool, oid: string): Promise<{ oid: string; type: ObjectType } | undefined> {
  let at = oid;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const info = await pool.info(repository, at);
    if (info?.type !== 'tag') return info;
    const tag = await readTag(repository, pool, at);
    if (!tag) return undefined;
    at = tag.target;
  }
  return undefined;
}

/** The commit's id that an object is or, as a tag, stands for; `undefined` if it is neither. */
export async function peelToCommit(repository: GitRepository, pool: GitPool, oid: string): Promise<string | undefined> {
  if (await readCommit(repository, pool, oid)) return oid;
  const target = await peel(repository, pool, oid);
  return target?.type === 'commit' ? target.oid : undefined;
}

/** Parses a tag object: https://git-scm.com/docs/git-mktag */
export function parseTag(object: Pick<GitObject, 'oid' | 'data'>): AnnotatedTag {
  const { oid, data } = object;
  const headerEnd = data.indexOf('\n\n');
  const header = decodeText(headerEnd === -1 ? data : data.subarray(0, headerEnd));
  const value = (key: string) => new RegExp(`^${key} (.*)$`, 'm').exec(header)?.[1];
  const tagger = value('tagger');
  const { message, signature } = takeTrailingSignature(data, headerEnd === -1 ? data.length : headerEnd + 2);
  return {
    oid,
    name: value('tag') ?? '',
    target: value('object') ?? '',
    targetType: (value('type') ?? 'commit') as ObjectType,
    tagger: tagger === undefined ? NOBODY : parseIdentity(tagger),
    message: decodeMessage(message),
    signature,
  };
}
