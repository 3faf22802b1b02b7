import type { LfsObjectRow } from '../../database/tables/lfs.ts';
import type { LfsPointer } from '../../git/trees/lfs-pointer.ts';
import { findLinked, linkObjects } from '../objects/links.ts';
import { readableObjects } from '../objects/readable.ts';
import { findStored, isWhole } from '../objects/stored.ts';
import { isObject, isPointer } from '../pointer.ts';
import type { LfsTarget } from '../target.ts';
import type { LfsOperation } from '../tokens.ts';

/** The decision about one object of a batch request. */
export interface PlannedObject {
  /** As in the request. */
  readonly oid: string;
  readonly size: number;
  /** Whether it is to be transferred; otherwise the other side has it, or there is an error. */
  readonly transfers: boolean;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Objects whose bytes are checked at the same time. */
const PARALLEL = 16;

/**
 * Decides what is to be transferred. Before an upload, objects that are stored here and that the caller can read elsewhere are linked
 * without an upload. For other objects the response does not reveal whether they are stored.
 * @param objects as in the request, valid or not
 */
export async function planBatch(target: LfsTarget, operation: LfsOperation, objects: readonly unknown[]): Promise<PlannedObject[]> {
  const oids = objects.filter(isPointer).map(({ oid }) => oid);
  const linked = await wholeOnes(target, await findLinked(target.context.db, target.repository.id, oids));
  if (operation === 'download') return objects.map((object) => checked(object, linked) ?? download(object as LfsPointer, linked));
  const added = await linkReadable(
    target,
    oids.filter((oid) => !linked.has(oid)),
  );
  return objects.map(
    (object) => checked(object, linked) ?? upload(target, object as LfsPointer, linked.has(oidOf(object)) || added.has(oidOf(object))),
  );
}

function download({ oid, size }: LfsPointer, linked: ReadonlyMap<string, LfsObjectRow>): PlannedObject {
  if (linked.has(oid)) return { oid, size, transfers: true };
  return { oid, size, transfers: false, error: { code: 404, message: 'Not Found' } };
}

function upload({ context: { settings } }: LfsTarget, { oid, size }: LfsPointer, isThere: boolean): PlannedObject {
  const { maxFileSize } = settings.lfs;
  if (isThere || maxFileSize < 0 || size <= maxFileSize) return { oid, size, transfers: !isThere };
  return { oid, size, transfers: false, error: { code: 422, message: `Size must be less than or equal to ${maxFileSize}` } };
}

/** The error of an object in a request; undefined if it is valid. */
function checked(object: unknown, linked: ReadonlyMap<string, LfsObjectRow>): PlannedObject | undefined {
  if (!isPointer(object)) {
    const size = isObject(object) && typeof object.size === 'number' ? object.size : 0;
    return { oid: oidOf(object), size, transfers: false, error: { code: 422, message: 'Oid or size are invalid' } };
  }
  const { oid, size } = object;
  const known = linked.get(oid);
  if (!known || known.size === size) return undefined;
  return { oid, size, transfers: false, error: { code: 422, message: `Object ${oid} is not ${size} bytes` } };
}

function oidOf(object: unknown): string {
  return isObject(object) && typeof object.oid === 'string' ? object.oid : '';
}

/** Links the objects that the caller can read elsewhere; returns the ids of the linked objects. */
async function linkReadable({ context, repository, mayLink }: LfsTarget, oids: readonly string[]): Promise<Set<string>> {
  if (!mayLink || oids.length === 0) return new Set();
  const stored = await findStored(context.db, oids);
  const readable = await readableObjects(
    context,
    [...stored.values()].map(({ id }) => id),
  );
  const wanted = await wholeOnes({ context }, new Map([...stored].filter(([, { id }]) => readable.has(id))));
  if (wanted.size === 0) return new Set();
  const ids = [...wanted.values()].map(({ id }) => id);
  const linked = await linkObjects(context, repository.id, ids);
  return new Set([...wanted.values()].filter(({ id }) => linked.has(id)).map(({ oid }) => oid));
}

/** Removes objects whose bytes are lost. */
async function wholeOnes({ context }: Pick<LfsTarget, 'context'>, objects: Map<string, LfsObjectRow>): Promise<Map<string, LfsObjectRow>> {
  const waiting = [...objects.values()];
  const worker = async () => {
    for (let object = waiting.pop(); object; object = waiting.pop()) if (!(await isWhole(context, object))) objects.delete(object.oid);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return objects;
}
