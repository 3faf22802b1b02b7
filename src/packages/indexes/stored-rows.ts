import { sql } from 'kysely';
import { cachePerServer } from '../../caches/recently-used.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { PackageBlocksTable } from '../../database/tables/packages.ts';

/** A document of an index in one of its forms. */
export interface StoredDocument {
  readonly ownerId: number;
  readonly type: PackageType;
  readonly key: string;
  readonly name: string;
  readonly form: PackageBlocksTable['form'];
}

/** A stored part without its content. */
export interface CachedRow {
  readonly id: number;
  /** Bytes before compression. */
  readonly size: number;
  /** Their CRC-32. */
  readonly crc: number;
  /** Bytes of the stored form. */
  readonly stored: number;
  readonly is_last: boolean;
}

/** The stored parts of a document, by the signatures of their blocks; and how many they are, and the sum of their ids. */
export interface StoredRows {
  readonly bySignature: Map<string, readonly CachedRow[]>;
  count: number;
  ids: number;
}

/** Size limit of what a process remembers in bytes, and what that is for one part. */
const [MAX_BYTES, ROW_BYTES] = [8 * 1024 * 1024, 250];

const rowsIn = cachePerServer<StoredRows>(MAX_BYTES);

const sums = prepared((db, ...of: Values) =>
  ofDocument(db, of).select(({ fn }) => [fn.countAll<number | string>().as('count'), fn.sum<number | string | null>('id').as('ids')]),
);
const rows = prepared((db, ...of: Values) =>
  ofDocument(db, of)
    .select(['id', 'signature', 'is_last', 'size', 'crc', sql<number>`length(content)`.as('stored')])
    .orderBy('signature')
    .orderBy('part'),
);

type Values = [ownerId: number, type: PackageType, key: string, name: string, form: StoredDocument['form']];

function ofDocument(db: Db, [ownerId, type, key, name, form]: Values) {
  return db
    .selectFrom('package_blocks')
    .where('owner_id', '=', ownerId)
    .where('type', '=', type)
    .where('key', '=', key)
    .where('document', '=', name)
    .where('form', '=', form);
}

/** The stored parts of a document. This process remembers them: how many there are, and their ids, say whether others have come or gone. */
export async function readStored({ db, caches }: Pick<Context, 'db' | 'caches'>, of: StoredDocument): Promise<StoredRows> {
  const values: Values = [of.ownerId, of.type, of.key, of.name, of.form];
  const known = db.isTransaction ? undefined : rowsIn({ caches }).get(JSON.stringify(values));
  if (known) {
    const [found] = await sums(db, ...values);
    if (Number(found?.count) === known.count && Number(found?.ids) === known.ids) return known;
  }
  const found = await rows(db, ...values);
  const ids = found.reduce((sum, { id }) => sum + id, 0);
  const read = { bySignature: Map.groupBy(found, ({ signature }) => signature), count: found.length, ids };
  if (!db.isTransaction) rowsIn({ caches }).set(JSON.stringify(values), read, found.length * ROW_BYTES);
  return read;
}

/** Remembers the parts of a block that were stored. */
export function noteStored(stored: StoredRows, signature: string, parts: readonly CachedRow[]): void {
  const before = stored.bySignature.get(signature) ?? [];
  stored.bySignature.set(signature, parts);
  stored.count += parts.length - before.length;
  stored.ids += parts.reduce((sum, { id }) => sum + id, 0) - before.reduce((sum, { id }) => sum + id, 0);
}
