import type { PackageType } from '../../../../database/tables/package-types.ts';
import { objectOf, textOf } from '../../../../packages/protocol/values.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';
import { VERSION_METADATA } from './metadata/versions.ts';
import { importedPackages } from './packages.ts';

/** Types of packages whose formats store no metadata for some versions. */
const MAY_HAVE_NONE: readonly PackageType[] = ['conan', 'container', 'generic', 'go', 'maven', 'terraform'];

/** Versions of packages with their metadata. */
export const packageVersions: Step = {
  name: 'versions of packages',
  table: 'package_version',
  batchSize: 100,
  run: async (rows, batch) => {
    const packages = await importedPackages(
      batch,
      rows.map((row) => row.integer('package_id')),
    );
    const users = await batch.existingOf('users', rows, 'creator_id');
    for (const row of rows) {
      const found = packages.get(row.integer('package_id'));
      if (found === undefined) continue;
      const version = row.line('version');
      batch.add('package_versions', {
        id: row.id,
        package_id: found.id,
        owner_id: found.owner_id,
        type: found.type,
        creator_id: users.has(row.integer('creator_id')) ? row.integer('creator_id') : null,
        version,
        lower_version: version.toLowerCase(),
        is_internal: row.flag('is_internal'),
        metadata: metadataOf(row, found.type, batch),
        download_count: Math.max(0, row.integer('download_count')),
        created_at: row.time('created_unix'),
      });
      addReadme(row, found.type, batch);
    }
  },
};

/** The metadata as JSON. */
function metadataOf(row: Row, type: PackageType, batch: Batch): string {
  const given = row.text('metadata_json');
  const read = row.json('metadata_json');
  if (read === undefined && given !== '') {
    const subject = `version ${row.id} (${row.line('version', 100)}) of package ${row.integer('package_id')}`;
    batch.note(subject, 'what Gitea notes of it cannot be read: lists show its name and files alone');
  }
  return read === null && MAY_HAVE_NONE.includes(type) ? 'null' : JSON.stringify(VERSION_METADATA[type](read));
}

/** The readme of a Dart package, which is a property here: lists read the metadata of all versions. */
function addReadme(row: Row, type: PackageType, batch: Batch): void {
  const readme = type === 'pub' ? textOf(objectOf(row.json('metadata_json')).readme) : '';
  if (readme === '') return;
  batch.add('package_properties', { package_id: null, version_id: row.id, file_id: null, name: 'pub.readme', value: readme });
}
