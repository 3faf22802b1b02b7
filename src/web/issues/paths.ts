import type { Repository } from '../../access/find-repository.ts';
import { repositoryPath } from '../repository/frame.ts';
import type { View } from '../view.ts';

/** The path of the page of an issue or a pull request. @param rest the part after its number, such as `edit` */
export function issuePath(
  view: View,
  { repository, number, is_pull: isPull }: { repository: Pick<Repository, 'name' | 'owner'>; number: number; is_pull: boolean },
  rest = '',
): string {
  const own = repositoryPath(view, repository, `${isPull ? 'pulls' : 'issues'}/${number}`);
  return rest === '' ? own : `${own}/${rest}`;
}
