import type { SchemaMigration } from './schema-kit.ts';

/** What requests signed with an SSH key may do: no more than the token that added the key. */
export const keyScopes: SchemaMigration = {
  name: '0182-key-scopes',
  async up(kit) {
    await kit.addColumn('ssh_keys', 'scope', 'text?');
  },
};
