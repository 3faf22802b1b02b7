import { type Kysely, sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

const BATCH = 500;
/** No repository: nobody may read its code. */
const UNKNOWN = 0;

interface Row {
  id: number;
  body: string;
}

/**
 * Finds the repositories that commits are of which refer to issues. The first version did not keep them, so their subjects would still be
 * shown to everybody who sees the issue. The link of a reference names the repository; where nothing has that name or had it before, the
 * reference is hidden.
 */
export const commitReferenceSources: SchemaMigration = {
  name: '0207-commit-reference-sources',
  async up({ db }) {
    const sources = new Map<string, number>();
    for (let after = 0; ; ) {
      const { rows } = await sql<Row>`
        select id, body from comments
        where kind = 'commit_ref' and ref_repository_id is null and id > ${after} order by id limit ${BATCH}`.execute(db);
      if (rows.length === 0) return;
      for (const { id, body } of rows) {
        const name = repositoryOf(body);
        const source = sources.get(name) ?? (await sourceOf(db, name));
        sources.set(name, source);
        await sql`update comments set ref_repository_id = ${source} where id = ${id}`.execute(db);
        after = id;
      }
    }
  },
};

/** `owner/name` in small letters, of a link such as `<a href="/owner/name/commit/1f2e…">`. */
function repositoryOf(body: string): string {
  return (/^<a href="[^"]*?([^"/]+\/[^"/]+)\/commit\/[0-9a-f]+"/.exec(body)?.[1] ?? '').toLowerCase();
}

async function sourceOf(db: Kysely<unknown>, fullName: string): Promise<number> {
  const [owner = '', name = ''] = fullName.split('/');
  const { rows } = await sql<{ id: number }>`
    select repository.id from repositories repository join users on users.id = repository.owner_id
    where users.lower_name = ${owner} and repository.lower_name = ${name}
    union all
    select redirect.repository_id from repository_redirects redirect
    where redirect.lower_name = ${name} and redirect.owner_id in (
      select id from users where lower_name = ${owner} union select user_id from user_redirects where lower_name = ${owner})
    union all
    select repository.id from repositories repository join user_redirects redirect on redirect.user_id = repository.owner_id
    where redirect.lower_name = ${owner} and repository.lower_name = ${name}
    limit 1`.execute(db);
  return rows[0]?.id ?? UNKNOWN;
}
