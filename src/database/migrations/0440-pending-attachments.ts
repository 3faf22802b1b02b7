import type { SchemaMigration } from './schema-kit.ts';

/** Files that belong to no text yet are counted by user. */
export const pendingAttachments: SchemaMigration = {
  name: '0440-pending-attachments',
  phase: 'expand',
  async up(kit) {
    await kit.index('attachments', ['uploader_id'], { where: 'issue_id is null and release_id is null' });
  },
};
