import { getCommit } from '../../../code/commits/commits.ts';
import { peopleOf } from '../../../code/commits/people.ts';
import { type CommitRefs, refsWithCommit } from '../../../code/commits/refs-with.ts';
import { type Verification, verifyCommits } from '../../../code/commits/verify.ts';
import { escapePath } from '../../../code/escape-path.ts';
import { latestStatuses } from '../../../code/statuses/statuses.ts';
import type { Context } from '../../../context.ts';
import { readNote } from '../../../git/history/notes.ts';
import { type Commit, summary } from '../../../git/objects/commits.ts';
import { ObjectTooLargeError } from '../../../git/objects/object.ts';
import { type HttpResponse, raw } from '../../../http/responses.ts';
import { renderShortText } from '../../../markup/markup.ts';
import { markupContext } from '../../../rendering/lookups.ts';
import { timeAgo } from '../../components/numbers.ts';
import type { Document } from '../../document.ts';
import { Html, html } from '../../html.ts';
import { repositoryDocument, repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { icon, localUrl, type View } from '../../view.ts';
import { diffStyle, diffView } from '../diff/diff-view.ts';
import type { DiffOptions } from '../diff/options.ts';
import { type Diff, diffQuery, openDiff } from '../diff/source.ts';
import { commitMenu } from '../edit/links.ts';
import { personLink, signatureBadge, stateIcon } from './summary.ts';

/** Parents that are linked; a merge of more is rare. */
const MAX_PARENTS = 20;

/** Checks that are listed; their number and state count all. */
const MAX_CHECKS = 500;
/** Length limit of a note in characters. */
const MAX_NOTE = 64 * 1024;

/** A commit: its message, and its changes since its first parent. */
export async function commitPage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository, params, fields } = visit;
  const commit = await getCommit(context, repository, params.sha ?? '');
  const [parent] = commit.parents;
  const source = { base: { repository, commit: parent }, head: { repository, commit: commit.oid } };
  const diff = await openDiff(context, source, diffQuery(fields));
  const download = (format: string) =>
    html`<a class="button" href="${repositoryPath(view, repository, `commit/${commit.oid}.${format}`)}">.${format}</a>`;
  const options = { style: await diffStyle(visit, context), actions: html`${download('diff')}${download('patch')}` };
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: summary(commit.message) || commit.oid.slice(0, 10),
    layout: 'wide',
    scripts: ['diff.js'],
    body: body(visit, context, commit, diff, options),
  });
}

async function* body(visit: RepositoryVisit, context: Context, commit: Commit, diff: Diff, options: DiffOptions): AsyncGenerator<Html> {
  yield await head(visit, context, commit);
  yield* diffView(visit.view, context, diff, options);
}

async function head(visit: RepositoryVisit, context: Context, commit: Commit): Promise<Html> {
  const { view, repository } = visit;
  const { text } = view;
  const people = await peopleOf(context, [commit]);
  const [verification] = await verifyCommits(context, [commit], people);
  const { author, committer, parents, oid } = commit;
  const isCommittedByOther = author.email !== committer.email || author.name !== committer.name;
  const statuses = await latestStatuses(context, repository, oid);
  return html`<section class="box commit-box" aria-label="${text.code.commit}"><header>
<h2>${summary(commit.message) || text.code.noMessage}</h2>
<span class="push row">${stateIcon(
    view,
    statuses.map(({ state }) => state),
  )}
<a class="button" href="${repositoryPath(view, repository, `src/commit/${oid}`)}">${icon(view, 'code')} ${text.commits.browse}</a>${commitMenu(visit, oid)}</span></header>
${await messageBody(visit, context, commit)}
<div class="row commit-facts">${personLink(view, context, people, author)} <span class="muted">${text.commits.authored} ${timeAgo(view, author.seconds)}</span>
${isCommittedByOther && html`${personLink(view, context, people, committer)} <span class="muted">${text.commits.committed} ${timeAgo(view, committer.seconds)}</span>`}
${signatureBadge(view, verification)}${signatureDetails(view, verification)}
<span class="push row">${parents.length > 0 && html`<span class="muted">${text.commits.parents(parents.length)}</span> ${parents.slice(0, MAX_PARENTS).map((id) => html`<a class="mono" href="${repositoryPath(view, repository, `commit/${id}`)}">${id.slice(0, 10)}</a> `)}`}
<span class="muted">${text.code.commit}</span> <code>${oid.slice(0, 10)}</code>
<button type="button" class="link" data-copy="${oid}" data-copied="${text.common.copied}" aria-label="${text.commits.copyId}">${icon(view, 'copy')}</button></span></div>
${await notesOf(visit, context, oid)}
${refsOf(view, visit, await refsWithCommit(context, repository, oid))}
${
  statuses.length > 0 &&
  html`<details class="commit-checks"><summary>${text.commits.checks(statuses.length)}</summary><ul class="rows">${statuses
    .slice(0, MAX_CHECKS)
    .map(
      (status) =>
        html`<li>${stateIcon(view, [status.state])} ${/^(?:https?:|\/)/.test(status.target_url) ? html`<a rel="nofollow" href="${localUrl(view, status.target_url)}">${status.context}</a>` : status.context} <span class="muted">${status.description}</span></li>`,
    )}</ul></details>`
}
</section>`;
}

/** The rest of the message after the subject, with its trailers. */
async function messageBody(visit: RepositoryVisit, context: Context, { message }: Commit): Promise<Html | false> {
  const { repository, access } = visit;
  const trimmed = message.trim();
  const rest = trimmed.slice(summary(message).length).trim();
  if (rest === '') return false;
  const known = await markupContext(context, { repository, access });
  const rendered = await renderShortText(rest, 'message', { ...known, absoluteLinks: false, origin: { kind: 'document', base: '' } });
  return html`<pre class="commit-message" tabindex="0">${new Html(rendered)}</pre>`;
}

/** The signer of a commit, or why the signature is not valid. */
function signatureDetails({ text }: View, verification: Verification | undefined): Html | false {
  if (!verification || verification.signature === '') return false;
  const { signer, reason } = verification;
  return html`<span class="muted">${signer ? `${text.commits.signedBy} ${signer.name || signer.username || signer.email}` : reason}</span>`;
}

/** The notes on the commit (`git notes`). */
async function notesOf({ view, repository, access }: RepositoryVisit, context: Context, oid: string): Promise<Html | false> {
  const note = await noteOf(context, repository, oid);
  if (!note || note.message.trim() === '') return false;
  const known = await markupContext(context, { repository, access });
  const shown = { ...known, absoluteLinks: false, origin: { kind: 'document', base: '' } } as const;
  const rendered = await renderShortText(note.message.trim().slice(0, MAX_NOTE), 'message', shown);
  return html`<section aria-label="${view.text.commits.notes}"><h3 class="commit-facts">${view.text.commits.notes}</h3><pre class="commit-message" tabindex="0">${new Html(rendered)}</pre></section>`;
}

async function noteOf({ git }: Context, repository: RepositoryVisit['repository'], oid: string) {
  try {
    return await readNote(git.locate(repository), git.pool, oid);
  } catch (error) {
    if (error instanceof ObjectTooLargeError) return undefined;
    throw error;
  }
}

/** The branches and tags that contain a commit, for programs. */
export async function commitRefsPage({ view, repository, params }: RepositoryVisit, context: Context): Promise<HttpResponse> {
  const { oid } = await getCommit(context, repository, params.sha ?? '');
  const { branches, tags } = await refsWithCommit(context, repository, oid);
  const listed = (kind: 'branch' | 'tag', names: readonly string[]) =>
    names.map((name) => ({ web_link: repositoryPath(view, repository, `src/${kind}/${escapePath(name)}`), name }));
  const found = { branches: listed('branch', branches), default_branch: repository.default_branch, tags: listed('tag', tags) };
  return raw(JSON.stringify(found), 'application/json; charset=utf-8', { headers: { 'cache-control': 'no-store' } });
}

/** Branches and tags that contain the commit. */
function refsOf(view: View, { repository }: RepositoryVisit, { branches, tags, more }: CommitRefs): Html | false {
  if (branches.length + tags.length === 0) return false;
  const link = (kind: 'branch' | 'tag', name: string) => {
    const href = repositoryPath(view, repository, `src/${kind}/${escapePath(name)}`);
    return html`<a class="badge" href="${href}">${icon(view, kind === 'tag' ? 'tag' : 'git-branch')} ${name}</a> `;
  };
  return html`<div class="row commit-facts">${branches.map((name) => link('branch', name))}${tags.map((name) => link('tag', name))}${more && '…'}</div>`;
}
