import { listBranches } from '../../code/branches/branches.ts';
import { listTagNames } from '../../code/tags/tags.ts';
import type { Context } from '../../context.ts';
import { menu } from '../components/menu.ts';
import { type Html, html } from '../html.ts';
import { repositoryPath } from '../repository/frame.ts';
import { icon, type View } from '../view.ts';
import { codePath, type Location, type RefKind } from './location.ts';

/** Branches and tags that a menu lists; their pages list the others. */
const MAX_LISTED = 50;

/** The menu of branches and tags. Each leads to the same page for the same path. @param page as in {@link codePath} */
export async function refMenu(view: View, context: Context, location: Location, page: string): Promise<Html> {
  const { repository, kind, name } = location;
  const { text } = view;
  const branches = await listBranches(context, repository);
  const { names: tags, total } = await listTagNames(context, repository, MAX_LISTED);
  const item = (to: RefKind, ref: string) =>
    html`<a href="${codePath(view, page, { ...location, kind: to, name: ref })}"${kind === to && ref === name && html` aria-current="true"`}>${ref}</a>`;
  const all = (rest: string, label: string) => html`<a class="muted" href="${repositoryPath(view, repository, rest)}">${label}</a>`;
  const label = kind === 'commit' ? name.slice(0, 10) : name;
  return menu(
    html`${icon(view, kind === 'tag' ? 'tag' : 'git-branch', text.code[kind])} <span class="ref-name">${label}</span>`,
    [
      html`<strong>${text.code.branches}</strong>`,
      ...branches.slice(0, MAX_LISTED).map(({ name }) => item('branch', name)),
      all('branches', text.code.allBranches(branches.length)),
      tags.length > 0 && html`<strong>${text.code.tags}</strong>`,
      ...tags.map((name) => item('tag', name)),
      tags.length > 0 && all('tags', text.code.allTags(total)),
    ],
    { className: 'left' },
  );
}
