import { PACKAGE_TYPES, type PackageType } from '../../../../database/tables/package-types.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';
import { mavenNames } from './maven-names.ts';

/** Packages of all types. Gitea's internal packages of indexes are left out: the indexes are rebuilt here. */
export const packages: Step = {
  name: 'packages',
  table: 'package',
  run: async (rows, batch) => {
    const owners = await batch.existingOf('users', rows, 'owner_id');
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    const names = await mavenNames(rows, batch);
    const isForgejo = await batch.source.has('forgejo_version');
    for (const row of rows) {
      const name = names.get(row.id) ?? row.line('name');
      const type = typeOf(row);
      if (!owners.has(row.integer('owner_id')) || row.flag('is_internal')) continue;
      const isKnown = type !== undefined && !(isForgejo && type === 'arch');
      if (!isKnown) {
        const reason = type
          ? 'Forgejo notes packages of this type in another way: publish it again'
          : 'packages of this type are not known here: it is left out';
        batch.note(`package ${row.id} (${row.line('type', 20)} ${name})`, reason);
        continue;
      }
      batch.add('packages', {
        id: row.id,
        owner_id: row.integer('owner_id'),
        repository_id: repositories.has(row.integer('repo_id')) ? row.integer('repo_id') : null,
        type,
        name,
        lower_name: name.toLowerCase(),
        semver_compatible: row.flag('semver_compatible'),
        // The end of the import replaces it with the time of the first version.
        created_at: 0,
      });
    }
  },
};

/** The type of a package, or of a rule's packages. */
export function typeOf(row: Row): PackageType | undefined {
  return PACKAGE_TYPES.find((type) => type === row.text('type'));
}

/** The imported packages with these ids, by id. */
export async function importedPackages(batch: Batch, ids: readonly number[]) {
  const found = await batch.context.db
    .selectFrom('packages')
    .select(['id', 'owner_id', 'type'])
    .where('id', 'in', [0, ...new Set(ids)])
    .execute();
  return new Map(found.map((row) => [row.id, row]));
}

/** The imported versions with these ids, by id. */
export async function importedVersions(batch: Batch, ids: readonly number[]) {
  const found = await batch.context.db
    .selectFrom('package_versions')
    .select(['id', 'package_id', 'owner_id', 'type', 'version'])
    .where('id', 'in', [0, ...new Set(ids)])
    .execute();
  return new Map(found.map((row) => [row.id, row]));
}
