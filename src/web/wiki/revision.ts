import type { Context } from '../../context.ts';
import { type Commit, summary } from '../../git/objects/commits.ts';
import { titleOfPage } from '../../wiki/names.ts';
import { pageAtRevision, restoreRevision, wikiCommit } from '../../wiki/revisions.ts';
import { diffStyle, diffView } from '../code/diff/diff-view.ts';
import { diffQuery, openDiff } from '../code/diff/source.ts';
import { actionButton } from '../components/form.ts';
import { timeAgo } from '../components/numbers.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type Reply, seeOther } from '../page.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { icon } from '../view.ts';
import { mayWrite, wikiDocument } from './frame.ts';
import { renderWiki } from './render.ts';
import { requestedPage, wikiPath } from './requested.ts';

/** A page as it was after a commit, and the way back to it. */
export async function pageRevision(visit: RepositoryVisit, context: Context, oid: string): Promise<Document> {
  const { view, repository } = visit;
  const { wiki: text } = view.text;
  const page = requestedPage(visit);
  const title = titleOfPage(page);
  const { commit, content } = await pageAtRevision(context, repository, page, oid);
  const shown = content === undefined ? html`<p class="empty">${text.tooLarge}</p>` : await renderWiki(visit, context, content);
  return wikiDocument(visit, context, {
    title: text.revisionOf(title),
    heading: title,
    beside: html`${restoreButton(visit, page, oid)}<a class="button" href="${commitPath(visit, oid)}">${icon(view, 'diff')} ${text.whatChanged}</a>
<a class="button" href="${wikiPath(visit, page, '_revision')}">${icon(view, 'history')} ${text.history}</a>`,
    body: html`<p class="notice" role="status">${text.asItWas} ${timeAgo(view, commit.committer.seconds)} · <strong>${commit.author.name}</strong> · ${summary(commit.message)}
<a href="${wikiPath(visit, page)}">${text.asItIs}</a></p>${shown}`,
  });
}

/** The changes of a commit of a wiki. */
export async function wikiCommitPage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository, params, fields } = visit;
  const commit = await wikiCommit(context, repository, params.sha ?? '');
  const side = { repository, isWiki: true } as const;
  const source = {
    base: { ...side, commit: commit.parents[0] },
    head: { ...side, commit: commit.oid },
    within: context.git.locateWiki(repository),
  };
  const diff = await openDiff(context, source, diffQuery(fields));
  const options = { style: await diffStyle(visit, context) };
  async function* body(): AsyncGenerator<Html> {
    yield head(visit, commit);
    yield* diffView(view, context, diff, options);
  }
  const title = summary(commit.message) || commit.oid.slice(0, 10);
  return repositoryDocument(visit, context, { tab: 'wiki', title, layout: 'wide', scripts: ['diff.js'], body: body() });
}

function head(visit: RepositoryVisit, { oid, message, author, committer }: Commit): Html {
  const { view } = visit;
  return html`<section class="box commit-box"><header><h2>${summary(message) || view.text.code.noMessage}</h2>
<span class="push"><a class="button" href="${wikiPath(visit, '', '_pages')}">${icon(view, 'book')} ${view.text.wiki.pages}</a></span></header>
<div class="row commit-facts"><strong>${author.name}</strong> <span class="muted">${timeAgo(view, committer.seconds)}</span><span class="push"><code>${oid.slice(0, 10)}</code></span></div></section>`;
}

/** Gives a page the text of a revision again. */
export async function restorePage(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const page = requestedPage(visit);
  await restoreRevision(context, visit.repository, page, visit.fields.get('commit') ?? '');
  return seeOther(context, wikiPath(visit, page).slice(visit.view.root.length));
}

/** A button for that, for users with write access. */
export function restoreButton(visit: RepositoryVisit, page: string, oid: string): Html | false {
  const fields = { do: 'restore', commit: oid };
  return mayWrite(visit) && actionButton(visit.view, { action: wikiPath(visit, page), label: visit.view.text.wiki.restore, fields });
}

/** The path of the page of a commit of the wiki. */
export function commitPath({ view, repository }: RepositoryVisit, oid: string): string {
  return repositoryPath(view, repository, `wiki/commit/${oid}`);
}
