import { findUserById } from '../accounts/find.ts';
import { type Context, inTransaction } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { StoredEvent } from '../events/event-log.ts';
import { fullName } from '../http/requirements.ts';
import { issueHtmlUrl } from '../issues/addresses.ts';
import type { Issue } from '../issues/find.ts';
import { queueMail } from '../mail/mail.ts';
import { markupContext } from '../markup/api/lookups.ts';
import { renderMarkdown } from '../markup/markup.ts';
import { repositoryAccess } from '../repositories/access.ts';
import { repositoryHtmlUrl } from '../repositories/addresses.ts';
import type { IssueNews } from './notify.ts';
import { askedForReview, followersOf, issueInNews, receivers } from './receivers.ts';
import { reviewNews } from './review-news.ts';

/** One piece of news as its mails tell it. */
interface News {
  issue: Issue;
  doer: User;
  /** The row of the timeline that it is, if it is not the opening of the issue. */
  commentId?: number | undefined;
  /** What the doer did, after the name. */
  deed: string;
  /** Markdown. */
  body: string;
}

/** Mails news of an issue to those who follow it and to those whom it mentions, as they want it. */
export async function mailOfIssue({ type, payload }: StoredEvent<IssueNews>, context: Context): Promise<void> {
  const news = await newsOf(context, type, payload);
  if (!news) return;
  const mentioned = new Set('mentions' in payload ? payload.mentions : []);
  const followers = await followersOf(context, news.issue, { isNew: type === 'issue.opened' });
  const hearing = await receivers(context, news.issue, [...followers, ...mentioned, payload.doerId]);
  await mailTo(
    context,
    news,
    hearing.filter((user) => wantsMail(user, { isDoer: user.id === payload.doerId, isMentioned: mentioned.has(user.id) })),
    (user) => (mentioned.has(user.id) ? 'mention' : user.id === news.issue.author_id ? 'author' : 'subscribed'),
  );
}

/** Mails somebody who has been made responsible for an issue. */
export async function mailAssignee({ payload }: StoredEvent<'issue.assigned'>, context: Context): Promise<void> {
  if (payload.assigneeId === payload.doerId || !sends(context)) return;
  const [issue, doer] = [await issueInNews(context, payload.issueId), await findUserById(context.db, payload.doerId)];
  if (!issue || !doer) return;
  const hearing = await receivers(context, issue, [payload.assigneeId]);
  const news = { issue, doer, commentId: payload.commentId, deed: 'assigned you to this', body: '' };
  await mailTo(
    context,
    news,
    hearing.filter((user) => wantsMail(user, { isDoer: false, isMentioned: true })),
    () => 'assign',
  );
}

/** Mails those who are asked for a review. */
export async function mailReviewers({ payload }: StoredEvent<'review.requested'>, context: Context): Promise<void> {
  if (payload.isRemoval || !sends(context)) return;
  const [issue, doer] = [await issueInNews(context, payload.issueId), await findUserById(context.db, payload.doerId)];
  if (!issue || !doer) return;
  const hearing = await receivers(context, issue, await askedForReview(context, issue, payload));
  await mailTo(
    context,
    { issue, doer, commentId: payload.commentId, deed: 'asked you for a review of this', body: '' },
    hearing.filter((user) => wantsMail(user, { isDoer: false, isMentioned: true })),
    () => 'review_requested',
  );
}

/** Whether the instance mails what happens. */
export function sends({ settings: { mail } }: Context): boolean {
  return mail.enabled && mail.notifications;
}

async function newsOf(context: Context, type: IssueNews, payload: StoredEvent<IssueNews>['payload']): Promise<News | undefined> {
  if (!sends(context)) return undefined;
  const [issue, doer] = [await issueInNews(context, payload.issueId), await findUserById(context.db, payload.doerId)];
  if (!issue || !doer) return undefined;
  if (type === 'issue.opened') return { issue, doer, deed: 'opened this', body: issue.body };
  const commentId = 'commentId' in payload ? payload.commentId : 0;
  const comment = await context.db.selectFrom('comments').select('body').where('id', '=', commentId).executeTakeFirst();
  // What has been taken back in the meantime is not told.
  if (!comment) return undefined;
  if ('reviewId' in payload) return { issue, doer, commentId, ...(await reviewNews(context, payload, comment.body)) };
  if (type !== 'issue.closed' && type !== 'issue.reopened' && type !== 'comment.created') return undefined;
  const deed = { 'issue.closed': 'closed this', 'issue.reopened': 'opened this again', 'comment.created': 'commented' }[type];
  return { issue, doer, commentId, deed, body: comment.body };
}

/** Whether a user wants such a mail; nobody gets one of what they did themselves, unless they say so. */
export function wantsMail(user: User, { isDoer, isMentioned }: { isDoer: boolean; isMentioned: boolean }): boolean {
  if (!user.is_active || user.prohibit_login || user.email === '') return false;
  const wish = user.email_notifications;
  if (isDoer) return wish === 'andyourown';
  return wish === 'enabled' || wish === 'andyourown' || (wish === 'onmention' && isMentioned);
}

/** All of one event or none: a retry mails nobody twice. */
async function mailTo(context: Context, news: News, users: readonly User[], reasonOf: (user: User) => string): Promise<void> {
  const mails = await Promise.all(
    users.map(async (user) => ({
      to: user.email,
      ...(await write(context, news, user)),
      headers: headers(context, news, user, reasonOf(user)),
    })),
  );
  await inTransaction(context, async (context) => {
    for (const mail of mails) await queueMail(context, mail);
  });
}

async function write(context: Context, { issue, doer, commentId, deed, body }: News, user: User) {
  const { repository } = issue;
  const page = issueHtmlUrl(context.settings, issue) + (commentId === undefined ? '' : `#issuecomment-${commentId}`);
  const who = doer.full_name || doer.name;
  const access = await repositoryAccess(context, repository, user);
  const known = await markupContext({ ...context, doer: user }, { repository, access });
  const rendered = body === '' ? '' : await renderMarkdown(body, { ...known, absoluteLinks: true, place: { kind: 'comment' } });
  const answered = commentId === undefined ? '' : 'Re: ';
  return {
    subject: `${answered}[${fullName(repository)}] ${issue.title} (#${issue.number})`,
    text: `${who} ${deed}:\n\n${body === '' ? '' : `${body}\n\n`}-- \n${page}\n`,
    html: `<p><b>${escapeHtml(who)}</b> ${deed}:</p>\n${rendered}\n<p>--<br><a href="${escapeHtml(page)}">${escapeHtml(page)}</a></p>\n`,
  };
}

/** Mail programs show what is about one issue as one conversation (RFC 5322, 3.6.4), and sort by list (RFC 2919). */
function headers(context: Context, { issue, doer, commentId }: News, user: User, reason: string): Record<string, string> {
  const { domain } = context.settings.server;
  const { repository, number, is_pull: isPull } = issue;
  const thread = `${fullName(repository)}/${isPull ? 'pulls' : 'issues'}/${number}`;
  const page = repositoryHtmlUrl(context.settings, repository);
  return {
    'Message-ID': commentId === undefined ? `<${thread}@${domain}>` : `<${thread}/comment/${commentId}@${domain}>`,
    ...(commentId !== undefined && { 'In-Reply-To': `<${thread}@${domain}>`, References: `<${thread}@${domain}>` }),
    'List-ID': `${fullName(repository)} <${repository.name}.${repository.owner.name}.${domain}>`,
    'List-Archive': `<${page}>`,
    'X-Gitea-Reason': reason,
    'X-Gitea-Sender': doer.name,
    'X-Gitea-Recipient': user.name,
    'X-Gitea-Repository': repository.name,
    'X-Gitea-Repository-Path': fullName(repository),
    'X-Gitea-Issue-ID': String(number),
  };
}

/** A text for a mail of HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
