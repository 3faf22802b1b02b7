import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import { type BlockPart, compressPart, plainPart } from './block-parts.ts';
import { type BlockForm, BlockStore, type IndexName } from './block-store.ts';

/** A version that a document lists. */
export interface ListedVersion {
  readonly id: number;
  /** Grows with each change of its shown data. */
  readonly revision: number;
  readonly created_at: number;
  /** Further facts that the document shows, such as whether it is the first of its package. */
  readonly state?: string;
}

/** A document that lists versions, or a part of one. */
export interface BlockDocument<Version extends ListedVersion> {
  readonly index: IndexName;
  /** The name of the document in the index, with everything else that it depends on, such as the URL in its links. */
  readonly name: string;
  /** All listed versions, in order. */
  readonly versions: readonly Version[];
  /**
   * The text of consecutive versions; empty for deleted ones.
   * @param isFirst whether they are at the beginning of the document: all others have to begin with a separator
   */
  readonly write: (versions: readonly Version[], isFirst: boolean) => Promise<string | Uint8Array>;
}

/** 64 versions per block on average: a block begins where so many bits of a hash are zero. */
const BLOCK_BITS = 6;
const MAX_VERSIONS = 256;
/** Versions that are written at once: the first time, and at most. What is known of one can be short, or megabytes. */
const BATCH = { first: 2, most: 32 };
/** Milliseconds that writing a batch should take. */
const BATCH_MS = 10;
/** Bytes of a part, unless one batch has more. */
const PART = 512 * 1024;

/** Versions that follow each other in a document. */
export interface Block<Version> {
  readonly versions: readonly Version[];
  readonly isFirst: boolean;
  readonly signature: string;
}

/**
 * The parts of a document in order. They are stored by the versions in them, so only blocks with a change are
 * rebuilt: after one publication a document of 10,000 versions costs little more than copying its bytes.
 */
export async function* eachPart<Version extends ListedVersion>(
  context: Context,
  document: BlockDocument<Version>,
  form: BlockForm = 'plain',
): AsyncGenerator<BlockPart> {
  const store = await BlockStore.open(context, document, form);
  const blocks = blocksOf(document.versions);
  for (const block of blocks) store.want(block.signature);
  for (const block of blocks) {
    const cached = await store.read(block.signature);
    if (cached) yield* cached;
    else yield* store.add(block.signature, makeParts(context, document, block, form));
  }
  await store.removeOthers();
}

/** The blocks of lists that are in use: several documents have the versions of one, each in several forms. */
const ofLists = new WeakMap<readonly ListedVersion[], readonly Block<ListedVersion>[]>();
/** The blocks that begin with a version: most are the same when something has changed elsewhere. */
const ofFirst = new WeakMap<ListedVersion, Block<ListedVersion>>();

/**
 * The same blocks whatever is added or removed elsewhere: the beginning of a block depends only on the version.
 * @param versions a list that does not change any more
 */
export function blocksOf<Version extends ListedVersion>(versions: readonly Version[]): readonly Block<Version>[] {
  const known = ofLists.get(versions) as readonly Block<Version>[] | undefined;
  if (known) return known;
  const blocks = [...split(versions)];
  ofLists.set(versions, blocks);
  return blocks;
}

function* split<Version extends ListedVersion>(versions: readonly Version[]): Generator<Block<Version>> {
  let from = 0;
  for (let at = 1; at <= versions.length; at++) {
    const next = versions[at];
    if (next && at - from < MAX_VERSIONS && !beginsBlock(next)) continue;
    yield knownBlock(versions, from, at) ?? newBlock(versions.slice(from, at), from === 0);
    from = at;
  }
}

/** The block that these versions already were, if they did not change: their digest takes longer than comparing them. */
function knownBlock<Version extends ListedVersion>(versions: readonly Version[], from: number, to: number): Block<Version> | undefined {
  const first = versions[from];
  const known = first && (ofFirst.get(first) as Block<Version> | undefined);
  if (known?.versions.length !== to - from || known.isFirst !== (from === 0)) return undefined;
  return known.versions.every((version, at) => version === versions[from + at]) ? known : undefined;
}

function newBlock<Version extends ListedVersion>(versions: readonly Version[], isFirst: boolean): Block<Version> {
  const block = { versions, isFirst, signature: signatureOf(versions, isFirst) };
  const [first] = versions;
  if (first) ofFirst.set(first, block);
  return block;
}

/** What is to be known of each block, which is found once for each. */
export function ofBlocks<Version extends ListedVersion, Fact>(
  find: (versions: readonly Version[]) => Fact,
): (versions: readonly Version[]) => Fact[] {
  const known = new WeakMap<Block<Version>, { fact: Fact }>();
  return (versions) =>
    blocksOf(versions).map((block) => {
      const fact = known.get(block) ?? { fact: find(block.versions) };
      known.set(block, fact);
      return fact.fact;
    });
}

function beginsBlock({ id }: ListedVersion): boolean {
  return Math.imul(id, 0x9e3779b1) >>> (32 - BLOCK_BITS) === 0;
}

/** Ids are never reused and revisions only grow, so a signature is unique over time. */
function signatureOf(versions: readonly ListedVersion[], isFirst: boolean): string {
  const states = versions.map(({ id, revision, created_at, state = '' }) => `${id}:${revision}:${created_at}:${state}`);
  return createHash('sha256')
    .update(`${isFirst} ${states.join(' ')}`)
    .digest('base64url');
}

/** The parts of a block that is not stored. */
export async function* makeParts<Version extends ListedVersion>(
  context: Context,
  document: BlockDocument<Version>,
  block: Block<Version>,
  form: BlockForm,
): AsyncGenerator<BlockPart> {
  if (form === 'plain') yield* writeParts(document, block);
  else {
    // If the document also has a plain form, that was built first.
    const plain = await (await BlockStore.open(context, document, 'plain')).read(block.signature);
    for await (const part of plain ?? writeParts(document, block)) yield await compressPart(context, part, form);
  }
}

async function* writeParts<Version extends ListedVersion>(
  { write }: BlockDocument<Version>,
  { versions, isFirst }: Block<Version>,
): AsyncGenerator<BlockPart> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  let count = BATCH.first;
  for (let at = 0; at < versions.length; ) {
    const batch = versions.slice(at, at + count);
    const began = performance.now();
    const written = await write(batch, isFirst && at === 0);
    const bytes = typeof written === 'string' ? Buffer.from(written) : written;
    waiting.push(bytes);
    size += bytes.length;
    at += batch.length;
    count = nextCount(count, performance.now() - began);
    if (size < PART) continue;
    yield plainPart(Buffer.concat(waiting));
    waiting = [];
    size = 0;
  }
  yield plainPart(Buffer.concat(waiting));
}

/** How many versions to write after so many that took so many milliseconds. */
function nextCount(count: number, elapsed: number): number {
  return Math.max(1, Math.min(BATCH.most, 4 * count, Math.floor((count * BATCH_MS) / elapsed)));
}
