import type { Subject } from '../../../../packages/registry/properties.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';
import { propertyValue } from './metadata/properties.ts';
import { importedPackages, importedVersions } from './packages.ts';

/** The object of a property, by Gitea's number (models/packages/package_property.go, `PropertyType`). */
const SUBJECTS: readonly Subject[] = ['version', 'file', 'package'];
const NPM_TAG = 'npm.tag';
/** Length limit of a tag in characters. */
const MAX_TAG = 255;

/** Properties of packages and versions; those of files are imported with the files. */
export const packageProperties: Step = {
  name: 'properties of packages',
  table: 'package_property',
  run: async (rows, batch) => {
    const idsOf = (subject: Subject) => rows.flatMap((row) => (subjectOf(row) === subject ? [row.integer('ref_id')] : []));
    const packages = await importedPackages(batch, idsOf('package'));
    const versions = await importedVersions(batch, idsOf('version'));
    for (const row of rows) {
      const id = row.integer('ref_id');
      const [name, value] = [row.line('name'), row.text('value')];
      const version = subjectOf(row) === 'version' ? versions.get(id) : undefined;
      const found = version ?? (subjectOf(row) === 'package' ? packages.get(id) : undefined);
      if (version?.type === 'npm' && name === NPM_TAG) {
        // Here they belong to the package.
        addProperty(batch, 'package', version.package_id, `${NPM_TAG}.${value.slice(0, MAX_TAG)}`, version.version);
        continue;
      }
      const subject = version ? 'version' : 'package';
      const read = found && propertyValue(found.type, subject, name, value);
      if (found && read !== undefined) addProperty(batch, subject, found.id, name, read);
    }
  },
};

/** The object of a property of Gitea. */
export function subjectOf(row: Row): Subject | undefined {
  return SUBJECTS[row.integer('ref_type', -1)];
}

/** Adds a property to the target. */
export function addProperty(batch: Batch, subject: Subject, id: number, name: string, value: string): void {
  const none = { package_id: null, version_id: null, file_id: null };
  batch.add('package_properties', { ...none, [`${subject}_id`]: id, name, value });
}
