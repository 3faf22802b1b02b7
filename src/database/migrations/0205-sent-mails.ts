import type { SchemaMigration } from './schema-kit.ts';

/** The mails of the last hour, so that their limit holds for the instance and over restarts; each process counted its own before. */
export const sentMails: SchemaMigration = {
  name: '0205-sent-mails',
  async up(kit) {
    await kit.table('sent_mails', { id: 'id', sent_at: 'integer', recipient_hash: 'text', is_account: 'boolean' });
    await kit.index('sent_mails', ['sent_at']);
    await kit.index('sent_mails', ['is_account', 'sent_at']);
    await kit.index('sent_mails', ['recipient_hash', 'sent_at']);
  },
};
