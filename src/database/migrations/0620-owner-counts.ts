import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/**
 * A change of an owner's visibility goes through its repositories once: in SQLite it counted them anew for each of the 32 kinds, twice. And
 * the administrators are found without reading all accounts.
 */
export const ownerCounts: SchemaMigration = {
  name: '0620-owner-counts',
  phase: 'expand',
  async up(kit) {
    await sql`create index users_administrators_idx on users (id) where is_admin`.execute(kit.db);
    if (kit.dialect === 'postgres') return;
    for (const statement of countedOnce) await sql.raw(statement).execute(kit.db);
  },
};

const KINDS = ['is_private', 'is_template', 'is_archived', 'is_mirror', 'is_fork'];

/** For the count of each kind of the owner's repositories. */
const forEachKind = (change: string, kept: string) => `update repository_counts set count = repository_counts.count ${change}
  from (select is_private, is_template, is_archived, is_mirror, fork_id is not null as is_fork, count(*) as count
    from repositories where owner_id = old.id and state = 'ready' group by 1, 2, 3, 4, 5) as own
  where ${kept} and ${KINDS.map((kind) => `repository_counts.${kind} = own.${kind}`).join(' and ')};`;

const isOld = '(type = old.type and visibility = old.visibility)';
const isNew = '(type = new.type and visibility = new.visibility)';

const countedOnce = [
  'drop trigger repository_counts_owner',
  `create trigger repository_counts_owner after update of type, visibility on users
     when old.type <> new.type or old.visibility <> new.visibility
     begin ${forEachKind(`+ case when ${isOld} then -own.count else own.count end`, `(${isOld} or ${isNew})`)} end`,
  'drop trigger repository_counts_owner_end',
  `create trigger repository_counts_owner_end before delete on users begin ${forEachKind('- own.count', isOld)} end`,
];
