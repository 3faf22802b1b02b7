import { TimeSlice } from '../../concurrency/time-slice.ts';
import { type Commit, readCommit } from '../objects/commits.ts';
import { type Identity, NOBODY, parseIdentity } from '../objects/identity.ts';
import type { GitObject, ObjectType } from '../objects/object.ts';
import { type GitPool, MAX_STRUCTURE_SIZE } from '../objects/objects.ts';
import { type ObjectSignature, takeTrailingSignature } from '../objects/signature.ts';
import { decodeMessage, decodeText } from '../objects/text.ts';
import type { GitRepository } from '../repository.ts';
import { listRefs, type Ref, readRef } from './refs.ts';

/** An annotated tag's object. */
export interface AnnotatedTag {
  readonly oid: string;
  /** The name in the tag object, which may differ from the ref's. */
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
  /** The final target: nearly always a commit. */
  readonly target: { readonly oid: string; readonly type: ObjectType };
  /** The target, if it is a commit. */
  readonly commit: Commit | undefined;
}

/** How many tags of tags are followed. */
const MAX_DEPTH = 10;

/** The annotated tag of this full id; `undefined` if there is none or it is not a tag object. */
export function readTag(repository: GitRepository, pool: GitPool, oid: string): Promise<AnnotatedTag | undefined> {
  return pool.parsed(repository, 'tag', oid, (object) => ({ value: parseTag(object), bytes: 600 + 3 * object.size }));
}

/** How many tags are read at once. */
const READ_BATCH = 100;

/** Size limit of tag objects that are read to sort the tags of a repository; tags beyond it count as the oldest. */
const MAX_ORDER_BYTES = 64 * 1024 * 1024;

/** The sort key of a tag in the list: seconds, and those of the commit for an annotated tag. */
interface SortKey {
  readonly time: number;
  readonly tagged: number;
}

const NO_SORT_KEY: SortKey = { time: 0, tagged: Number.MIN_SAFE_INTEGER };

const PREFIX = 'refs/tags/';

/** Which tags are listed. */
export interface TagPage {
  readonly offset: number;
  readonly limit: number;
  /** A part of their names, whatever the case. */
  readonly keyword?: string;
}

/**
 * A page of all tags, newest first: by the tagger's time, or the committer's where there is no tagger. Within a second, annotated
 * tags come first, those of newer commits before others, then the rest by name. Tags of missing objects are left out. Messages are read
 * only for the tags of the page.
 * @param maxOrderBytes size limit of tag objects that are read for sorting
 */
export async function listTags(
  repository: GitRepository,
  pool: GitPool,
  page: TagPage,
  maxOrderBytes = MAX_ORDER_BYTES,
): Promise<{ tags: Tag[]; total: number }> {
  const { refs, total } = await listTagRefs(repository, pool, page, maxOrderBytes);
  const tags: Tag[] = [];
  for (const ref of refs) {
    const tag = await describeTag(repository, pool, ref);
    if (tag) tags.push(tag);
  }
  return { tags, total };
}

/** {@link listTags} with the refs alone. */
export async function listTagRefs(
  repository: GitRepository,
  pool: GitPool,
  { offset, limit, keyword = '' }: TagPage,
  maxOrderBytes = MAX_ORDER_BYTES,
): Promise<{ refs: readonly Ref[]; total: number }> {
  const words = keyword.toLowerCase();
  const all = await orderedTags(repository, pool, maxOrderBytes);
  const found = words === '' ? all : all.filter(({ name }) => name.slice(PREFIX.length).toLowerCase().includes(words));
  return { refs: found.slice(offset, offset + limit), total: found.length };
}

async function orderedTags(repository: GitRepository, pool: GitPool, maxBytes: number): Promise<readonly Ref[]> {
  const refs = await listRefs(repository, pool, PREFIX);
  const key = `tags ${maxBytes}`;
  const before = pool.cache.get<{ refs: readonly Ref[]; tags: readonly Ref[] }>(repository, key);
  if (before?.refs === refs) return before.tags;
  const found: { ref: Ref; key: SortKey }[] = [];
  const budget = { left: maxBytes };
  const slice = new TimeSlice();
  for (let at = 0; at < refs.length; at += READ_BATCH) {
    if (slice.isOver) await slice.next();
    const batch = refs.slice(at, at + READ_BATCH);
    const keys = await Promise.all(batch.map((ref) => sortKeyOf(repository, pool, ref.oid, budget)));
    batch.forEach((ref, i) => {
      const key = keys[i];
      if (key) found.push({ ref, key });
    });
  }
  found.sort(({ key: a }, { key: b }) => b.time - a.time || b.tagged - a.tagged);
  const tags = found.map(({ ref }) => ref);
  pool.cache.set(repository, key, { refs, tags }, 100 * tags.length);
  return tags;
}

/** Cached separately, since it is small: the messages of all tags would not fit. */
async function sortKeyOf(repository: GitRepository, pool: GitPool, oid: string, budget: { left: number }): Promise<SortKey | undefined> {
  const key = `tag-key ${oid}`;
  const cached = pool.cache.get<SortKey>(repository, key);
  if (cached) return cached;
  const info = await pool.info(repository, oid);
  if (info?.type === 'tag' && info.size > MAX_STRUCTURE_SIZE.tag) return undefined;
  budget.left -= info?.type === 'tag' ? info.size : 0;
  if (budget.left < 0) return info && NO_SORT_KEY;
  const tagged = await followTag(repository, pool, oid);
  const committed = tagged?.commit?.committer.seconds ?? 0;
  const sortKey = tagged && {
    time: tagged.annotated?.tagger.seconds ?? committed,
    tagged: tagged.annotated ? committed : Number.MIN_SAFE_INTEGER,
  };
  if (sortKey) pool.cache.set(repository, key, sortKey, 50);
  return sortKey;
}

/** The tag of this name; `undefined` if there is none, or its object is missing. */
export async function findTag(repository: GitRepository, pool: GitPool, name: string): Promise<Tag | undefined> {
  const ref = await readRef(repository, pool, `refs/tags/${name}`);
  return ref && describeTag(repository, pool, ref);
}

/** The tag of a ref; `undefined` if its object is missing. Cached by the object's id. */
export async function describeTag(repository: GitRepository, pool: GitPool, ref: Pick<Ref, 'name' | 'oid'>): Promise<Tag | undefined> {
  const name = ref.name.slice(PREFIX.length);
  // Cached as a whole: a list of tags would otherwise look up half a dozen things for each.
  const key = `tagged ${ref.oid}`;
  const cached = pool.cache.get<Tagged>(repository, key);
  const tagged = cached ?? (await followTag(repository, pool, ref.oid));
  if (tagged && !cached) pool.cache.set(repository, key, tagged, 400 + bytesOf(tagged));
  return tagged && { name, oid: ref.oid, ...tagged };
}

type Tagged = Omit<Tag, 'name' | 'oid'>;

function bytesOf({ annotated, commit }: Tagged): number {
  return 4 * ((annotated?.message.length ?? 0) + (commit?.message.length ?? 0));
}

async function followTag(repository: GitRepository, pool: GitPool, oid: string): Promise<Tagged | undefined> {
  const direct = await readCommit(repository, pool, oid);
  if (direct) return { annotated: undefined, target: { oid, type: 'commit' }, commit: direct };
  const annotated = await readTag(repository, pool, oid);
  const target = await peel(repository, pool, oid);
  const commit = target?.type === 'commit' ? await readCommit(repository, pool, target.oid) : undefined;
  return target && { annotated, target, commit };
}

/** The object after following all tags; `undefined` if there is no such object. */
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

/** The id of the commit that an object is or that a tag leads to; `undefined` if it is neither. */
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
