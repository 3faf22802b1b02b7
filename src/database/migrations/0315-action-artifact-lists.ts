import type { SchemaMigration } from './schema-kit.ts';

/** Lists of the artifacts of a repository. */
export const actionArtifactLists: SchemaMigration = {
  name: '0315-action-artifact-lists',
  async up(kit) {
    await kit.index('action_artifacts', ['repository_id', 'id']);
  },
};
