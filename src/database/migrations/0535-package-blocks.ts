import type { SchemaMigration } from './schema-kit.ts';

/** The parts of documents that list packages: of a document only those are rebuilt in which something has changed. */
export const packageBlocks: SchemaMigration = {
  name: '0535-package-blocks',
  phase: 'expand',
  async up(kit) {
    await kit.table('package_blocks', {
      id: 'id',
      owner_id: 'ref:users',
      type: 'text',
      key: 'text',
      document: 'text',
      form: 'text',
      signature: 'text',
      part: 'integer',
      is_last: 'boolean',
      size: 'integer',
      crc: 'integer',
      content: 'bytes',
    });
    await kit.index('package_blocks', ['owner_id', 'type', 'key', 'document', 'form', 'signature', 'part'], { unique: true });
  },
};
