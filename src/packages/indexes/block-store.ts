import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared, preparedIn } from '../../database/prepared.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { PackageBlocksTable } from '../../database/tables/packages.ts';
import type { BlockPart } from './block-parts.ts';
import { type CachedRow, noteStored, readStored, type StoredRows } from './stored-rows.ts';

/** The index of the documents. */
export interface IndexName {
  readonly ownerId: number;
  readonly type: PackageType;
  readonly key: string;
}

/** The stored form of a document's parts. */
export type BlockForm = PackageBlocksTable['form'];

/** A stored part, before its content is read. */
export interface CachedPart {
  readonly id: number;
  /** Bytes before compression. */
  readonly size: number;
  /** Their CRC-32. */
  readonly crc: number;
  /** Bytes of the stored form. */
  readonly stored: number;
}

/** The contents of parts. */
export const readParts = preparedIn((db, ids) =>
  db.selectFrom('package_blocks').select(['id', 'size', 'crc', 'content']).where('id', 'in', ids),
);

/** Unsynced: a part that is lost is built again. */
const insertPart = prepared(
  (
    db,
    ownerId: number,
    type: PackageType,
    key: string,
    document: string,
    form: BlockForm,
    signature: string,
    part: number,
    isLast: boolean,
    size: number,
    crc: number,
    content: Uint8Array,
  ) =>
    db
      .insertInto('package_blocks')
      .values({ owner_id: ownerId, type, key, document, form, signature, part, is_last: isLast, size, crc, content })
      .onConflict((conflict) =>
        conflict.columns(['owner_id', 'type', 'key', 'document', 'form', 'signature', 'part']).doUpdateSet((row) => ({
          is_last: row.ref('excluded.is_last'),
          size: row.ref('excluded.size'),
          crc: row.ref('excluded.crc'),
          content: row.ref('excluded.content'),
        })),
      )
      .returning('id'),
  { isUnsynced: true },
);
/** Bytes that are read ahead. */
const READ_AHEAD = 1024 * 1024;

/** The stored parts of one document, by the signatures of their blocks. */
export class BlockStore {
  readonly #db: Db;
  readonly #where: IndexName & { name: string; form: BlockForm };
  readonly #stored: StoredRows;
  readonly #wanted: string[] = [];
  #ahead = new Map<number, BlockPart>();
  #at = 0;

  private constructor(db: Db, where: IndexName & { name: string; form: BlockForm }, stored: StoredRows) {
    this.#db = db;
    this.#where = where;
    this.#stored = stored;
  }

  /** @param signature leaves out all other blocks */
  static async open(context: Pick<Context, 'db' | 'caches'>, of: { index: IndexName; name: string }, form: BlockForm): Promise<BlockStore> {
    const where = { ...of.index, name: of.name, form };
    return new BlockStore(context.db, where, await readStored(context, where));
  }

  /** Records that a block will be read, in this order. */
  want(signature: string): void {
    this.#wanted.push(signature);
  }

  /** The locations of a block's parts; undefined if it is not stored completely: then it is rebuilt. */
  cached(signature: string): readonly CachedPart[] | undefined {
    const parts = this.#stored.bySignature.get(signature);
    return parts?.at(-1)?.is_last ? parts : undefined;
  }

  /** The parts of a block; undefined if it is not stored, or not any more. */
  async read(signature: string): Promise<readonly BlockPart[] | undefined> {
    const parts = this.cached(signature);
    if (!parts) return undefined;
    if (parts.some(({ id }) => !this.#ahead.has(id))) await this.#readFrom(signature, parts);
    const found = parts.flatMap(({ id }) => this.#ahead.get(id) ?? []);
    return found.length === parts.length ? found : undefined;
  }

  /** Stores the parts of a block while they are built. */
  async *add(signature: string, parts: AsyncIterable<BlockPart>): AsyncGenerator<BlockPart & CachedPart> {
    const rows: CachedRow[] = [];
    const insert = async (part: BlockPart, isLast: boolean) => {
      const made = await this.#insert(signature, rows.length, part, isLast);
      rows.push({ id: made.id, size: made.size, crc: made.crc, stored: made.stored, is_last: isLast });
      return made;
    };
    let last: BlockPart | undefined;
    for await (const part of parts) {
      if (last) yield await insert(last, false);
      last = part;
    }
    if (!last) return;
    const made = await insert(last, true);
    noteStored(this.#stored, signature, rows);
    yield made;
  }

  /**
   * Deletes the blocks that were not wanted.
   * @param removable which of these parts can be deleted, given those that were wanted
   */
  async removeOthers(removable = (unwanted: readonly number[], _wanted: readonly number[]) => unwanted): Promise<void> {
    const wanted = new Set(this.#wanted);
    const idsWhere = (isWanted: boolean) =>
      [...this.#stored.bySignature].flatMap(([signature, parts]) => (wanted.has(signature) === isWanted ? parts.map(({ id }) => id) : []));
    const ids = removable(idsWhere(false), idsWhere(true));
    for (let at = 0; at < ids.length; at += 500) {
      await this.#db
        .deleteFrom('package_blocks')
        .where('id', 'in', ids.slice(at, at + 500))
        .execute();
    }
  }

  async #readFrom(signature: string, parts: readonly CachedPart[]): Promise<void> {
    const ids = parts.map(({ id }) => id);
    let size = parts.reduce((sum, part) => sum + part.size, 0);
    const start = this.#wanted.indexOf(signature, this.#at);
    if (start >= 0) this.#at = start;
    for (let at = start + 1; start >= 0 && size < READ_AHEAD && at < this.#wanted.length; at++) {
      for (const part of this.#stored.bySignature.get(this.#wanted[at] ?? '') ?? []) {
        ids.push(part.id);
        size += part.size;
      }
    }
    // SQLite responds at once: without a pause, hashing a long document would keep the thread from others.
    await nextTurn();
    this.#ahead = new Map((await readParts(this.#db, ids)).map((row) => [row.id, row]));
  }

  async #insert(signature: string, part: number, { size, crc, content }: BlockPart, isLast: boolean): Promise<BlockPart & CachedPart> {
    const { ownerId, type, key, name, form } = this.#where;
    const [made] = await insertPart(this.#db, ownerId, type, key, name, form, signature, part, isLast, size, crc, content);
    if (!made) throw new Error('a part of an index was not stored');
    return { id: made.id, size, crc, stored: content.length, content };
  }
}

/** Deletes the blocks of documents that an index does not have any more. */
export async function retainDocuments(db: Db, { ownerId, type, key }: IndexName, names: readonly string[]): Promise<void> {
  let rows = db.deleteFrom('package_blocks').where('owner_id', '=', ownerId).where('type', '=', type).where('key', '=', key);
  if (names.length > 0) rows = rows.where('document', 'not in', [...names]);
  await rows.execute();
}
