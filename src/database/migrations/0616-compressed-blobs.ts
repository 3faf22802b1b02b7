import type { SchemaMigration } from './schema-kit.ts';

/** The compressed form of a content, for clients that accept it: a content of its own, of those of upstreams. */
export const compressedBlobs: SchemaMigration = {
  name: '0616-compressed-blobs',
  phase: 'expand',
  async up(kit) {
    await kit.table(
      'package_compressed_blobs',
      { blob_id: 'ref:package_blobs', gzip_blob_id: 'ref:package_blobs' },
      { primaryKey: ['blob_id'] },
    );
    await kit.index('package_compressed_blobs', ['gzip_blob_id']);
  },
};
