import { findRepositories, type Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { ActivityRow } from '../../database/tables/activity.ts';
import { summary } from '../../git/objects/commits.ts';
import { findIssuesById, type Issue } from '../../issues/find.ts';
import { findPeople, presentPeople } from '../../issues/people.ts';
import { issueHtmlUrl } from '../../issues/urls.ts';
import { repositoryHtmlUrl } from '../../repositories/urls.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { type FeedItem, feedAuthor } from './document.ts';
import { type Renderer, rendererOf } from './render.ts';
import { wordingOf } from './wording.ts';

/** Commits of one push that an item shows. */
const MAX_COMMITS = 5;
/** Length limit of an owner's and of a repository's name in a title in characters. */
const MAX_OWNER = 20;
const MAX_NAME = 33;

/** Activities as items of a feed, in their order. */
export async function activityItems(context: Context, rows: readonly ActivityRow[]): Promise<FeedItem[]> {
  const { db, settings } = context;
  const authors = rows.map((row) => row.actor_id);
  const author = presentPeople(context, await findPeople(db, authors, [context.actor]), context.actor);
  const found = await findRepositories(
    db,
    rows.map((row) => row.repository_id),
  );
  const repositories = new Map(found.map((repository) => [repository.id, repository]));
  const issues = await findIssuesById(
    db,
    rows.flatMap((row) => row.issue_id ?? []),
  );
  const render = await rendererOf(context);
  const items: FeedItem[] = [];
  for (const row of rows) {
    const repository = repositories.get(row.repository_id);
    if (!repository) continue;
    const issue = issues.get(row.issue_id ?? 0);
    const actor = feedAuthor(author(row.actor_id));
    const page = repositoryHtmlUrl(settings, repository);
    const shown = `${shortened(repository.owner.name, MAX_OWNER)}/${shortened(repository.name, MAX_NAME)}`;
    const wording = wordingOf(row, { name: shown, page, subject: issue && subjectPage(context, row, issue) });
    const push = pushOf(row);
    const link = linkOfPush(settings.server.rootUrl, page, push) ?? wording.link;
    items.push({
      id: `${row.id}: ${link}`,
      title: `${escapeHtml(actor.name)} ${wording.text}`,
      link,
      author: actor,
      time: row.created_at,
      ...(await textsOf(row, { repository, issue, push, page, render })),
    });
  }
  return items;
}

function subjectPage({ settings }: Context, { comment_id: comment }: ActivityRow, issue: Issue): string {
  return issueHtmlUrl(settings, issue) + (comment === null ? '' : `#issuecomment-${comment}`);
}

function shortened(name: string, length: number): string {
  return name.length > length ? `${name.slice(0, length - 1)}…` : name;
}

interface Push {
  readonly commits: readonly { readonly id: string; readonly message: string }[];
  readonly compare: string;
  readonly total: number;
}

const NO_PUSH: Push = { commits: [], compare: '', total: 0 };

/** The commits in the content of an activity, as activity/push.ts writes them. */
function pushOf({ type, content }: ActivityRow): Push {
  if ((type !== 'commit_repo' && type !== 'mirror_sync_push') || content === '') return NO_PUSH;
  const { Commits, CompareURL = '', Len = 0 }: StoredPush = JSON.parse(content);
  const commits = (Commits ?? []).slice(0, MAX_COMMITS).map(({ Sha1, Message }) => ({ id: Sha1, message: Message }));
  return { commits, compare: CompareURL, total: Len };
}

interface StoredPush {
  Commits?: { Sha1: string; Message: string }[] | null;
  CompareURL?: string;
  Len?: number;
}

function linkOfPush(rootUrl: string, page: string, { commits: [first], compare, total }: Push): string | undefined {
  if (total > 1 && compare !== '') return rootUrl + compare.replace(/^\//, '');
  return total === 1 && first ? `${page}/commit/${first.id}` : undefined;
}

interface Texts {
  readonly repository: Repository;
  readonly issue: Issue | undefined;
  readonly push: Push;
  readonly page: string;
  readonly render: Renderer;
}

async function textsOf(row: ActivityRow, { repository, issue, push, page, render }: Texts): Promise<Pick<FeedItem, 'summary' | 'content'>> {
  const [number = '', text = ''] = row.content.split(/\|(.*)/s);
  const both = (html: string) => ({ summary: html, content: html });
  const title = escapeHtml(issue?.title ?? '');
  switch (row.type) {
    case 'commit_repo':
    case 'mirror_sync_push':
      return both(
        push.commits
          .map(
            ({ id, message }) => `<a href="${escapeHtml(`${page}/commit/${id}`)}">${escapeHtml(id)}</a>\n${escapeHtml(summary(message))}`,
          )
          .join('\n\n'),
      );
    case 'create_issue':
    case 'create_pull_request': {
      const short = escapeHtml(`${number}#${text}`);
      return { summary: short, content: (await render(issue?.body ?? '', repository)) || short };
    }
    case 'comment_issue':
    case 'comment_pull':
    case 'approve_pull_request':
    case 'reject_pull_request':
      return both(text.trim() === '' ? title : `${title}\n\n${await render(text, repository)}`);
    case 'merge_pull_request':
    case 'auto_merge_pull_request':
      return both(escapeHtml(text));
    case 'close_issue':
    case 'reopen_issue':
    case 'close_pull_request':
    case 'reopen_pull_request':
      return both(title);
    default:
      return both('');
  }
}
