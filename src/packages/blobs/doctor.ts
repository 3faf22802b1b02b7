import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Finding } from '../../repositories/doctor/finding.ts';
import type { ListedBlob } from '../../storage/storage.ts';
import { UPLOADS_PREFIX } from '../uploads/parts.ts';
import { isWhole, PACKAGES_PREFIX } from './store.ts';

const BATCH = 500;
/** Bytes that are being uploaded have no row yet. */
const YOUNG_SECONDS = 24 * 60 * 60;

/** Finds contents of packages whose bytes are lost, and bytes that belong to nothing. */
export async function* packageFindings(context: Context): AsyncGenerator<Finding> {
  yield* lostContents(context);
  yield* strayBytes(context, PACKAGES_PREFIX, 'package_blobs');
  yield* strayBytes(context, UPLOADS_PREFIX, 'package_upload_parts');
}

async function* lostContents(context: Context): AsyncGenerator<Finding> {
  for (let after = 0; ; ) {
    const rows = await context.db.selectFrom('package_blobs').selectAll().where('id', '>', after).orderBy('id').limit(BATCH).execute();
    for (const row of rows) {
      if (!(await isWhole(context, row)))
        yield { text: `the content ${row.sha256} of ${await filesWith(context, row.id)} is lost: publish it again` };
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < BATCH) return;
  }
}

async function filesWith({ db }: Context, blobId: number): Promise<string> {
  const files = await db
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .select(['package_files.name as file', 'packages.name', 'package_versions.version', 'packages.type'])
    .where('blob_id', '=', blobId)
    .orderBy('package_files.id')
    .limit(5)
    .execute();
  return files.map(({ type, name, version, file }) => `${type} ${name} ${version} ${file}`).join(', ') || 'no file';
}

async function* strayBytes(context: Context, prefix: string, table: 'package_blobs' | 'package_upload_parts'): AsyncGenerator<Finding> {
  let part: ListedBlob[] = [];
  for await (const blob of context.storage.list(prefix)) {
    if (blob.modified > now() - YOUNG_SECONDS) continue;
    part.push(blob);
    if (part.length < BATCH) continue;
    yield* strayAmong(context, part, table);
    part = [];
  }
  yield* strayAmong(context, part, table);
}

async function* strayAmong(
  context: Context,
  stored: readonly ListedBlob[],
  table: 'package_blobs' | 'package_upload_parts',
): AsyncGenerator<Finding> {
  if (stored.length === 0) return;
  const endOf = ({ key }: ListedBlob) => key.slice(key.lastIndexOf('/') + 1);
  const rows = await context.db.selectFrom(table).select('blob').where('blob', 'in', stored.map(endOf)).execute();
  const known = new Set(rows.map(({ blob }) => blob));
  for (const blob of stored) {
    if (known.has(endOf(blob))) continue;
    yield { text: `${blob.key} in the storage belongs to no package`, fix: () => context.storage.delete(blob.key), removes: true };
  }
}
