import { findUserById } from '../access/find-user.ts';
import { repositoryAccess } from '../access/repository-access.ts';
import { fullName } from '../access/requirements.ts';
import { type Context, inTransaction } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { StoredEvent } from '../events/event-log.ts';
import { issueHtmlUrl } from '../issues/addresses.ts';
import type { Issue } from '../issues/find.ts';
import { queueMail } from '../mail/mail.ts';
import { markupContext } from '../markup/api/lookups.ts';
import { renderMarkdown } from '../markup/markup.ts';
import { repositoryHtmlUrl } from '../repositories/addresses.ts';
import { type IssueNews, pullThatIsReady } from './notify.ts';
import { pushNews } from './push-news.ts';
import { askedForReview, followersOf, issueInNews, receivers } from './receivers.ts';
import { reviewNews } from './review-news.ts';

/** One piece of news as its mails tell it. */
interface News {
  issue: Issue;
  doer: User;
  /** The row of the timeline that it is, if it is one. */
  commentId?: number | undefined;
  /** What of the conversation it is, such as `comment/12`; undefined for its beginning, the issue itself. */
  part?: string | undefined;
  /** What the doer did, after the name. */
  deed: string;
  /** Markdown. */
  body: string;
}

/** Mails news of an issue to those who follow it and to those whom it mentions, as they want it. */
export async function mailOfIssue({ type, payload }: StoredEvent<MailedNews>, context: Context): Promise<void> {
  const news = await newsOf(context, type, payload);
  if (!news) return;
  // A planned merge happens when nobody looks: who planned it is told as well.
  const isAlone = 'isAutomatic' in payload && payload.isAutomatic;
  const mentioned = 'mentions' in payload ? payload.mentions : [];
  await mailFollowers(context, news, { isNew: type === 'issue.opened', mentioned, isAlone });
}

/** Mails those who follow a pull request that it is a draft no longer. */
export async function mailOfReadiness({ id, payload }: StoredEvent<'issue.edited'>, context: Context): Promise<void> {
  const issue = sends(context) ? await pullThatIsReady(context, payload) : undefined;
  const doer = issue && (await findUserById(context.db, payload.doerId));
  if (!issue || !doer) return;
  await mailFollowers(context, { issue, doer, part: `ready/${id}`, deed: 'says that this is ready for a review', body: issue.body }, {});
}

async function mailFollowers(
  context: Context,
  news: News,
  { isNew = false, mentioned = [], isAlone = false }: { isNew?: boolean; mentioned?: readonly number[]; isAlone?: boolean },
): Promise<void> {
  const { issue, doer } = news;
  const followers = await followersOf(context, issue, { isNew, withAssignees: true });
  const hearing = await receivers(context, issue, [...followers, ...mentioned, doer.id]);
  const isMentioned = (user: User) => mentioned.includes(user.id);
  await mailTo(
    context,
    news,
    hearing.filter((user) => wantsMail(user, { isDoer: user.id === doer.id && !isAlone, isMentioned: isMentioned(user) })),
    (user) => (isMentioned(user) ? 'mention' : user.id === issue.author_id ? 'author' : 'subscribed'),
  );
}

/** Mails somebody who has been made responsible for an issue. */
export async function mailAssignee({ payload }: StoredEvent<'issue.assigned'>, context: Context): Promise<void> {
  if (payload.assigneeId === payload.doerId || !sends(context)) return;
  const [issue, doer] = [await issueInNews(context, payload.issueId), await findUserById(context.db, payload.doerId)];
  if (!issue || !doer) return;
  const hearing = await receivers(context, issue, [payload.assigneeId]);
  const news = { issue, doer, ...partOf(payload), deed: 'assigned you to this', body: '' };
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
    { issue, doer, ...partOf(payload), deed: 'asked you for a review of this', body: '' },
    hearing.filter((user) => wantsMail(user, { isDoer: false, isMentioned: true })),
    () => 'review_requested',
  );
}

function partOf({ commentId }: { commentId: number }): Pick<News, 'commentId' | 'part'> {
  return { commentId, part: `comment/${commentId}` };
}

/** Whether the instance mails what happens. */
export function sends({ settings: { mail } }: Context): boolean {
  return mail.enabled && mail.notifications;
}

/** What is mailed to those who follow an issue. */
export type MailedNews = IssueNews | 'pull.merged';

async function newsOf(context: Context, type: MailedNews, payload: StoredEvent<MailedNews>['payload']): Promise<News | undefined> {
  if (!sends(context)) return undefined;
  const [issue, doer] = [await issueInNews(context, payload.issueId), await findUserById(context.db, payload.doerId)];
  if (!issue || !doer) return undefined;
  if (type === 'issue.opened') return { issue, doer, deed: 'opened this', body: issue.body };
  const commentId = 'commentId' in payload ? payload.commentId : 0;
  const comment = await context.db.selectFrom('comments').select(['kind', 'body']).where('id', '=', commentId).executeTakeFirst();
  // What has been taken back in the meantime is not told; a merge is told as such.
  if (!comment || (type === 'issue.closed' && comment.kind === 'merge_pull')) return undefined;
  const news = { issue, doer, ...partOf({ commentId }) };
  if ('reviewId' in payload) return { ...news, ...(await reviewNews(context, payload, comment.body)) };
  if ('commitIds' in payload) return { ...news, ...(await pushNews(context, issue, payload)) };
  if (type === 'pull.merged') return { ...news, deed: 'merged this', body: '' };
  if (type !== 'issue.closed' && type !== 'issue.reopened' && type !== 'comment.created') return undefined;
  const deed = { 'issue.closed': 'closed this', 'issue.reopened': 'opened this again', 'comment.created': 'commented' }[type];
  return { ...news, deed, body: comment.body };
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

async function write(context: Context, { issue, doer, commentId, part, deed, body }: News, user: User) {
  const { repository } = issue;
  const page = issueHtmlUrl(context.settings, issue) + (commentId === undefined ? '' : `#issuecomment-${commentId}`);
  const who = doer.full_name || doer.name;
  const access = await repositoryAccess(context, repository, user);
  const known = await markupContext({ ...context, doer: user }, { repository, access });
  const rendered = body === '' ? '' : await renderMarkdown(body, { ...known, absoluteLinks: true, place: { kind: 'comment' } });
  const answered = part === undefined ? '' : 'Re: ';
  return {
    subject: `${answered}[${fullName(repository)}] ${issue.title} (#${issue.number})`,
    text: `${who} ${deed}:\n\n${body === '' ? '' : `${body}\n\n`}-- \n${page}\n`,
    html: `<p><b>${escapeHtml(who)}</b> ${deed}:</p>\n${rendered}\n<p>--<br><a href="${escapeHtml(page)}">${escapeHtml(page)}</a></p>\n`,
  };
}

/** Mail programs show what is about one issue as one conversation (RFC 5322, 3.6.4), and sort by list (RFC 2919). */
function headers(context: Context, { issue, doer, part }: News, user: User, reason: string): Record<string, string> {
  const { domain } = context.settings.server;
  const { repository, number, is_pull: isPull } = issue;
  const thread = `${fullName(repository)}/${isPull ? 'pulls' : 'issues'}/${number}`;
  const page = repositoryHtmlUrl(context.settings, repository);
  return {
    'Message-ID': part === undefined ? `<${thread}@${domain}>` : `<${thread}/${part}@${domain}>`,
    ...(part !== undefined && { 'In-Reply-To': `<${thread}@${domain}>`, References: `<${thread}@${domain}>` }),
    'List-ID': `${fullName(repository)} <${repository.name}.${repository.owner.name}.${domain}>`,
    'List-Archive': `<${page}>`,
    'List-Unsubscribe': `<${issueHtmlUrl(context.settings, issue)}>`,
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
