import type { SchemaMigration } from './schema-kit.ts';

/** In which order the members of an organization joined, for pages of their list. Those from before have no order. */
export const memberOrder: SchemaMigration = {
  name: '0613-member-order',
  phase: 'expand',
  async up(kit) {
    await kit.addColumn('organization_members', 'position', 'integer=0');
    await kit.index('organization_members', ['organization_id', 'position', 'user_id']);
  },
};
