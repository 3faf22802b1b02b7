import type { SchemaMigration } from './schema-kit.ts';

/** What went wrong in the background, for administrators. */
export const notices: SchemaMigration = {
  name: '0507-notices',
  phase: 'expand',
  async up(kit) {
    await kit.table('notices', {
      id: 'id',
      kind: 'text',
      subject: 'text',
      text: 'text',
      /** Of kind, subject and text: the same again is one notice. */
      digest: 'text',
      count: 'integer=1',
      created_at: 'time',
      updated_at: 'time',
    });
    await kit.index('notices', ['digest'], { unique: true });
    await kit.index('notices', ['updated_at', 'id']);
  },
};
