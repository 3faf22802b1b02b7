import { setTimeout as sleep } from 'node:timers/promises';
import { findRepository, type Repository } from '../../access/find-repository.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { escapePath } from '../../code/escape-path.ts';
import type { Context } from '../../context.ts';
import type { Changes } from '../../git/diff/changes.ts';
import { subjects } from '../../processes/subjects.ts';
import { listPullCommits } from '../../pulls/commits/commits.ts';
import type { Pull } from '../../pulls/find.ts';
import { changesOf } from '../../pulls/present.ts';
import { userLink } from '../components/avatar.ts';
import { number } from '../components/numbers.ts';
import { tabs } from '../components/tabs.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import type { Conversation } from '../issues/conversation.ts';
import { conversationHead } from '../issues/issue-page.ts';
import { issuePath } from '../issues/paths.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';

/** The pages of a pull request. */
export type PullTab = 'conversation' | 'commits' | 'files';

/** For how long a page waits for git to count changed files; of very many that takes seconds. */
const PATIENCE_MS = 300;

/** The parts of a pull request's page. */
interface PullPage extends Pick<Document, 'layout' | 'scripts' | 'status'> {
  readonly pull: Pull;
  readonly conversation: Conversation;
  readonly current: PullTab;
  readonly body: Html | AsyncIterable<Html>;
}

/** A page of a pull request: under its title and its tabs. */
export async function pullDocument(visit: RepositoryVisit, context: Context, page: PullPage): Promise<Document> {
  const { pull, conversation, current, body, ...rest } = page;
  const { issue } = conversation;
  const { total } = await listPullCommits(context, pull, { page: 1, limit: 1, offset: 0 });
  const changes = await Promise.race([changesOf(context, pull, pull.head_id), sleep(PATIENCE_MS, undefined, { ref: false })]);
  const head = html`${conversationHead(conversation, await facts(visit, context, conversation, pull, total))}${pullTabs(visit, pull, current, { commits: total, changes })}`;
  return repositoryDocument(visit, context, {
    ...rest,
    tab: 'pulls',
    live: [subjects.issue(issue.id), subjects.statuses(issue.repository_id, pull.head_id)],
    title: `${issue.title} #${issue.number}`,
    summary: { description: issue.body },
    body: Symbol.asyncIterator in body ? joined(head, body) : html`${head}${body}`,
  });
}

async function* joined(head: Html, body: AsyncIterable<Html>): AsyncGenerator<Html> {
  yield head;
  yield* body;
}

function pullTabs(
  { view }: RepositoryVisit,
  { issue }: Pull,
  current: PullTab,
  { commits, changes }: { commits: number; changes: Changes | undefined },
): Html {
  const { pulls: text } = view.text;
  const tab = (name: PullTab, rest: string, label: string, icon: 'comment' | 'git-commit' | 'file-diff') => ({
    href: issuePath(view, issue, rest),
    label,
    icon,
    isCurrent: name === current,
  });
  return html`<div class="pull-tabs">${tabs(view, text.pulls, [
    tab('conversation', '', text.conversation, 'comment'),
    { ...tab('commits', 'commits', text.commits, 'git-commit'), count: commits },
    { ...tab('files', 'files', text.files, 'file-diff'), count: changes?.files.length },
  ])}${
    changes &&
    html`<span class="counts"><span class="plus" title="${view.text.diff.added}">+${number(view, changes.additions)}</span> <span class="minus" title="${view.text.diff.removed}">−${number(view, changes.deletions)}</span></span>`
  }</div>`;
}

/** The author and the branches of the merge. */
async function facts(visit: RepositoryVisit, context: Context, { shown }: Conversation, pull: Pull, total: number): Promise<Html> {
  const { view } = visit;
  const { pulls: text } = view.text;
  const words = pull.merged_commit_id === '' ? text.wants(total) : text.merged(total);
  const base = branchLink(visit, pull.issue.repository, pull.base_branch, pull.base_branch);
  return html`${userLink(view, shown.user)} ${words} ${await headLink(visit, context, pull)} ${text.into} ${base}`;
}

/** The head as a link, as far as the reader may see its repository. */
async function headLink(visit: RepositoryVisit, context: Context, pull: Pull): Promise<Html> {
  const { head_repository_id: id, head_branch: branch, issue } = pull;
  if (id === issue.repository_id) return branchLink(visit, issue.repository, branch, branch);
  const repository = id === null ? undefined : await findRepository(context.db, id);
  const access = repository && (await repositoryAccess(context, repository, context.actor));
  if (!repository || !access?.canRead('code')) return html`<code>${branch}</code> (${visit.view.text.pulls.deletedFork})`;
  return branchLink(visit, repository, branch, `${repository.owner.name}:${branch}`);
}

function branchLink({ view }: RepositoryVisit, repository: Repository, branch: string, label: string): Html {
  return html`<a class="branch" href="${repositoryPath(view, repository, `src/branch/${escapePath(branch)}`)}"><code>${label}</code></a>`;
}
