import type { PackageBlobRow } from '../../../../database/tables/packages.ts';
import { readBlob } from '../../../../packages/blobs/content.ts';
import { ContainerError } from '../../../../packages/container/errors.ts';
import { MAX_MANIFEST, readManifest } from '../../../../packages/container/manifest.ts';
import { descriptorOf } from '../../../../packages/container/referrers.ts';
import { MANIFEST_FILE } from '../../../../packages/container/store-manifest.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';
import { importBlob } from './blobs.ts';
import { propertyValue } from './metadata/properties.ts';
import { importedVersions } from './packages.ts';
import { addProperty, subjectOf } from './properties.ts';

/** Length limit of a file's composite key in characters. */
const MAX_KEY = 500;

/** Files of packages with their contents and properties. */
export const packageFiles: Step = {
  name: 'files of packages',
  table: 'package_file',
  batchSize: 50,
  run: async (rows, batch) => {
    const versions = await importedVersions(
      batch,
      rows.map((row) => row.integer('version_id')),
    );
    const blobIds = rows.map((row) => row.integer('blob_id'));
    const blobs = new Map((await batch.source.rowsWith('package_blob', 'id', blobIds)).map((blob) => [blob.id, blob]));
    const properties = await propertiesOf(rows, batch);
    for (const row of rows) {
      const version = versions.get(row.integer('version_id'));
      const blob = version && (await importBlob(row, blobs.get(row.integer('blob_id')), batch));
      if (version === undefined || blob === undefined) continue;
      const name = row.line('name');
      batch.add('package_files', {
        id: row.id,
        version_id: version.id,
        blob_id: blob.id,
        name,
        lower_name: name.toLowerCase(),
        composite_key: row.line('composite_key', MAX_KEY),
        is_lead: row.flag('is_lead'),
        created_at: row.time('created_unix'),
      });
      for (const property of properties.get(row.id) ?? []) {
        const value = propertyValue(version.type, 'file', property.line('name'), property.text('value'));
        if (value !== undefined) addProperty(batch, 'file', row.id, property.line('name'), value);
      }
      if (version.type === 'container' && name === MANIFEST_FILE) await addReferrer(blob, version.id, batch);
    }
  },
};

async function propertiesOf(rows: readonly Row[], batch: Batch): Promise<ReadonlyMap<number, readonly Row[]>> {
  const ids = rows.map((row) => row.id);
  const found = (await batch.source.rowsWith('package_property', 'ref_id', ids)).filter((row) => subjectOf(row) === 'file');
  return Map.groupBy(
    found.toSorted((a, b) => a.id - b.id),
    (row) => row.integer('ref_id'),
  );
}

/** Indexes a manifest by the one that it refers to. Gitea does not store these references. */
async function addReferrer(blob: PackageBlobRow, versionId: number, batch: Batch): Promise<void> {
  if (blob.size > MAX_MANIFEST) return;
  try {
    const manifest = readManifest(await readBlob(batch.context, blob, MAX_MANIFEST), '');
    const properties = Object.entries(descriptorOf(manifest, `sha256:${blob.sha256}`, blob.size));
    for (const [name, value] of properties) addProperty(batch, 'version', versionId, name, String(value));
  } catch (error) {
    if (!(error instanceof ContainerError)) throw error;
  }
}
