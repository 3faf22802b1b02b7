import { fullName } from '../access/requirements.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Issue } from '../issues/find.ts';
import { issueHtmlUrl } from '../issues/urls.ts';
import type { Mail } from '../mail/mail.ts';
import { renderMarkdown } from '../markup/markup.ts';
import { markupContext } from '../rendering/lookups.ts';
import { escapeHtml } from '../text/escape-html.ts';
import { peopleHeaders, repositoryHeaders } from './mail-headers.ts';
import type { Receiver } from './receivers.ts';

/** The event of an issue, for its mails. */
export interface IssueActivity {
  issue: Issue;
  actor: User;
  /** The row of the timeline that it is, if it is one. */
  commentId?: number | undefined;
  /** The part of the conversation, such as `comment/12`; undefined for the issue itself. */
  part?: string | undefined;
  /** The action, after the name of the actor. */
  deed: string;
  /** Markdown. */
  body: string;
}

/** Writes the mail about an activity to a follower of the issue. */
export async function writeIssueMail(context: Context, activity: IssueActivity, { user, access }: Receiver, reason: string): Promise<Mail> {
  const { issue, actor, commentId, part, deed, body } = activity;
  const { repository } = issue;
  const page = issueHtmlUrl(context.settings, issue) + (commentId === undefined ? '' : `#issuecomment-${commentId}`);
  const who = actor.full_name || actor.name;
  const known = await markupContext({ ...context, actor: user }, { repository, access });
  const rendered = body === '' ? '' : await renderMarkdown(body, { ...known, absoluteLinks: true, origin: { kind: 'comment' } });
  const prefix = part === undefined ? '' : 'Re: ';
  return {
    to: user.email,
    sender: who,
    subject: `${prefix}[${fullName(repository)}] ${issue.title} (#${issue.number})`,
    text: `${who} ${deed}:\n\n${body === '' ? '' : `${body}\n\n`}-- \n${page}\n`,
    html: `<p><b>${escapeHtml(who)}</b> ${deed}:</p>\n${rendered}\n<p>--<br><a href="${escapeHtml(page)}">${escapeHtml(page)}</a></p>\n`,
    headers: headers(context, activity, user, reason),
  };
}

/** Mail programs group the mails about one issue as a conversation (RFC 5322, 3.6.4). */
function headers(context: Context, { issue, actor, part }: IssueActivity, user: User, reason: string): Record<string, string> {
  const { domain } = context.settings.server;
  const { repository, number, is_pull: isPull } = issue;
  const thread = `${fullName(repository)}/${isPull ? 'pulls' : 'issues'}/${number}`;
  return {
    'Message-ID': part === undefined ? `<${thread}@${domain}>` : `<${thread}/${part}@${domain}>`,
    ...(part !== undefined && { 'In-Reply-To': `<${thread}@${domain}>`, References: `<${thread}@${domain}>` }),
    ...repositoryHeaders(context, repository),
    'List-Unsubscribe': `<${issueHtmlUrl(context.settings, issue)}>`,
    ...peopleHeaders(actor, user, reason),
    'X-Gitea-Issue-ID': String(number),
    'X-Gitea-Issue-Link': issueHtmlUrl(context.settings, issue),
    'X-GitLab-Issue-IID': String(number),
  };
}
