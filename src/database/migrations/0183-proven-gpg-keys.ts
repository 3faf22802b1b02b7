import type { SchemaMigration } from './schema-kit.ts';

/** Whether an OpenPGP key has shown that it belongs to who added it: a subkey that did not can be anybody's. */
export const provenGpgKeys: SchemaMigration = {
  name: '0183-proven-gpg-keys',
  async up(kit) {
    await kit.addColumn('gpg_keys', 'proven', 'boolean=true');
  },
};
