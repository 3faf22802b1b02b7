import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { ArtifactError } from './errors.ts';

/** The prefix of the storage keys of what arrives before an artifact is complete. */
export const PARTS_PREFIX = 'action-artifact-parts/';

/** Parts of one upload. */
const MAX_PARTS = 10_000;
const DIGITS = 16;

/** An upload: each task that uploads the same artifact has its own, so they do not mix. */
export interface Upload {
  readonly artifactId: number;
  readonly taskId: number;
}

/** A part of an upload that has arrived. */
export interface Part {
  readonly key: string;
  readonly size: number;
}

const folderOf = ({ artifactId, taskId }: Upload) => `${PARTS_PREFIX}${artifactId}/${taskId}/`;
const listKey = (upload: Upload) => `${folderOf(upload)}list`;
const blockKey = (upload: Upload, block: string) => `${folderOf(upload)}block-${createHash('sha256').update(block).digest('hex')}`;

/** The position of a part: the name of a block, its first byte, or, with neither, after the existing ones. */
export interface PartPlace {
  readonly block?: string | undefined;
  readonly start?: number;
}

/** Stores a part while it arrives. */
export async function storePart(context: Context, upload: Upload, { block, start }: PartPlace, content: Readable): Promise<void> {
  const parts = await partsOf(context, upload);
  if (parts.length >= MAX_PARTS) throw new ArtifactError(400, `an artifact has at most ${MAX_PARTS} parts`);
  const at = start ?? sizeOf(parts.filter(isAppended));
  const key = block === undefined ? `${folderOf(upload)}at-${String(at).padStart(DIGITS, '0')}` : blockKey(upload, block);
  const room = context.settings.actions.artifactMaxSize - sizeOf(parts.filter((part) => part.key !== key));
  await context.storage.put(key, content, { maxSize: Math.max(0, room) });
}

/** Stores the order of the blocks, by their names. */
export async function storeOrder({ storage }: Context, upload: Upload, blocks: readonly string[]): Promise<void> {
  if (blocks.length > MAX_PARTS) throw new ArtifactError(400, `an artifact has at most ${MAX_PARTS} parts`);
  await storage.put(listKey(upload), Buffer.from(JSON.stringify(blocks)));
}

/**
 * The received parts in order: by the list of blocks, else as they were appended, else the only block.
 * @throws ArtifactError 400 when there is nothing, or a block is missing
 */
export async function orderedParts(context: Context, upload: Upload): Promise<Part[]> {
  const parts = await partsOf(context, upload);
  const order = await readOrder(context, upload);
  if (order) {
    const byKey = new Map(parts.map((part) => [part.key, part]));
    return order.map((block) => byKey.get(blockKey(upload, block)) ?? refuse());
  }
  const appended = parts.filter(isAppended).sort((a, b) => (a.key < b.key ? -1 : 1));
  if (appended.length > 0) return appended;
  return parts.length === 1 ? parts : refuse();
}

/** The bytes of parts, one after the other. */
export function readParts({ storage }: Pick<Context, 'storage'>, parts: readonly Part[]): Readable {
  async function* bytes(): AsyncGenerator<Buffer> {
    for (const { key } of parts) {
      const found = await storage.get(key);
      if (!found) throw new ArtifactError(400, 'Error merge chunks');
      yield* found.stream as AsyncIterable<Buffer>;
    }
  }
  return Readable.from(bytes(), { objectMode: false });
}

/** Bytes of parts together. */
export function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { size }) => sum + size, 0);
}

/** Deletes the received parts of an upload. */
export async function removeParts({ storage }: Context, upload: Upload): Promise<void> {
  for await (const { key } of storage.list(folderOf(upload))) await storage.delete(key);
}

/** Whether anything of it has arrived. */
export async function hasParts(context: Context, upload: Upload): Promise<boolean> {
  return (await partsOf(context, upload)).length > 0;
}

async function partsOf({ storage }: Context, upload: Upload): Promise<Part[]> {
  const all = await Array.fromAsync(storage.list(folderOf(upload)));
  return all.filter(({ key }) => key !== listKey(upload));
}

async function readOrder({ storage }: Context, upload: Upload): Promise<string[] | undefined> {
  const found = await storage.get(listKey(upload));
  return found && (JSON.parse(Buffer.concat(await found.stream.toArray()).toString('utf8')) as string[]);
}

function isAppended({ key }: Part): boolean {
  return /\/at-\d+$/.test(key);
}

function refuse(): never {
  throw new ArtifactError(400, 'Error list chunks');
}
