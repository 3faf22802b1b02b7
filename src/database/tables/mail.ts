import type { Generated } from 'kysely';

/** The mails of the last hour, where their number is limited. */
export interface SentMailsTable {
  id: Generated<number>;
  /** Milliseconds of the database's clock. */
  sent_at: number;
  /** SHA-256 of the address in small letters: who was written to is nobody's business. */
  recipient_hash: string;
  is_account: boolean;
}

export interface MailTables {
  sent_mails: SentMailsTable;
}
