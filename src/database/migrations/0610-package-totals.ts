import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/**
 * The bytes of all files of an owner's packages, and the number of its versions, kept by triggers, so that limits need not add up all
 * files. SQLite has one row for each owner. In PostgreSQL publications would wait for each other's row, so each change adds a row of its
 * own, and now and then those that nobody holds are folded into one.
 */
export const packageTotals: SchemaMigration = {
  name: '0610-package-totals',
  phase: 'expand',
  async up(kit) {
    const isSqlite = kit.dialect === 'sqlite';
    await kit.table(
      'package_totals',
      { ...(!isSqlite && { id: 'id' }), owner_id: 'ref:users', size: 'integer=0', versions: 'integer=0' },
      isSqlite ? { primaryKey: ['owner_id'] } : {},
    );
    if (!isSqlite) {
      await kit.index('package_totals', ['owner_id']);
      await sql.raw(ADD_IN_POSTGRES).execute(kit.db);
    }
    const add = isSqlite ? addInSqlite : addInPostgres;
    // Triggers first: in PostgreSQL they wait for the writers, of whom the sums below would miss what is not committed.
    await kit.trigger('package_totals_file_begin', 'after insert on package_files', add(sizeOf('new')));
    await kit.trigger('package_totals_file_end', 'after delete on package_files', add(sizeOf('old', '-')));
    await kit.trigger('package_totals_version_begin', 'after insert on package_versions', add(oneOf('new')));
    // Files go after their version, and find no owner any more: they are taken off before.
    await kit.trigger('package_totals_version_end', 'before delete on package_versions', add(oneOf('old', '-')));
    await sql.raw(FILL).execute(kit.db);
  },
};

const SHOWN = 'case when is_internal then 0 else 1 end';

const sizeOf = (row: string, sign = '') => `select package_versions.owner_id, ${sign}package_blobs.size as size, 0 as versions
  from package_versions, package_blobs where package_versions.id = ${row}.version_id and package_blobs.id = ${row}.blob_id`;
const oneOf = (row: string, sign = '') => `select ${row}.owner_id, ${sign}(select coalesce(sum(package_blobs.size), 0)
  from package_files join package_blobs on package_blobs.id = package_files.blob_id
  where package_files.version_id = ${row}.id) as size, ${sign}${SHOWN.replace('is_internal', `${row}.is_internal`)} as versions`;

// What goes with its owner is not taken off: the totals go as well.
const addInSqlite = (change: string) => `insert into package_totals (owner_id, size, versions)
  select owner_id, size, versions from (${change}) as change where exists (select 1 from users where id = owner_id)
  on conflict (owner_id) do update set size = package_totals.size + excluded.size, versions = package_totals.versions + excluded.versions;`;
const addInPostgres = (change: string) =>
  `perform add_package_totals(change.owner_id, change.size::bigint, change.versions) from (${change}) as change;`;

// The insertion holds the owner's row before the folding holds others: so does the deletion of an owner.
const ADD_IN_POSTGRES = `create function add_package_totals(owner bigint, more_bytes bigint, more_versions bigint) returns void language plpgsql as $$ begin
  if (more_bytes = 0 and more_versions = 0) or not exists (select 1 from users where id = owner) then return; end if;
  insert into package_totals (owner_id, size, versions) values (owner, more_bytes, more_versions);
  if random() < 0.01 then
    with folded as (
      delete from package_totals where id in (select id from package_totals where owner_id = owner for update skip locked) returning size, versions
    )
    insert into package_totals (owner_id, size, versions)
      select owner, sum(size), sum(versions) from folded having sum(size) <> 0 or sum(versions) <> 0;
  end if;
end $$`;

const FILL = `insert into package_totals (owner_id, size, versions)
  select owner_id, sum(size), sum(versions) from (
    select owner_id, 0 as size, ${SHOWN} as versions from package_versions
    union all
    select package_versions.owner_id, package_blobs.size, 0 from package_files
      join package_versions on package_versions.id = package_files.version_id
      join package_blobs on package_blobs.id = package_files.blob_id
  ) as parts group by owner_id`;
