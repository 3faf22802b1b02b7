import type { SchemaMigration } from './schema-kit.ts';

/** Searches show repositories by name, over all owners. */
export const repositoryNames: SchemaMigration = {
  name: '0150-repository-names',
  async up(kit) {
    await kit.index('repositories', ['name', 'id']);
  },
};
