import type { Context } from '../../../context.ts';
import { readCommits, summary } from '../../../git/objects/commits.ts';
import type { PushContent } from '../../../pulls/heads/push-events.ts';
import { userLink } from '../../components/avatar.ts';
import { timeAgo } from '../../components/numbers.ts';
import { type Html, html } from '../../html.ts';
import type { ShownEvent, WholeConversation } from '../../issues/conversation.ts';
import { repositoryPath } from '../../repository/frame.ts';
import { icon } from '../../view.ts';

/** Commits that one push lists. */
const MAX_LISTED = 20;

/** Shows pushes with their commits; forced ones link to the comparison of the old and the new head, while both exist. */
export async function pushRenderer({ git }: Context, conversation: WholeConversation): Promise<(event: ShownEvent) => Html> {
  const { visit, events, issue } = conversation;
  const { view, repository } = visit;
  const { reviewing: text } = view.text;
  const pushes = new Map(events.filter(({ type }) => type === 'pull_push').map((event) => [event.id, readPush(event.body)]));
  const ids = [...new Set([...pushes.values()].flatMap((push) => push.commit_ids.slice(-MAX_LISTED)))];
  const commits = new Map((await readCommits(git.locate(issue.repository), git.pool, ids)).map((commit) => [commit.oid, commit]));
  const link = (id: string) =>
    commits.has(id)
      ? html`<a class="mono" href="${repositoryPath(view, repository, `commit/${id}`)}">${id.slice(0, 10)}</a>`
      : html`<code>${id.slice(0, 10)}</code>`;
  const forced = ([from = '', to = '']: readonly string[]) => {
    const isThere = commits.has(from) && commits.has(to);
    const compare = isThere && html` <a href="${repositoryPath(view, repository, `compare/${from}..${to}`)}">${text.compare}</a>`;
    return html`${text.forcePushed(link(from), link(to))}${compare}`;
  };
  const listed = (all: readonly string[]) => {
    const known = all.slice(-MAX_LISTED).flatMap((id) => commits.get(id) ?? []);
    return html`<ul class="plain-list pushed-commits">${known.map(({ oid, message }) => html`<li>${icon(view, 'git-commit')} ${summary(message)} ${link(oid)}</li>`)}</ul>`;
  };
  return (event) => {
    const push = pushes.get(event.id) ?? readPush(event.body);
    const words = push.is_force_push ? forced(push.commit_ids) : text.pushed(text.commits(push.commit_ids.length));
    return html`<div class="events"><div class="event" id="issuecomment-${event.id}"><span class="event-icon">${icon(view, 'git-commit')}</span>
<div>${userLink(view, event.user)} ${words} <a class="muted" href="#issuecomment-${event.id}">${timeAgo(view, event.created_at)}</a>${!push.is_force_push && listed(push.commit_ids)}</div></div></div>`;
  };
}

/** Rows may come from other programs. */
function readPush(body: string): PushContent {
  try {
    const { is_force_push: isForced, commit_ids: ids } = JSON.parse(body) as { is_force_push?: unknown; commit_ids?: unknown };
    const known = Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string' && /^[0-9a-f]{40,64}$/.test(id)) : [];
    return { is_force_push: isForced === true, commit_ids: known };
  } catch {
    return { is_force_push: false, commit_ids: [] };
  }
}
