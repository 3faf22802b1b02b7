import type { SchemaMigration } from './schema-kit.ts';

/** Whether a transfer that waits made its recipient a collaborator, which ends with it unless it is accepted. */
export const transferCollaborators: SchemaMigration = {
  name: '0184-transfer-collaborators',
  async up(kit) {
    await kit.addColumn('repository_transfers', 'made_collaborator', 'boolean=false');
  },
};
