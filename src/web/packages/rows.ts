import type { presentVersions } from '../../packages/api/present.ts';
import { userLink } from '../components/avatar.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import { icon, localUrl, type View } from '../view.ts';

/** A version as the API shows it. */
export type ShownVersion = Awaited<ReturnType<typeof presentVersions>>[number];

/** Packages of a list, each with its newest version. */
export function packageRows(view: View, versions: readonly ShownVersion[]): Html {
  const { packages: text } = view.text;
  return html`<ul class="rows box">${versions.map(
    (
      one,
    ) => html`<li><div class="grow"><div class="package-name"><a href="${localUrl(view, one.html_url)}"><strong>${one.name}</strong></a> <span class="badge">${one.type}</span></div>
<div class="muted row"><span class="package-name">${one.version}</span> <span>${text.published} ${timeAgo(view, one.created_at)} ${text.by}</span> ${userLink(view, one.creator, 16)}
${one.repository && html`<a href="${localUrl(view, one.repository.html_url)}">${icon(view, 'repo')} ${one.repository.full_name}</a>`}</div></div></li>\n`,
  )}</ul>`;
}

/** Versions of one package. */
export function versionRows(view: View, versions: readonly ShownVersion[], current?: string): Html {
  return html`<ul class="rows box">${versions.map(
    (one) =>
      html`<li><a class="package-name"${one.version === current && html` aria-current="page"`} href="${localUrl(view, one.html_url)}">${one.version}</a> <span class="muted push">${timeAgo(view, one.created_at)}</span></li>\n`,
  )}</ul>`;
}
