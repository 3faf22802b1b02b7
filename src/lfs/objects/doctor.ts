import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { LfsObjectRow } from '../../database/tables/lfs.ts';
import { strayBlobs } from '../../repositories/doctor/blobs.ts';
import type { Finding } from '../../repositories/doctor/finding.ts';
import { findStored, isWhole, LFS_PREFIX, lfsKey } from './stored.ts';

const BATCH = 500;

/** Finds large files without bytes, bytes without a large file, and wrong sizes of repositories. */
export async function* largeFileFindings(context: Context): AsyncGenerator<Finding> {
  yield* lostObjects(context);
  yield* strayBytes(context);
  yield* wrongSizes(context);
}

async function* lostObjects(context: Context): AsyncGenerator<Finding> {
  for (let after = 0; ; ) {
    const rows = await context.db.selectFrom('lfs_objects').selectAll().where('id', '>', after).orderBy('id').limit(BATCH).execute();
    for (const row of rows) if (!(await isWhole(context, row))) yield { text: await lostText(context, row) };
    after = rows.at(-1)?.id ?? after;
    if (rows.length < BATCH) return;
  }
}

async function lostText({ db }: Context, { id, oid, size }: LfsObjectRow): Promise<string> {
  const links = await db
    .selectFrom('lfs_links')
    .select('repository_id')
    .where('object_id', '=', id)
    .orderBy('repository_id')
    .limit(5)
    .execute();
  const ids = links.map(({ repository_id }) => repository_id).join(', ');
  return `the large file ${oid} of ${size} bytes is lost: push it again${ids === '' ? '' : ` to one of the repositories ${ids}`}`;
}

async function* strayBytes(context: Context): AsyncGenerator<Finding> {
  const oidOf = (key: string) => key.slice(LFS_PREFIX.length).replaceAll('/', '').replace(/-.*$/s, '');
  yield* strayBlobs(context, {
    prefix: LFS_PREFIX,
    owned: async ({ db }, keys) => [...(await findStored(db, keys.map(oidOf))).values()].map(lfsKey),
    describe: (key) => `${key} in the storage is not a large file`,
  });
}

async function* wrongSizes({ db }: Context): AsyncGenerator<Finding> {
  const counted = sql`(select coalesce(sum(lfs_objects.size), 0) from lfs_links join lfs_objects on lfs_objects.id = lfs_links.object_id where lfs_links.repository_id = repositories.id)`;
  const { rows } = await sql<{ id: number; lfs_size: number; counted: number }>`
    select id, lfs_size, ${counted} as counted from repositories where lfs_size <> ${counted} order by id`.execute(db);
  for (const { id, lfs_size: stored, counted: real } of rows) {
    yield {
      text: `repositories ${id}: lfs_size is ${stored}, not ${real}`,
      fix: async () => {
        await sql`update repositories set size = size - lfs_size + ${counted}, lfs_size = ${counted} where id = ${id}`.execute(db);
      },
    };
  }
}
