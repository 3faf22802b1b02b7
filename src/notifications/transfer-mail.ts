import { findRepository, type Repository } from '../access/find-repository.ts';
import { findUserById, findUsersById } from '../access/find-user.ts';
import { fullName } from '../access/requirements.ts';
import { htmlUrl } from '../accounts/users/present.ts';
import { type Context, inTransaction } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { StoredEvent } from '../events/events.ts';
import { type Mail, queueMail } from '../mail/mail.ts';
import { repositoryHtmlUrl } from '../repositories/urls.ts';
import { escapeHtml } from '../text/escape-html.ts';
import { peopleHeaders, repositoryHeaders } from './mail-headers.ts';
import { sends, wantsMail } from './mail-preferences.ts';
import { recipientsOfTransfer } from './notify.ts';

/** Mails those who can take over a repository that it waits for them; all or none, so a retry mails nobody twice. */
export async function mailOfTransfer({ payload }: StoredEvent<'repository.transfer-started'>, context: Context): Promise<void> {
  if (!sends(context)) return;
  const repository = await findRepository(context.db, payload.repositoryId);
  const [actor, recipient] = [await findUserById(context.db, payload.actorId), await findUserById(context.db, payload.recipientId)];
  if (!repository || !actor || !recipient) return;
  const users = await findUsersById(context.db, await recipientsOfTransfer(context, recipient.id));
  const hearing = [...users.values()].filter((user) => user.id !== actor.id && wantsMail(user, { isActor: false, isMentioned: true }));
  const mails = hearing.map((user) => write(context, repository, { actor, recipient, user }));
  await inTransaction(context, async (context) => {
    for (const mail of mails) await queueMail(context, mail);
  });
}

function write(context: Context, repository: Repository, { actor, recipient, user }: Record<'actor' | 'recipient' | 'user', User>): Mail {
  const [name, page] = [fullName(repository), repositoryHtmlUrl(context.settings, repository)];
  const whom = user.id === recipient.id ? 'you' : recipient.name;
  const told = `${actor.full_name || actor.name} wants to transfer ${name} to ${whom}`;
  const link = (url: string) => `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;
  return {
    to: user.email,
    sender: actor.full_name || actor.name,
    subject: told,
    text: `${told} (${htmlUrl(context, actor)}).\nAccept or reject it there:\n\n${page}\n`,
    html: `<p>${escapeHtml(told)} (${link(htmlUrl(context, actor))}).<br>Accept or reject it there:</p>\n<p>${link(page)}</p>\n`,
    headers: { ...repositoryHeaders(context, repository), ...peopleHeaders(actor, user, 'transfer') },
  };
}
