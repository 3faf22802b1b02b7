import type { Repository } from '../access/find-repository.ts';
import type { RepositoryAccess } from '../access/repository-access.ts';
import { type Context, inTransaction } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { StoredEvent } from '../events/events.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { type Mail, queueMail } from '../mail/mail.ts';
import { type Receiver, receiversIn } from './receivers.ts';

/** The mails of an event: the receivers and the content. */
export interface Mailing {
  readonly repository: Repository;
  /** Possible receivers. */
  candidates(): Promise<Iterable<number>>;
  mayRead(access: RepositoryAccess): boolean;
  wants(user: User): boolean;
  write(receiver: Receiver): Promise<Mail>;
}

/** Receivers of one job. */
const RECEIVERS = 100;
/** Characters of the mails that one job writes; the rest of its receivers get a job of their own. */
const MAX_WRITTEN = 8 * 1024 * 1024;

/** An event in the payload of a job. */
type JobEvent = Jobs['notifications.mail']['event'];

/**
 * Mails an event to its receivers. A few are mailed at once, more by jobs for a part each; all jobs or none, so a retry mails
 * nobody twice.
 */
export async function mailAll(context: Context, event: StoredEvent, mailing: Mailing): Promise<void> {
  const userIds: number[] = [];
  for await (const batch of receiversIn(context, mailing.repository, await mailing.candidates())) {
    for (const { user, access } of batch) if (mailing.wants(user) && mailing.mayRead(access)) userIds.push(user.id);
  }
  if (userIds.length <= RECEIVERS) return mailSome(context, event, mailing, userIds);
  await inTransaction(context, async (context) => {
    for (let at = 0; at < userIds.length; at += RECEIVERS) {
      await context.jobs.add(context, 'notifications.mail', { event: jobEvent(event), userIds: userIds.slice(at, at + RECEIVERS) });
    }
  });
}

/** Mails an event to these users as far as they want it; all of them or none. */
export async function mailSome(context: Context, event: StoredEvent, mailing: Mailing, userIds: readonly number[]): Promise<void> {
  const mails: Mail[] = [];
  const left: number[] = [];
  let written = 0;
  for await (const batch of receiversIn(context, mailing.repository, userIds)) {
    for (const { user, access } of batch) {
      if (!mailing.wants(user) || !mailing.mayRead(access)) continue;
      if (written > MAX_WRITTEN) {
        left.push(user.id);
        continue;
      }
      const mail = await mailing.write({ user, access });
      written += mail.text.length + (mail.html?.length ?? 0);
      mails.push(mail);
    }
  }
  await inTransaction(context, async (context) => {
    for (const mail of mails) await queueMail(context, mail);
    if (left.length > 0) await context.jobs.add(context, 'notifications.mail', { event: jobEvent(event), userIds: left });
  });
}

function jobEvent({ id, type, payload, createdAt }: StoredEvent): JobEvent {
  return { id, type, payload, createdAt };
}
