import type { Context } from '../../context.ts';
import { strayBlobs } from '../../repositories/doctor/blobs.ts';
import type { Finding } from '../../repositories/doctor/finding.ts';
import { UPLOADS_PREFIX } from '../uploads/parts.ts';
import { isWhole, PACKAGES_PREFIX } from './content.ts';

const BATCH = 500;

/** Finds contents of packages whose bytes are missing, and bytes without a row. */
export async function* packageFindings(context: Context): AsyncGenerator<Finding> {
  yield* lostContents(context);
  yield* strayBytes(context, PACKAGES_PREFIX, ['package_blobs', 'package_upload_parts']);
  yield* strayBytes(context, UPLOADS_PREFIX, ['package_upload_parts']);
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

async function* strayBytes(
  context: Context,
  prefix: string,
  tables: readonly ('package_blobs' | 'package_upload_parts')[],
): AsyncGenerator<Finding> {
  yield* strayBlobs(context, {
    prefix,
    owned: async ({ db }, keys) => {
      const ends = new Map(keys.map((key) => [key.slice(key.lastIndexOf('/') + 1), key]));
      const owned: string[] = [];
      // Parts first: one that becomes a content meanwhile is in one of them.
      for (const table of tables.toReversed()) {
        const rows = await db
          .selectFrom(table)
          .select('blob')
          .where('blob', 'in', [...ends.keys()])
          .execute();
        owned.push(...rows.map(({ blob }) => ends.get(blob) ?? ''));
      }
      return owned;
    },
    describe: (key) => `${key} in the storage belongs to no package`,
  });
}
