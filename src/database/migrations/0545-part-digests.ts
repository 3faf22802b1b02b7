import type { SchemaMigration } from './schema-kit.ts';

/** The digests of the first part of an upload: where it is the only one, its bytes are not read again. */
export const partDigests: SchemaMigration = {
  name: '0545-part-digests',
  phase: 'expand',
  async up(kit) {
    await kit.addColumn('package_upload_parts', 'digests', 'text?');
  },
};
