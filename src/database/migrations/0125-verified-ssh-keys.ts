import type { SchemaMigration } from './schema-kit.ts';

/** Whether the user of an SSH key has proved to have it: only then do its signatures of commits count. */
export const verifiedSshKeys: SchemaMigration = {
  name: '0125-verified-ssh-keys',
  async up(kit) {
    await kit.addColumn('ssh_keys', 'verified', 'boolean=false');
  },
};
