import { canRead } from '../../../access/requirements.ts';
import { escapePath } from '../../../code/escape-path.ts';
import { getTag } from '../../../code/tags/tags.ts';
import { TimeSlice } from '../../../concurrency/time-slice.ts';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../http/errors.ts';
import type { AnyRoute } from '../../../http/route.ts';
import type { Shape } from '../../../http/schema.ts';
import { renderMarkdown } from '../../../markup/markup.ts';
import { findLatestRelease, releaseOfTag, seesDrafts } from '../../../releases/find.ts';
import { listReleases } from '../../../releases/list.ts';
import { presentReleases } from '../../../releases/present.ts';
import type { Release } from '../../../releases/schema.ts';
import { markupContext } from '../../../rendering/lookups.ts';
import { userLink } from '../../components/avatar.ts';
import { listOrEmpty, requestedPage } from '../../components/list-page.ts';
import { bytes, timeAgo } from '../../components/numbers.ts';
import { prose } from '../../components/prose.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';
import { type Reply, seeOther } from '../../page.ts';
import { repositoryDocument, repositoryPath } from '../../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../../resource-pages.ts';
import { unlessMissing } from '../../unless-missing.ts';
import { icon, localUrl } from '../../view.ts';
import { releaseChangePages } from './change.ts';
import { editReleasePath } from './form.ts';

type Shown = Shape<typeof Release>;

/** Releases: the list, and the release of a tag. */
export const releasePages: readonly AnyRoute[] = [
  ...repositoryPage({ path: '/:owner/:repo/releases', needs: [canRead('releases')], get: releasesPage }),
  ...repositoryPage({ path: '/:owner/:repo/releases/tag/*', needs: [canRead('releases')], get: releasePage }),
  ...releaseChangePages,
];

async function releasesPage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository, access } = visit;
  const { text } = view;
  const page = requestedPage(visit, context.settings);
  const { releases, total } = await listReleases(context, repository, { withDrafts: seesDrafts(context, access) }, page);
  const latest = await findLatestRelease(context.db, repository.id);
  const boxes: Html[] = [];
  const slice = new TimeSlice();
  for (const release of await presentReleases(context, repository, releases)) {
    if (slice.isOver) await slice.next();
    boxes.push(await releaseBox(visit, context, release, { latest: latest?.id, level: 3 }));
  }
  return repositoryDocument(visit, context, {
    tab: 'releases',
    title: text.repository.releases,
    feeds: (['atom', 'rss'] as const).map((type) => ({
      type,
      href: repositoryPath(view, repository, `releases.${type}`),
      title: text.repository.releases,
    })),
    body: html`<div class="row code-bar"><h2 class="bar-title">${text.repository.releases}</h2>${access.canRead('code') && html`<a href="${repositoryPath(view, repository, 'tags')}">${text.code.tags}</a>`}${mayChange(visit) && html`<a class="button primary push" href="${repositoryPath(view, repository, 'releases/new')}">${text.release.newRelease}</a>`}</div>
${listOrEmpty(visit, page, { total, rows: html`${boxes}`, empty: text.refs.noReleases })}`,
  });
}

/** Whether the user may create and edit releases. */
function mayChange({ view, access, repository }: RepositoryVisit): boolean {
  return view.user !== null && access.canWrite('releases') && !repository.is_archived && !repository.is_empty;
}

async function releasePage(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const tag = visit.params['*'] ?? '';
  const release = await unlessMissing(releaseOfTag(context, visit, tag));
  if (!release) return codeOfTag(visit, context, tag);
  const [shown] = await presentReleases(context, visit.repository, [release]);
  if (!shown) throw notFound();
  const latest = await findLatestRelease(context.db, visit.repository.id);
  return repositoryDocument(visit, context, {
    tab: 'releases',
    title: shown.name || shown.tag_name,
    summary: { description: shown.body ?? '' },
    body: await releaseBox(visit, context, shown, { latest: latest?.id, level: 2 }),
  });
}

/** Feeds of tags show each as a release, as in Gitea; a tag without a release links to its files. */
async function codeOfTag({ view, access, repository }: RepositoryVisit, context: Context, tag: string): Promise<Reply> {
  if (!access.canRead('code')) throw notFound();
  const { name } = await getTag(context, repository, tag);
  return seeOther(context, repositoryPath(view, repository, `src/tag/${escapePath(name)}`).slice(view.root.length));
}

/** @param latest the id of the release that is marked as the latest @param level of its heading */
async function releaseBox(
  visit: RepositoryVisit,
  context: Context,
  release: Shown,
  { latest, level }: { latest: number | undefined; level: 2 | 3 },
): Promise<Html> {
  const { view, repository, access } = visit;
  const { text } = view;
  const known = await markupContext(context, { repository, access }, { titles: true });
  const notes = release.body && (await renderMarkdown(release.body, { ...known, absoluteLinks: false, origin: { kind: 'comment' } }));
  const tag = escapePath(release.tag_name);
  const link = html`<a href="${localUrl(view, release.html_url)}">${release.name || release.tag_name}</a>`;
  const heading = level === 2 ? html`<h2 class="bar-title">${link}</h2>` : html`<h3 class="bar-title">${link}</h3>`;
  return html`<section class="box" aria-label="${release.name || release.tag_name}"><header>${heading}
${release.draft && html`<span class="badge warning">${text.refs.draft}</span>`}${release.prerelease && html`<span class="badge warning">${text.refs.prerelease}</span>`}${release.id === latest && html`<span class="badge success">${text.refs.latest}</span>`}
<span class="push row">${!release.draft && access.canRead('code') && html`<a href="${repositoryPath(view, repository, `src/tag/${tag}`)}">${icon(view, 'tag')} ${release.tag_name}</a>`} ${userLink(view, release.author)} ${timeAgo(view, release.published_at)}${mayChange(visit) && html`<a class="plain" href="${editReleasePath(visit, release.tag_name)}" aria-label="${text.release.editRelease} ${release.tag_name}" title="${text.release.editRelease}">${icon(view, 'pencil')}</a>`}</span></header>
<div class="content">${notes ? prose(view, notes) : html`<p class="muted">${text.refs.noNotes}</p>`}
<ul class="assets">${release.assets.map(
    (file) =>
      html`<li>${icon(view, 'package')} <a href="${localUrl(view, file.browser_download_url)}">${file.name}</a> <span class="muted">${bytes(view, file.size)}</span></li>`,
  )}
${!release.draft && access.canRead('code') && (['zip', 'tar.gz'] as const).map((format) => html`<li>${icon(view, 'file-zip')} <a rel="nofollow" href="${repositoryPath(view, repository, `archive/${tag}.${format}`)}">${text.refs.sourceCode} (${format})</a></li>`)}</ul></div></section>`;
}
