import { objectOf, textOf } from '../../../../packages/protocol/values.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';

/**
 * The names of Maven packages by id, with a colon between the group and the artifact. Until Gitea 1.23 it was a hyphen, which both parts
 * may contain: the POM of a version shows which one it is.
 */
export async function mavenNames(rows: readonly Row[], batch: Batch): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  for (const row of rows) {
    if (row.text('type') !== 'maven' || row.text('name').includes(':')) continue;
    const name = row.line('name');
    // One package at a time: the metadata of all versions of many packages would be large.
    const versions = await batch.source.rowsWith('package_version', 'package_id', [row.id]);
    const known = versions.map(nameInPom).find((found) => found.replace(':', '-').toLowerCase() === name.toLowerCase());
    if (known !== undefined) names.set(row.id, known);
    else batch.note(`package ${row.id} (maven ${name})`, 'it has no POM that says where its group ends: clients do not find it');
  }
  return names;
}

function nameInPom(version: Row): string {
  const { group_id: group, artifact_id: artifact } = objectOf(version.json('metadata_json'));
  return `${textOf(group)}:${textOf(artifact)}`;
}
