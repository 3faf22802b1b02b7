import { type Commit, readCommit } from './commits.ts';
import { type Identity, NOBODY, parseIdentity } from './identity.ts';
import type { GitObject, ObjectType } from './object.ts';
import type { GitPool } from './objects.ts';
import { listRefs, type Ref, readRef } from './refs.ts';
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

/** A tag of a repository: a ref, and the tag object behind it if it is annotated. */
export interface Tag {
  /** Without `refs/tags/`. */
  readonly name: string;
  /** What the ref points to: the tag object, or the object itself. */
  readonly oid: string;
  readonly annotated: AnnotatedTag | undefined;
  /** What it stands for: nearly always a commit. */
  readonly target: { readonly oid: string; readonly type: ObjectType };
  /** The commit that it stands for. */
  readonly commit: Commit | undefined;
}

/** How many tags of tags are followed. */
const MAX_DEPTH = 10;

/** The annotated tag of this full id; `undefined` if there is none or it is no tag object. */
export function readTag(repository: GitRepository, pool: GitPool, oid: string): Promise<AnnotatedTag | undefined> {
  return pool.parsed(repository, 'tag', oid, (object) => ({ value: parseTag(object), bytes: 600 + 3 * object.size }));
}

/**
 * All tags, the newest first: by the tagger's time, or the committer's where there is no tagger. Of the same second, annotated tags come
 * first, those of newer commits before others, then the rest by name. Tags of missing objects are left out.
 */
export async function listTags(repository: GitRepository, pool: GitPool): Promise<Tag[]> {
  const refs = await listRefs(repository, pool, 'refs/tags/');
  const tags = await Promise.all(refs.map((ref) => describeTag(repository, pool, ref)));
  const time = (tag: Tag) => tag.annotated?.tagger.seconds ?? tag.commit?.committer.seconds ?? 0;
  const tagged = (tag: Tag) => (tag.annotated ? (tag.commit?.committer.seconds ?? 0) : Number.MIN_SAFE_INTEGER);
  return tags.filter((tag) => tag !== undefined).sort((a, b) => time(b) - time(a) || tagged(b) - tagged(a));
}

/** The tag of this name; `undefined` if there is none, or its object is missing. */
export async function findTag(repository: GitRepository, pool: GitPool, name: string): Promise<Tag | undefined> {
  const ref = await readRef(repository, pool, `refs/tags/${name}`);
  return ref && describeTag(repository, pool, ref);
}

async function describeTag(repository: GitRepository, pool: GitPool, ref: Ref): Promise<Tag | undefined> {
  const name = ref.name.slice('refs/tags/'.length);
  // Kept as a whole: a list of tags would otherwise look up half a dozen things for each.
  const key = `tagged ${ref.oid}`;
  const kept = pool.cache.get<Tagged>(repository, key);
  const tagged = kept ?? (await followTag(repository, pool, ref.oid));
  if (tagged && !kept) pool.cache.set(repository, key, tagged, 400);
  return tagged && { name, oid: ref.oid, ...tagged };
}

type Tagged = Omit<Tag, 'name' | 'oid'>;

async function followTag(repository: GitRepository, pool: GitPool, oid: string): Promise<Tagged | undefined> {
  const direct = await readCommit(repository, pool, oid);
  if (direct) return { annotated: undefined, target: { oid, type: 'commit' }, commit: direct };
  const annotated = await readTag(repository, pool, oid);
  const target = await peel(repository, pool, oid);
  const commit = target?.type === 'commit' ? await readCommit(repository, pool, target.oid) : undefined;
  return target && { annotated, target, commit };
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

/** What a ref stands for once tags are followed, and its type; `undefined` if its object is missing. */
export async function peelRef(repository: GitRepository, pool: GitPool, ref: Ref): Promise<{ oid: string; type: ObjectType } | undefined> {
  return peel(repository, pool, ref.peeled ?? ref.oid);
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
