import { objectOf, textOf } from '../../../../packages/protocol/values.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';

/** Versions of one package that are looked at. */
const MAX_VERSIONS = 50;

/**
 * The names of Maven packages by their ids, with a colon between the group and the artifact. Until Gitea 1.23 there was a hyphen, which both
 * may have in them: which one it is, the POM of a version says.
 */
export async function mavenNames(rows: readonly Row[], batch: Batch): Promise<ReadonlyMap<number, string>> {
  const old = rows.filter((row) => row.text('type') === 'maven' && !row.text('name').includes(':'));
  if (old.length === 0) return new Map();
  const ids = old.map((row) => row.id);
  const versions = Map.groupBy(await batch.source.rowsWith('package_version', 'package_id', ids), (row) => row.integer('package_id'));
  const names = old.flatMap((row) => {
    const name = row.line('name');
    const found = (versions.get(row.id) ?? []).slice(0, MAX_VERSIONS).flatMap((version) => {
      const { group_id: group, artifact_id: artifact } = objectOf(version.json('metadata_json'));
      return `${textOf(group)}-${textOf(artifact)}`.toLowerCase() === name.toLowerCase() ? [`${textOf(group)}:${textOf(artifact)}`] : [];
    });
    if (found.length === 0)
      batch.note(`package ${row.id} (maven ${name})`, 'it has no POM that says where its group ends: clients do not find it');
    return found.slice(0, 1).map((known) => [row.id, known] as const);
  });
  return new Map(names);
}
