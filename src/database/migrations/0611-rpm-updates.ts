import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/** The few versions of RPM packages that have updates, so that an index finds them without reading the metadata of all. */
export const rpmUpdates: SchemaMigration = {
  name: '0611-rpm-updates',
  phase: 'expand',
  async up({ db }) {
    await sql
      .raw(
        `create index package_versions_updates_idx on package_versions (owner_id, id)
         where type = 'rpm' and replace(metadata, '"updates":', '') <> metadata`,
      )
      .execute(db);
  },
};
