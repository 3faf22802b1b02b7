import type { Repository } from '../../access/find-repository.ts';
import { escapePath } from '../../code/escape-path.ts';
import type { IconName } from '../assets/icon-names.ts';
import { type Html, html } from '../html.ts';
import { repositoryPath } from '../repository/frame.ts';
import { icon, type View } from '../view.ts';

/** The branch, tag or pull request that a run was started for. @param branchHref the target of a branch, by default its files */
export function runRef(view: View, repository: Repository, ref: string, branchHref?: (branch: string) => string): Html | false {
  const [, kind, name = ''] = /^refs\/(heads|tags|pull)\/(.+)$/.exec(ref) ?? [];
  const link = (href: string, sign: IconName, label: string) => html`<a class="badge" href="${href}">${icon(view, sign)} ${label}</a>`;
  const files = (type: string) => repositoryPath(view, repository, `src/${type}/${escapePath(name)}`);
  if (kind === 'heads') return link(branchHref?.(name) ?? files('branch'), 'git-branch', name);
  if (kind === 'tags') return link(files('tag'), 'tag', name);
  const number = Number(/^\d+(?=\/)/.exec(name)?.[0]);
  return kind === 'pull' && number > 0 && link(repositoryPath(view, repository, `pulls/${number}`), 'git-pull-request', `#${number}`);
}
