import { presentUser } from '../../accounts/users/present.ts';
import { peopleOf } from '../../code/commits/people.ts';
import { type Content, readContents } from '../../code/contents/contents.ts';
import type { Context } from '../../context.ts';
import { type Commit, summary } from '../../git/objects/commits.ts';
import type { IconName } from '../assets/icon-names.ts';
import { userLink } from '../components/avatar.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import { repositoryPath } from '../repository/frame.ts';
import { icon, type View } from '../view.ts';
import { codePath, type Location } from './location.ts';

/** The entries of a folder, folders first, each with the commit that last changed it. */
export async function readFolder(context: Context, { repository, ...location }: Location): Promise<Content[]> {
  const found = await readContents(context, repository, location, location.path, { commit: true, message: true });
  const entries = 'folder' in found ? found.folder : [];
  const rank = ({ kind }: Content) => (kind === 'folder' || kind === 'submodule' ? 0 : 1);
  return entries.toSorted((a, b) => rank(a) - rank(b));
}

const ICONS: Readonly<Record<Content['kind'], IconName>> = {
  file: 'file',
  folder: 'file-directory-fill',
  link: 'file-symlink-file',
  submodule: 'file-submodule',
};

/** The table of a folder. */
export function folderTable(view: View, location: Location, entries: readonly Content[]): Html {
  const { text } = view;
  const parent = location.path.includes('/') ? location.path.slice(0, location.path.lastIndexOf('/')) : '';
  return html`<table class="files"><caption class="visually-hidden">${text.code.files}</caption>
<colgroup><col class="name"><col><col class="when"></colgroup>
<tbody>
${location.path !== '' && html`<tr><td colspan="3"><a href="${codePath(view, 'src', { ...location, path: parent })}" aria-label="${text.code.parentFolder}">..</a></td></tr>`}
${entries.map((entry) => row(view, location, entry))}
</tbody></table>`;
}

function row(view: View, location: Location, { kind, name, path, commit, submoduleUrl }: Content): Html {
  const href = codePath(view, 'src', { ...location, path });
  const isLinked = kind !== 'submodule' || (submoduleUrl !== undefined && /^https?:\/\//.test(submoduleUrl));
  const to = kind === 'submodule' ? submoduleUrl : href;
  return html`<tr><td>${icon(view, ICONS[kind])} ${isLinked ? html`<a href="${to}">${name}</a>` : name}</td>
<td>${commit && commitLink(view, location, commit)}</td><td>${commit && timeAgo(view, commit.committer.seconds)}</td></tr>\n`;
}

/** The first line of a commit's message, as a link to the commit. */
export function commitLink(view: View, { repository }: Pick<Location, 'repository'>, commit: Commit): Html {
  const title = summary(commit.message) || view.text.code.noMessage;
  return html`<a class="plain" href="${repositoryPath(view, repository, `commit/${commit.oid}`)}" title="${commit.message.slice(0, 500)}">${title}</a>`;
}

/** The newest commit of a place, as the head of a box. */
export async function latestCommit(view: View, context: Context, location: Location, commit: Commit = location.commit): Promise<Html> {
  const people = await peopleOf(context, [commit]);
  const author = people.byEmail(commit.author.email);
  const { repository } = location;
  return html`<header>${author ? userLink(view, presentUser(context, author, null)) : html`<strong>${commit.author.name}</strong>`}
${commitLink(view, location, commit)}
<span class="push row"><a class="mono" href="${repositoryPath(view, repository, `commit/${commit.oid}`)}">${commit.oid.slice(0, 10)}</a>
${timeAgo(view, commit.committer.seconds)}
<a href="${codePath(view, 'commits', location)}">${icon(view, 'history')} ${view.text.code.history}</a></span></header>`;
}

/** The path of a place, each folder of it as a link. */
export function breadcrumbs(view: View, location: Location): Html {
  const names = location.path.split('/');
  const root = html`<a href="${codePath(view, 'src', { ...location, path: '' })}">${location.repository.name}</a>`;
  return html`<nav class="crumbs" aria-label="${view.text.code.path}">${root} / ${names.map((name, index) =>
    index === names.length - 1
      ? html`<strong>${name}</strong>`
      : html`<a href="${codePath(view, 'src', { ...location, path: names.slice(0, index + 1).join('/') })}">${name}</a> / `,
  )}</nav>`;
}
