import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/** Of which runs of workflows an account is mailed. Who wanted no mails at all was mailed of none. */
export const runMails: SchemaMigration = {
  name: '0512-run-mails',
  phase: 'expand',
  async up(kit) {
    await kit.addColumn('users', 'run_mails', 'text=failure-only');
    await sql`update users set run_mails = 'disabled' where email_notifications = 'disabled'`.execute(kit.db);
  },
};
