import type { Generated } from 'kysely';

/** Mails sent within the last hour, where their number is limited. */
export interface SentMailsTable {
  id: Generated<number>;
  /** Milliseconds of the database's clock. */
  sent_at: number;
  /** SHA-256 of the e-mail address in lower case: recipients are private. */
  recipient_hash: string;
  is_account: boolean;
}

export interface MailTables {
  sent_mails: SentMailsTable;
}
