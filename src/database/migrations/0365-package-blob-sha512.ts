import type { SchemaMigration } from './schema-kit.ts';

/** Contents are found by their SHA-512, too: images of containers may name them by it. */
export const packageBlobSha512: SchemaMigration = {
  name: '0365-package-blob-sha512',
  async up(kit) {
    await kit.index('package_blobs', ['sha512']);
  },
};
