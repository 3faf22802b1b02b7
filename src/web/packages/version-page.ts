import type { Context } from '../../context.ts';
import type { PackageVersionRow } from '../../database/tables/packages.ts';
import { notFound } from '../../http/errors.ts';
import { presentVersion, presentVersions } from '../../packages/api/present.ts';
import { serveFile } from '../../packages/protocol/serve.ts';
import { waitingDownloads } from '../../packages/registry/downloads.ts';
import { type FoundFile, listFiles } from '../../packages/registry/find.ts';
import { countVersions, searchVersions } from '../../packages/registry/search.ts';
import { userLink } from '../components/avatar.ts';
import { requestedPage } from '../components/list-page.ts';
import { bytes, timeAgo } from '../components/numbers.ts';
import { pageLinks } from '../components/pages.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type Reply, seeOther } from '../page.ts';
import { icon, localUrl, path } from '../view.ts';
import { aboutBox, aboutFacts } from './about.ts';
import { dependencyBox } from './dependencies.ts';
import { instructionsFor } from './install.ts';
import { type OwnerVisit, packagePath, packagesPath } from './load.ts';
import { type ShownVersion, versionRows } from './rows.ts';

/** Versions that the page of one lists, and files that it shows. */
const MAX_VERSIONS = 10;
const MAX_FILES = 100;

/** The request of a page of a version. */
export type VersionVisit = OwnerVisit & { readonly version: PackageVersionRow };

/** A version, how to install it, and its files. */
export async function versionPage(visit: VersionVisit, context: Context): Promise<Document> {
  const { view, user, version } = visit;
  const { packages: text } = view.text;
  const shown = await presentVersion(context, user, version);
  const files = await listFiles(context.db, [version.id]);
  const metadata = metadataOf(version);
  const search = { ownerId: user.id, type: version.type, name: shown.name };
  const others = await presentVersions(context, user, await searchVersions(context.db, search, { limit: MAX_VERSIONS }));
  const total = await countVersions(context, search);
  return {
    title: `${shown.name} ${shown.version}`,
    layout: 'page',
    body: html`${heading(visit, shown)}
<div class="columns"><div>${installation(visit, context, shown, files)}${await aboutBox(view, context, metadata)}${dependencyBox(view, metadata)}${fileList(visit, shown, files)}</div>
<aside class="package-side"><h2>${text.details}</h2><ul class="facts"><li>${text.downloads(version.download_count + waitingDownloads(context, version.id))}</li>
${aboutFacts(view, metadata)}${shown.repository && html`<li>${icon(view, 'repo')} <a href="${localUrl(view, shown.repository.html_url)}">${shown.repository.full_name}</a></li>`}</ul>
<h2>${text.versions}</h2>${versionRows(view, others, shown.version)}
<p><a href="${packagePath(view, user, shown, 'versions')}">${text.allVersions(total)}</a></p>
${visit.packageLevel >= 2 && view.user && html`<p><a class="button" href="${localUrl(view, shown.html_url)}/settings">${icon(view, 'gear')} ${text.settings}</a></p>`}</aside></div>`,
  };
}

/** Leads to the version that was published last. */
export async function latestVersion({ view, user, ...visit }: OwnerVisit & Named, context: Context): Promise<Reply> {
  const search = { ownerId: user.id, type: visit.package.type, name: visit.package.name };
  const [version] = await searchVersions(context.db, search, { limit: 1 });
  if (!version) throw notFound();
  return seeOther(context, localUrl(view, (await presentVersion(context, user, version)).html_url).slice(view.root.length));
}

type Named = { readonly package: { readonly type: PackageVersionRow['type']; readonly name: string } };

/** All versions of a package. */
export async function versionList(visit: OwnerVisit & Named, context: Context): Promise<Document> {
  const { view, user, package: row } = visit;
  const { packages: text } = view.text;
  const search = { ownerId: user.id, type: row.type, name: row.name };
  const page = requestedPage(visit, context.settings);
  const versions = await presentVersions(context, user, await searchVersions(context.db, search, page));
  return {
    title: text.versionsOf(row.name),
    layout: 'page',
    body: html`<p><a href="${packagesPath(view, user)}">${icon(view, 'arrow-left')} ${text.packagesOf(user.name)}</a></p>
<h1 class="package-name">${text.versionsOf(row.name)}</h1>${versionRows(view, versions)}
${pageLinks(view, { ...page, total: await countVersions(context, search) })}`,
  };
}

/** The bytes of a file of a version. */
export async function downloadFile({ version, params, request }: VersionVisit, context: Context): Promise<Reply> {
  const file = (await listFiles(context.db, [version.id])).find(({ file }) => String(file.id) === params.file);
  if (!file) throw notFound();
  return serveFile({ context, request }, file);
}

/** The name of a version, its publisher, and the link to the packages of the owner. */
export function heading({ view, user }: OwnerVisit, shown: ShownVersion): Html {
  const { packages: text } = view.text;
  return html`<p class="package-path"><a href="${path(view, encodeURIComponent(user.name))}">${user.name}</a> / <a href="${packagesPath(view, user)}">${text.packages}</a></p>
<h1 class="package-name">${shown.name} <span class="muted">${shown.version}</span> <span class="badge">${shown.type}</span></h1>
<p class="muted">${text.published} ${timeAgo(view, shown.created_at)} ${text.by} ${userLink(view, shown.creator)}</p>`;
}

function installation(
  { view, user, version }: VersionVisit,
  { settings }: Context,
  shown: ShownVersion,
  files: readonly FoundFile[],
): Html {
  const { packages: text } = view.text;
  const { setUp, use } = instructionsFor(version.type, {
    name: shown.name,
    version: shown.version,
    owner: user.name,
    root: settings.server.rootUrl.replace(/\/$/, ''),
    metadata: metadataOf(version),
    files: files.slice(0, MAX_FILES).map(({ file }) => ({ name: file.name, place: file.composite_key })),
  });
  const code = (label: string, lines: string) => html`<h3>${label}</h3><pre class="package-code" tabindex="0"><code>${lines}</code></pre>
<button type="button" class="link" data-copy="${lines}" data-copied="${view.text.common.copied}">${icon(view, 'copy')} ${view.text.common.copy}</button>`;
  return html`<section class="box" aria-labelledby="install"><header><h2 id="install">${text.install}</h2></header><div class="content">
${setUp && code(text.setUp, setUp)}${use && code(text.use, use)}</div></section>`;
}

function fileList({ view }: VersionVisit, shown: ShownVersion, files: readonly FoundFile[]): Html {
  const { packages: text } = view.text;
  const own = localUrl(view, shown.html_url);
  const rest = files.length - MAX_FILES;
  return html`<section class="box" aria-labelledby="files"><header><h2 id="files">${text.files}</h2></header>
${files.length === 0 && html`<p class="content muted">${text.noFiles}</p>`}
<ul class="rows">${files.slice(0, MAX_FILES).map(
    ({ file, blob }) =>
      html`<li>${icon(view, 'file')} <a class="package-name grow" href="${own}/files/${file.id}">${file.name}</a> <span class="muted">${bytes(view, blob.size)}</span>
<details class="package-digest"><summary>SHA-256</summary><code>${blob.sha256}</code></details></li>\n`,
  )}</ul>${rest > 0 && html`<p class="content muted">${text.moreFiles(rest)}</p>`}</section>`;
}

function metadataOf({ metadata }: PackageVersionRow): Readonly<Record<string, unknown>> {
  const read: unknown = JSON.parse(metadata || '{}');
  return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
}
