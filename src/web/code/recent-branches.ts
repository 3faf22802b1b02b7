import { recentBranches } from '../../activity/recent-branches.ts';
import { escapePath } from '../../code/escape-path.ts';
import type { Context } from '../../context.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import { repositoryPath } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { icon } from '../view.ts';

const MAX_SHOWN = 2;

/** Branches that the user pushed recently, each with a link to a new pull request. */
export async function recentBranchNotices({ view, repository, access }: RepositoryVisit, context: Context): Promise<Html | false> {
  if (!view.user || repository.is_archived || repository.is_empty || repository.is_mirror || !access.canRead('pulls')) return false;
  const { edit: text } = view.text;
  const branches = await recentBranches(context, repository, MAX_SHOWN);
  return html`${branches.map(({ repository: from, name, pushedAt }) => {
    const owner = from.id === repository.id ? '' : `${encodeURIComponent(from.owner.name)}:`;
    const compare = repositoryPath(view, repository, `compare/${escapePath(repository.default_branch)}...${owner}${escapePath(name)}`);
    const shown = from.id === repository.id ? name : `${from.owner.name}:${name}`;
    return html`<div class="notice row recent-branch">${icon(view, 'git-branch')} <span>${text.pushed} <strong>${shown}</strong> ${timeAgo(view, pushedAt)}</span>
<a class="button push" href="${compare}">${text.propose}</a></div>`;
  })}`;
}
